"""A Scrapy pipeline that adds the main content to items.

In ``settings.py``::

    ITEM_PIPELINES = {"webstrata.integrations.scrapy.WebstrataPipeline": 300}
    WEBSTRATA_OPTIONS = {"output_format": "markdown"}

An item needs a field ``html`` (text or bytes) and may have ``url``; the pipeline sets ``text`` and ``metadata``. Other names:
``WEBSTRATA_FIELDS = {"html": "body", "text": "content"}``.
"""

from __future__ import annotations

from typing import Any

from itemadapter import ItemAdapter
from scrapy.exceptions import DropItem, NotConfigured

from webstrata._extract import Extractor

_FIELDS = {"html": "html", "url": "url", "text": "text", "metadata": "metadata"}


class WebstrataPipeline:
    """Adds the main content to items; drops items without content if ``WEBSTRATA_DROP_EMPTY`` is true."""

    def __init__(self, options: dict[str, Any], fields: dict[str, str], drop_empty: bool) -> None:
        unknown = set(fields) - set(_FIELDS)
        if unknown:
            raise NotConfigured(f"WEBSTRATA_FIELDS has {', '.join(sorted(unknown))}; fields are: {', '.join(_FIELDS)}")
        self._extractor = Extractor(**options)
        self._fields = {**_FIELDS, **fields}
        self._drop_empty = drop_empty

    @classmethod
    def from_crawler(cls, crawler: Any) -> WebstrataPipeline:
        """Reads the settings."""
        settings = crawler.settings
        return cls(
            settings.getdict("WEBSTRATA_OPTIONS"),
            settings.getdict("WEBSTRATA_FIELDS"),
            settings.getbool("WEBSTRATA_DROP_EMPTY", False),
        )

    def process_item(self, item: Any, spider: Any = None) -> Any:
        """Adds text and metadata."""
        adapter = ItemAdapter(item)
        html = adapter.get(self._fields["html"])
        if html is None:
            raise DropItem(f"no field {self._fields['html']!r}")
        url = adapter.get(self._fields["url"])
        text = self._extractor.extract(html, url)
        if self._drop_empty and not text:
            raise DropItem("no content found")
        adapter[self._fields["text"]] = text
        adapter[self._fields["metadata"]] = self._extractor.document(html, url).metadata.as_dict()
        return item
