"""Main content from magic-html, which returns HTML; converted to Markdown by html2text, as in its authors' benchmark."""

from adapter import decode, run
from html2text import HTML2Text
from magic_html import GeneralExtractor

EXTRACTOR = GeneralExtractor()


def markdown(page, language):
    found = EXTRACTOR.extract(decode(page), base_url="https://site.example/")
    return HTML2Text(bodywidth=0).handle(found["html"])


run("magic-html", markdown)
