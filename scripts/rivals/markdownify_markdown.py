"""The whole page as Markdown by markdownify, with default options."""

from adapter import decode, run
from markdownify import markdownify

run("markdownify", lambda page, language: markdownify(decode(page)))
