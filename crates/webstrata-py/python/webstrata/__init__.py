"""Main content, segments, metadata and links of Web pages, each traced to the byte, with the reason."""

from __future__ import annotations

from webstrata import _webstrata

__all__ = ["extract"]


def extract(html: str | bytes) -> str:
    """The text of a page's main content."""
    return _webstrata.extract(html.encode() if isinstance(html, str) else html)
