"""jusText's function: ``from webstrata.compat import justext; justext.justext(html, justext.get_stoplist("English"))``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from webstrata._page import Block, Page
from webstrata.compat import NotCovered, page_of, refuse

__all__ = ["Paragraph", "Stoplist", "get_stoplist", "justext"]


@dataclass(frozen=True)
class Stoplist:
    """Placeholder for a list of stop words, which this method does not need."""

    language: str


def get_stoplist(language: str) -> Stoplist:
    """A placeholder that :func:`justext` takes instead of a list of stop words."""
    return Stoplist(language)


@dataclass(frozen=True)
class Paragraph:
    """A block, under jusText's names."""

    text: str
    xpath: str
    dom_path: str
    class_type: str
    """``good`` or ``bad``. There is no ``short`` and no ``neargood``: the method decides in one step."""
    is_heading: bool
    words_count: int
    _link_words: int

    @property
    def is_boilerplate(self) -> bool:
        """Whether it is not content."""
        return self.class_type != "good"

    def links_density(self) -> float:
        """The share of the words in links; jusText's own counts characters."""
        return self._link_words / self.words_count if self.words_count else 0.0

    def __len__(self) -> int:
        return len(self.text)

    def __getattr__(self, name: str) -> Any:
        if name in ("text_nodes", "tags_count", "chars_count_in_links", "stopwords_count", "stopwords_density"):
            raise NotCovered(f"webstrata.compat.justext does not cover Paragraph.{name}")
        raise AttributeError(name)

    @classmethod
    def _of(cls, block: Block) -> Paragraph:
        steps = block.path.strip("/").split("/")
        dom_path = ".".join(re.sub(r"\[\d+\]", "", step) for step in steps)
        return cls(
            text=block.text,
            xpath="/" + "/".join(step if step.endswith("]") else f"{step}[1]" for step in steps),
            dom_path=dom_path,
            class_type="good" if block.content else "bad",
            is_heading=bool(re.search(r"\bh\d\b", dom_path)),
            words_count=block.words,
            _link_words=block.link_words,
        )


def justext(
    html_text: Any,
    stoplist: Any,
    length_low: int = 70,
    length_high: int = 200,
    stopwords_low: float = 0.3,
    stopwords_high: float = 0.32,
    max_link_density: float = 0.2,
    max_heading_distance: int = 200,
    no_headings: bool = False,
    encoding: str | None = None,
    default_encoding: str = "utf8",
    enc_errors: str = "replace",
    preprocessor: Any = None,
) -> list[Paragraph]:
    """The paragraphs of a page, each good or boilerplate, by the method ``strata``."""
    refuse(
        "justext",
        length_low=(length_low, 70),
        length_high=(length_high, 200),
        stopwords_low=(stopwords_low, 0.3),
        stopwords_high=(stopwords_high, 0.32),
        max_link_density=(max_link_density, 0.2),
        max_heading_distance=(max_heading_distance, 200),
        default_encoding=(default_encoding, "utf8"),
        enc_errors=(enc_errors, "replace"),
        preprocessor=(preprocessor, None),
    )
    if not isinstance(stoplist, Stoplist):
        raise NotCovered("webstrata.compat.justext does not cover custom stop words; pass this module's get_stoplist(language)")
    page = Page(page_of(html_text), encoding=encoding, drop_roles=["heading", "title"] if no_headings else [])
    return [Paragraph._of(block) for block in page.blocks() if block.words]
