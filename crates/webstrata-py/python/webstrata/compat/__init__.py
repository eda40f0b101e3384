"""Drop-in replacements for other packages: change the import, keep the code.

Each module covers the commonly used part of one package; docs/python.md has the table. An option that is not covered raises
:class:`NotCovered`; no option is silently ignored.
"""

from __future__ import annotations

from typing import Any

from webstrata.exceptions import OptionError


class NotCovered(OptionError):
    """An option of the other package that has no counterpart here."""


def refuse(package: str, **given: tuple[Any, Any]) -> None:
    """Raises if an option differs from its default, which comes second."""
    for name, (value, default) in given.items():
        if value is not default and value != default:
            raise NotCovered(f"webstrata.compat.{package} does not cover {name}={value!r}; leave it out, or see docs/python.md")


def page_of(html: Any) -> str | bytes:
    """A page as text or bytes; for a response of trafilatura or urllib3, its body."""
    body = getattr(html, "data", html)
    if isinstance(body, (str, bytes)):
        return body
    if isinstance(body, (bytearray, memoryview)):
        return bytes(body)
    raise NotCovered(f"pages must be str, bytes or a response, not {type(html).__name__}; webstrata parses them itself")
