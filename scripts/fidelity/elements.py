"""Structure of a part of a page: code, formulas, tables, headings and list items, read from its elements.

Gold is made with this module, so it shares nothing with the library under test: pages are parsed by html5lib, and code,
formulas and tables are recognised only by the markup of known generators.
"""

import re

import html5lib

BLOCKS = frozenset(
    "address article aside blockquote body br caption center dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4"
    " h5 h6 header hr li main nav ol p pre section summary table tbody td tfoot th thead tr ul".split()
)
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# Never content, for any generator.
NEVER = frozenset("script style template noscript nav button select textarea iframe object svg form head".split())
LISTS = frozenset(("ul", "ol", "dl", "menu"))
# Symbols of permalinks to headings.
PERMALINKS = frozenset(("", "◆", "¶", "#", "§", "🔗", "link", "permalink", "[edit]", "[src]", "\uf0c1"))
PERMALINK_CLASSES = frozenset(("headerlink", "anchor", "anchor-link", "permalink", "mark", "doc-anchor", "header-anchor", "srclink", "src"))
# Tables that generators use for anything but data.
LAYOUT_TABLES = frozenset(
    "footnote citation field-list memname mlabels mlabel highlighttable rouge-table navigation bar highlight SIntrapara RBackground"
    " SVInsetFlow defmodule RktBlk together RForeground specgrammar listing_frame".split()
)
# Boxes that are written as a table with an icon.
BOXES = frozenset("note tip warning important caution admonition".split())
# Parts of code that are not its text: line numbers and the name of the language.
LINE_NUMBERS = frozenset("language-id listing_lines lineno linenos linenodiv gutter line-numbers lineNumbers gl rouge-gutter line-numbers-rows hljs-ln-numbers".split())
MATH = "{http://www.w3.org/1998/Math/MathML}"
# A formula is replaced with its number between these characters of the private use area.
OPEN, CLOSE = "\ue000", "\ue001"
RAW = re.compile(
    r"\\\((.+?)\\\)|\\\[(.+?)\\\]|\$\$(.+?)\$\$|(\\begin\{(equation|align|gather|multline|eqnarray)(\*?)\}.+?\\end\{\5\6\})", re.DOTALL
)
LANGUAGES = {
    "bash": "bash sh shell console zsh shell-session sh-session", "c": "c", "cpp": "cpp c++ cc", "csharp": "csharp cs c#", "css": "css",
    "cython": "cython", "diff": "diff patch", "dockerfile": "dockerfile docker", "elixir": "elixir", "erlang": "erlang erl", "go": "go golang",
    "graphql": "graphql", "haskell": "haskell hs", "html": "html html+django htmldjango", "ini": "ini cfg", "java": "java",
    "javascript": "javascript js mjs cjs jsx", "json": "json json5", "julia": "julia", "kotlin": "kotlin", "lua": "lua",
    "makefile": "makefile make", "markdown": "markdown md", "matlab": "matlab octave", "nim": "nim", "nginx": "nginx", "perl": "perl",
    "php": "php", "powershell": "powershell ps1", "prolog": "prolog", "python": "python python3 py py3 pycon ipython3 ipython pydocstring",
    "r": "r", "racket": "racket", "ruby": "ruby rb", "rust": "rust rs", "scala": "scala", "sql": "sql postgresql mysql sqlite",
    "swift": "swift", "tex": "tex latex", "toml": "toml", "typescript": "typescript ts tsx", "xml": "xml", "yaml": "yaml yml",
}  # fmt: skip
LANGUAGE = {alias: name for name, aliases in LANGUAGES.items() for alias in aliases.split()}


def parse(data, encoding=None):
    """The tree of a page."""
    options = {"likely_encoding": encoding} if encoding else {}
    return html5lib.parse(data, treebuilder="lxml", namespaceHTMLElements=False, **options).getroot()


def name(element):
    """The tag without its namespace; empty for comments."""
    return element.tag.rsplit("}", 1)[-1] if isinstance(element.tag, str) else ""


def classes(element):
    return (element.get("class") or "").split()


def select(root, selectors):
    """Elements by simple selectors such as `div.body`, `#content` or `main[role=main]`, separated by commas; `>` is a direct child."""
    found = []
    for selector in selectors.split(","):
        path = "."
        for step in selector.split():
            if step == ">":
                path += "/>"
                continue
            axis = "/" if path.endswith("/>") else "//"
            path = path.removesuffix("/>") + axis + test(step)
        found += root.xpath(path)
    order = {element: at for at, element in enumerate(root.iter())}
    return sorted(set(found), key=order.get)


def test(step):
    tag = re.match(r"[a-z0-9]*", step).group() or "*"
    conditions = "".join(
        f"[contains(concat(' ', normalize-space(@class), ' '), ' {value} ')]" if sign == "." else f"[@id='{value}']"
        for sign, value in re.findall(r"([.#])([\w:-]+)", re.sub(r"\[.*?\]", "", step))
    )
    return tag + conditions + "".join(f"[@{key}='{value}']" for key, value in re.findall(r"\[([\w-]+)=([^\]]*)\]", step))


def remove(element, replacement=""):
    """Takes an element out of its tree, but not the text that follows it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    tail = replacement + (element.tail or "")
    if before is not None:
        before.tail = (before.tail or "") + tail
    else:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def text_of(element, skip=frozenset()):
    """Text with white space collapsed; blocks separate words."""
    parts = []

    def walk(node):
        for part in [node.text or ""] if not name(node) == "" else []:
            parts.append(part)
        for child in node:
            tag = name(child)
            if tag and tag not in skip and tag not in NEVER:
                block = tag in BLOCKS
                parts.append(" " if block else "")
                walk(child)
                parts.append(" " if block else "")
            elif tag in skip:
                parts.append(" ")
            parts.append(child.tail or "")

    walk(element)
    return " ".join(re.sub("[\u200b\u2060\ufeff\u00ad]", "", "".join(parts)).split())


def code_of(element):
    """Text of preformatted code, exact to the space."""
    parts = []

    def walk(node):
        parts.append(node.text or "")
        for child in node:
            tag = name(child)
            if tag == "br":
                parts.append("\n")
            elif tag and tag not in NEVER and not LINE_NUMBERS & set(classes(child)):
                walk(child)
                # doxygen, gist and others have one block per line; a line break at the end of a block shows nothing
                last = next((part for part in reversed(parts) if part), "")
                if tag in ("div", "tr", "li") and not last.endswith("\n"):
                    parts.append("\n")
            parts.append(child.tail or "")

    walk(element)
    lines = "".join(parts).replace("\r\n", "\n").replace("\xa0", " ").split("\n")
    lines = [line.rstrip() for line in lines]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def language_of(element):
    """The language that the markup names, if we know it."""
    around, node = [element, *list(element)[:1]], element
    for _ in range(3):
        node = node.getparent()
        if node is None or len(node.xpath(".//pre")) > 1:
            break
        around.append(node)
    for node in around:
        for word in classes(node):
            word = re.sub(r"^(language|lang|highlight|highlight-source|brush)[-:]", "", word.lower()).rstrip(";")
            if word in LANGUAGE:
                return LANGUAGE[word]
        for attribute in ("data-lang", "data-language"):
            if (node.get(attribute) or "").lower() in LANGUAGE:
                return LANGUAGE[node.get(attribute).lower()]
    return None


class Formulas:
    """The formulas of a page: each is replaced in the tree with a mark, which later becomes its TeX."""

    def __init__(self):
        self.found = []

    def mark(self, tex, display):
        tex = tex.strip()
        for left, right in ((r"\(", r"\)"), (r"\[", r"\]"), ("$$", "$$"), ("$", "$")):
            if tex.startswith(left) and tex.endswith(right) and len(tex) > len(left) + len(right):
                tex, display = tex[len(left) : -len(right)].strip(), display or left in (r"\[", "$$")
                break
        if not tex:
            return ""
        self.found.append((tex, display))
        return f"{OPEN}{len(self.found) - 1}{CLOSE}"

    def replace(self, root):
        """Formulas in their own elements."""
        for element in [e for e in root.iter() if isinstance(e.tag, str)]:
            if element.getparent() is None:
                continue
            tag, own = name(element), set(classes(element))
            tex, display = None, False
            if tag == "script" and (element.get("type") or "").startswith("math/tex"):
                tex, display = element.text or "", "display" in element.get("type")
            elif tag == "img" and own & {"math", "formulaInl", "formulaDsp", "tex", "latex"}:
                tex, display = element.get("alt") or "", "formulaDsp" in own or "math" in classes(element.getparent())
            elif tag == "math":
                notes = element.xpath(".//*[local-name()='annotation'][contains(@encoding,'tex')]")
                tex = notes[0].text if notes else element.get("alttext")
                display = element.get("display") == "block"
            if tex:
                remove(element, self.mark(tex, display))

    def replace_raw(self, root):
        """Formulas between delimiters in the text."""
        for element in [e for e in root.iter() if isinstance(e.tag, str)]:
            if name(element) in ("pre", "code", "tt", "script", "style", "kbd", "samp"):
                continue
            if any(name(above) in ("pre", "code") for above in element.iterancestors()):
                continue
            element.text = self.marked(element.text)
            for child in element:
                child.tail = self.marked(child.tail)

    def marked(self, text):
        def one(match):
            inside = next(part for part in match.groups()[:4] if part is not None)
            return self.mark(inside, match.group(1) is None)

        return RAW.sub(one, text) if text and ("\\" in text or "$$" in text) else text

    def text(self, text):
        """A text with TeX for marks."""
        return re.sub(f"{OPEN}(\\d+){CLOSE}", lambda mark: self.found[int(mark.group(1))][0], text)

    def within(self, area):
        """Formulas of an area, in order."""
        marks = re.findall(f"{OPEN}(\\d+){CLOSE}", "".join(area.itertext()))
        return [{"tex": self.found[int(mark)][0], "display": self.found[int(mark)][1]} for mark in marks]


def clean(root, drop, formulas, raw):
    """Removes elements that are never content, permalinks and additions of the generator; marks formulas."""
    formulas.replace(root)
    for element in select(root, drop) if drop else []:
        remove(element)
    for element in [e for e in root.iter() if name(e) in NEVER or name(e) == ""]:
        if name(element) != "head" and element.getparent() is not None:
            remove(element)
    for element in [e for e in root.iter() if name(e) in ("a", "span")]:
        words = "".join(element.itertext()).strip()
        own = set(classes(element)) & PERMALINK_CLASSES
        inside = element.get("href", "").startswith("#") and any(name(above) in HEADINGS for above in element.iterancestors())
        if words.lower() in PERMALINKS and (own or inside) and not len(element):
            remove(element)
        elif {"srclink", "mw-editsection", "out-of-band", "version", "since"} & set(classes(element)) and any(
            name(above) in HEADINGS for above in element.iterancestors()
        ):
            remove(element)
    if raw:
        formulas.replace_raw(root)


def is_data(table):
    """Whether a table has data: at least two rows and two columns, and no table inside."""
    if table.xpath(".//table") or table.get("role") in ("presentation", "none"):
        return False
    if LAYOUT_TABLES & set(classes(table)) or any(LAYOUT_TABLES & set(classes(above)) for above in table.iterancestors("table")):
        return False
    # Markdown has no listings in cells: the listings count, the table does not.
    if any("\n" in code_of(pre) for pre in table.iter("pre", "div") if name(pre) == "pre" or "fragment" in classes(pre)):
        return False
    if any(BOXES & set(classes(above)) for above in list(table.iterancestors())[:1]):
        return False
    rows = [[text_of(cell) for cell in row.xpath("./td|./th")] for row in table.iter("tr")]
    # Spacer columns do not count.
    columns = {at for row in rows for at, text in enumerate(row) if text}
    return len([row for row in rows if any(row)]) > 1 and len(columns) > 1


def rows_of(table, formulas):
    """The cells of a table; the foot comes last wherever it is written."""
    rows = [row for row in table.iter("tr") if name(row.getparent()) != "tfoot"]
    rows += [row for row in table.iter("tr") if name(row.getparent()) == "tfoot"]
    found = []
    for row in rows:
        cells = []
        for cell in row.xpath("./td|./th"):
            text = formulas.text(text_of(cell))
            spans = {}
            for key, attribute in (("rows", "rowspan"), ("cols", "colspan")):
                value = re.match(r"\d+", (cell.get(attribute) or "").strip())
                if value and 1 < int(value.group()) <= 100:
                    spans[key] = int(value.group())
            cells.append({"text": text, **spans} if spans else text)
        if cells:
            found.append(cells)
    return found


def structure(area, formulas, optional=""):
    """The gold of a cleaned area. Answers may include or omit optional parts."""
    code, tables, headings, items, neutral = [], [], [], [], []

    def texts(rows):
        return " ".join(cell["text"] if isinstance(cell, dict) else cell for row in rows for cell in row)

    data = [table for table in area.iter("table") if is_data(table)]
    inside = {element for table in data for element in table.iter()}
    listing = set(select(area, optional)) if optional else set()
    for element in area.iter():
        tag = name(element)
        if element in inside and tag != "table":
            continue
        free = bool(listing) and (element in listing or any(above in listing for above in element.iterancestors()))
        if tag == "pre" or (tag == "div" and "fragment" in classes(element)):
            if any(name(above) == "pre" for above in element.iterancestors()):
                continue
            if any("gutter" in classes(above) or LINE_NUMBERS & set(classes(above)) for above in element.iterancestors()):
                continue
            text = formulas.text(code_of(element))
            if text.strip() and free:
                neutral.append(text)
            elif text.strip():
                code.append({"text": text, "language": language_of(element), "inline": False})
        elif tag == "table" and element in inside and is_data(element):
            rows = rows_of(element, formulas)
            neutral.append(texts(rows)) if free else tables.append(rows)
        elif tag in HEADINGS:
            text = formulas.text(text_of(element))
            if text and free:
                neutral.append(text)
            elif text:
                headings.append({"level": int(tag[1]), "text": text})
        elif tag in ("li", "dt", "dd"):
            text = formulas.text(text_of(element, LISTS | {"table", "pre"}))
            if text:
                # Some generators write sections as items.
                section = element.xpath(".//h1|.//h2|.//h3|.//h4|.//h5|.//h6|.//section")
                (neutral if free or section or tag != "li" else items).append(text)
    return {"code": code, "math": formulas.within(area), "tables": tables, "headings": headings, "items": items, "neutral": neutral}
