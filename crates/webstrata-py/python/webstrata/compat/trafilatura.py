"""trafilatura's functions: ``from webstrata.compat.trafilatura import extract``."""

from __future__ import annotations

import hashlib
import json
from typing import Any
from urllib.parse import urlsplit

from webstrata._extract import Extractor
from webstrata._options import Options
from webstrata._page import Document as _Document
from webstrata._page import Page
from webstrata.compat import NotCovered, page_of, refuse

__all__ = ["Document", "bare_extraction", "extract", "extract_metadata", "extract_with_metadata", "html2txt"]

_FORMATS = ("csv", "html", "json", "markdown", "python", "txt", "xml", "xmltei")


class Document:
    """The content and metadata of a page, under trafilatura's names."""

    __slots__ = (
        "author", "categories", "comments", "date", "description", "filedate", "fingerprint", "hostname", "id", "image", "language",
        "license", "pagetype", "raw_text", "sitename", "tags", "text", "title", "url",
    )  # fmt: skip

    def __init__(self, page: Page, record_id: str | None = None) -> None:
        metadata = page.metadata
        self.title = metadata.title
        self.author = "; ".join(metadata.authors) or None
        self.url = page.url or metadata.canonical
        self.hostname = urlsplit(self.url).hostname if self.url else None
        self.description = metadata.description
        self.sitename = metadata.site_name
        self.date = metadata.date[:10] if metadata.date else None
        # Pages have one list of tags; categories are among them.
        self.categories: list[str] = []
        self.tags = list(metadata.tags)
        self.fingerprint: str | None = None
        self.id = record_id
        self.license = metadata.license
        self.comments: str | None = None
        self.raw_text: str | None = None
        self.text: str | None = None
        self.language = metadata.language
        self.image = metadata.image
        self.pagetype = metadata.types[0] if metadata.types else None
        self.filedate: str | None = None

    def _add_content(self, document: _Document, without_comments: _Document, include_comments: bool) -> None:
        self.text = without_comments.text
        self.raw_text = self.text
        # Equal texts have equal fingerprints; those of nearly equal texts differ, unlike trafilatura's.
        self.fingerprint = hashlib.blake2b(self.text.encode("utf-8", "replace"), digest_size=8).hexdigest()
        if include_comments:
            readers = [block.text for block in document.blocks if block.content and block.role == "comment"]
            self.comments = "\n".join(readers)

    def as_dict(self) -> dict[str, Any]:
        """All fields."""
        return {name: getattr(self, name) for name in self.__slots__}

    def __getattr__(self, name: str) -> Any:
        if name in ("body", "commentsbody"):
            raise NotCovered(f"webstrata.compat.trafilatura does not cover Document.{name}: there is no lxml tree; use output_format")
        raise AttributeError(name)

    def __repr__(self) -> str:
        return f"Document(title={self.title!r}, url={self.url!r})"


def _check(options: dict[str, Any]) -> None:
    refuse(
        "trafilatura",
        tei_validation=(options.get("tei_validation", False), False),
        date_extraction_params=(options.get("date_extraction_params"), None),
        max_tree_size=(options.get("max_tree_size"), None),
        author_blacklist=(options.get("author_blacklist") or None, None),
        settingsfile=(options.get("settingsfile"), None),
        prune_xpath=(options.get("prune_xpath") or None, None),
        config=(options.get("config"), None),
        options=(options.get("options"), None),
    )
    if options.get("deduplicate", False) not in (True, False):
        raise NotCovered("webstrata.compat.trafilatura does not cover a cache for deduplicate: results never depend on earlier pages")


def _options(
    favor_precision: bool, favor_recall: bool, include_comments: bool, include_tables: bool, target_language: str | None
) -> Options:
    # trafilatura lets precision win if both are given.
    return {
        "favor_precision": favor_precision,
        "favor_recall": favor_recall and not favor_precision,
        "include_comments": include_comments,
        "include_tables": include_tables,
        "target_language": target_language,
    }


def _refused(page: Page, url_blacklist: set[str] | None, only_with_metadata: bool) -> bool:
    """Whether the caller does not want the page."""
    url = page.url or page.metadata.canonical
    if url_blacklist and url in url_blacklist:
        return True
    return only_with_metadata and not (page.metadata.title and page.metadata.date and url)


def extract(
    filecontent: Any,
    url: str | None = None,
    record_id: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "txt",
    tei_validation: bool = False,
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: Any = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    settingsfile: str | None = None,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
) -> str | None:
    """The main content, or ``None`` if there is none. ``fast`` and ``no_fallback`` have no effect: there is one method, and no fallback."""
    _check(locals())
    if output_format not in _FORMATS or output_format == "python":
        raise NotCovered(f"webstrata.compat.trafilatura does not cover output_format={output_format!r}")
    if filecontent is None:
        return None
    html = page_of(filecontent)
    if output_format == "json":
        if include_images or include_links or include_formatting:
            raise NotCovered("webstrata.compat.trafilatura supports json only with plain text; leave out links, images and formatting")
        found = bare_extraction(
            html, url, favor_precision=favor_precision, favor_recall=favor_recall, include_comments=include_comments,
            target_language=target_language, include_tables=include_tables, only_with_metadata=only_with_metadata,
            url_blacklist=url_blacklist,
        )  # fmt: skip
        return None if found is None else _as_json(found, record_id, with_metadata)
    refuse("trafilatura", record_id=(record_id, None))
    chosen = _options(favor_precision, favor_recall, include_comments, include_tables, target_language)
    chosen["output_format"] = output_format
    chosen["with_metadata"] = with_metadata
    if output_format in ("markdown", "html", "xml", "xmltei", "txt"):
        chosen["include_links"] = include_links
        chosen["include_images"] = include_images
        # Links and images need a format that can represent them.
        chosen["include_formatting"] = bool(include_formatting or include_links or include_images)
    elif include_links or include_images or include_formatting:
        raise NotCovered("webstrata.compat.trafilatura supports csv only with plain text; leave out links, images and formatting")
    if url_blacklist or only_with_metadata:
        page = Page(html, url)
        if _refused(page, url_blacklist, only_with_metadata):
            return None
    extractor = Extractor(**chosen)
    text = extractor.extract(html, url)
    if output_format in ("txt", "markdown") and not with_metadata:
        return text or None
    # These formats are not empty even if the page is.
    return text if text and extractor.document(html, url).text else None


# Names of fields in trafilatura's JSON, where they differ.
_JSON_NAMES = {"url": "source", "sitename": "source-hostname", "description": "excerpt"}


def _as_json(found: Document, record_id: str | None, with_metadata: bool) -> str:
    found.id = record_id
    fields = found.as_dict() if with_metadata else {"text": found.text, "comments": found.comments}
    if record_id is not None:
        fields["id"] = record_id
    lists = {name: ";".join(value) for name, value in fields.items() if isinstance(value, list)}
    return json.dumps({_JSON_NAMES.get(name, name): lists.get(name, value) for name, value in fields.items()}, ensure_ascii=False)


def bare_extraction(
    filecontent: Any,
    url: str | None = None,
    fast: bool = False,
    no_fallback: bool = False,
    favor_precision: bool = False,
    favor_recall: bool = False,
    include_comments: bool = True,
    output_format: str = "python",
    target_language: str | None = None,
    include_tables: bool = True,
    include_images: bool = False,
    include_formatting: bool | None = None,
    include_links: bool = False,
    deduplicate: Any = False,
    date_extraction_params: Any = None,
    with_metadata: bool = False,
    only_with_metadata: bool = False,
    max_tree_size: int | None = None,
    url_blacklist: set[str] | None = None,
    author_blacklist: set[str] | None = None,
    as_dict: bool = False,
    prune_xpath: Any = None,
    config: Any = None,
    options: Any = None,
) -> Any:
    """Content and metadata as a :class:`Document`, or ``None``. Metadata is always included."""
    _check(locals())
    refuse(
        "trafilatura",
        output_format=(output_format, "python"),
        include_images=(include_images, False),
        include_links=(include_links, False),
        include_formatting=(bool(include_formatting), False),
    )
    if filecontent is None:
        return None
    chosen = _options(favor_precision, favor_recall, include_comments, include_tables, target_language)
    page = Page(page_of(filecontent), url, **chosen)
    if _refused(page, url_blacklist, only_with_metadata):
        return None
    with_comments = page.document()
    if not with_comments.text:
        return None
    found = Document(page)
    found._add_content(with_comments, page.document(include_comments=False), include_comments)
    return found.as_dict() if as_dict else found


def extract_with_metadata(filecontent: Any, url: str | None = None, **options: Any) -> Any:
    """Same as :func:`bare_extraction`."""
    return bare_extraction(filecontent, url, **options)


def extract_metadata(
    filecontent: Any,
    default_url: str | None = None,
    date_config: Any = None,
    extensive: bool = True,
    author_blacklist: set[str] | None = None,
) -> Document:
    """Metadata alone."""
    refuse("trafilatura", date_config=(date_config, None), author_blacklist=(author_blacklist or None, None))
    return Document(Page(page_of(filecontent), default_url))


def html2txt(content: Any, clean: bool = True) -> str:
    """All text of a page, on one line; ``clean=False`` is not covered."""
    refuse("trafilatura", clean=(clean, True))
    return " ".join(Extractor(preset="keep-everything").extract(page_of(content)).split())
