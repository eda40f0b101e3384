"""Pages, and their blocks, segments, links and images."""

from __future__ import annotations

import html as _html
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from webstrata import _webstrata
from webstrata._options import complete, documented
from webstrata.exceptions import OptionError

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options

Span = tuple[int, int]
"""A byte range in :attr:`Page.source`: the first byte, and the one after the last."""

Html = "str | bytes | bytearray | memoryview"


def _spans(record: dict[str, Any]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end in record["spans"])


@dataclass(frozen=True)
class Block:
    """Text between two tags that start or end a line, and the verdict on it."""

    text: str
    content: bool
    """Whether it is content."""
    role: str
    """``body``, ``heading``, ``navigation`` and so on; docs/json.md has the list."""
    why: str
    """Why it is content or not: the steps that decided, with their operands."""
    path: str
    """An XPath of the element in which the text starts."""
    spans: tuple[Span, ...]
    probability: float | None
    """Probability that it is content, if the method predicts one."""
    words: int
    link_words: int
    text_density: float
    facts: tuple[str, ...]
    """Facts about visibility, such as ``hidden``."""
    features: dict[str, float] = field(default_factory=dict, repr=False)
    """The 67 features, if requested."""

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Block:
        return cls(
            text=record["text"],
            content=record["content"],
            role=record["role"],
            why=record.get("why", ""),
            path=record["path"],
            spans=_spans(record),
            probability=record.get("probability"),
            words=record["words"],
            link_words=record["link_words"],
            text_density=record["text_density"],
            facts=tuple(record["facts"]),
            features=record.get("features", {}),
        )


@dataclass(frozen=True)
class Segment:
    """Text that belongs together, and the verdict on it."""

    text: str
    content: bool
    """Whether more than half of its words are content."""
    role: str
    """The role with the most words."""
    why: str
    path: str
    """An XPath of the lowest element that contains all of it."""
    spans: tuple[Span, ...]
    score: float
    """The average probability of content."""
    words: int
    link_words: int
    text_density: float
    blocks: range
    """Numbers of its blocks. Two segments may share a block."""
    group: int | None = None
    """Number of the segment that it is a part of, by ``gcuts``, ``cclus`` and their variants."""
    cohesion: str | None = None
    """What holds it together, by the same methods."""

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Segment:
        return cls(
            text=record["text"],
            content=record["content"],
            role=record["role"],
            why=record["why"],
            path=record["path"],
            spans=_spans(record),
            score=record["score"],
            words=record["words"],
            link_words=record["link_words"],
            text_density=record["text_density"],
            blocks=range(*record["blocks"]),
            group=record.get("group"),
            cohesion=record.get("cohesion"),
        )


@dataclass(frozen=True)
class Value:
    """A metadata value and where it was found."""

    value: str
    source: str
    span: Span | None = None
    """Byte range of the source text; ``None`` for values that are not in the page itself."""

    def __str__(self) -> str:
        return self.value

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Value:
        span = record.get("span")
        return cls(record["value"], record["source"], (span[0], span[1]) if span else None)


_ONE = (
    "title", "published", "modified", "language", "direction", "site_name", "description", "canonical", "image", "license", "amp",
)
_MANY = ("authors", "tags", "feeds", "types")


@dataclass(frozen=True)
class Metadata:
    """Title, authors, dates and more. Values are strings; :attr:`values` also has the source of each."""

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    language: str | None = None
    direction: str | None = None
    site_name: str | None = None
    description: str | None = None
    canonical: str | None = None
    image: str | None = None
    tags: tuple[str, ...] = ()
    license: str | None = None
    feeds: tuple[str, ...] = ()
    amp: str | None = None
    types: tuple[str, ...] = ()
    values: dict[str, tuple[Value, ...]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def date(self) -> str | None:
        """The date of publication or, failing that, of the last change."""
        return self.published or self.modified

    def as_dict(self) -> dict[str, Any]:
        """The fields with a value."""
        fields = {name: getattr(self, name) for name in (*_ONE, *_MANY)}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in fields.items() if value}

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Metadata:
        values: dict[str, tuple[Value, ...]] = {name: (Value._of(record[name]),) for name in _ONE if name in record}
        values |= {name: tuple(map(Value._of, record[name])) for name in _MANY if name in record}
        fields: dict[str, Any] = {name: values[name][0].value for name in _ONE if name in values}
        fields |= {name: tuple(value.value for value in values[name]) for name in _MANY if name in values}
        return cls(**fields, values=values)


@dataclass(frozen=True)
class Link:
    """A link, in the content or not."""

    text: str
    target: str | None
    """The address, resolved if the page's address is known."""
    href: str
    """The address as it is written in the page."""
    rel: tuple[str, ...]
    same_host: bool | None
    """Whether the target is on the host of the page, if both are known."""
    content: bool
    """Whether it is in the content."""
    role: str | None
    """The role of the block that it is in."""
    path: str
    span: Span
    """Byte range of the start tag."""

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Link:
        return cls(
            text=record["text"],
            target=record.get("target"),
            href=record["href"],
            rel=tuple(record.get("rel", ())),
            same_host=record.get("same_host"),
            content=record.get("content", False),
            role=record.get("role"),
            path=record["path"],
            span=(record["span"][0], record["span"][1]),
        )


@dataclass(frozen=True)
class Image:
    """An image, in the content or not."""

    src: str | None
    """The address, resolved if the page's address is known."""
    alt: str | None
    title: str | None
    caption: str | None
    width: int | None
    height: int | None
    content: bool
    role: str | None
    path: str
    span: Span

    @classmethod
    def _of(cls, record: dict[str, Any]) -> Image:
        return cls(
            src=record.get("src"),
            alt=record.get("alt"),
            title=record.get("title"),
            caption=record.get("caption"),
            width=record.get("width"),
            height=record.get("height"),
            content=record.get("content", False),
            role=record.get("role"),
            path=record["path"],
            span=(record["span"][0], record["span"][1]),
        )


_NO_PARTS: dict[str, Any] = {
    "text": False, "metadata": False, "readability": False, "blocks": False, "features": False, "links": False, "images": False,
    "segments": None,
}  # fmt: skip


# Options for the text that extract() returns; a page has all its forms.
_OF_TEXTS = ("output_format", "explain")
# Options that apply when a page is parsed.
_OF_PARSING = ("encoding", "content_type", "noscript", "line_width", "max_bytes", "max_nodes", "max_depth")


def _refuse(options: Iterable[str], names: Iterable[str], why: str) -> None:
    for name in options:
        if name in names:
            raise OptionError(f"{name} {why}")


def _compiled(options: dict[str, Any]) -> _webstrata.Extractor:
    """Compiles options for all forms of the content; Markdown accepts the options of every form."""
    _refuse(options, _OF_TEXTS, "is an option of extract(); a document has text, markdown, html, to(output_format) and blocks with reasons")
    return _webstrata.Extractor(complete({**options, "output_format": "markdown"}))


class Page:
    """A parsed page. Parsing never fails; :attr:`problems` lists what was truncated or repaired.

    >>> page = Page("<title>Rain</title><p>It has been raining in the valley for three days, and nobody can say why.</p>")
    >>> page.title
    'Rain'
    >>> page.document().text
    'It has been raining in the valley for three days, and nobody can say why.'
    """

    def __init__(self, html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> None:
        self._options: dict[str, Any] = dict(options)
        self._extractor = _compiled(self._options)
        self._page = _webstrata.Page(html, url, self._extractor)
        self.url = url

    def _record(self, extractor: _webstrata.Extractor | None = None, **parts: Any) -> dict[str, Any]:
        record: dict[str, Any] = json.loads(self._page.record(extractor or self._extractor, {**_NO_PARTS, **parts}))
        return record

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return self._record(metadata=True)

    @cached_property
    def source(self) -> bytes:
        """The text of the page that spans refer to: its bytes if they are UTF-8, else a transcoding."""
        return self._page.source()

    @property
    def title(self) -> str | None:
        """Text of the ``title`` element; :attr:`metadata` has it without the name of the site."""
        title: str | None = self._facts["title"]
        return title

    @property
    def encoding(self) -> str:
        """The encoding of the page."""
        return str(self._facts["encoding"])

    @property
    def problems(self) -> list[str]:
        """Limits that were reached and repairs that were made."""
        return [problem["message"] for problem in self._facts["problems"]]

    @cached_property
    def metadata(self) -> Metadata:
        """Title, authors, dates and more."""
        return Metadata._of(self._facts["metadata"])

    def text_of(self, spans: tuple[Span, ...]) -> str:
        """The source of byte ranges, markup included."""
        return " ".join(self.source[start:end].decode("utf-8", "replace") for start, end in spans)

    @documented
    def document(self, **options: Unpack[Options]) -> Document:
        """The main content; options default to those of the page."""
        _refuse(options, _OF_PARSING, "is an option of Page(); the page is already parsed")
        return Document(self, _compiled({**self._options, **options}) if options else self._extractor)

    def blocks(self, features: bool = False) -> list[Block]:
        """All blocks, content or not."""
        return [Block._of(block) for block in self._record(blocks=True, features=features)["blocks"]]

    def segments(
        self,
        method: str = "strata",
        granularity: str | float | None = None,
        *,
        rules: str | None = None,
        theta: float | None = None,
        width: int | None = None,
    ) -> list[Segment]:
        """The segments from a method; see :func:`webstrata.segment`."""
        keywords = {"method": method, "granularity": None if granularity is None else str(granularity), "rules": rules, "theta": theta, "width": width}
        return [Segment._of(segment) for segment in self._record(segments=keywords)["segments"]]

    def links(self) -> list[Link]:
        """All links, content or not."""
        return [Link._of(link) for link in self._record(links=True)["links"]]

    def images(self) -> list[Image]:
        """All images, content or not."""
        return [Image._of(image) for image in self._record(images=True)["images"]]

    def __repr__(self) -> str:
        return f"Page(title={self.title!r}, url={self.url!r}, {len(self.source)} bytes)"

    def _repr_html_(self) -> str:
        """The segments with roles and reasons, for notebooks. All text from the page is escaped."""
        rows = []
        for segment in self.segments():
            colour = "#2e7d32" if segment.content else "#9e9e9e"
            text = segment.text if len(segment.text) <= 300 else segment.text[:300] + "…"
            label = f"{'content' if segment.content else 'boilerplate'}, {segment.role}, {segment.score:.2f}"
            rows.append(
                f'<div style="border-left:4px solid {colour};margin:4px 0;padding:2px 8px" title="{_html.escape(segment.why)}">'
                f'<small style="color:{colour}">{_html.escape(label)} · {_html.escape(segment.path)}</small>'
                f"<br>{_html.escape(text)}</div>"
            )
        title = _html.escape(self.title or self.url or "Page")
        return f"<div><b>{title}</b>{''.join(rows)}</div>"


class Document:
    """The main content of a page. Everything is computed on first access."""

    def __init__(self, page: Page, extractor: _webstrata.Extractor) -> None:
        self.page = page
        self._extractor = extractor

    @cached_property
    def _content(self) -> dict[str, Any]:
        if not self.page._page.has_language(self._extractor):
            return {"text": "", "spans": []}
        return self.page._record(self._extractor, text=True)

    @property
    def text(self) -> str:
        """The content as plain text."""
        return str(self._content["text"])

    @cached_property
    def markdown(self) -> str:
        """The content as Markdown."""
        return self.to("markdown")

    @cached_property
    def html(self) -> str:
        """The content as clean HTML."""
        return self.to("html")

    def to(self, output_format: str) -> str:
        """The content in a format of :func:`webstrata.extract`."""
        if not self.page._page.has_language(self._extractor):
            return ""
        return self.page._page.render(self._extractor, output_format)

    @property
    def spans(self) -> tuple[Span, ...]:
        """Byte ranges of the content in ``page.source``."""
        return _spans(self._content)

    @property
    def confidence(self) -> float | None:
        """The word F1 that the method predicts for its result; pages below 0.8 deserve a look."""
        return self._content.get("confidence")

    @property
    def page_type(self) -> str | None:
        """The page type that the method predicts, such as ``article``."""
        return self._content.get("page_type")

    @cached_property
    def blocks(self) -> list[Block]:
        """All blocks of the page with their verdicts, content or not."""
        return [Block._of(block) for block in self.page._record(self._extractor, blocks=True)["blocks"]]

    @property
    def metadata(self) -> Metadata:
        """Title, authors, dates and more."""
        return self.page.metadata

    @property
    def url(self) -> str | None:
        """The address of the page."""
        return self.page.url

    @property
    def title(self) -> str | None:
        """The title, without the name of the site."""
        return self.metadata.title

    @property
    def author(self) -> str | None:
        """The authors, separated by semicolons."""
        return "; ".join(self.metadata.authors) or None

    @property
    def date(self) -> str | None:
        """The day of publication or, failing that, of the last change."""
        return self.metadata.date[:10] if self.metadata.date else None

    @property
    def language(self) -> str | None:
        """The language."""
        return self.metadata.language

    def as_dict(self) -> dict[str, Any]:
        """Text and metadata."""
        return {"url": self.url, "text": self.text, **self.metadata.as_dict()}

    def __bool__(self) -> bool:
        return bool(self.text)

    def __repr__(self) -> str:
        return f"Document(title={self.title!r}, {len(self.text)} characters)"

    def _repr_html_(self) -> str:
        return f"<pre style='white-space:pre-wrap'>{_html.escape(self.text)}</pre>"
