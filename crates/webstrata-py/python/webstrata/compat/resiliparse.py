"""Resiliparse's function: ``from webstrata.compat.resiliparse import extract_plain_text``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from webstrata._options import Options
from webstrata._page import Page
from webstrata.compat import page_of, refuse

__all__ = ["extract_plain_text"]


def extract_plain_text(
    html: Any,
    preserve_formatting: Any = True,
    main_content: bool = False,
    list_bullets: bool = False,
    alt_texts: bool = False,
    links: bool = False,
    form_fields: bool = False,
    noscript: bool = False,
    comments: bool = True,
    post_meta: bool = True,
    hidden_elements: bool = False,
    skip_elements: Iterable[str] | None = None,
) -> str:
    """The text of a page: all of it, or the main content. Unlike in Resiliparse, bullets and alternative texts are off by default."""
    refuse(
        "resiliparse",
        list_bullets=(list_bullets, False),
        alt_texts=(alt_texts, False),
        form_fields=(form_fields, False),
        hidden_elements=(hidden_elements, False),
    )
    minimal = preserve_formatting == "minimal_html"
    refuse("resiliparse", links=(links and not minimal, False))
    options: Options = {
        "include_links": links,
        "noscript": noscript,
        "include_comments": comments,
        "exclude": list(skip_elements or ()),
        "preset": "strata" if main_content else "keep-everything",
    }
    if main_content and post_meta:
        options["keep_roles"] = ["byline"]
    document = Page(page_of(html), **options).document()
    if minimal:
        whole = document.html
        return whole[whole.index("<body>") + len("<body>") : whole.rindex("</body>")].strip()
    return document.text if preserve_formatting else " ".join(document.text.split())
