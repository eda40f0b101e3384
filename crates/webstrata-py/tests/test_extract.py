"""One page: the same results as on the command line, and options that have an effect or are refused."""

from __future__ import annotations

import inspect
import pickle
from pathlib import Path

import pytest
import webstrata
from conftest import PAGES, RAIN, ROOT

# Arguments of the command line for the same result.
FORMATS = {
    "txt": ["--format", "text"],
    "markdown": ["--format", "markdown", "--no-links"],
    "html": ["--format", "html", "--no-links"],
    "json": ["--format", "jsonl"],
    "csv": ["--format", "csv"],
    "xml": ["--format", "xml", "--no-links"],
    "xmltei": ["--format", "xmltei", "--no-links"],
}


@pytest.mark.parametrize("output_format", FORMATS)
def test_all_formats_are_those_of_the_command_line(output_format: str, tmp_path: Path) -> None:
    for path in PAGES[::5]:
        url = "https://example.org/a"
        page = webstrata.Page(path.read_bytes())
        if not page.document().text:
            continue
        written = webstrata.command("extract", *FORMATS[output_format], path, no_config=True, base_url=url if output_format != "txt" else None)
        text = webstrata.extract(path.read_bytes(), url, output_format=output_format)
        if output_format in ("csv", "json", "xml", "xmltei"):
            # The command line names the page by its file, this package by its address.
            written = written.replace(str(path), url)
        if output_format == "csv":
            written = written.removeprefix(webstrata.CSV_HEADER)
        assert text.strip() == written.strip(), path


def test_text_and_bytes_give_the_same(page_file: Path) -> None:
    page = webstrata.Page(page_file.read_bytes())
    assert webstrata.extract(page.source.decode()) == webstrata.extract(page_file.read_bytes())


def test_a_page_may_be_any_kind_of_bytes(rain: str) -> None:
    expected = webstrata.extract(rain)
    assert expected.startswith("Rain\nIt has been raining")
    assert "Copyright" not in expected
    for html in (rain.encode(), bytearray(rain.encode()), memoryview(rain.encode())):
        assert webstrata.extract(html) == expected  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a page must be str or bytes, not int"):
        webstrata.extract(1)  # type: ignore[arg-type]


def test_text_is_not_decoded_again() -> None:
    html = "<meta charset=windows-1251><p>Привет, вот текст страницы, которого достаточно, чтобы его оставить."
    assert webstrata.extract(html, preset="keep-everything").startswith("Привет")
    assert webstrata.extract("<p>a lone surrogate \ud800 here", preset="keep-everything") == "a lone surrogate ? here"
    with pytest.raises(webstrata.OptionError, match="already decoded"):
        webstrata.extract(html, encoding="windows-1251")


def test_encodings() -> None:
    html = "<p>Привет".encode("cp1251")
    assert webstrata.extract(html, preset="keep-everything", encoding="windows-1251") == "Привет"
    assert webstrata.extract(html, preset="keep-everything", content_type="text/html; charset=cp1251") == "Привет"
    with pytest.raises(webstrata.OptionError, match="unknown encoding 'latin99'; choose one of: UTF-8"):
        webstrata.extract(html, encoding="latin99")


def test_every_option_is_read(rain: str) -> None:
    """Each option changes something, or is refused."""
    page = rain.replace("</article>", "<div class=x>Ducks swim where people used to walk, and children feed them.</div></article>")
    base = webstrata.extract(page)
    assert "Ducks" in base
    assert "Ducks" not in webstrata.extract(page, exclude=[".x"])
    assert webstrata.extract(page, only_in=[".x"], include_title=False).startswith("Ducks")
    assert "Home" in webstrata.extract(page, include=["nav"])
    news = (ROOT / "testdata/pages/news-html5/page.html").read_bytes()
    assert "Ferry line across" not in webstrata.extract(news, include_title=False)
    assert webstrata.extract(page, preset="keep-everything") != base
    assert "**Orrin**" in webstrata.extract(page, include_formatting=True)
    assert "[for help](https://example.org/help)" in webstrata.extract(page, "https://example.org/", output_format="markdown", include_links=True)
    assert webstrata.extract(page, with_metadata=True).startswith("---\ntitle: Rain\n")
    assert webstrata.extract(page, target_language="de") == ""
    assert webstrata.extract(page, target_language="EN") == base
    assert '"why"' in webstrata.extract(page, output_format="json", explain=True)
    assert "Rain" not in webstrata.extract(page, drop_roles=["title", "heading"], include_title=False).splitlines()
    assert webstrata.extract(page, max_bytes=60) == ""
    assert webstrata.extract("<p>one<p>two three", preset="min-words=2", verdicts_only=True) == "two three"
    noscript = "<body><p>" + "one two three four five six seven eight nine ten " * 9 + "</p><noscript><p>Please turn on scripts.</noscript>"
    assert "scripts" in webstrata.extract(noscript, preset="keep-everything", noscript=True)
    assert "scripts" not in webstrata.extract(noscript, preset="keep-everything")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"output_format": "pdf"}, "unknown output format 'pdf'; choose one of: text, txt, markdown"),
        ({"preset": "best"}, "best"),
        ({"favor_precision": True, "favor_recall": True}, "mutually exclusive"),
        ({"include_links": True}, "include_links and include_images require output_format markdown"),
        ({"include_formatting": True, "output_format": "json"}, "include_formatting requires"),
        ({"markdown_tables": "gfm"}, "markdown_tables requires output_format markdown"),
        ({"markdown_tables": "x", "output_format": "markdown"}, "use auto, gfm or html"),
        ({"explain": True}, "explain requires output_format json"),
        ({"keep_roles": ["caption", "hero"]}, "hero"),
        ({"keep_roles": "caption"}, "write ['caption']"),
        ({"exclude": ["a[["]}, ""),
        ({"max_depth": 0}, "give a number from 1 to 16000"),
        ({"line_width": 1}, "give a number from 10 to 1000"),
        ({"site": "x"}, "site requires preset content-extractor"),
        ({"preset": "shingling"}, "needs other pages"),
        ({"preset": "article", "model": "x"}, "mutually exclusive"),
    ],
)
def test_wrong_options_raise_and_say_what_to_do(options: dict, text: str) -> None:
    with pytest.raises(webstrata.OptionError) as error:
        webstrata.extract("<p>Rain", **options)
    assert text in str(error.value)
    assert isinstance(error.value, ValueError)


def test_unknown_options_and_missing_files_raise() -> None:
    with pytest.raises(TypeError, match="unknown option 'favour_recall'"):
        webstrata.extract("<p>Rain", favour_recall=True)  # type: ignore[call-arg]
    with pytest.raises(webstrata.InputError, match="nowhere.model"):
        webstrata.extract("<p>Rain", model="nowhere.model")
    with pytest.raises(OSError, match="cannot read the site rules nowhere.toml"):
        webstrata.extract("<p>Rain", site_rules="nowhere.toml")


def test_rules_for_sites(tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text("[site.'example.org']\nexclude = ['.ad']\n")
    extractor = webstrata.Extractor(preset="keep-everything", site_rules=rules)
    html = "<p>Rain.<p class=ad>Boots!"
    assert extractor.extract(html, "https://example.org/a") == "Rain."
    assert extractor.extract(html) == "Rain.\nBoots!"


def test_signatures_show_the_options() -> None:
    for function in (webstrata.extract, webstrata.bare_extraction, webstrata.extract_batch, webstrata.Extractor.__init__):
        parameters = inspect.signature(function).parameters
        assert parameters["output_format"].default == "txt"
        assert "target_language:" in (function.__doc__ or "")


def test_an_extractor_can_be_pickled(rain: str) -> None:
    extractor = pickle.loads(pickle.dumps(webstrata.Extractor(output_format="markdown")))
    assert extractor.extract(rain) == webstrata.extract(rain, output_format="markdown")
    assert repr(extractor) == "Extractor(output_format='markdown')"


def test_nothing_in_is_nothing_out() -> None:
    for html in ("", b"", "   ", b"\x00\x01\xff"):
        assert isinstance(webstrata.extract(html), str)
    assert webstrata.extract("") == ""


def test_results_do_not_depend_on_what_ran_before() -> None:
    first = [webstrata.extract(path.read_bytes()) for path in PAGES]
    again = [webstrata.extract(path.read_bytes()) for path in reversed(PAGES)]
    assert first == again[::-1]
    assert webstrata.extract(RAIN) == webstrata.extract(RAIN)
