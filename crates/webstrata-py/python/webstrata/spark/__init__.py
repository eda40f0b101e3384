"""webstrata on Spark, where one machine is not enough.

Executors run the same Rust code as the command line, on Arrow batches, so results are those of one machine. Everything that
survives a lost executor is Spark's: tasks are repeated, shuffles and caches are computed again, states are checkpointed.

>>> from webstrata import spark as ws                                         # doctest: +SKIP
>>> pages = ws.extract(ws.warc(session, "crawl/*.warc.gz"))                   # doctest: +SKIP
>>> pages.write.parquet("pages")                                              # doctest: +SKIP

Executors need this package and pyarrow; ``docs/spark.md`` has the rest.
"""

from __future__ import annotations

from webstrata.spark._dedup import near_duplicates
from webstrata.spark._pages import edges, errors, extract, links, segments, warc
from webstrata.spark._rank import PageRank, pagerank
from webstrata.spark._sites import site_evidence, sites, write_evidence

__all__ = [
    "PageRank",
    "edges",
    "errors",
    "extract",
    "links",
    "near_duplicates",
    "pagerank",
    "segments",
    "site_evidence",
    "sites",
    "warc",
    "write_evidence",
]
