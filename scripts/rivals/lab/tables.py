"""Results as Markdown, between two markers in BENCHMARKS.md."""

import os
import pathlib
import platform

from .methods import YARDSTICK

BEGIN = "<!-- scripts/bench-rivals writes from here -->"
END = "<!-- to here -->"


def machine():
    model = platform.processor() or "unknown processor"
    cpuinfo = pathlib.Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line.split(":", 1)[1].strip() for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}"


def speed(result, name):
    """MB/s of a method on a set, by its best round, or None."""
    rounds = result["methods"][name]["rounds"] if name in result["methods"] else []
    return result["megabytes"] / min(rounds) if rounds and min(rounds) > 0 else None


def overall(results, name):
    """MB/s over all sets."""
    speeds = [(result["megabytes"], speed(result, name)) for result in results]
    if not all(s for _, s in speeds):
        return None
    return sum(m for m, _ in speeds) / sum(m / s for m, s in speeds)


def ratio(value, yardstick):
    return value / yardstick if value and yardstick else None


def share(value):
    return f"{value:.3f}".removeprefix("0") if value is not None else "–"


def number(value):
    return "–" if value is None else f"{value:.0f}" if value >= 100 else f"{value:.1f}"


def table(heading, rows):
    """Rows of cells; the first column is text."""
    lines = ["| " + " | ".join(heading) + " |", "|---|" + "---:|" * (len(heading) - 1)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def marked(columns, form, ours):
    """Columns of values by method as rows of cells: the best of a column is bold, ours are code."""
    names = list(columns[0])
    best = [max((value for value in column.values() if value is not None), default=None) for column in columns]
    rows = []
    for name in names:
        cells = [form(column[name]) for column in columns]
        bold = [column[name] is not None and column[name] == most for column, most in zip(columns, best)]
        rows.append([f"`{name}`" if name in ours else name] + [f"**{c}**" if b else c for c, b in zip(cells, bold)])
    return rows


def markdown(report):
    """The full report of a run."""
    about, results = report["about"], report["sets"]
    names, ours = about["methods"], set(about["ours"])
    heading = [f"{result['set']} ({result['pages']})" for result in results]

    def columns(value):
        return [{name: value(result, name) for name in names} for result in results]

    def figure(result, name):
        return result["methods"].get(name, {}).get("f1")

    def mean(name):
        values = [figure(result, name) for result in results]
        return sum(values) / len(values) if None not in values else None

    versions = ", ".join(f"{tool} {version}" for tool, version in about["versions"].items())
    parts = [
        f"{about['date']}; {about['machine']}; `{about['command']}`. {versions}. {about['sample']}",
        "Word F1, mean over pages (their number in brackets); the last column is the mean over sets:",
        table(["method", *heading, "mean"], marked([*columns(figure), {name: mean(name) for name in names}], share, ours)),
        f"MB (10^6 bytes) of pages per second on one thread; the last column is the speed over all sets relative to {YARDSTICK}:",
        speeds(results, names, ours),
    ]
    for result in results:
        parts += details(result, names, ours)
    parts += ["Pages that failed count as empty answers:\n\n" + "\n".join(failures(results))] if failures(results) else []
    return "\n\n".join(parts) + "\n"


def speeds(results, names, ours):
    yardstick = overall(results, YARDSTICK)
    rows = []
    for name in names:
        of_sets = [number(speed(result, name)) for result in results]
        whole = overall(results, name)
        times = ratio(whole, yardstick)
        cells = [*of_sets, number(whole), "–" if times is None else f"{times:.2f}" if times < 1 else f"{times:.1f}"]
        rows.append([f"`{name}`" if name in ours else name, *cells])
    return table(["method", *(result["set"] for result in results), "all", f"× {YARDSTICK}"], rows)


def details(result, names, ours):
    """A set: all figures, and F1 by group."""
    heading = ["method", "precision", "recall", "F1", "median", "under .5", "ROUGE-L F1", "failed"]
    figures = ["precision", "recall", "f1", "median", "under_half", "order_f1"]
    rows = []
    for name in names:
        method = result["methods"].get(name)
        if method is None:
            continue
        rows.append([f"`{name}`" if name in ours else name, *(share(method[f]) for f in figures), str(len(method["failures"]))])
    parts = [f"### {result['set']}: {result['pages']} pages, {result['megabytes']:.1f} MB", table(heading, rows)]
    groups = next((method["groups"] for method in result["methods"].values()), {})
    if groups:
        here = [name for name in names if name in result["methods"]]
        columns = [{name: result["methods"][name]["groups"][group]["f1"] for name in here} for group in groups]
        heading = [f"{group} ({groups[group]['pages']})" for group in groups]
        parts.append(table(["F1", *heading], marked(columns, share, ours)))
    return parts


def failures(results):
    """A line for every method with failures, with the first reason, and for those whose answers changed."""
    lines = []
    for result in results:
        for name, method in result["methods"].items():
            if method["failures"]:
                page, why = method["failures"][0]
                lines.append(f"- {result['set']}, {name}: {len(method['failures'])}; {page}: {why}")
            if method["changed"]:
                lines.append(f"- {result['set']}, {name}: the answer differed between rounds")
    return lines


def put(document, text, begin=BEGIN, end=END):
    """The document with the text between two markers; None unless it has both, once each and in order."""
    if document.count(begin) != 1 or document.count(end) != 1 or document.index(begin) > document.index(end):
        return None
    before, rest = document.split(begin)
    return f"{before}{begin}\n\n{text.strip()}\n\n{end}{rest.split(end)[1]}"
