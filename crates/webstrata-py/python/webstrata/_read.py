"""Pages of WARC files, folders and tables."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from webstrata import _webstrata
from webstrata._extract import extract
from webstrata._page import Document, Page
from webstrata.exceptions import InputError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Record:
    """A page as it was read, or a record that could not be read."""

    name: str
    """The file, with an offset if it contains several pages."""
    file: str
    offset: int
    """The byte, or the row, at which the record begins."""
    url: str | None = None
    html: bytes = b""
    """The page without transfer and content encodings."""
    date: str | None = None
    """When it was fetched."""
    charset: str | None = None
    """The charset in its HTTP header."""
    status: int | None = None
    """The HTTP status."""
    content_type: str | None = None
    record_id: str | None = None
    """The id of the WARC record."""
    problems: Sequence[str] = ()
    """What was truncated or could not be decoded; the page is the rest."""
    error: str | None = None
    """Why there is no page."""

    def _with_charset(self, options: Options) -> Options:
        """Applies the charset of the HTTP header, unless the options override it."""
        if self.charset and not {"encoding", "content_type"} & options.keys():
            options["content_type"] = self.charset
        return options

    def page(self, **options: Unpack[Options]) -> Page:
        """The page, parsed; see :class:`webstrata.Page`."""
        return Page(self.html, self.url, **self._with_charset(options))

    def extract(self, **options: Unpack[Options]) -> str:
        """The main content; see :func:`webstrata.extract`."""
        return extract(self.html, self.url, **self._with_charset(options))

    def document(self, **options: Unpack[Options]) -> Document:
        """The main content; see :func:`webstrata.bare_extraction`."""
        return self.page(**options).document()

    def __repr__(self) -> str:
        state = f"error={self.error!r}" if self.error else f"{len(self.html)} bytes"
        return f"Record({self.name!r}, url={self.url!r}, {state})"


def read(
    paths: Path | Sequence[Path],
    *,
    extensions: Sequence[str] = (),
    any_status: bool = False,
    max_bytes: int = 32 << 20,
    html_column: str = "html",
    url_column: str = "url",
    date_column: str = "date",
) -> Iterator[Record]:
    """The pages of WARC files, of folders, and of Parquet and JSON Lines files, one after another, in constant memory.

    A damaged record does not end the iteration: it is a :class:`Record` with an ``error``.

    Args:
        paths: One or more paths.
        extensions: Extensions of the files to read from folders; by default those of pages.
        any_status: Whether to read responses with any HTTP status, not only 200 to 299.
        max_bytes: Maximum size of a page; the rest is cut off.
        html_column, url_column, date_column: Columns of tables.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    for path in several:
        # A pattern may match nothing; a name that does not exist is a mistake.
        if not os.path.exists(path) and not set(os.fspath(path)) & set("*?["):
            raise InputError(f"{os.fspath(path)}: no such file or folder")
    options = {
        "extensions": list(extensions),
        "any_status": any_status,
        "max_bytes": max_bytes,
        "html_column": html_column,
        "url_column": url_column,
        "date_column": date_column,
    }
    reader = _webstrata.Reader([os.fspath(path) for path in several], options)
    return (Record(**fields) for fields in reader)
