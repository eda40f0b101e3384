"""Threads and memory."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
import webstrata
from conftest import PAGES

HTML = [path.read_bytes() for path in PAGES]


def test_fifty_threads_give_the_same_answers() -> None:
    expected = [webstrata.extract(html) for html in HTML]
    extractor = webstrata.Extractor()
    page = webstrata.Page(HTML[0])
    document = page.document()
    barrier = threading.Barrier(50)

    def work(thread: int) -> bool:
        barrier.wait()
        order = range(thread, thread + len(HTML))
        same = all(extractor.extract(HTML[k % len(HTML)]) == expected[k % len(HTML)] for k in order)
        # One page and one document, shared by all threads.
        return same and document.text == expected[0] and len(page.segments()) > 0

    with ThreadPoolExecutor(50) as pool:
        assert all(pool.map(work, range(50)))


# Runs in its own process, because the test runner's memory also grows.
PROGRAM = """
import os, sys, webstrata

def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

html = "<title>Rain</title><p>It rained in the valley for three days."

def work(times):
    for _ in range(times):
        webstrata.extract(html)
        webstrata.extract(html.encode(), preset="article", output_format="markdown")
    for _ in range(times // 20):
        page = webstrata.Page(html)
        page.segments()
        page.document().to("json")
        try:
            webstrata.extract(html, preset="best")
        except webstrata.OptionError:
            pass
    webstrata.extract_batch([html] * (times // 10), threads=2)

work(int(sys.argv[1]))
before = memory()
work(int(sys.argv[1]))
print(memory() - before)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="memory is read from /proc")
def test_memory_is_flat() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, "20000"], capture_output=True, text=True, check=True)
    # Less than 50 bytes per call; the allocator keeps some of the memory that threads have used.
    assert int(done.stdout) < 2 << 20
