"""Gold from pages whose text is known: documentation and forum pages of the set wcxb.

The area is the smallest element with nearly all of the gold text; of its elements, only those whose text is in the gold text count.
"""

import json
import re

from . import elements

TYPES = ("documentation", "forum")
# Runs of words by which an element is compared with the gold text, and the share of them that the area must have.
RUN = 4
SHARE = 0.99
# Share of a table's cells that must be in the gold text.
CELLS = 0.9
# Shorter texts occur by chance; they count only if they are a line of the gold text.
SHORT = 12
# Names, dates and tags of posts are text of the page, but not headings or items of its content.
OPTIONAL = re.compile(r"user|author|attribution|meta|date|tag|avatar|signature|share|vote|breadcrumb|postnum|counter")


def letters(text):
    """Letters and digits only: texts are compared without punctuation and white space, which may be lost or added."""
    return re.sub(r"[\W_]+", "", text.lower())


def runs(text):
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}


def area_of(root, gold_text):
    """The smallest element with (nearly) all of the gold text in the body."""
    body = root.find("body")
    if body is None:
        return None
    wanted = runs(gold_text) & runs(elements.text_of(body))
    if len(wanted) < 10:
        return None
    area = body
    while True:
        inside = [child for child in area if elements.name(child)]
        found = next((c for c in inside if len(wanted & runs(elements.text_of(c))) >= SHARE * len(wanted)), None)
        if found is None:
            return area
        area = found


def kept(gold, text):
    """The elements whose text is in the gold text."""
    gold_letters = letters(text)
    lines = {letters(line) for line in text.split("\n")}

    def has(part):
        own = letters(part)
        return bool(own) and (own in lines or len(own) >= SHORT and own in gold_letters)

    def has_cell(cell):
        return letters(cell) in gold_letters

    def has_cells(table):
        cells = [cell["text"] if isinstance(cell, dict) else cell for row in table for cell in row]
        cells = [cell for cell in cells if letters(cell)]
        return bool(cells) and sum(map(has_cell, cells)) >= CELLS * len(cells)

    def joined(table):
        return " ".join(cell["text"] if isinstance(cell, dict) else cell for row in table for cell in row)

    others = [code["text"] for code in gold["code"]] + [heading["text"] for heading in gold["headings"]] + gold["items"]
    return {
        "code": [code for code in gold["code"] if has(code["text"])],
        "math": gold["math"],
        "tables": [table for table in gold["tables"] if has_cells(table)],
        "headings": [heading for heading in gold["headings"] if has(heading["text"])],
        "items": [item for item in gold["items"] if has(item)],
        "neutral": gold["neutral"] + [other for other in others if not has(other)] + [joined(t) for t in gold["tables"] if not has_cells(t)],
    }


def build(data, out, say):
    """Writes the set from the folder of wcxb."""
    (out / "html").mkdir(parents=True, exist_ok=True)
    for old in (out / "html").iterdir():
        old.unlink()
    lines = []
    for line in (data / "gold.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n"):
        page = json.loads(line)
        file = data / "html" / f"{page['id']}.html"
        if page.get("page_type") not in TYPES or not page.get("gold_text") or not file.is_file():
            continue
        html = file.read_bytes()
        root = elements.parse(html)
        formulas = elements.Formulas()
        elements.clean(root, "", formulas, raw=False)
        area = area_of(root, page["gold_text"])
        if area is None:
            continue
        for element in [e for e in area.iter() if OPTIONAL.search((e.get("class") or "").lower())]:
            element.set("data-optional", "1")
        gold = kept(elements.structure(area, formulas, "[data-optional=1]"), page["gold_text"])
        if not any(gold[key] for key in ("code", "math", "tables", "items")) and len(gold["headings"]) < 2:
            continue
        (out / "html" / file.name).write_bytes(html)
        about = {key: page[key] for key in ("id", "url", "page_type", "split", "domain") if page.get(key)}
        lines.append({**about, **gold})
    (out / "gold.jsonl").write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    counts = ", ".join(f"{sum(len(line[key]) for line in lines)} {key}" for key in ("code", "math", "tables", "headings", "items"))
    say(f"wcxb: {len(lines)} pages, {counts}")
