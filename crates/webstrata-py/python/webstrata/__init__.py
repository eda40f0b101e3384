"""Main content, segments, metadata and links of Web pages, each with its byte range and the reason for it.

>>> import webstrata
>>> html = "<title>Rain</title><p>It has been raining in the valley for three days, and nobody can say why.</p>"
>>> webstrata.extract(html)
'It has been raining in the valley for three days, and nobody can say why.'
"""

from __future__ import annotations

from webstrata._commands import build_graph, command, dedup, rank, run, sites
from webstrata._corpus import Duplicate, Graph, Ranks, near_duplicates
from webstrata._extract import Extractor, bare_extraction, extract, extract_batch, metadata, segment
from webstrata._options import Options
from webstrata._page import Block, Document, Image, Link, Metadata, Page, Segment, Value
from webstrata._read import Record, read
from webstrata._webstrata import CSV_HEADER
from webstrata._webstrata import VERSION as __version__
from webstrata.exceptions import CommandError, InputError, OptionError, PageError, WebstrataError

__all__ = [
    "CSV_HEADER",
    "Block",
    "CommandError",
    "Document",
    "Duplicate",
    "Extractor",
    "Graph",
    "Image",
    "InputError",
    "Link",
    "Metadata",
    "OptionError",
    "Options",
    "Page",
    "PageError",
    "Ranks",
    "Record",
    "Segment",
    "Value",
    "WebstrataError",
    "__version__",
    "bare_extraction",
    "build_graph",
    "command",
    "dedup",
    "extract",
    "extract_batch",
    "metadata",
    "near_duplicates",
    "rank",
    "read",
    "run",
    "segment",
    "sites",
]
