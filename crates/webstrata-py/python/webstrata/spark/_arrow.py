"""Arrow batches between Spark and the extension module."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from webstrata import _webstrata as native


def to_bytes(table: pa.Table | pa.RecordBatch) -> bytes:
    """A table as an Arrow stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write(table)
    return sink.getvalue().to_pybytes()


def from_bytes(stream: bytes) -> pa.Table:
    """The table of an Arrow stream."""
    return pa.ipc.open_stream(stream).read_all()


def for_spark(kind: pa.DataType) -> pa.DataType:
    """Spark's type for an Arrow type. Spark has no unsigned numbers: these are the types of Parquet files read by Spark."""
    unsigned = {pa.uint16(): pa.int32(), pa.uint32(): pa.int64(), pa.uint64(): pa.decimal128(20, 0)}
    if pa.types.is_list(kind):
        return pa.list_(for_spark(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(field.name, for_spark(field.type)) for field in kind])
    return unsigned.get(kind, kind)


def arrow_schema(table: str) -> pa.Schema:
    """The Arrow schema of a table in Spark."""
    schema = from_bytes(native._spark.schema(table)).schema
    return pa.schema([pa.field(field.name, for_spark(field.type)) for field in schema])


def spark_schema(table: str) -> StructType:
    """The Spark schema of a table."""
    return from_arrow_schema(arrow_schema(table))


def batches(table: pa.Table, schema: pa.Schema) -> Iterable[pa.RecordBatch]:
    """The batches of a table with these types."""
    return table.cast(schema).to_batches()


#: Columns of pages, with the types that the extension module expects. All but ``html`` may be missing.
DOCUMENT = {
    "html": pa.binary(),
    "id": pa.string(),
    "file": pa.string(),
    "offset": pa.int64(),
    "inside": pa.int64(),
    "url": pa.string(),
    "date": pa.string(),
    "charset": pa.string(),
    "status": pa.int64(),
    "content_type": pa.string(),
    "content_language": pa.string(),
    "record_id": pa.string(),
    "payload_digest": pa.string(),
    "problems": pa.list_(pa.string()),
    "reason": pa.string(),
    "problem": pa.string(),
}


def columns(batch: pa.RecordBatch | pa.Table, kinds: dict[str, pa.DataType]) -> pa.Table:
    """Selects the columns that a batch has, with these types."""
    names = [name for name in kinds if name in batch.schema.names]
    return pa.table({name: batch.column(name).cast(kinds[name]) for name in names})
