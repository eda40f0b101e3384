"""Near duplicates: signatures in Rust, joins by bands in Spark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from webstrata import _webstrata as native
from webstrata.exceptions import InputError
from webstrata.spark import _arrow

_TEXT = {"id": pa.string(), "text": pa.string(), "date": pa.string(), "confidence": pa.float32()}
_MAX_ROUNDS = 100


def near_duplicates(texts: DataFrame, *, preset: str = "fineweb", keep: str = "longest") -> DataFrame:
    """The clusters of ``webstrata dedup``: one row per text, with ``id``, ``cluster``, ``keep``, ``size`` and ``match``.

    ``texts`` has the columns ``id`` and ``text``, and may have ``confidence`` and ``date`` or ``fetched_text``: the table of
    pages has them. Signatures are those of the command line, so clusters are the same. ``preset`` is ``fineweb`` or ``paper``,
    ``keep`` is ``longest``, ``earliest`` or ``confidence``.

    Clusters are connected components, found in a few rounds that are checkpointed: set a checkpoint directory first.
    """
    for column in ("id", "text"):
        if column not in texts.columns:
            raise InputError(f"there is no column {column!r} among {', '.join(texts.columns)}")
    if "date" not in texts.columns and "fetched_text" in texts.columns:
        texts = texts.withColumn("date", F.col("fetched_text"))
    known = [name for name in _TEXT if name in texts.columns]
    empty = pa.table({"id": pa.array([], pa.string()), "text": pa.array([], pa.string())})
    native._spark.sign(_arrow.to_bytes(empty), preset, keep)

    def sign(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            stream = _arrow.to_bytes(_arrow.columns(part, _TEXT))
            yield from _arrow.from_bytes(native._spark.sign(stream, preset, keep)).to_batches()

    schema = "id string, content long, rank long, joins array<long>, hashes array<long>"
    signed = texts.select(*known).mapInArrow(sign, schema).checkpoint()
    keys = signed.select("id", F.explode("joins").alias("key"))
    if preset == "paper":
        keys = keys.union(_combined(signed, preset))
    # All texts with a key are joined to the first of them: there are only as many edges as entries, no matter how many texts share a key.
    stars = Window.partitionBy("key")
    pairs = keys.select(F.min("id").over(stars).alias("a"), F.col("id").alias("b")).where("a < b").distinct()
    components = _components(pairs)
    members = signed.select("id", "content", "rank").join(components, "id", "left")
    members = members.withColumn("root", F.coalesce("root", "id"))
    cluster = Window.partitionBy("root")
    first = F.min(F.struct("rank", "id", "content")).over(cluster)
    verdicts = members.select("id", "content", first.alias("first"), F.count("*").over(cluster).alias("size"))
    is_kept = F.col("id") == F.col("first.id")
    return verdicts.select(
        "id",
        F.col("first.id").alias("cluster"),
        is_kept.alias("keep"),
        F.col("size").cast("long").alias("size"),
        F.when(is_kept, None).when(F.col("content") == F.col("first.content"), "exact").otherwise("near").alias("match"),
    )


def _combined(signed: DataFrame, preset: str) -> DataFrame:
    """Keys of combinations of hashes. Hashes that occur in only one text are removed first, which leaves few combinations."""

    def combine(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            yield from _arrow.from_bytes(native._spark.combine_hashes(_arrow.to_bytes(part), preset)).to_batches()

    hashes = signed.select("id", F.explode("hashes").alias("hash"))
    shared = hashes.groupBy("hash").count().where("count > 1").select("hash")
    left = hashes.join(shared, "hash").groupBy("id").agg(F.collect_list("hash").alias("hashes"))
    return left.mapInArrow(combine, "id string, joins array<long>").select("id", F.explode("joins").alias("key"))


def _components(pairs: DataFrame) -> DataFrame:
    """The smallest id of each connected component (``id``, ``root``), by alternating large-star and small-star steps.

    R. Kiveris, S. Lattanzi, V. Mirrokni, V. Rastogi, S. Vassilvitskii: Connected components in MapReduce and beyond. SoCC 2014.
    """
    # a < b in every pair.
    pairs = pairs.checkpoint()
    mine = Window.partitionBy("u")
    for _ in range(_MAX_ROUNDS):
        both = pairs.select(F.col("a").alias("u"), F.col("b").alias("v")).union(pairs.select("b", "a"))
        large = both.select("u", "v", F.least(F.min("v").over(mine), F.col("u")).alias("m")).where("v > u and m < v")
        large = large.select(F.col("m").alias("a"), F.col("v").alias("b")).distinct()
        small = large.select(F.col("b").alias("u"), F.col("a").alias("v")).select("u", "v", F.min("v").over(mine).alias("m"))
        after = small.select(F.col("m").alias("a"), F.col("u").alias("b")).union(small.select("m", "v"))
        after = after.where("a < b").distinct().checkpoint()
        if after.exceptAll(pairs).isEmpty() and pairs.exceptAll(after).isEmpty():
            break
        pairs = after
    # Now every component is a star: each id occurs once, with its root.
    return pairs.select(F.col("b").alias("id"), F.col("a").alias("root"))
