"""The command line: ``webstrata``, or ``python -m webstrata``."""

from __future__ import annotations

import os
import signal
import sys
from typing import NoReturn

from webstrata._webstrata import main as _main


def main() -> NoReturn:
    """Runs the command line with the arguments of the process, and exits."""
    # The command handles Ctrl-C, not Python, unless the parent process has it ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    code = _main(["webstrata", *sys.argv[1:]])
    # Threads stuck on a page must not keep the process alive.
    os._exit(code)


if __name__ == "__main__":
    main()
