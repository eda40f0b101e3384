"""The command line: ``webstrata``, or ``python -m webstrata``."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from webstrata._webstrata import main as _main


def main() -> NoReturn:
    """Runs the command line with the arguments of the process and ends it."""
    code = _main(["webstrata", *sys.argv[1:]])
    # Threads of a page that is stuck must not keep the process alive.
    os._exit(code)


if __name__ == "__main__":
    main()
