"""PageRank in partitions of whole hosts.

A part of the graph is one binary row: the links among its pages, and its links to other parts (``graph/rank/parts`` of the
library). A message is a row with the part it goes to. The state of a part is a message to itself; to another part it sends one
number for each page that it links to there: the sum of its links' contributions. A round is thus one grouped function over the
parts and their messages, and only votes and states are shuffled.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import ByteType, IntegerType, LongType, ShortType
from pyspark.storagelevel import StorageLevel

from webstrata import _webstrata as native
from webstrata.exceptions import InputError, OptionError
from webstrata.spark import _arrow

#: Number of pages treated as one host if pages are numbers: neighbours are mostly on the same host.
_PSEUDO_HOST_PAGES = 256
#: Links per part, unless the number of parts is given.
_LINKS = 20_000_000
_MESSAGE = "to int, from int, values binary, change double, sum double, sweeps int"


@dataclass
class PageRank:
    """Ranks, and how they were computed."""

    #: ``page`` and ``rank``; the sum of the ranks is 1.
    ranks: DataFrame
    parts: int
    pages: int
    links: int
    #: Links between pages of different parts.
    links_between: int
    #: Votes sent in a round: one for each page and each other part with links to it.
    votes: int
    #: By round, as :func:`webstrata.rank` reports them by iteration.
    residuals: list[float] = field(default_factory=list)
    #: By round: the maximum number of sweeps of any part.
    sweeps: list[int] = field(default_factory=list)
    converged: bool = False

    @property
    def rounds(self) -> int:
        """Number of rounds."""
        return len(self.residuals)


def pagerank(
    edges: DataFrame,
    *,
    damping: float = 0.85,
    tolerance: float = 1e-10,
    parts: int | None = None,
    sweeps: int = 4,
    self_links: str = "jump",
    max_rounds: int = 1000,
    checkpoint_every: int = 5,
    on_round: Callable[[int, float], None] | None = None,
) -> PageRank:
    """The ranks of ``webstrata rank pagerank``.

    ``edges`` has the columns ``source`` and ``target``: addresses (or other names), or numbers. Links that occur twice count once.
    A row without a target adds a page that may have no links. Pages are assigned to ``parts`` partitions by whole hosts, round-robin
    from the largest host; numbers are assigned in ranges. By default there is one part per core, and more for a large graph.

    In a round, every part sweeps its pages ``sweeps`` times, reading the newest values of its own pages and the votes of the other
    parts from the previous round. More sweeps need fewer rounds, and so fewer votes. The rounds end at the ``tolerance`` of the
    command line, with the same bound on the error.

    Messages are checkpointed every ``checkpoint_every`` rounds: set a checkpoint directory first. ``on_round`` receives the number
    and the residual of each round.
    """
    spark = edges.sparkSession
    _check(spark, edges, damping, tolerance, sweeps, parts)
    links = _links(edges)
    if parts is None:
        parts = max(spark.sparkContext.defaultParallelism, -(-links.count() // _LINKS))
    keys = _keys(spark, parts)
    built = _build(links, keys, self_links).checkpoint()
    # Parts are summed here, exactly: Spark adds in the order in which tasks end, so ranks would differ in their last digits.
    counts = built.where("block is not null").select(*_COUNTS).collect()
    pages, all_links, between, votes = (sum(row[at] for row in counts) for at in range(4))
    lost = math.fsum(row.lost for row in counts)
    if not pages:
        raise InputError("the graph has no pages")
    blocks = built.where("block is not null").select("part", "block").repartition(parts, "part").persist(StorageLevel.MEMORY_AND_DISK)

    def start(part: pa.Table) -> pa.Table:
        me, block = part.column("part")[0].as_py(), part.column("block")[0].as_py()
        state, sent = native._spark.part_start(block, pages, lost, damping, self_links)
        return _messages(me, state, sent, 0.0, 0.0, 0)

    def sweep(part: pa.Table, mail: pa.Table) -> pa.Table:
        me, block = part.column("part")[0].as_py(), part.column("block")[0].as_py()
        received = dict(zip(mail.column("from").to_pylist(), mail.column("values").to_pylist(), strict=True))
        state = received.pop(me)
        # A sweep that changes a tenth of what may be left at the end is enough.
        done = native._spark.part_round(block, state, list(received.items()), pages, damping, self_links, sweeps, tolerance / 10)
        return _messages(me, *done)

    mail = blocks.groupBy("part").applyInArrow(start, _MESSAGE).repartition(parts, "to").checkpoint()
    result = PageRank(mail, parts, pages, all_links, between, votes)
    held = mail
    for number in range(1, max_rounds + 1):
        after = blocks.groupBy("part").cogroup(mail.groupBy("to")).applyInArrow(sweep, _MESSAGE)
        after = after.repartition(parts, "to").persist(StorageLevel.MEMORY_AND_DISK)
        done = after.where("`to` = `from`").select("change", "sum", "sweeps").collect()
        change, total, most = math.fsum(row[0] for row in done), math.fsum(row[1] for row in done), max(row[2] for row in done)
        result.residuals.append(change / total)
        result.sweeps.append(most)
        if on_round is not None:
            on_round(number, change / total)
        result.converged = change <= tolerance * total
        last = result.converged or number == max_rounds
        mail = after.checkpoint() if last or number % checkpoint_every == 0 else after
        held.unpersist()
        held = after
        if last:
            break
    held.unpersist()
    result.ranks = _ranks(built, blocks, mail, total, self_links).checkpoint()
    blocks.unpersist()
    return result


def _check(spark: SparkSession, edges: DataFrame, damping: float, tolerance: float, sweeps: int, parts: int | None) -> None:
    for column in ("source", "target"):
        if column not in edges.columns:
            raise InputError(f"there is no column {column!r} among {', '.join(edges.columns)}")
    if not 0 <= damping < 1:
        raise OptionError(f"invalid damping {damping}; give a number of at least 0 and less than 1, such as 0.85")
    if not 0 < tolerance < float("inf"):
        raise OptionError(f"invalid tolerance {tolerance}; give a number above 0, such as 1e-10")
    if sweeps < 1 or (parts is not None and parts < 1):
        raise OptionError("give at least one sweep and one part")
    if spark.sparkContext.getCheckpointDir() is None:
        raise OptionError("there is no checkpoint directory; call spark.sparkContext.setCheckpointDir(…) first")


def _links(edges: DataFrame) -> DataFrame:
    """Links with the hosts of both ends; numbers as 64 bits, everything else as text."""
    kinds = {edges.schema[name].dataType for name in ("source", "target")}
    if all(isinstance(kind, (ByteType, ShortType, IntegerType, LongType)) for kind in kinds):
        links = edges.select(F.col("source").cast("long"), F.col("target").cast("long"))

        def of(name: str) -> F.Column:  # type: ignore[name-defined]
            return F.floor(F.col(name) / _PSEUDO_HOST_PAGES).cast("long")

        return links.select("source", "target", of("source").alias("source_host"), of("target").alias("target_host"))

    def add(parts):  # type: ignore[no-untyped-def]
        for part in parts:
            ends = [part.column(at).cast(pa.string()) for at in (0, 1)]
            hosts = [_arrow.from_bytes(native._spark.hosts(_arrow.to_bytes(pa.table({"name": end})))).column(0) for end in ends]
            names = ["source", "target", "source_host", "target_host"]
            yield from pa.table([*ends, *hosts], names=names).to_batches()

    texts = edges.select(F.col("source").cast("string"), F.col("target").cast("string"))
    return texts.mapInArrow(add, "source string, target string, source_host string, target_host string")


def _keys(spark: SparkSession, parts: int) -> list[int]:
    """Numbers that Spark's hash spreads evenly over partitions: each part gets its own, so no partition has two or none."""
    ids = spark.range(parts * 64, numPartitions=1).select(F.col("id").cast("int").alias("id"))
    places = ids.groupBy(F.pmod(F.hash("id"), F.lit(parts)).alias("place")).agg(F.min("id").alias("id"))
    found = {row.place: row.id for row in places.collect()}
    unused = iter(range(parts * 64, parts * 65))
    return [found.get(place, next(unused)) for place in range(parts)]


def _build(links: DataFrame, keys: list[int], self_links: str) -> DataFrame:
    """The parts, each with its own row and one row per page."""
    ends = links.select(F.col("source_host").alias("host")).union(links.select("target_host")).where("host is not null")
    hosts = ends.groupBy("host").count()
    if isinstance(links.schema["source"].dataType, LongType):
        # Ranges of numbers with about the same work.
        before = F.sum("count").over(Window.orderBy("host")) - F.col("count")
        total = F.sum("count").over(Window.partitionBy(F.lit(0)))
        place = F.least(F.floor(before * len(keys) / total), F.lit(len(keys) - 1))
    else:
        place = (F.row_number().over(Window.orderBy(F.desc("count"), "host")) - 1) % len(keys)
    number = F.element_at(F.array(*[F.lit(key) for key in keys]), (place + 1).cast("int"))
    owners = hosts.select("host", number.alias("part"))
    sources = owners.select(F.col("host").alias("source_host"), F.col("part").alias("from"))
    targets = owners.select(F.col("host").alias("target_host"), F.col("part").alias("to"))
    placed = links.join(sources, "source_host").join(targets, "target_host", "left").select("source", "target", "from", "to")
    crossing = placed.where("`to` is not null and `from` != `to`")
    # With distinct names, so that Spark can tell the columns of both sides apart.
    votes = crossing.select(F.col("to").alias("part"), F.col("target").alias("page"), F.col("from").alias("voter")).distinct()
    page = "long" if isinstance(links.schema["source"].dataType, LongType) else "string"
    kind = pa.int64() if page == "long" else pa.string()

    def build(key: tuple[pa.Scalar, ...], own: pa.Table, others: pa.Table) -> pa.Table:
        me = key[0].as_py()
        own = _arrow.columns(own, {"source": kind, "target": kind, "to": pa.int64()})
        others = _arrow.columns(others, {"page": kind, "voter": pa.int64()}).rename_columns(["target", "from"])
        names, block, counts = native._spark.build_part(me, _arrow.to_bytes(own), _arrow.to_bytes(others), self_links)
        names = _arrow.from_bytes(names).column("page").combine_chunks()
        rows = len(names)
        first = {"number": None, "page": None, "block": block, **dict(zip(_COUNTS, counts, strict=True))}
        schema = pa.schema([("part", pa.int32()), ("number", pa.int64()), ("page", kind), ("block", pa.binary()), *_COUNT_TYPES])
        one = pa.Table.from_pylist([{"part": me, **first}], schema=schema)
        columns = [pa.array([me], pa.int32()).take(pa.array([0] * rows, pa.int32())), pa.array(range(rows), pa.int64()), names]
        nulls = [pa.nulls(rows, item.type) for item in list(schema)[3:]]
        return pa.concat_tables([one, pa.Table.from_arrays([*columns, *nulls], schema=schema)])

    schema = f"part int, number long, page {page}, block binary, pages long, links long, links_out long, votes long, lost double"
    return placed.groupBy("from").cogroup(votes.groupBy("part")).applyInArrow(build, schema)


_COUNTS = ["pages", "links", "links_out", "votes", "lost"]
_COUNT_TYPES = [("pages", pa.int64()), ("links", pa.int64()), ("links_out", pa.int64()), ("votes", pa.int64()), ("lost", pa.float64())]


def _messages(
    me: int, state: bytes, sent: list[tuple[int, bytes]], change: float, total: float, sweeps: int
) -> pa.Table:
    """The state of a part, and its votes."""
    to = [me, *(part for part, _ in sent)]
    values = [state, *(values for _, values in sent)]
    rows = len(to)
    columns = {
        "to": pa.array(to, pa.int32()),
        "from": pa.array([me] * rows, pa.int32()),
        "values": pa.array(values, pa.binary()),
        "change": pa.array([change] * rows, pa.float64()),
        "sum": pa.array([total] * rows, pa.float64()),
        "sweeps": pa.array([sweeps] * rows, pa.int32()),
    }
    return pa.table(columns)


def _ranks(built: DataFrame, blocks: DataFrame, mail: DataFrame, total: float, self_links: str) -> DataFrame:
    """The ranks of all pages."""

    def scale(part: pa.Table, mail: pa.Table) -> pa.Table:
        me, block = part.column("part")[0].as_py(), part.column("block")[0].as_py()
        ranks = native._spark.part_ranks(block, mail.column("values")[0].as_py(), total, self_links)
        return pa.table({"part": pa.array([me], pa.int32()), "ranks": pa.array([ranks], pa.binary())})

    def name(pages: pa.Table, part: pa.Table) -> pa.Table:
        ranks = pa.Array.from_buffers(pa.float64(), len(pages), [None, pa.py_buffer(part.column("ranks")[0].as_py())])
        return pa.table({"page": pages.column("page"), "rank": ranks.take(pages.column("number"))})

    states = mail.where("`to` = `from`").select("to", "values")
    scaled = blocks.groupBy("part").cogroup(states.groupBy("to")).applyInArrow(scale, "part int, ranks binary")
    pages = built.where("page is not null").select("part", "number", "page")
    kind = built.schema["page"].dataType.simpleString()
    return pages.groupBy("part").cogroup(scaled.groupBy("part")).applyInArrow(name, f"page {kind}, rank double")
