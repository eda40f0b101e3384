"""Templates and segment classes, learned from the pages of each site."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F
from pyspark.storagelevel import StorageLevel

from webstrata import _webstrata as native
from webstrata.exceptions import InputError
from webstrata.spark import _arrow


def site_evidence(pages: DataFrame, *, name: str = "local") -> DataFrame:
    """The results of ``webstrata site``: ``site``, ``report`` (JSON, as in its files) and ``facts``, one row per registrable domain.

    ``pages`` are those of :func:`extract`. ``name`` is the site of pages without an address. Pages become digests on the executors
    that have them; the digests of a site, a fraction of its pages, are gathered on one.
    """
    if "html" not in pages.columns:
        raise InputError(f"there is no column 'html' among {', '.join(pages.columns)}")
    known = [column for column in _arrow.DOCUMENT if column in pages.columns]
    keyed = "file" in known

    def digest(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            found = _arrow.from_bytes(native._spark.digests(_arrow.to_bytes(_arrow.columns(part, _arrow.DOCUMENT)), name))
            rows = found.column("row")

            def of(column: str, kind: pa.DataType, rows: pa.ChunkedArray = rows, part: pa.RecordBatch = part) -> pa.Array:
                if column not in part.schema.names:
                    return pa.nulls(len(rows), kind)
                return part.column(column).cast(kind).take(rows)

            keys = {
                "file": of("file" if keyed else "id" if "id" in known else "url", pa.string()),
                "offset": of("offset", pa.int64()),
                "inside": of("inside", pa.int64()),
            }
            yield from pa.table({"site": found.column("site"), **keys, "digest": found.column("digest")}).to_batches()

    schema = "site string, file string, offset long, inside long, digest binary"
    digests = pages.select(*known).mapInArrow(digest, schema).persist(StorageLevel.MEMORY_AND_DISK)
    # Pages are numbered in the order of their files, as on one machine: a tree depends on it.
    counts = digests.groupBy("file").count()
    before = F.sum("count").over(Window.orderBy("file").rowsBetween(Window.unboundedPreceding, -1))
    first = counts.select("file", F.coalesce(before, F.lit(0)).alias("first"))
    place = F.row_number().over(Window.partitionBy("file").orderBy("offset", "inside"))
    numbered = digests.join(first, digests["file"].eqNullSafe(first["file"])).drop(first["file"])
    numbered = numbered.select("site", (F.col("first") + place - 1).alias("number"), "digest")

    def learn(key: tuple[pa.Scalar, ...], table: pa.Table) -> pa.Table:
        site = key[0].as_py()
        pages = list(zip(table.column("number").to_pylist(), table.column("digest").to_pylist(), strict=True))
        report, facts = native._spark.learn_site(site, pages)
        columns = {"site": [site], "pages": [json.loads(report)["pages"]], "report": [report], "facts": [facts]}
        kinds = pa.schema([("site", pa.string()), ("pages", pa.int64()), ("report", pa.string()), ("facts", pa.binary())])
        return pa.table(columns, schema=kinds)

    return numbered.groupBy("site").applyInArrow(learn, "site string, pages long, report string, facts binary")


def sites(pages: DataFrame, *, name: str = "local") -> DataFrame:
    """The reports of ``webstrata site``: ``site``, ``pages``, ``template_blocks``, ``classes`` (of segments) and ``report`` (JSON)."""
    known = site_evidence(pages, name=name)
    return known.select(
        "site",
        "pages",
        F.get_json_object("report", "$.template_blocks").cast("long").alias("template_blocks"),
        F.expr("aggregate(from_json(report, 'designs array<struct<classes: array<string>>>').designs, 0L, (n, d) -> n + size(d.classes))")
        .alias("classes"),
        "report",
    )


def write_evidence(evidence: DataFrame, path: str | os.PathLike[str]) -> None:
    """Writes the evidence of sites as the file ``evidence`` of ``webstrata site``, for ``site_evidence`` of :func:`extract`.

    Facts are collected on the driver.
    """
    rows = evidence.select("site", "facts").toLocalIterator()
    native._spark.write_evidence(os.fspath(path), [(row.site, bytes(row.facts)) for row in rows])
