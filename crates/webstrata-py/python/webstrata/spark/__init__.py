"""webstrata on Spark, where one machine is not enough.

Executors run the same Rust code as the command line, on Arrow batches, so results are the same as on one machine. Recovery
from lost executors is left to Spark: tasks are repeated, shuffles and caches recomputed, states checkpointed.

>>> from webstrata import spark as ws                                         # doctest: +SKIP
>>> pages = ws.extract(ws.warc(session, "crawl/*.warc.gz"))                   # doctest: +SKIP
>>> pages.write.parquet("pages")                                              # doctest: +SKIP

Executors need this package and pyarrow; see ``docs/spark.md``.
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
