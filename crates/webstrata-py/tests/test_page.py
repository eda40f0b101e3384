"""Objects: spans, paths, roles, reasons."""

from __future__ import annotations

from pathlib import Path

import pytest
import webstrata

METHODS = [
    *("wordwrap", "taggap", "bf-plain", "bf-smoothed", "bf-smoothed-low", "bf-rulebased", "just-rules", "getblockset"),
    *("gcuts", "gcuts-np", "gcuts-nl", "cclus", "cclus-nl", "strata"),
]


def test_everything_is_traced_to_bytes(page_file: Path) -> None:
    page = webstrata.Page(page_file.read_bytes(), "https://example.org/")
    document = page.document()
    for block in page.blocks():
        assert block.why
        assert block.path.startswith(("/", "…"))
        assert all(0 <= start < end <= len(page.source) for start, end in block.spans)
    for start, end in document.spans:
        assert page.source[start:end]
    kept = [block.text for block in document.blocks if block.content]
    assert bool(kept) == bool(document.text)


@pytest.mark.parametrize("method", METHODS)
def test_segments_of_every_method_have_all_words(method: str, page_file: Path) -> None:
    page = webstrata.Page(page_file.read_bytes())
    segments = page.segments(method)
    assert all(segment.why and segment.role and segment.spans for segment in segments)
    spans = [span for segment in segments for span in segment.spans]
    assert spans == sorted(spans)


def test_segments_by_function(rain: str) -> None:
    segments = webstrata.segment(rain, method="strata", granularity="coarse")
    content = [segment for segment in segments if segment.content]
    assert content and content[0].role in ("body", "title", "heading")
    assert any(segment.role in ("navigation", "footer", "legal") for segment in segments if not segment.content)
    assert webstrata.segment(rain, granularity=0.5)
    assert webstrata.segment(rain, method="bf-plain", theta=1.0)
    assert len(webstrata.segment(rain, method="wordwrap", width=20)) > len(webstrata.segment(rain, method="wordwrap", width=200))
    assert webstrata.segment(rain, method="just-rules", rules="paper")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"method": "best"}, "unknown segmentation method 'best'; choose one of: wordwrap"),
        ({"granularity": "huge"}, "huge"),
        ({"method": "taggap", "granularity": "coarse"}, "granularity requires the method strata"),
        ({"theta": 0.4}, "theta requires a Block Fusion method"),
        ({"method": "bf-plain", "theta": 2.0}, "from 0 (equal densities only) to 1"),
        ({"width": 80}, "width requires the method wordwrap"),
        ({"rules": "paper"}, "rules requires"),
        ({"method": "just-rules", "rules": "other"}, "other"),
    ],
)
def test_parameters_of_other_methods_raise(options: dict, text: str) -> None:
    with pytest.raises(webstrata.OptionError) as error:
        webstrata.segment("<p>Rain", **options)
    assert text in str(error.value)


def test_metadata_has_sources(rain: str) -> None:
    metadata = webstrata.metadata(rain)
    assert (metadata.title, metadata.authors, metadata.language) == ("Rain", ("Maren Tolliver",), "en")
    assert metadata.date == "2024-05-13T17:42:00Z"
    author = metadata.values["authors"][0]
    page = webstrata.Page(rain)
    assert author.span is not None
    assert page.text_of((author.span,)) == "Maren Tolliver"
    assert metadata.as_dict()["authors"] == ["Maren Tolliver"]


def test_options_without_effect_raise(rain: str) -> None:
    for name, value in (("output_format", "xml"), ("explain", True)):
        with pytest.raises(webstrata.OptionError, match=f"{name} is an option of extract"):
            webstrata.bare_extraction(rain, **{name: value})  # type: ignore[arg-type]
    with pytest.raises(webstrata.OptionError, match="the page is already parsed"):
        webstrata.Page(rain).document(max_bytes=9)
    with pytest.raises(webstrata.OptionError, match="include_links is an option of extract"):
        webstrata.segment(rain, include_links=True)
    page = webstrata.Page(rain, "https://example.org/a")
    assert "[for help](https://example.org/help)" in page.document(include_links=True).markdown
    assert "[for help]" not in page.document().markdown
    assert page.document(target_language="de").to("markdown") == ""


def test_a_document(rain: str) -> None:
    document = webstrata.bare_extraction(rain, "https://example.org/rain")
    assert document
    assert (document.title, document.author, document.date, document.language) == ("Rain", "Maren Tolliver", "2024-05-13", "en")
    assert document.text == webstrata.extract(rain)
    assert document.markdown == webstrata.extract(rain, output_format="markdown")
    assert document.html.startswith("<!DOCTYPE html>")
    assert document.to("xml").startswith("<doc")
    assert document.page_type == "article"
    assert document.confidence is None or 0 <= document.confidence <= 1
    assert document.as_dict()["url"] == "https://example.org/rain"
    assert not webstrata.bare_extraction("")
    assert not webstrata.bare_extraction(rain, target_language="de")


def test_links_and_images() -> None:
    html = "<nav><a href=/>Home</a></nav><p>See <a rel=nofollow href=/valley>the valley</a>, which is wide, green and rather wet.<img src=v.png alt=Valley>"
    page = webstrata.Page(html, "https://example.org/a/")
    link = page.links()[1]
    assert (link.text, link.target, link.rel, link.same_host) == ("the valley", "https://example.org/valley", ("nofollow",), True)
    assert html.encode()[link.span[0] :].startswith(b"<a rel")
    assert page.images()[0].src == "https://example.org/a/v.png"
    assert page.images()[0].alt == "Valley"


def test_features_and_problems() -> None:
    page = webstrata.Page(b"<title>No end<p>but a text that goes on")
    assert page.problems[0].startswith("<title> has no end tag")
    block = page.blocks(features=True)[0]
    assert block.features["words"] == block.words
    assert len(block.features) == 67


def test_a_page_shows_its_segments_and_nothing_runs() -> None:
    page = webstrata.Page("<title><b>&lt;script>alert(1)&lt;/script></title><nav><a href=/>Home</a></nav><p>&lt;script>alert(2)&lt;/script> and more words.")
    shown = page._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;alert(2)" in shown
    assert shown.count("<div") == shown.count("</div>") > 1
    assert "<script" not in page.document()._repr_html_()
    assert repr(page).startswith("Page(title=")
