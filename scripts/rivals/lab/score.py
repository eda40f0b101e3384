"""Sets at hand, and what the answers are worth: all are scored by `webstrata-lab eval extract`."""

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
# What pages of a set are grouped by, where groups are told.
GROUPS = {"wcxb": "page_type", "daniel": "lang"}
FIGURES = ["precision", "recall", "f1", "median", "under_half", "order_f1"]
# Our answers that were timed are scored too, under this name, and have to be those that were scored.
TIMED = "timed:"


class Failed(Exception):
    """Why there are no scores."""


@dataclasses.dataclass(frozen=True)
class Page:
    """A page of a set."""

    id: str
    file: str
    language: str
    group: str
    size: int


def read_set(folder, every, limit, into):
    """Pages of a set that have gold: every k-th, and at most so many, spread over the set. A folder is made of just these."""
    html = (folder / "html").resolve()
    # Ids are unique, and a line ends at a line feed only: texts have other ends of lines in them.
    gold = {}
    for line in (folder / "gold.jsonl").read_bytes().split(b"\n"):
        try:
            page = json.loads(line)
            usable = page["gold_text"] is not None and is_page(html / f"{page['id']}.html")
        except (ValueError, KeyError, TypeError):
            continue
        if usable:
            gold.setdefault(page["id"], (page, line))
    # What is broken is left out here; `webstrata-lab eval extract` on the set names it.
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
    """Figures and scores of pages by method, as `webstrata-lab eval extract` gives them."""
    command = [str(lab), "eval", "extract", str(folder), "--format", "json", "--progress", "never"]
    answered = [method for method in methods if measured[method.name].answers]
    for method in answered:
        name = f"{TIMED}{method.name}" if method.ours else method.name
        command += ["--preset", method.name] if method.ours else []
        command += ["--rival", f"{name}=cat {shlex.quote(measured[method.name].answers)}"]
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C.UTF-8"})
    # 1 says that some pages failed; they are named by the measurement already.
    if ran.returncode not in (0, 1):
        raise Failed(f"`webstrata-lab eval extract` ended with {ran.returncode}: {ran.stderr.strip()}")
    found = {method["name"]: method for method in json.loads(ran.stdout)["sets"][0]["methods"]}
    for method in answered:
        if method.ours:
            scored, timed = found[method.name], found.pop(TIMED + method.name)
            if scored["scores"] != timed["scores"]:
                raise Failed(f"{method.name}: the answers that were timed are not those that were scored")
    return found


def by_group(pages, scores):
    """Mean F1 by group: name, pages, F1; empty where there are no groups."""
    groups = {}
    for page, score_ in zip(pages, scores):
        if page.group:
            groups.setdefault(page.group, []).append(score_["f1"] or 0.0)
    return {name: {"pages": len(values), "f1": sum(values) / len(values)} for name, values in sorted(groups.items())}


def write_scores(path, set_name, found):
    """Raw scores as CSV, compressed, the same bytes for the same scores. A page's rows stand together."""
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
    """Where a set is, or nothing."""
    folder = pathlib.Path(data) / name
    return folder if (folder / "gold.jsonl").is_file() and (folder / "html").is_dir() else None
