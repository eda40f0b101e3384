"""Available sets, and scores of answers by `webstrata-lab eval extract`."""

import csv
import dataclasses
import gzip
import io
import json
import os
import pathlib
import shlex
import subprocess

SETS = ["wcxb", "l3s-gn1", "cleaneval", "dragnet", "daniel", "cleanportaleval"]
# Field by which the pages of a set are grouped.
GROUPS = {"wcxb": "page_type", "daniel": "lang"}
FIGURES = ["precision", "recall", "f1", "median", "under_half", "order_f1"]
# Prefix of our timed answers, which are also scored and must equal those of the preset.
TIMED = "timed:"


class Failed(Exception):
    """The reason why there are no scores."""


@dataclasses.dataclass(frozen=True)
class Page:
    """A page of a set."""

    id: str
    file: str
    language: str
    group: str
    size: int


def read_set(folder, every, limit, into):
    """Pages of a set that have gold: every k-th, and at most `limit`, spread over the set. Creates a folder with just these."""
    html = (folder / "html").resolve()
    # Ids are unique, and only a line feed ends a line: texts contain other line separators.
    gold = {}
    for line in (folder / "gold.jsonl").read_bytes().split(b"\n"):
        try:
            page = json.loads(line)
            usable = page["gold_text"] is not None and is_page(html / f"{page['id']}.html")
        except (ValueError, KeyError, TypeError):
            continue
        if usable:
            gold.setdefault(page["id"], (page, line))
    # Broken entries are skipped here; `webstrata-lab eval extract` on the set reports them.
    gold = list(gold.values())
    gold = gold[::every]
    if limit and len(gold) > limit:
        gold = gold[:: len(gold) // limit][:limit]
    into.mkdir(parents=True, exist_ok=True)
    (into / "gold.jsonl").write_bytes(b"".join(line + b"\n" for _, line in gold))
    link = into / "html"
    if link.is_symlink():
        link.unlink()
    link.symlink_to(html, target_is_directory=True)
    group = GROUPS.get(folder.name)
    pages = []
    for page, _ in gold:
        file = into / "html" / f"{page['id']}.html"
        language = page.get("lang") or page.get("language") or ""
        pages.append(Page(page["id"], str(file), language, (page.get(group) or "") if group else "", file.stat().st_size))
    return pages


def is_page(file):
    return file.is_file() and file.stat().st_size > 0


def score(lab, folder, methods, measured):
    """Figures and page scores by method, from `webstrata-lab eval extract`."""
    command = [str(lab), "eval", "extract", str(folder), "--format", "json", "--progress", "never"]
    answered = [method for method in methods if measured[method.name].answers]
    for method in answered:
        name = f"{TIMED}{method.name}" if method.ours else method.name
        command += ["--preset", method.name] if method.ours else []
        command += ["--rival", f"{name}=cat {shlex.quote(measured[method.name].answers)}"]
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    # 1 means that some pages failed, which the measurement has reported.
    if ran.returncode not in (0, 1):
        raise Failed(f"`webstrata-lab eval extract` exited with {ran.returncode}: {ran.stderr.strip()}")
    found = {method["name"]: method for method in json.loads(ran.stdout)["sets"][0]["methods"]}
    for method in answered:
        if method.ours:
            scored, timed = found[method.name], found.pop(TIMED + method.name)
            if scored["scores"] != timed["scores"]:
                raise Failed(f"{method.name}: the timed answers differ from the scored ones")
    return found


def by_group(pages, scores):
    """Mean F1 by group: name, pages, F1; empty if there are no groups."""
    groups = {}
    for page, score_ in zip(pages, scores):
        if page.group:
            groups.setdefault(page.group, []).append(score_["f1"] or 0.0)
    return {name: {"pages": len(values), "f1": sum(values) / len(values)} for name, values in sorted(groups.items())}


def write_scores(path, set_name, found):
    """Writes raw scores as compressed CSV, byte-identical for the same scores. The rows of a page are adjacent."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "set", "method", "precision", "recall", "f1"])
    for of_page in zip(*(method["scores"] for method in found.values())):
        for name, score_ in zip(found, of_page):
            figures = [score_[figure] or 0.0 for figure in ("precision", "recall", "f1")]
            rows.writerow([score_["id"], set_name, name] + [f"{figure:.4f}" for figure in figures])
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file, gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
        packed.write(out.getvalue().encode())


def set_folder(data, name):
    """The folder of a set, or None."""
    folder = pathlib.Path(data) / name
    return folder if (folder / "gold.jsonl").is_file() and (folder / "html").is_dir() else None
