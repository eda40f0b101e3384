"""Tests without rivals or network: adapters that hang, crash or write garbage, the protocol, tables, the verdict.

    python3 -B -m unittest discover -s scripts/rivals/lab -t scripts/rivals
"""

import csv
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from lab import measure, score, tables, verdict
from lab.install import crate_version
from lab.methods import HERE, MARKDOWN_RIVALS, RIVALS, TOOLS, Crate, Method

# Answers with the page in capitals, and misbehaves on pages that say so. The language precedes the text.
ODD = """
import os, sys, time
sys.path.insert(0, sys.argv[1])
from adapter import run
def text(page, language):
    word = page.decode()
    print("noise on standard output")
    if word == "hang": time.sleep(60)
    if word == "die": os._exit(3)
    if word == "raise": raise ValueError("no such page")
    if word == "nothing": return None
    if word == "half": return "\\ud83d"
    if word == "nonsense": os.write(1, b"no JSON\\n"); return "late"
    return f"{language} {word.upper()}"
run("pip", text)
"""


class Lab(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.lines = []

    def make_set(self, words, **gold):
        folder = self.folder / "set"
        (folder / "html").mkdir(parents=True)
        lines = []
        for number, word in enumerate(words):
            (folder / "html" / f"{number}.html").write_text(word)
            lines.append(json.dumps({"id": str(number), "gold_text": f"{word}\u2028", **gold}, ensure_ascii=False) + "\n")
        (folder / "gold.jsonl").write_text("".join(lines), encoding="utf-8")
        return folder

    def measure(self, words, source=ODD, limit=1.0, rounds=1, language="", known=True):
        folder = self.make_set(words, lang=language)
        pages = score.read_set(folder, 1, 0, self.folder / "sample")
        program = self.folder / "odd.py"
        program.write_text(source)
        method = Method("odd", (sys.executable, "-B", str(program), str(HERE)), ours=False, known=known)
        measured = measure.measure(pages, [method], self.folder / "answers", rounds, self.lines.append, limit)["odd"]
        answers = [json.loads(line) for line in pathlib.Path(measured.answers).read_text().splitlines()] if measured.answers else []
        return measured, answers

    def test_a_page_that_goes_wrong_costs_that_page(self):
        words = ["one", "hang", "two", "die", "raise", "nonsense", "nothing", "half", "three"]
        measured, answers = self.measure(words, language="Greek")
        texts = [answer["text"] for answer in answers]
        self.assertEqual(texts, ["Greek ONE", "", "Greek TWO", "", "", "", "", "\ud83d", "Greek THREE"])
        reasons = dict(measured.failures)
        self.assertEqual(sorted(reasons), ["1", "3", "4", "5"])
        for page, part in (("3", "code 3"), ("4", "ValueError: no such page"), ("5", "not JSON")):
            self.assertIn(part, reasons[page])
        self.assertGreaterEqual(sum(answer["seconds"] for answer in answers), 0.0)
        self.assertIn("noise", (self.folder / "answers" / "odd.log").read_text())

    def test_fast_methods_are_timed_in_rounds(self):
        words = ["one", "x" * 1_000_000]
        measured, answers = self.measure(words, rounds=3)
        self.assertEqual((len(measured.rounds), measured.changed, measured.failures, answers[0]["text"]), (3, False, [], " ONE"))
        self.assertTrue(all(seconds > 0 for seconds in measured.rounds))

    def test_user_rivals_get_no_languages_and_run_once(self):
        measured, answers = self.measure(["one", "x" * 1_000_000], rounds=3, language="Greek", known=False)
        self.assertEqual((len(measured.rounds), answers[0]["text"]), (1, " ONE"))

    def test_changing_texts_are_detected(self):
        source = ODD.replace("return f", "return 'x' * (time.perf_counter_ns() % 9973) + f")
        measured, _ = self.measure(["one", "x" * 1_000_000], source, rounds=3)
        self.assertTrue(measured.changed)

    def test_slow_methods_run_once(self):
        source = ODD.replace("word = page.decode()", "word = page.decode(); sum(range(10**6))")
        measured, _ = self.measure(["one", "two"], source, rounds=3)
        self.assertEqual(len(measured.rounds), 1)

    def test_a_rival_that_does_not_start_is_reported(self):
        measured, _ = self.measure(["one", "two"], "raise SystemExit(7)")
        self.assertIn("code 7", measured.broken)
        self.assertIn("does not answer", self.lines[0])

    def test_samples_are_spread_and_broken_pages_are_skipped(self):
        folder = self.make_set([str(number) for number in range(10)])
        (folder / "html" / "3.html").write_text("")
        with open(folder / "gold.jsonl", "a", encoding="utf-8") as gold:
            gold.write('{"id": "torn", "gold_te\n\n{"id": "2", "gold_text": "again"}\n')
            gold.write('{"id": "none", "gold_text": "x"}\n{"id": "4"}\n')
        into = self.folder / "sample"
        self.assertEqual([page.id for page in score.read_set(folder, 1, 4, into)], ["0", "2", "5", "7"])
        self.assertEqual([page.id for page in score.read_set(folder, 5, 0, into)], ["0", "6"])
        self.assertEqual((into / "gold.jsonl").read_bytes().count(b"\n"), 2)

    def test_adapters_decode(self):
        sys.path.insert(0, str(HERE))
        from adapter import decode

        self.assertEqual(decode("é".encode()), "é")
        self.assertEqual(decode(b"\xef\xbb\xbfx"), "x")
        self.assertEqual(decode(b'<meta charset="iso-8859-2">\xb1'), '<meta charset="iso-8859-2">ą')
        self.assertEqual(decode(b"<meta charset=no-such>\x80"), "<meta charset=no-such>€")


class Report(unittest.TestCase):
    def report(self, mine=0.9, theirs=0.8, rounds=0.2):
        def method(f1, seconds):
            figures = {figure: f1 for figure in score.FIGURES}
            groups = {"forum": {"pages": 2, "f1": f1}}
            return {**figures, "rounds": [seconds, 2 * seconds], "failures": [], "changed": False, "groups": groups}

        methods = {"article": method(mine, rounds), "resiliparse": method(theirs, 1.0)}
        about = {"date": "2026-01-01", "machine": "m", "command": "c", "versions": {"resiliparse": "1"}, "sample": "All."}
        about |= {"methods": list(methods), "ours": ["article"], "missing": []}
        return {"about": about, "sets": [{"set": "s", "pages": 2, "megabytes": 10.0, "methods": methods, "broken": {}}]}

    def test_the_verdict(self):
        self.assertEqual(verdict.missed(self.report()), [])
        self.assertEqual(len(verdict.missed(self.report(mine=0.8))), 1, "a tie is not ahead")
        self.assertIn("3.3 times", verdict.missed(self.report(rounds=0.3))[0])
        report = self.report()
        report["about"]["missing"] = [("trafilatura", "no network")]
        self.assertIn("not compared with trafilatura", verdict.missed(report)[0])
        report = self.report()
        del report["sets"][0]["methods"]["resiliparse"]
        self.assertEqual(len(verdict.missed(report)), 2)

    def test_tables(self):
        text = tables.markdown(self.report())
        self.assertIn("| `article` | **.900** | **.900** |", text)
        self.assertIn("| `article` | 50.0 | 50.0 | 5.0 |", text)
        self.assertIn("| resiliparse | 10.0 | 10.0 | 1.0 |", text)
        self.assertIn("forum (2)", text)
        report = self.report()
        report["sets"][0]["methods"]["resiliparse"]["rounds"] = [0.0]
        self.assertIn("| resiliparse | – | – | – |", tables.markdown(report))

    def test_tables_go_between_their_markers(self):
        document = f"a\n{tables.BEGIN}\nold\n{tables.END}\nb\n"
        put = tables.put(document, "new\n")
        self.assertEqual(put, f"a\n{tables.BEGIN}\n\nnew\n\n{tables.END}\nb\n")
        self.assertEqual(tables.put(put, "new"), put)
        for broken in ("a", f"{tables.END}{tables.BEGIN}", document + tables.END):
            self.assertIsNone(tables.put(broken, "new"))

    def test_scores_are_reproducible_to_the_byte(self):
        scores = [{"id": "1", "precision": 1.0, "recall": 0.5, "f1": 2 / 3}]
        scores.append({"id": "2", "precision": None, "recall": None, "f1": None})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "deep" / "s.csv.gz"
            found = {"a": {"scores": scores}, "b": {"scores": scores}}
            score.write_scores(path, "s", found)
            first = path.read_bytes()
            score.write_scores(path, "s", found)
            self.assertEqual(path.read_bytes(), first)
            self.assertEqual(first[3:8], bytes(5), "neither a name nor a time")
            rows = list(csv.reader(gzip.decompress(first).decode().splitlines()))
        self.assertEqual(rows[1], ["1", "s", "a", "1.0000", "0.5000", "0.6667"])
        self.assertEqual([row[2] for row in rows[1:]], ["a", "b", "a", "b"])

    def test_everything_is_pinned(self):
        self.assertEqual({tool for _, tool, _ in [*RIVALS, *MARKDOWN_RIVALS]}, set(TOOLS))
        for name, tool in TOOLS.items():
            if isinstance(tool, Crate):
                self.assertRegex((HERE / "Cargo.toml").read_text(), rf'(?m)^{tool.crate} = .*"={crate_version(tool.crate)}"')
            else:
                self.assertTrue((HERE / tool.adapter).is_file())
                self.assertTrue(all(package.count("==") == 1 for package in tool.packages), name)

    def test_the_command_says_what_is_wrong(self):
        command = [sys.executable, str(HERE.parent / "bench-rivals")]
        for given, part in ((["--only", "nobody"], "unknown rival nobody"), ([], "WEBSTRATA_DATA"), (["--rival", "x"], "NAME=COMMAND")):
            data = [] if part == "WEBSTRATA_DATA" else ["/nowhere"]
            ran = subprocess.run(command + data + given, capture_output=True, text=True, env={})
            self.assertEqual(ran.returncode, 2)
            self.assertIn(part, ran.stderr)


if __name__ == "__main__":
    unittest.main()
