"""Main text by trafilatura: `extract` with default options, or with --recall or --precision."""

import sys

from adapter import run
from trafilatura import extract

OPTIONS = {"favor_recall": "--recall" in sys.argv, "favor_precision": "--precision" in sys.argv}

run("trafilatura", lambda page, language: extract(page, **OPTIONS))
