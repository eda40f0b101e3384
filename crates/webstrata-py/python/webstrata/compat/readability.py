"""readability-lxml's class: ``from webstrata.compat.readability import Document``."""

from __future__ import annotations

from typing import Any

from webstrata._page import Page
from webstrata.compat import NotCovered, page_of, refuse

__all__ = ["Document"]


class Document:
    """A page; :meth:`summary` is its content as clean HTML."""

    def __init__(
        self,
        input: Any,
        positive_keywords: Any = None,
        negative_keywords: Any = None,
        url: str | None = None,
        min_text_length: int = 25,
        retry_length: int = 250,
        xpath: bool = False,
        handle_failures: str = "discard",
    ) -> None:
        refuse(
            "readability",
            positive_keywords=(positive_keywords, None),
            negative_keywords=(negative_keywords, None),
            min_text_length=(min_text_length, 25),
            retry_length=(retry_length, 250),
            xpath=(xpath, False),
            handle_failures=(handle_failures, "discard"),
        )
        self._page = Page(page_of(input), url, include_links=True, include_images=True)

    def title(self) -> str:
        """The title of the page, with the name of the site if it is there."""
        return self._page.title or "[no-title]"

    def short_title(self) -> str:
        """The title without the name of the site."""
        return self._page.metadata.title or self._page.title or ""

    def author(self) -> str:
        """The authors."""
        return "; ".join(self._page.metadata.authors) or "[no-author]"

    def summary(self, html_partial: bool = False, keep_all_images: bool = False) -> str:
        """The main content as clean HTML: a document, or the inside of its body in a ``div``."""
        refuse("readability", keep_all_images=(keep_all_images, False))
        html = self._page.document().html
        start, end = html.index("<body>") + len("<body>"), html.rindex("</body>")
        body = html[start:end].strip()
        return f"<div>{body}</div>" if html_partial else f"<html><body><div>{body}</div></body></html>"

    def __getattr__(self, name: str) -> Any:
        if name in ("content", "get_clean_html", "get_article", "score_paragraphs", "sanitize", "transform_misused_divs_into_paragraphs"):
            raise NotCovered(f"webstrata.compat.readability does not cover Document.{name}: there is no lxml tree; use summary()")
        raise AttributeError(name)
