"""Main text by readability-lxml: the summary is HTML, which is converted to text here, one line per block.

lxml's `text_content()` would join the last word of a paragraph to the first of the next, which is not the tool's fault.
"""

from adapter import run
from lxml import html
from readability import Document

# Tags that do not end a line.
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt "
    "u var wbr".split()
)


def written(tree):
    parts = []
    # An explicit stack, because pages may nest arbitrarily: an entry opens an element or writes its tail.
    stack = [(tree, False)]
    while stack:
        element, closed = stack.pop()
        tag = element.tag if isinstance(element.tag, str) else None
        if tag not in INLINE:
            parts.append("\n")
        if closed:
            parts.append(element.tail or "")
            continue
        stack.append((element, True))
        if tag is not None:  # neither a comment nor a processing instruction
            parts.append(element.text or "")
            stack.extend((child, False) for child in reversed(element))
    return "".join(parts)


def text(page, language):
    return written(html.fromstring(Document(page).summary()))


run("readability-lxml", text)
