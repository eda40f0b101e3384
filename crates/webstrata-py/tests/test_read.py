"""WARC files, folders and tables."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
import webstrata
from conftest import ROOT, needs, warc

PAGES = [("https://example.org/a", "<title>A</title><p>Größe"), ("https://example.org/b", "<title>B</title><p>two")]


def test_warc(tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc", PAGES)
    records = list(webstrata.read(path))
    assert [(record.url, record.status, record.date) for record in records] == [
        ("https://example.org/a", 200, "2024-05-13T17:42:00Z"),
        ("https://example.org/b", 200, "2024-05-13T17:42:00Z"),
    ]
    assert records[0].html == PAGES[0][1].encode()
    assert records[0].charset == "utf-8"
    assert records[0].record_id == "urn:uuid:00000000-0000-4000-8000-000000000000"
    assert records[1].name == f"{path}@{records[1].offset}"
    assert records[0].document(preset="keep-everything").text == "Größe"
    assert records[0].extract(preset="keep-everything", output_format="markdown") == "Größe"
    compressed = tmp_path / "b.warc.gz"
    compressed.write_bytes(gzip.compress(path.read_bytes()))
    assert [record.html for record in webstrata.read([path, compressed])] == [html.encode() for _, html in PAGES] * 2


def test_damaged_records_are_records(tmp_path: Path) -> None:
    path = warc(tmp_path / "a.warc", PAGES, damage=True)
    broken, good = list(webstrata.read(path))
    assert broken.error and not broken.html
    assert "error=" in repr(broken)
    assert (good.url, good.error) == ("https://example.org/b", None)


def test_folders_and_lines(tmp_path: Path) -> None:
    assert len(list(webstrata.read(ROOT / "testdata" / "pages", extensions=["html"]))) == len(
        list((ROOT / "testdata" / "pages").glob("*/page.html"))
    )
    lines = tmp_path / "pages.jsonl"
    lines.write_text("".join(json.dumps({"page": html, "url": url}) + "\n" for url, html in PAGES))
    assert [record.url for record in webstrata.read(lines, html_column="page")] == [url for url, _ in PAGES]


@needs("pyarrow")
def test_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"html": [html for _, html in PAGES], "url": [url for url, _ in PAGES]}), tmp_path / "p.parquet")
    assert [record.url for record in webstrata.read(tmp_path / "p.parquet")] == [url for url, _ in PAGES]


def test_missing_files_raise() -> None:
    with pytest.raises(webstrata.InputError, match=r"nowhere\.warc"):
        list(webstrata.read("nowhere.warc"))
