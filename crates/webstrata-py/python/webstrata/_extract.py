"""Extraction: one page, or many at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webstrata import _webstrata
from webstrata._columns import as_input, like
from webstrata._options import complete, documented
from webstrata._page import _OF_TEXTS, Document, Metadata, Page, Segment, _refuse

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from webstrata._options import Options


class Extractor:
    """Options that are checked once and used for many pages, from any number of threads.

    >>> extractor = Extractor(output_format="markdown", preset="keep-everything")
    >>> extractor.extract("<h1>Rain</h1><p>It rained.")
    '# Rain\\n\\nIt rained.'
    """

    __slots__ = ("_compiled", "options")

    @documented
    def __init__(self, **options: Unpack[Options]) -> None:
        """Checks the options.

        {options}
        """
        self.options = options
        """The options that were given."""
        self._compiled = _webstrata.Extractor(complete(dict(options)))

    def extract(self, html: str | bytes, url: str | None = None) -> str:
        """The main content of a page; see :func:`webstrata.extract`."""
        return self._compiled.extract(html, url)

    def document(self, html: str | bytes, url: str | None = None) -> Document:
        """The main content of a page with all its details."""
        options: Any = {name: value for name, value in self.options.items() if name not in _OF_TEXTS}
        return Document(Page(html, url, **options), self._compiled)

    def extract_batch(
        self, pages: Any, urls: Any = None, *, threads: int = 0, timeout: float | None = 30.0, errors: str = "raise"
    ) -> Any:
        """The main content of many pages; see :func:`webstrata.extract_batch`."""
        texts = _webstrata.extract_batch(
            self._compiled, as_input(pages), None if urls is None else as_input(urls), threads, timeout, errors
        )
        return like(pages, texts)

    def __repr__(self) -> str:
        return f"Extractor({', '.join(f'{name}={value!r}' for name, value in self.options.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.options,)


def _restored(options: Options) -> Extractor:
    """Restores a pickled extractor."""
    return Extractor(**options)


# Options for the output; they do not change which segments are content.
_OF_CONTENT = (
    *_OF_TEXTS, "include_links", "include_images", "include_formatting", "with_metadata", "markdown_tables", "target_language",
)  # fmt: skip

# Options never change, so calls without any can share these.
_DEFAULT = _webstrata.Extractor(complete({}))


@documented
def extract(html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> str:
    """The main content of a page; empty if it has none.

    >>> extract("<nav><a href=/>Home</a></nav><p>It has been raining in the valley for three days, and nobody can say why.</p>")
    'It has been raining in the valley for three days, and nobody can say why.'

    {options}
    """
    compiled = _webstrata.Extractor(complete(dict(options))) if options else _DEFAULT
    return compiled.extract(html, url)


@documented
def bare_extraction(html: str | bytes, url: str | None = None, **options: Unpack[Options]) -> Document:
    """The main content of a page as an object: text, metadata, byte spans, blocks with reasons. It is falsy if there is none.

    ``output_format`` and ``explain`` raise: the object has all formats and all reasons.

    {options}
    """
    return Page(html, url, **options).document()


@documented
def extract_batch(
    pages: Any,
    urls: Any = None,
    *,
    threads: int = 0,
    timeout: float | None = 30.0,
    errors: str = "raise",
    **options: Unpack[Options],
) -> Any:
    """The main content of many pages, on all cores. Ctrl-C stops it.

    ``pages`` is a list or another iterable of pages, a pandas or polars series, or an Arrow array (anything with the PyCapsule
    interface, which is read without copying); the result has the same type. A missing page gives a missing result. ``urls`` are
    the addresses of the pages, in the same order.

    >>> extract_batch(["<p>one", None, b"<p>two"], preset="keep-everything")
    ['one', None, 'two']

    ``threads`` is 0 for one per core. ``timeout`` is the time limit for a page in seconds. A page that fails raises an exception
    or, with ``errors="null"``, gives a missing result.

    {options}
    """
    return Extractor(**options).extract_batch(pages, urls, threads=threads, timeout=timeout, errors=errors)


def segment(
    html: str | bytes,
    url: str | None = None,
    *,
    method: str = "strata",
    granularity: str | float | None = None,
    rules: str | None = None,
    theta: float | None = None,
    width: int | None = None,
    **options: Unpack[Options],
) -> list[Segment]:
    """The segments of a page: text that belongs together, each with a role and a reason.

    >>> [segment.text for segment in segment("<h1>Rain</h1><p>It rained.", method="taggap")]
    ['Rain', 'It rained.']

    Args:
        method: ``strata`` (learned), ``bf-rulebased`` (Block Fusion, no training), ``bf-plain``, ``bf-smoothed``,
            ``bf-smoothed-low``, ``just-rules``, ``getblockset``, ``taggap``,
            ``wordwrap``, ``gcuts``, ``gcuts-np``, ``gcuts-nl``, ``cclus`` or ``cclus-nl``.
        granularity: Of ``strata``: ``coarse``, ``fine``, or a number from 0 (one segment) to 1 (a cut at every gap).
        rules: Of the methods with rules: ``html5`` or ``paper``.
        theta: Of Block Fusion: the maximum slope delta between the text densities of fused blocks, 0 to 1.
        width: Of ``wordwrap``: the line width.
        options: Options of :func:`webstrata.extract`, which decide which segments are content.
    """
    _refuse(options, _OF_CONTENT, "is an option of extract(); segments have only their text")
    page = Page(html, url, **options)
    return page.segments(method, granularity, rules=rules, theta=theta, width=width)


def metadata(html: str | bytes, url: str | None = None) -> Metadata:
    """Title, authors, dates and more, each with its source.

    >>> metadata("<title>Rain</title><meta name=author content='Maren Tolliver'>").authors
    ('Maren Tolliver',)
    """
    return Page(html, url).metadata
