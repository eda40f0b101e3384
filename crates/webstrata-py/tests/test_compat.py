"""Shims: the originals' documented calls give the same kind of result, and options that are not covered raise."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest
from conftest import RAIN, needs
from webstrata.compat import NotCovered, boilerpipe, justext, readability, resiliparse, trafilatura


def covers(shim: Any, original: Any, left_out: tuple[str, ...] = ()) -> None:
    """The shim takes the arguments of the original in the same order, and refuses unsupported ones by name."""
    names = [name for name in inspect.signature(original).parameters if name not in left_out]
    assert [name for name in inspect.signature(shim).parameters] == names


# trafilatura


def test_trafilatura_text() -> None:
    text = trafilatura.extract(RAIN)
    assert text is not None and "three days" in text and "Copyright" not in text
    assert trafilatura.extract(RAIN.encode()) == text
    assert trafilatura.extract("<html><body></body></html>") is None
    assert trafilatura.extract(None) is None
    assert trafilatura.extract(RAIN, fast=True, no_fallback=True, deduplicate=True) == text
    assert trafilatura.extract(RAIN, target_language="de") is None
    assert trafilatura.extract(RAIN, favor_precision=True) and trafilatura.extract(RAIN, favor_recall=True)


def test_trafilatura_formats() -> None:
    url = "https://example.org/rain"
    markdown = trafilatura.extract(RAIN, url, output_format="markdown", include_links=True)
    assert markdown is not None and "[for help](https://example.org/help)" in markdown and "**Orrin**" in markdown
    assert "**Orrin**" in (trafilatura.extract(RAIN, include_formatting=True) or "")
    assert (trafilatura.extract(RAIN, output_format="xml") or "").startswith("<doc")
    assert "<TEI" in (trafilatura.extract(RAIN, output_format="xmltei") or "")
    assert (trafilatura.extract(RAIN, output_format="markdown", with_metadata=True) or "").startswith("---\ntitle: Rain\n")
    assert "three days" in (trafilatura.extract(RAIN, output_format="csv") or "")
    assert trafilatura.extract("<p></p>", output_format="xml") is None
    record = json.loads(trafilatura.extract(RAIN, url, output_format="json", with_metadata=True, record_id="7") or "")
    assert (record["title"], record["author"], record["date"], record["source"], record["id"]) == (
        "Rain", "Maren Tolliver", "2024-05-13", url, "7",
    )  # fmt: skip
    assert record["source-hostname"] is None or isinstance(record["source-hostname"], str)
    assert set(json.loads(trafilatura.extract(RAIN, output_format="json") or "")) == {"text", "comments"}


def test_trafilatura_documents() -> None:
    found = trafilatura.bare_extraction(RAIN, "https://example.org/rain")
    assert (found.title, found.author, found.date, found.hostname) == ("Rain", "Maren Tolliver", "2024-05-13", "example.org")
    assert found.as_dict()["text"] == found.text
    assert trafilatura.bare_extraction(RAIN, as_dict=True)["title"] == "Rain"
    assert trafilatura.bare_extraction("") is None
    assert trafilatura.bare_extraction(RAIN, only_with_metadata=True) is None, "the address is unknown"
    assert trafilatura.bare_extraction(RAIN, "https://e.org/", only_with_metadata=True)
    assert trafilatura.extract(RAIN, "https://e.org/", url_blacklist={"https://e.org/"}) is None
    assert trafilatura.extract_metadata(RAIN).title == "Rain"
    assert trafilatura.html2txt(RAIN).startswith("Home News Sport Rain")
    with pytest.raises(NotCovered, match="Document.body"):
        found.body  # noqa: B018


@pytest.mark.parametrize(
    "options",
    [
        {"prune_xpath": "//aside"}, {"settingsfile": "x.cfg"}, {"config": object()}, {"options": object()}, {"max_tree_size": 9},
        {"author_blacklist": {"x"}}, {"date_extraction_params": {"extensive_search": True}}, {"tei_validation": True},
        {"deduplicate": object()}, {"output_format": "pdf"}, {"record_id": "7"}, {"output_format": "json", "include_links": True},
        {"output_format": "csv", "include_images": True},
    ],
)  # fmt: skip
def test_trafilatura_refuses(options: dict[str, Any]) -> None:
    with pytest.raises(NotCovered):
        trafilatura.extract(RAIN, **options)


@needs("trafilatura")
def test_trafilatura_has_the_same_arguments_and_kind_of_result() -> None:
    import trafilatura as original

    covers(trafilatura.extract, original.extract)
    covers(trafilatura.bare_extraction, original.bare_extraction)
    theirs, ours = original.bare_extraction(RAIN, with_metadata=True), trafilatura.bare_extraction(RAIN)
    assert (theirs.title, theirs.author, theirs.date) == (ours.title, ours.author, ours.date)
    words = set((original.extract(RAIN) or "").split())
    assert len(words & set((trafilatura.extract(RAIN) or "").split())) > 0.8 * len(words)
    assert set(original.settings.Document.__slots__) - {"body", "commentsbody"} == set(trafilatura.Document.__slots__)


# readability-lxml


def test_readability() -> None:
    document = readability.Document(RAIN, url="https://example.org/rain")
    assert document.title() == "Rain - The Valley Post"
    assert document.short_title() == "Rain"
    assert document.author() == "Maren Tolliver"
    summary = document.summary()
    assert summary.startswith("<html><body><div>") and "three days" in summary and "Copyright" not in summary
    assert document.summary(html_partial=True).startswith("<div>")
    assert readability.Document("<p>").title() == "[no-title]"
    for options in ({"positive_keywords": ["x"]}, {"negative_keywords": "x"}, {"min_text_length": 9}, {"retry_length": 9}, {"xpath": True}):
        with pytest.raises(NotCovered):
            readability.Document(RAIN, **options)  # type: ignore[arg-type]
    with pytest.raises(NotCovered):
        document.summary(keep_all_images=True)
    with pytest.raises(NotCovered):
        document.get_clean_html()


@needs("readability")
def test_readability_has_the_same_arguments_and_kind_of_result() -> None:
    from readability import Document

    covers(readability.Document.__init__, Document.__init__)
    covers(readability.Document.summary, Document.summary)
    theirs, ours = Document(RAIN), readability.Document(RAIN)
    assert theirs.title() == ours.title()
    assert "three days" in theirs.summary()


# boilerpipe


def test_boilerpipe() -> None:
    for name in boilerpipe._PRESETS:
        extractor = getattr(boilerpipe, name)()
        assert isinstance(extractor.get_content(RAIN), str)
    document = boilerpipe.ArticleExtractor().get_doc(RAIN)
    assert document.title == "Rain - The Valley Post"
    assert "three days" in document.content
    assert any(block.is_content for block in document.text_blocks) and not all(block.is_content for block in document.text_blocks)
    assert "Home" in document.text
    assert boilerpipe.KeepEverythingWithKMinWordsExtractor(kmin=10).get_content("<p>one<p>" + "two " * 10) == ("two " * 10).strip()
    extractor = boilerpipe.Extractor(extractor="ArticleExtractor", html=RAIN)
    assert "three days" in extractor.getText() and "<p>" in extractor.getHTML() and extractor.getImages() == []
    with pytest.raises(NotCovered):
        boilerpipe.Extractor(extractor="ArticleExtractor", url="https://example.org/")
    with pytest.raises(NotCovered):
        boilerpipe.Extractor(extractor="BestExtractor", html=RAIN)
    with pytest.raises(NotCovered):
        boilerpipe.ArticleExtractor().get_content_from_url("https://example.org/")


@needs("boilerpy3")
def test_boilerpipe_gives_the_same_kind_of_result() -> None:
    from boilerpy3 import extractors

    for name in ("ArticleExtractor", "DefaultExtractor", "LargestContentExtractor", "KeepEverythingExtractor", "NumWordsRulesExtractor"):
        theirs = set(getattr(extractors, name)().get_content(RAIN).split())
        ours = set(getattr(boilerpipe, name)().get_content(RAIN).split())
        assert len(theirs & ours) >= 0.7 * len(theirs), name


# jusText


def test_justext() -> None:
    paragraphs = justext.justext(RAIN, justext.get_stoplist("English"))
    good = [paragraph for paragraph in paragraphs if not paragraph.is_boilerplate]
    assert any("three days" in paragraph.text for paragraph in good)
    heading = next(paragraph for paragraph in paragraphs if paragraph.text == "Rain")
    assert (heading.is_heading, heading.dom_path, heading.xpath) == (True, "html.body.article.h1", "/html[1]/body[1]/article[1]/h1[1]")
    assert next(paragraph for paragraph in paragraphs if "Home" in paragraph.text).links_density() > 0.9
    without = justext.justext(RAIN, justext.get_stoplist("English"), no_headings=True)
    assert next(paragraph for paragraph in without if paragraph.text == "Rain").is_boilerplate
    for options in ({"length_low": 1}, {"max_link_density": 0.5}, {"preprocessor": str}, {"enc_errors": "strict"}):
        with pytest.raises(NotCovered):
            justext.justext(RAIN, justext.get_stoplist("English"), **options)  # type: ignore[arg-type]
    with pytest.raises(NotCovered, match="custom stop words"):
        justext.justext(RAIN, frozenset(["the"]))
    with pytest.raises(NotCovered):
        paragraphs[0].stopwords_count  # noqa: B018


@needs("justext")
def test_justext_has_the_same_arguments_and_kind_of_result() -> None:
    import justext as original

    covers(justext.justext, original.justext)
    theirs = original.justext(RAIN.encode(), original.get_stoplist("English"))
    ours = justext.justext(RAIN, justext.get_stoplist("English"))
    paths = {paragraph.text: (paragraph.xpath, paragraph.dom_path) for paragraph in ours}
    # jusText gives the text after an element the path of that element.
    both = [paragraph for paragraph in theirs if paragraph.text in paths and "article." in paragraph.dom_path]
    assert len(both) >= 2
    for paragraph in both:
        assert paths[paragraph.text] == (paragraph.xpath, paragraph.dom_path)


# Resiliparse


def test_resiliparse() -> None:
    everything = resiliparse.extract_plain_text(RAIN)
    assert "Home" in everything and "three days" in everything
    content = resiliparse.extract_plain_text(RAIN, main_content=True)
    assert "Home" not in content and "three days" in content
    assert "\n" not in resiliparse.extract_plain_text(RAIN, main_content=True, preserve_formatting=False)
    minimal = resiliparse.extract_plain_text(RAIN, main_content=True, preserve_formatting="minimal_html", links=True)
    assert "<h1>Rain</h1>" in minimal and "href=" in minimal
    assert "Orrin" not in resiliparse.extract_plain_text(RAIN, skip_elements=["b"])
    for option in ("list_bullets", "alt_texts", "form_fields", "hidden_elements", "links"):
        with pytest.raises(NotCovered):
            resiliparse.extract_plain_text(RAIN, **{option: True})  # type: ignore[arg-type]
    with pytest.raises(NotCovered):
        resiliparse.extract_plain_text(object())


@needs("resiliparse")
def test_resiliparse_has_the_same_arguments_and_kind_of_result() -> None:
    from resiliparse.extract.html2text import extract_plain_text

    covers(resiliparse.extract_plain_text, extract_plain_text)
    theirs = extract_plain_text(RAIN, main_content=True, alt_texts=False, list_bullets=False)
    ours = resiliparse.extract_plain_text(RAIN, main_content=True)
    assert len(set(theirs.split()) & set(ours.split())) > 0.8 * len(set(theirs.split()))


def test_shims_import_nothing_of_the_originals() -> None:
    import subprocess
    import sys

    program = (
        "import sys; from webstrata.compat import boilerpipe, justext, readability, resiliparse, trafilatura; "
        "print([name for name in ('lxml', 'trafilatura', 'justext', 'readability', 'resiliparse', 'pandas', 'pyarrow') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"
