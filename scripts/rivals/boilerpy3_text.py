"""Main text by boilerpy3: its ArticleExtractor, or its DefaultExtractor with --default.

`raise_on_failure=False` is its own option for pages that its parser fails on: the text read so far is kept.
"""

import sys

from adapter import decode, run
from boilerpy3 import extractors

KIND = extractors.DefaultExtractor if "--default" in sys.argv else extractors.ArticleExtractor
EXTRACTOR = KIND(raise_on_failure=False)

run("boilerpy3", lambda page, language: EXTRACTOR.get_content(decode(page)))
