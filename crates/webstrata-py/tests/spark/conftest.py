"""One Spark session for all tests here: a cluster with two executors in separate processes.

These tests take minutes, so they run only where Spark is installed and ``WEBSTRATA_SPARK=1`` asks for them (``scripts/test full``).
"""

from __future__ import annotations

import gzip
import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[4]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    wanted = os.environ.get("WEBSTRATA_SPARK") == "1"
    for item in items:
        if Path(__file__).parent in Path(item.fspath).parents:
            item.add_marker(pytest.mark.spark)
            if not wanted:
                item.add_marker(pytest.mark.skip(reason="set WEBSTRATA_SPARK=1 to run the tests on a Spark cluster"))


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        __import__("pyspark.sql", fromlist=["SparkSession"])
        .SparkSession.builder.master(os.environ.get("WEBSTRATA_SPARK_MASTER", "local-cluster[2,1,1024]"))
        .appName("webstrata tests")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.shuffle.partitions", "4")
        # A lost executor is expected here, more than once.
        .config("spark.task.maxFailures", "8")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    session.sparkContext.setCheckpointDir(str(tmp_path_factory.mktemp("checkpoints")))
    yield session
    session.stop()


def executors() -> list[int]:
    """The processes of the executors, which are children of the JVM that this process started."""
    ours, found = {os.getpid()}, []
    processes = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                processes[int(entry.name)] = (parent, (entry / "cmdline").read_bytes())
            except OSError:
                continue
    for pid in sorted(processes):
        parent = pid
        while parent in processes and parent not in ours:
            parent = processes[parent][0]
        if parent in ours and b"CoarseGrainedExecutorBackend" in processes[pid][1]:
            found.append(pid)
    return found


class Killer:
    """Kills an executor when the condition holds."""

    def __init__(self, condition) -> None:
        self.killed: list[int] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._run, args=(condition,), daemon=True)

    def _run(self, condition) -> None:
        while not self.done.is_set():
            if condition():
                victim = executors()[0]
                os.kill(victim, signal.SIGKILL)
                self.killed.append(victim)
                return
            time.sleep(0.02)

    def __enter__(self) -> Killer:
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.done.set()
        self.thread.join()


def wait_for_executors(spark, count: int = 2) -> None:
    """Waits until lost executors are replaced."""
    deadline = time.monotonic() + 120
    while len(executors()) < count and time.monotonic() < deadline:
        time.sleep(0.2)
    assert len(executors()) >= count


def record(uri: str, page: bytes, content_type: str = "text/html; charset=utf-8", date: str = "2024-05-01T12:00:00Z") -> bytes:
    """A page as a record of an archive."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(page)}\r\n\r\n".encode()
    fields = (
        f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {uri}\r\nWARC-Date: {date}\r\n"
        f"WARC-Record-ID: <urn:x:{uri}>\r\nContent-Type: application/http; msgtype=response\r\n"
        f"Content-Length: {len(head) + len(page)}\r\n\r\n"
    )
    return fields.encode() + head + page + b"\r\n\r\n"


WORDS = "rain wind cloud river valley bridge road farm field stone house garden winter summer north south".split()


def text(seed: int, sentences: int) -> str:
    """A text that depends only on the seed."""
    out, state = [], seed * 2654435761 % 2**32 + 1
    for _ in range(sentences):
        words = []
        for _ in range(11):
            state = (state * 1103515245 + 12345) % 2**31
            words.append(WORDS[state >> 16 & 15] + str(state >> 20 & 31))
        out.append(" ".join(words).capitalize() + ".")
    return " ".join(out)


def page(site: int, number: int, body: str) -> bytes:
    """A page of a site, with the navigation of the site and links to other pages and sites."""
    menu = "".join(f"<li><a href='/{n}'>Section {n} of site {site}</a>" for n in range(1, 6))
    html = (
        f"<!doctype html><html lang=en><title>Page {number} of site {site}</title><nav><ul>{menu}</ul></nav>"
        f"<main><h1>Page {number}</h1><p>{body} <a href='https://www.site{(site * 7 + number) % 5}.org/{number % 9}#top'>See there</a>."
        f"<p>{text(site * 1000 + number + 7, 3)}</main><footer><p>All rights of site {site} are reserved by nobody.</footer>"
    )
    return html.encode()


@pytest.fixture(scope="session")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Archives: pages of some sites, copies of texts among them, the repository's test pages, and other kinds of records."""
    folder = tmp_path_factory.mktemp("crawl")
    paths = []
    for file in range(4):
        members = []
        for number in range(30):
            site = (number + file) % 5
            # Every fifth text is on two sites; every seventh is a near duplicate.
            body = text(number % 5 + 100 if number % 5 == 0 else file * 100 + number, 9)
            if number % 7 == 0:
                body = text(500, 30) + f" Number {file}{number}."
            date = f"2024-05-{file + 1:02}T12:00:{number:02}Z"
            # Some pages have several addresses.
            html = page(0, 77, text(900, 9)) if number % 10 == 3 else page(site, number, body)
            members.append(record(f"https://www.site{site}.org/{file}/{number}", html, date=date))
        if file == 1:
            for case in sorted((ROOT / "testdata/pages").glob("*/page.html")):
                members.append(record(f"https://cases.example.co.uk/{case.parent.name}", case.read_bytes(), "text/html"))
        if file == 2:
            members.insert(3, record("https://www.site1.org/logo", b"\x89PNG\r\n\x1a\n" + bytes(200), "text/html"))
            members.insert(9, record("https://www.site1.org/empty", b"", "text/html"))
        packed = [gzip.compress(member, 6, mtime=0) for member in members]
        if file == 3:
            packed[5] = packed[5][:60] + bytes(byte ^ 0x55 for byte in packed[5][60:90]) + packed[5][90:]
        path = folder / f"part-{file}.warc.gz"
        path.write_bytes(b"".join(packed))
        paths.append(str(path))
    return paths
