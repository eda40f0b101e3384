"""The whole page as Markdown by html-to-markdown, with default options."""

from adapter import decode, run
from html_to_markdown import convert

run("html-to-markdown", lambda page, language: convert(decode(page)).content)
