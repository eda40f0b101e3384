"""Runs adapters on the pages of a set, page by page, with a time limit for each; stores answers and times.

docs/rivals.md has the protocol. An adapter gets one page at a time, so that a page that takes too long, or that
crashes the process, costs only itself. A method runs over the set once for its answers and its time. Caches go cold
between single pages, which slows fast methods most: those are timed again on
pages in memory, in interleaved rounds, so that disturbances affect all, and the best round of each counts.
"""

import dataclasses
import json
import os
import selectors
import subprocess
import time

# Time limits in seconds: for a page, and for starting a process with its imports.
PAGE_LIMIT = 30.0
START_LIMIT = 120.0
# Warm-up pages: lazy imports and caches are part of starting.
WARM_UP = 3
# Methods of at least this speed, in MB/s, are timed in rounds.
FAST = 15.0
# Minimum seconds of a round (small sets get several passes), and the time limit of a round.
ROUND = 0.25
ROUND_LIMIT = 900.0


class Gone(Exception):
    """No usable answer: too late, not JSON, or the process has exited."""


class Adapter:
    """A process that answers for pages."""

    def __init__(self, command, log):
        self.command, self.log, self.process, self.buffer = command, log, None, b""

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, bufsize=0)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        self.buffer = b""

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.selector.close()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None

    def line(self, limit):
        """The next line of output, within a time limit."""
        until = time.monotonic() + limit
        parts = [self.buffer]
        while b"\n" not in parts[-1]:
            left = until - time.monotonic()
            if left <= 0 or not self.selector.select(left):
                raise Gone(f"no answer in {limit:g} s")
            part = self.process.stdout.read(1 << 20)
            if part == b"":
                raise Gone(f"the process ended with code {self.process.wait()}")
            parts.append(part or b"")
        line, _, self.buffer = b"".join(parts).partition(b"\n")
        return line

    def request(self, line, limit):
        """The answer to a line."""
        try:
            self.process.stdin.write(line.encode())
        except BrokenPipeError:
            pass  # the end of its output is more informative
        try:
            answer = json.loads(self.line(limit))
        except ValueError:
            raise Gone("a line that is not JSON") from None
        if not isinstance(answer, dict):
            raise Gone("a line that is not an answer")
        return answer

    def ask(self, file, language, limit):
        """The answer for a page, or one with an error. After an error the process is restarted for the next page."""
        started = time.monotonic()
        try:
            if self.process is None:
                self.start()
                limit = max(limit, START_LIMIT)
            answer = self.request(f"{file}\t{language}\n" if language else f"{file}\n", limit)
            if answer.get("file") != file:
                raise Gone("an answer for another page")
            if (answer.get("seconds") or 0.0) > PAGE_LIMIT:  # of a process that had just been started
                return {**answer, "text": "", "error": f"no answer in {PAGE_LIMIT:g} s"}
            return answer
        except Gone as problem:
            self.end()
            return {"file": file, "text": "", "error": str(problem), "gone": True, "seconds": time.monotonic() - started}


@dataclasses.dataclass
class Measured:
    """Result of one method on a set."""

    answers: str = ""
    rounds: list = dataclasses.field(default_factory=list)
    failures: list = dataclasses.field(default_factory=list)
    # Whether rounds gave different texts.
    changed: bool = False
    # Whether the process survived every page.
    steady: bool = True
    # The reason if there is no result.
    broken: str = ""


def first_round(adapter, pages, file, measured, limit):
    """Writes the answers to the file and their times to the rounds."""
    warm = [adapter.ask(page.file, page.language, limit) for page in pages[:WARM_UP]]
    if all(answer.get("gone") for answer in warm):
        measured.broken = warm[-1]["error"]
        return
    seconds = 0.0
    with open(file, "w", encoding="utf-8") as out:
        for page in pages:
            answer = adapter.ask(page.file, page.language, limit)
            if answer.get("error"):
                measured.failures.append((page.id, answer["error"]))
            measured.steady = measured.steady and not answer.get("gone")
            seconds += answer.get("seconds") or 0.0
            print(json.dumps({key: answer[key] for key in ("file", "text", "error", "seconds") if key in answer}), file=out)
    measured.answers = str(file)
    measured.rounds.append(seconds)


def later_rounds(methods, measured, list_file, folder, rounds, say):
    """Times fast methods in interleaved rounds, which replace the first time."""
    adapters, found = {}, {method.name: [] for method in methods}
    try:
        for method in methods:
            adapters[method.name] = Adapter((*method.command, "--batch", str(list_file)), folder / f"{method.name}.log")
            adapters[method.name].start()
        for _ in range(rounds):
            for name, adapter in adapters.items():
                passes = max(1, round(ROUND / max(measured[name].rounds[0], 1e-6)))
                found[name].append(adapter.request(f"{passes}\n", ROUND_LIMIT))
    except Gone as problem:
        say(f"{name}: no rounds ({problem}); the page-by-page time is used")
        return
    finally:
        for adapter in adapters.values():
            adapter.end()
    for name, answers in found.items():
        measured[name].rounds = [answer["seconds"] for answer in answers]
        measured[name].changed = len({answer["length"] for answer in answers}) > 1


def measure(pages, methods, folder, rounds, say, limit=PAGE_LIMIT):
    """Runs all methods on the pages of a set; results by name."""
    folder.mkdir(parents=True, exist_ok=True)
    list_file = folder / "pages.txt"
    list_file.write_text("".join(f"{page.file}\t{page.language}\n" for page in pages), encoding="utf-8")
    megabytes = sum(page.size for page in pages) / 1e6
    measured, fast = {}, []
    for method in methods:
        result = measured[method.name] = Measured()
        log = folder / f"{method.name}.log"
        log.write_bytes(b"")
        adapter = Adapter(method.command, log)
        try:
            asked = pages if method.known else [dataclasses.replace(page, language="") for page in pages]
            first_round(adapter, asked, folder / f"{method.name}.jsonl", result, limit)
        finally:
            adapter.end()
        if result.broken:
            say(f"{method.name}: does not answer ({result.broken}); see {log}")
            continue
        say(f"{method.name}: {result.rounds[0]:.1f} s, {len(result.failures)} failed")
        if method.known and result.steady and megabytes > FAST * result.rounds[0]:
            fast.append(method)
    if rounds and fast:
        say(f"{rounds} rounds of {', '.join(method.name for method in fast)}")
        later_rounds(fast, measured, list_file, folder, rounds, say)
    return measured
