"""An extractor for datatrove: ``Webstrata(favor_precision=True)`` in place of ``Trafilatura()``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from datatrove.pipeline.extractors.base import BaseExtractor

from webstrata._extract import Extractor

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options


class Webstrata(BaseExtractor):  # type: ignore[misc]
    """Extracts the main content of documents whose text is HTML.

    Args:
        timeout: The time limit for a document in seconds; datatrove enforces it.
        options: Options of :func:`webstrata.extract`. As in datatrove's own extractors, readers' comments are left out by default.
    """

    name = "⛏ Webstrata"

    def __init__(self, timeout: float = 1, **options: Unpack[Options]) -> None:
        super().__init__(timeout)
        options.setdefault("include_comments", False)
        self._extractor = Extractor(**options)

    def extract(self, text: Any) -> str:
        """The main content of a page."""
        return self._extractor.extract(text)
