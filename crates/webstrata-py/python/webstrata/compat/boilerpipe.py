"""boilerpipe's extractors, under the names of its Python packages.

``Extractor(extractor="ArticleExtractor", html=html).getText()`` is the interface of ``boilerpipe``; ``ArticleExtractor().get_content(html)`` is
that of ``boilerpy3``. The methods are those of boilerpipe as published.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webstrata._page import Block, Page
from webstrata.compat import NotCovered, page_of, refuse

__all__ = [
    "ArticleExtractor",
    "ArticleSentencesExtractor",
    "CanolaExtractor",
    "DefaultExtractor",
    "Extractor",
    "KeepEverythingExtractor",
    "KeepEverythingWithKMinWordsExtractor",
    "LargestContentExtractor",
    "NumWordsRulesExtractor",
    "TextBlock",
    "TextDocument",
]

_PRESETS = {
    "ArticleExtractor": "article",
    "ArticleSentencesExtractor": "article-sentences",
    "CanolaExtractor": "canola",
    "DefaultExtractor": "boilerpipe-default",
    "KeepEverythingExtractor": "keep-everything",
    "LargestContentExtractor": "largest-content",
    "NumWordsRulesExtractor": "num-words-rules",
}


def _preset(extractor: str, kmin: int | None = None) -> str:
    if extractor == "KeepEverythingWithKMinWordsExtractor":
        return f"keep-everything-with-min-k-words={kmin}" if kmin is not None else "keep-everything-with-min-k-words"
    if extractor not in _PRESETS:
        raise NotCovered(f"webstrata.compat.boilerpipe does not cover the extractor {extractor!r}")
    return _PRESETS[extractor]


@dataclass(frozen=True)
class TextBlock:
    """A block, under boilerpipe's names."""

    text: str
    is_content: bool
    num_words: int
    num_words_in_anchor_text: int
    text_density: float
    link_density: float
    labels: tuple[str, ...]

    @classmethod
    def _of(cls, block: Block) -> TextBlock:
        density = block.link_words / block.words if block.words else 0.0
        return cls(block.text, block.content, block.words, block.link_words, block.text_density, density, (block.role,))


@dataclass(frozen=True)
class TextDocument:
    """A page, under boilerpipe's names."""

    title: str | None
    content: str
    text_blocks: tuple[TextBlock, ...]

    @property
    def text(self) -> str:
        """All text, content or not."""
        return "\n".join(block.text for block in self.text_blocks)


class _Extractor:
    """The methods of the extractors of ``boilerpy3``."""

    def __init__(self, raise_on_failure: bool = True, kmin: int | None = None) -> None:
        # Malformed HTML is not an error, so there is nothing to raise or suppress.
        self._preset = _preset(type(self).__name__, kmin)
        self._raise_on_failure = raise_on_failure

    def _page(self, text: Any) -> Page:
        return Page(page_of(text), preset=self._preset, verdicts_only=True)

    def get_content(self, text: Any) -> str:
        """The content of a page."""
        return self._page(text).document().text

    def get_doc(self, text: Any) -> TextDocument:
        """The blocks of a page with their verdicts."""
        page = self._page(text)
        return TextDocument(page.title, page.document().text, tuple(map(TextBlock._of, page.blocks())))

    def __getattr__(self, name: str) -> Any:
        if name.endswith("_from_url") or name.endswith("_from_file") or name == "get_marked_html":
            raise NotCovered(f"webstrata.compat.boilerpipe does not cover {name}; read the page and call get_content or get_doc")
        raise AttributeError(name)


class ArticleExtractor(_Extractor):
    """For news articles."""


class ArticleSentencesExtractor(_Extractor):
    """Sentences of news articles."""


class CanolaExtractor(_Extractor):
    """Trained on krdwrd's Canola."""


class DefaultExtractor(_Extractor):
    """For any page."""


class KeepEverythingExtractor(_Extractor):
    """All text."""


class LargestContentExtractor(_Extractor):
    """The largest block of content."""


class NumWordsRulesExtractor(_Extractor):
    """By the number of words alone."""


class KeepEverythingWithKMinWordsExtractor(_Extractor):
    """All blocks of at least ``kmin`` words."""

    def __init__(self, kmin: int, raise_on_failure: bool = True) -> None:
        super().__init__(raise_on_failure, kmin)


class Extractor:
    """The class of ``boilerpipe``."""

    def __init__(self, extractor: str = "DefaultExtractor", *, kMin: int | None = None, html: Any = None, url: str | None = None) -> None:
        refuse("boilerpipe", url=(url, None))
        if html is None:
            raise NotCovered("webstrata.compat.boilerpipe does not fetch pages; pass the page with html=")
        self._page = Page(page_of(html), preset=_preset(extractor, kMin), verdicts_only=True)

    def getText(self) -> str:
        """The content of the page."""
        return self._page.document().text

    def getHTML(self) -> str:
        """The content of the page as clean HTML."""
        return self._page.document().html

    def getImages(self) -> list[dict[str, Any]]:
        """The images in the content."""
        return [
            {"src": image.src, "alt": image.alt, "width": image.width, "height": image.height}
            for image in self._page.images()
            if image.content
        ]
