"""Common code of the adapters of Python tools: file names in, one line of JSON per file out.

A line on standard input is the name of a page's file, optionally followed by a tab and the page's language. The answer is
{"file": …, "text": …, "seconds": …}, with "error" and an empty text if the tool failed. "seconds" is processor time
(of all threads) from the page's bytes in memory to the text, without reading the file and writing
JSON.

`--version` prints the version of the tool. `--batch LIST` is for timing: the pages of a list of such lines are read into memory
and processed once; then each line of input, a number of passes, is answered with {"seconds": …, "length": …} of a pass.
"""

import importlib.metadata
import json
import logging
import pathlib
import re
import sys
import time
import warnings

DECLARED = re.compile(rb"""<meta[^>]{0,200}charset\s*=\s*["']?\s*([a-z0-9_:.-]+)""", re.IGNORECASE)
# Declarations are in the head.
HEAD = 4096


def decode(page):
    """For tools that only accept text: UTF-8 if valid, otherwise the declared encoding, otherwise windows-1252."""
    try:
        return page.decode("utf-8-sig")
    except UnicodeDecodeError:
        pass
    declared = DECLARED.search(page, 0, HEAD)
    names = [declared.group(1).decode("ascii"), "cp1252"] if declared else ["cp1252"]
    for name in names:
        try:
            return page.decode(name, errors="replace")
        except LookupError:  # not an encoding that Python knows
            continue


def run(package, extract):
    """Answers until the input ends. `extract` turns bytes and a language into text; None is an empty text."""
    if sys.argv[-1] == "--version":
        print(importlib.metadata.version(package))
        return
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    # Output of the tool must not mix with the answers.
    answers, sys.stdout = sys.stdout, sys.stderr
    if "--batch" in sys.argv:
        answer = batch(extract, pathlib.Path(sys.argv[sys.argv.index("--batch") + 1]))
    else:
        answer = lambda line: page_by_page(extract, line)  # noqa: E731
    for line in sys.stdin:
        # As ASCII, so that a lone surrogate does not crash the run.
        print(json.dumps(answer(line)), file=answers, flush=True)


def page_by_page(extract, line):
    """The answer for a page."""
    name, _, language = line.rstrip("\n").partition("\t")
    answer = {"file": name, "text": ""}
    start = time.process_time()
    try:
        page = pathlib.Path(name).read_bytes()
        start = time.process_time()
        answer["text"] = extract(page, language) or ""
    except Exception as problem:  # whatever it is, continue with the next page
        answer["error"] = f"{type(problem).__name__}: {problem}"[:200]
    answer["seconds"] = time.process_time() - start
    return answer


def batch(extract, list_file):
    """Runs passes over the pages of a list."""
    lines = [line.partition("\t") for line in list_file.read_text(encoding="utf-8").splitlines()]
    pages = [(pathlib.Path(name).read_bytes(), language) for name, _, language in lines]

    def run_once():
        length = 0
        for page, language in pages:
            try:
                length += len(extract(page, language) or "")
            except Exception:  # reported by the page-by-page run
                pass
        return length

    def answer(line):
        passes = int(line)
        start = time.process_time()
        length = sum(run_once() for _ in range(passes))
        return {"seconds": (time.process_time() - start) / passes, "length": length / passes}

    run_once()
    return answer
