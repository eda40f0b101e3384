"""Many pages: lists and columns, threads, limits, signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest
import webstrata
from conftest import PAGES, needs

HTML = [path.read_bytes() for path in PAGES]


def test_lists(rain: str) -> None:
    expected = [webstrata.extract(html) for html in HTML]
    for threads in (0, 1, 2, 7):
        assert webstrata.extract_batch(HTML, threads=threads) == expected
    assert webstrata.extract_batch(tuple(HTML)) == expected
    assert webstrata.extract_batch(iter(HTML)) == expected
    assert webstrata.extract_batch([]) == []
    assert webstrata.extract_batch([rain, None, rain.encode()]) == [webstrata.extract(rain), None, webstrata.extract(rain)]


def test_addresses() -> None:
    pages = ["<p>See <a href=/x>it</a>."] * 2
    urls = ["https://a.org/", None]
    texts = webstrata.extract_batch(pages, urls, preset="keep-everything", output_format="markdown", include_links=True)
    assert texts == ["See [it](https://a.org/x).", "See [it](/x)."]
    with pytest.raises(webstrata.OptionError, match="there are 2 pages and 1 urls"):
        webstrata.extract_batch(pages, ["https://a.org/"])


def test_wrong_input_raises() -> None:
    with pytest.raises(TypeError, match="one page is not a list of pages"):
        webstrata.extract_batch("<p>Rain")
    with pytest.raises(TypeError, match="a page must be str or bytes, not int"):
        webstrata.extract_batch([1])
    with pytest.raises(TypeError, match="not int"):
        webstrata.extract_batch(1)
    with pytest.raises(webstrata.OptionError, match="choose one of: raise, null"):
        webstrata.extract_batch([], errors="ignore")
    with pytest.raises(webstrata.OptionError, match="give a number of seconds"):
        webstrata.extract_batch([], timeout=-1)


@needs("pyarrow")
def test_arrow() -> None:
    import pyarrow as pa

    texts = [html.decode("utf-8", "replace") for html in HTML[:6]]
    expected = webstrata.extract_batch(texts)
    for kind in (pa.string(), pa.large_string(), pa.string_view()):
        column = pa.array([*texts, None], kind)
        assert webstrata.extract_batch(column).to_pylist() == [*expected, None]
        assert webstrata.extract_batch(column.slice(2, 3)).to_pylist() == expected[2:5]
    for kind in (pa.binary(), pa.large_binary(), pa.binary_view()):
        assert webstrata.extract_batch(pa.array(HTML[:6], kind)).to_pylist() == webstrata.extract_batch(HTML[:6])
    chunked = webstrata.extract_batch(pa.chunked_array([texts[:2], [], texts[2:]]))
    assert isinstance(chunked, pa.ChunkedArray)
    assert chunked.to_pylist() == expected
    assert webstrata.extract_batch(pa.array([], pa.string())).to_pylist() == []
    assert webstrata.extract_batch(pa.nulls(2)).to_pylist() == [None, None]
    urls = pa.array(["https://a.org/"] * 6)
    assert webstrata.extract_batch(texts, urls) == expected
    with pytest.raises(webstrata.OptionError, match="a column of pages must have strings or bytes, not Int64"):
        webstrata.extract_batch(pa.array([1, 2]))


@needs("pyarrow")
def test_any_arrow_column() -> None:
    import pyarrow as pa

    class Column:
        """A minimal implementation of the PyCapsule interface."""

        def __init__(self, array: pa.Array) -> None:
            self._array = array

        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return self._array.__arrow_c_array__(requested_schema)

    texts = webstrata.extract_batch(Column(pa.array(["<p>Rain", None])), preset="keep-everything")
    assert len(texts) == 2
    assert pa.array(texts).to_pylist() == ["Rain", None]


@needs("pandas")
def test_pandas() -> None:
    import pandas as pd

    pages = pd.Series(["<p>one", None, "<p>two", float("nan")], index=[3, 1, 4, 5], name="html", dtype=object)
    texts = webstrata.extract_batch(pages, preset="keep-everything")
    assert isinstance(texts, pd.Series)
    assert texts.index.tolist() == [3, 1, 4, 5]
    assert [text if isinstance(text, str) else None for text in texts] == ["one", None, "two", None]
    as_strings = pd.Series(["<p>one", "<p>two"], dtype="string")
    assert webstrata.extract_batch(as_strings, preset="keep-everything").tolist() == ["one", "two"]


@needs("polars")
def test_polars() -> None:
    import polars as pl

    pages = pl.Series("html", ["<p>one", None, "<p>two"])
    texts = webstrata.extract_batch(pages, preset="keep-everything")
    assert isinstance(texts, pl.Series)
    assert (texts.name, texts.to_list()) == ("html", ["one", None, "two"])
    frame = pl.DataFrame({"html": ["<p>one", "<p>two"]})
    chunks = pl.concat([frame, frame], rechunk=False)
    assert webstrata.extract_batch(chunks["html"], preset="keep-everything").to_list() == ["one", "two"] * 2


def test_a_page_that_takes_too_long() -> None:
    slow = "<p>one two three " * 1_000_000
    options = {"timeout": 0.01, "preset": "keep-everything", "max_nodes": 10_000_000}
    # On a busy computer, the first page may also take too long.
    with pytest.raises(webstrata.PageError, match="page [01]: "):
        webstrata.extract_batch(["<p>Rain", slow], **options)
    first, second = webstrata.extract_batch(["<p>Rain", slow], errors="null", **options)
    assert first in ("Rain", None)
    assert second is None


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_a_batch() -> None:
    program = textwrap.dedent(
        """
        import time, webstrata
        pages = ["<p>" + "It has been raining in the valley for three days. " * 2000] * 50_000
        print("ready", flush=True)
        try:
            webstrata.extract_batch(pages)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        # The package still works, and so does Ctrl-C.
        print(webstrata.extract_batch(["<p>Rain"], preset="keep-everything"), flush=True)
        """
    )
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    started = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert out.splitlines() == ["stopped", "['Rain']"]
    assert time.monotonic() - started < 20
