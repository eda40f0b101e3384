"""The whole page as Markdown by html2text, without wrapping lines."""

from adapter import decode, run
from html2text import HTML2Text


def markdown(page, language):
    return HTML2Text(bodywidth=0).handle(decode(page))


run("html2text", markdown)
