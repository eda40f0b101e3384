"""Extraction options, with their defaults and documentation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from inspect import Parameter, Signature, signature
from typing import Any, Callable, TypedDict, TypeVar, Union

from webstrata.exceptions import OptionError

Path = Union[str, "os.PathLike[str]"]

OPTIONS = """\
    Args:
        html: The page, as ``bytes`` (whose encoding is detected) or ``str``.
        url: Its address. Links are resolved against it, and site rules are selected by it.
        output_format: ``txt``, ``markdown``, ``html``, ``json``, ``csv``, ``xml`` or ``xmltei``. ``json`` is a record on one line
            (docs/json.md), ``csv`` a row; ``webstrata.CSV_HEADER`` is its header.
        favor_precision: Less text, with less boilerplate.
        favor_recall: More text, at the risk of boilerplate.
        include_comments: Whether readers' comments are kept.
        include_tables: Whether data tables are kept. Layout tables are not affected.
        include_links: Whether links keep their targets (markdown, html, xml, xmltei); in json, whether all links are listed.
        include_images: The same for images.
        include_formatting: Writes ``txt`` with headings, lists and emphasis as in Markdown. Formats with markup always have them.
        include_title: Whether the content begins with the page's headline.
        include_duplicates: Whether repeated text is kept, such as a copy for another screen size.
        with_metadata: Adds title, authors, dates and more; csv, xml and xmltei always have them.
        target_language: Pages in another language give an empty result. ``en`` also matches ``en-GB``.
        preset: The method that decides what is content; ``strata`` is the default, docs/cli.md lists the others.
        model: A file with a trained model, instead of a preset.
        site: An output folder of ``webstrata site``, for presets that need other pages of the site.
        site_rules: A TOML file with per-site rules.
        keep_roles: Roles of blocks that are kept inside and next to the content, such as ``caption`` and ``byline``.
        drop_roles: Roles of blocks that are left out.
        include: CSS selectors: text inside such elements is kept, whatever the method decides.
        exclude: CSS selectors: text inside such elements is left out.
        only_in: CSS selectors: only text inside such elements is kept.
        verdicts_only: Keeps exactly the blocks that the method classifies as content, as published.
        explain: Adds every block with its verdict and reason (json).
        markdown_tables: ``auto``, ``gfm`` or ``html``.
        encoding: The encoding of pages as bytes, overriding what they declare.
        content_type: The ``Content-Type`` of the HTTP response, or its charset.
        noscript: Whether text inside ``noscript`` is included.
        line_width: Line width in characters for text density.
        max_bytes, max_nodes, max_depth: Limits. A page that reaches one is truncated there.
"""


class Options(TypedDict, total=False):
    """The options of :func:`webstrata.extract`."""

    output_format: str
    favor_precision: bool
    favor_recall: bool
    include_comments: bool | None
    include_tables: bool | None
    include_links: bool
    include_images: bool
    include_formatting: bool
    include_title: bool
    include_duplicates: bool | None
    with_metadata: bool
    target_language: str | None
    preset: str | None
    model: Path | None
    site: Path | None
    site_rules: Path | None
    keep_roles: Sequence[str]
    drop_roles: Sequence[str]
    include: Sequence[str]
    exclude: Sequence[str]
    only_in: Sequence[str]
    verdicts_only: bool
    explain: bool
    markdown_tables: str | None
    encoding: str | None
    content_type: str | None
    noscript: bool
    line_width: int
    max_bytes: int
    max_nodes: int
    max_depth: int


# None where the default depends on other options, or where site rules may decide.
DEFAULTS: Options = {
    "output_format": "txt",
    "favor_precision": False,
    "favor_recall": False,
    "include_comments": None,
    "include_tables": None,
    "include_links": False,
    "include_images": False,
    "include_formatting": False,
    "include_title": True,
    "include_duplicates": None,
    "with_metadata": False,
    "target_language": None,
    "preset": None,
    "model": None,
    "site": None,
    "site_rules": None,
    "keep_roles": (),
    "drop_roles": (),
    "include": (),
    "exclude": (),
    "only_in": (),
    "verdicts_only": False,
    "explain": False,
    "markdown_tables": None,
    "encoding": None,
    "content_type": None,
    "noscript": False,
    "line_width": 80,
    "max_bytes": 32 << 20,
    "max_nodes": 1_000_000,
    "max_depth": 1024,
}

_LISTS = ("keep_roles", "drop_roles", "include", "exclude", "only_in")


def complete(options: dict[str, Any]) -> dict[str, Any]:
    """All options, with the defaults for those that are not given."""
    for name in options:
        if name not in DEFAULTS:
            raise TypeError(f"unknown option {name!r}; options are: {', '.join(DEFAULTS)}")
    result: dict[str, Any] = {**DEFAULTS, **options}
    for name in _LISTS:
        if isinstance(result[name], str):
            raise OptionError(f"{name} must be a list; write [{result[name]!r}]")
        result[name] = list(result[name])
    return result


_F = TypeVar("_F", bound=Callable[..., Any])


def documented(function: _F) -> _F:
    """Shows the options in the signature and the documentation of a function that takes them as ``**options``."""
    doc = function.__doc__ or ""
    function.__doc__ = doc.replace("    {options}", OPTIONS.rstrip("\n")) if "{options}" in doc else doc
    named = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default, annotation=Options.__annotations__[name])
        for name, default in DEFAULTS.items()
    ]
    own = [p for p in signature(function).parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
    function.__signature__ = Signature(own + named, return_annotation=function.__annotations__.get("return"))  # type: ignore[attr-defined]
    return function
