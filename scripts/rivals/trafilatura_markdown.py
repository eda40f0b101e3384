"""Main content as Markdown by trafilatura, with default options."""

from adapter import run
from trafilatura import extract

run("trafilatura", lambda page, language: extract(page, output_format="markdown"))
