"""LangChain: a loader for pages and WARC files, and a transformer for documents with HTML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from langchain_core.document_loaders import BaseLoader
from langchain_core.documents import BaseDocumentTransformer, Document

from webstrata._extract import Extractor
from webstrata._page import Document as Extracted
from webstrata._read import Path, read

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options


def to_document(extracted: Extracted, text: str | None = None, **metadata: Any) -> Document:
    """The content of a page, or another text of it, as a LangChain document; metadata has ``source``, ``title`` and so on."""
    found = {**extracted.metadata.as_dict(), **metadata}
    if extracted.url:
        found["source"] = extracted.url
    return Document(page_content=extracted.text if text is None else text, metadata=found)


class WebstrataLoader(BaseLoader):
    """Loads the main content of pages from files, folders, WARC files and tables. Unreadable records are skipped."""

    def __init__(self, paths: Path | Sequence[Path], **options: Unpack[Options]) -> None:
        self._paths = paths
        self._options = options

    def lazy_load(self) -> Iterator[Document]:
        """Yields the documents."""
        for record in read(self._paths):
            if record.error is None:
                metadata = {"source": record.url or record.name}
                yield to_document(record.document(), record.extract(**self._options), **metadata)


class WebstrataTransformer(BaseDocumentTransformer):
    """Replaces HTML with its main content; the address is taken from ``source``."""

    def __init__(self, **options: Unpack[Options]) -> None:
        self._extractor = Extractor(**options)

    def transform_documents(self, documents: Sequence[Document], **kwargs: Any) -> Sequence[Document]:
        """The documents with text instead of HTML."""
        if kwargs:
            raise TypeError(f"unknown option {next(iter(kwargs))!r}; give options to WebstrataTransformer()")
        return [self._transformed(document) for document in documents]

    def _transformed(self, document: Document) -> Document:
        html, url = document.page_content, document.metadata.get("source")
        return to_document(self._extractor.document(html, url), self._extractor.extract(html, url), **document.metadata)
