#!/usr/bin/env python3
"""Title, author, date and tags of pages by trafilatura, as its documentation shows.

Reads file names on standard input, one per line, optionally followed by a tab and the page's address; writes one line of
JSON for each: {"id": …, "title": …, "author": …, "date": …, "tags": …, "language": …}. Authors are separated by semicolons, as
trafilatura does, and so are tags.
"""

import json
import logging
import pathlib
import sys
import warnings

from trafilatura.metadata import extract_metadata

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

for line in sys.stdin:
    name, _, url = line.rstrip("\n").partition("\t")
    path = pathlib.Path(name)
    answer = {"id": name}
    try:
        found = extract_metadata(path.read_bytes(), default_url=url or None)
    except Exception as problem:  # a page that it cannot read has no answer
        print(f"{name}: {problem!r}", file=sys.stderr)
        found = None
    if found is not None:
        answer |= {"title": found.title, "author": found.author, "date": found.date, "language": found.language}
        answer["tags"] = "; ".join(found.tags or [])
    print(json.dumps(answer), flush=True)
