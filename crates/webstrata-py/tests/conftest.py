"""Shared fixtures and helpers."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
PAGES = sorted((ROOT / "testdata" / "pages").glob("*/page.html"))

RAIN = (
    "<html lang=en><head><title>Rain - The Valley Post</title><meta name=author content='Maren Tolliver'>"
    "<meta property=article:published_time content=2024-05-13T17:42:00Z></head><body>"
    "<nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>"
    "<article><h1>Rain</h1><p>It has been raining in the valley for three days, and nobody there can remember when that last "
    "happened.</p><p>The river <b>Orrin</b> has risen by two metres, said the mayor, who has asked <a href=/help>for help</a> "
    "from the villages upstream.</p></article>"
    "<footer>Copyright 2024 The Valley Post. All rights reserved.</footer></body></html>"
)


def _found(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skips a test, with the reason, where a package is not installed. The full lane installs all of them, so there the test fails."""
    full = os.environ.get("WEBSTRATA_FULL") == "1"
    missing = [module for module in modules if not full and not _found(module)]
    return pytest.mark.skipif(bool(missing), reason=f"not installed: {', '.join(missing)}")


@pytest.fixture
def rain() -> str:
    return RAIN


@pytest.fixture(params=PAGES, ids=lambda path: path.parent.name)
def page_file(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def warc(path: Path, pages: list[tuple[str, str]], damage: bool = False) -> Path:
    """Writes a WARC file with these addresses and pages; the first may be damaged."""
    with path.open("wb") as file:
        for number, (url, html) in enumerate(pages):
            body = html.encode()
            http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %d\r\n\r\n" % len(body) + body
            length = b"many" if damage and number == 0 else b"%d" % len(http)
            file.write(
                b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n" % number
                + b"WARC-Date: 2024-05-13T17:42:00Z\r\nWARC-Target-URI: " + url.encode() + b"\r\n"
                + b"Content-Type: application/http; msgtype=response\r\nContent-Length: " + length + b"\r\n\r\n" + http + b"\r\n\r\n"
            )  # fmt: skip
    return path
