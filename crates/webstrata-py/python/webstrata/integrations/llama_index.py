"""LlamaIndex: a reader for pages and WARC files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from llama_index.core.readers.base import BaseReader
from llama_index.core.schema import Document

from webstrata._page import Document as Extracted
from webstrata._read import Path, read

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options


def to_document(extracted: Extracted, text: str | None = None, **metadata: Any) -> Document:
    """The content of a page, or another text of it, as a LlamaIndex document; metadata has ``url``, ``title`` and so on."""
    found = {**extracted.metadata.as_dict(), **metadata}
    if extracted.url:
        found["url"] = extracted.url
    return Document(text=extracted.text if text is None else text, metadata=found)


class WebstrataReader(BaseReader):
    """Reads the main content of pages from files, folders, WARC files and tables. Unreadable records are skipped."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self._options = options

    def lazy_load_data(self, paths: Path | Sequence[Path], **metadata: Any) -> Iterable[Document]:
        """The documents, one after another."""
        for record in read(paths):
            if record.error is None:
                yield to_document(record.document(), record.extract(**self._options), name=record.name, **metadata)

    def load_data(self, paths: Path | Sequence[Path], **metadata: Any) -> list[Document]:
        """The documents."""
        return list(self.lazy_load_data(paths, **metadata))
