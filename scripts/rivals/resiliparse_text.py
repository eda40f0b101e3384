"""Main text by resiliparse: detect the encoding, parse, extract the main content as plain text."""

from adapter import run
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import detect_encoding
from resiliparse.parse.html import HTMLTree


def text(page, language):
    return extract_plain_text(HTMLTree.parse_from_bytes(page, detect_encoding(page)), main_content=True)


run("resiliparse", text)
