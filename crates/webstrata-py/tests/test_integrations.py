"""Frameworks, each tested where it is installed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import RAIN, needs, warc

PAGES = [("https://example.org/a", RAIN), ("https://example.org/b", "<p></p>")]


@needs("datatrove")
def test_datatrove() -> None:
    from datatrove.data import Document
    from webstrata.integrations.datatrove import Webstrata

    extractor = Webstrata(timeout=30, favor_precision=True)
    assert "three days" in extractor.extract(RAIN)
    documents = [Document(text=RAIN, id="1"), Document(text="", id="2")]
    found = list(extractor.run(iter(documents)))
    assert [document.id for document in found] == ["1"]
    assert "three days" in found[0].text and "Copyright" not in found[0].text
    with pytest.raises(TypeError, match="unknown option 'favour_precision'"):
        Webstrata(favour_precision=True)  # type: ignore[call-arg]


@needs("langchain_core")
def test_langchain(tmp_path: Path) -> None:
    from langchain_core.documents import Document
    from webstrata.integrations.langchain import WebstrataLoader, WebstrataTransformer

    documents = WebstrataLoader(warc(tmp_path / "a.warc", PAGES)).load()
    assert "three days" in documents[0].page_content
    assert documents[0].metadata["source"] == "https://example.org/a"
    assert documents[0].metadata["title"] == "Rain"
    transformer = WebstrataTransformer(output_format="markdown")
    (found,) = transformer.transform_documents([Document(page_content=RAIN, metadata={"source": "https://e.org/", "crawl": 7})])
    assert "**Orrin**" in found.page_content and found.metadata["crawl"] == 7
    with pytest.raises(TypeError):
        transformer.transform_documents([], precision=True)


@needs("llama_index.core")
def test_llama_index(tmp_path: Path) -> None:
    from webstrata.integrations.llama_index import WebstrataReader

    documents = WebstrataReader().load_data(warc(tmp_path / "a.warc", PAGES))
    assert "three days" in documents[0].text
    assert documents[0].metadata["url"] == "https://example.org/a"


@needs("scrapy")
def test_scrapy() -> None:
    from scrapy.exceptions import DropItem, NotConfigured
    from scrapy.utils.test import get_crawler
    from webstrata.integrations.scrapy import WebstrataPipeline

    crawler = get_crawler(settings_dict={"WEBSTRATA_OPTIONS": {"output_format": "markdown"}, "WEBSTRATA_DROP_EMPTY": True})
    pipeline = WebstrataPipeline.from_crawler(crawler)
    item = pipeline.process_item({"html": RAIN, "url": "https://e.org/rain"})
    assert item["text"].startswith("# Rain") and item["metadata"]["title"] == "Rain"
    with pytest.raises(DropItem):
        pipeline.process_item({"html": ""})
    with pytest.raises(DropItem, match="no field 'html'"):
        pipeline.process_item({})
    other = WebstrataPipeline.from_crawler(get_crawler(settings_dict={"WEBSTRATA_FIELDS": {"html": "body"}}))
    assert "three days" in other.process_item({"body": RAIN.encode()})["text"]
    with pytest.raises(NotConfigured):
        WebstrataPipeline.from_crawler(get_crawler(settings_dict={"WEBSTRATA_FIELDS": {"page": "body"}}))
