"""Files as rows of pages, and pages as the tables that ``webstrata run`` writes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from webstrata import _webstrata as native
from webstrata.exceptions import InputError, OptionError
from webstrata.spark import _arrow

#: Maximum size of a page, as on the command line.
MAX_BYTES = 32 << 20


def warc(
    spark: SparkSession,
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    *,
    max_bytes: int = MAX_BYTES,
    any_status: bool = False,
) -> DataFrame:
    """The pages of WARC files, one row each; each file is a task.

    A record that cannot be read is a row with a ``reason`` and a ``problem`` in place of ``html``; the records after it are
    read. ``paths`` are files, folders and patterns, as on the command line, and must be readable under the same name on the
    driver and on every executor. Other inputs of the command line also work: pages, JSON Lines, Parquet.
    """
    given = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    try:
        files = [str(path) for path in native._spark.find_files([os.fspath(path) for path in given])]
    except OSError as error:
        raise InputError(str(error)) from None
    except ValueError as error:
        raise OptionError(str(error)) from None
    schema = _arrow.arrow_schema("documents")

    def read(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            for path in part.column(0).to_pylist():
                for stream in native._spark.Documents(path, max_bytes, any_status):
                    yield from _arrow.batches(_arrow.from_bytes(stream), schema)

    listed = spark.sparkContext.parallelize([(file,) for file in files], max(1, len(files)))
    return spark.createDataFrame(listed, "file string").mapInArrow(read, _arrow.spark_schema("documents"))


def extract(pages: DataFrame, **options: object) -> DataFrame:
    """The rows that ``webstrata run`` writes to its table of pages.

    ``pages`` has a column ``html`` (text or bytes) and may have ``id``, ``url``, ``date`` and other columns of :func:`warc`.
    Unreadable pages have no row here, but one in :func:`errors`.

    Options have the names of the command line: ``preset``, ``mode`` (``precision`` or ``recall``), ``comments``, ``tables``,
    ``title``, ``site_rules`` (a rules file), ``site_evidence`` (a file written by :func:`write_evidence` or by ``webstrata
    site``), ``signatures`` (``fineweb`` or ``paper``), ``max_bytes``; for segments and links also ``method`` and ``granularity``.
    """
    return _table(pages, "pages", options)


def segments(pages: DataFrame, **options: object) -> DataFrame:
    """The rows that ``webstrata run`` writes to its table of segments. Pages and options are those of :func:`extract`."""
    return _table(pages, "segments", options)


def links(pages: DataFrame, **options: object) -> DataFrame:
    """The rows that ``webstrata run`` writes to its table of links. Pages and options are those of :func:`extract`."""
    return _table(pages, "links", options)


def errors(pages: DataFrame, **options: object) -> DataFrame:
    """The pages that have no rows, with the reasons that ``webstrata run`` lists. Pages and options are those of :func:`extract`."""
    return _table(pages, "errors", options)


def _table(pages: DataFrame, table: str, options: dict[str, object]) -> DataFrame:
    if "html" not in pages.columns:
        raise InputError(f"there is no column 'html' among {', '.join(pages.columns)}")
    given = dict(options)
    if given.get("site_rules") is not None:
        with open(os.fspath(given["site_rules"]), encoding="utf-8") as file:  # type: ignore[arg-type]
            given["site_rules"] = file.read()
    settings = json.dumps(given, default=os.fspath)
    try:
        native._spark.Extractor(table, settings)
    except ValueError as error:
        raise OptionError(str(error)) from None
    schema = _arrow.arrow_schema(table)

    def make(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        extractor = native._spark.Extractor(table, settings)
        for part in parts:
            rows = extractor.rows(_arrow.to_bytes(_arrow.columns(part, _arrow.DOCUMENT)))
            yield from _arrow.batches(_arrow.from_bytes(rows), schema)

    known = [name for name in _arrow.DOCUMENT if name in pages.columns]
    return pages.select(*known).mapInArrow(make, _arrow.spark_schema(table))


def edges(links: DataFrame) -> DataFrame:
    """The links of a table of links as ``source`` and ``target``, normalised as in ``webstrata graph build``, for :func:`pagerank`."""

    def normalise(parts: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for part in parts:
            ends = [native._spark.normalized(_arrow.to_bytes(pa.table({"name": part.column(at).cast(pa.string())}))) for at in (0, 1)]
            source, target = (_arrow.from_bytes(end).column(0) for end in ends)
            yield from pa.table({"source": source, "target": target}).to_batches()

    both = links.select("source", "target").mapInArrow(normalise, "source string, target string")
    return both.where(F.col("source").isNotNull() & F.col("target").isNotNull())
