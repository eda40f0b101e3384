//! Arrow batches as bytes, and columns by name.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int64Type};
use arrow_array::{Array, BinaryArray, Float32Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::fmt::Display;

/// An error as Python's ValueError.
pub(crate) fn invalid(error: impl Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The batches of a stream.
pub(crate) fn read(bytes: &[u8]) -> Result<Vec<RecordBatch>, ArrowError> {
    StreamReader::try_new(bytes, None)?.collect()
}

/// A stream of one batch.
pub(crate) fn write(batch: &RecordBatch) -> Result<Vec<u8>, ArrowError> {
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema())?;
    writer.write(batch)?;
    writer.into_inner()
}

/// The columns of a batch; missing ones have no values.
#[derive(Clone, Copy)]
pub(crate) struct Columns<'b>(pub(crate) &'b RecordBatch);

impl<'b> Columns<'b> {
    fn get<A: 'b>(self, name: &str, cast: impl Fn(&'b dyn Array) -> Option<&'b A>) -> Result<Option<&'b A>, String> {
        let Some(column) = self.0.column_by_name(name) else { return Ok(None) };
        cast(column.as_ref()).map(Some).ok_or_else(|| format!("the column `{name}` has the type {}", column.data_type()))
    }

    pub(crate) fn texts(self, name: &str) -> Result<Option<&'b StringArray>, String> {
        self.get(name, |column| column.as_string_opt::<i32>())
    }

    pub(crate) fn bytes(self, name: &str) -> Result<Option<&'b BinaryArray>, String> {
        self.get(name, |column| column.as_binary_opt::<i32>())
    }

    pub(crate) fn numbers(self, name: &str) -> Result<Option<&'b Int64Array>, String> {
        self.get(name, |column| column.as_primitive_opt::<Int64Type>())
    }

    pub(crate) fn floats(self, name: &str) -> Result<Option<&'b Float32Array>, String> {
        self.get(name, |column| column.as_primitive_opt::<Float32Type>())
    }

    pub(crate) fn lists(self, name: &str) -> Result<Option<&'b ListArray>, String> {
        self.get(name, |column| column.as_list_opt::<i32>())
    }
}

/// The text of a row.
pub(crate) fn text(column: Option<&StringArray>, row: usize) -> Option<&str> {
    column.filter(|column| column.is_valid(row)).map(|column| column.value(row))
}

/// The index of a row.
pub(crate) fn number(column: Option<&Int64Array>, row: usize) -> Option<i64> {
    column.filter(|column| column.is_valid(row)).map(|column| column.value(row))
}
