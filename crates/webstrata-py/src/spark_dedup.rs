//! Signatures of texts. Spark joins the keys, so only their equality matters, and unsigned 64-bit numbers become signed ones.

use crate::spark_arrow::{Columns, invalid, read, text, write};
use crate::spark_tables::similarity;
use arrow_array::builder::{Int64Builder, ListBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use std::sync::Arc;
use webstrata_corpus::dedup::{Keep, Scheme, Signer, combination_keys, keep_rank};

fn list_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(DataType::Int64, true)))
}

fn lists<'l>(lists: impl Iterator<Item = &'l [u64]>) -> ListArray {
    let mut builder = ListBuilder::new(Int64Builder::new());
    for list in lists {
        list.iter().for_each(|&key| builder.values().append_value(key.cast_signed()));
        builder.append(true);
    }
    builder.finish()
}

/// Texts (`id`, `text`, `date`, `confidence`) as `id`, `content`, `rank`, `joins`, `hashes`: texts that share one of `joins` are
/// duplicates, and the one with the smallest rank is kept.
#[pyfunction]
pub(crate) fn sign(py: Python<'_>, texts: &[u8], name: &str, keep: &str) -> PyResult<Vec<u8>> {
    let similarity = similarity(name).map_err(invalid)?;
    let keep: Keep = keep.parse().map_err(invalid)?;
    py.detach(|| -> Result<Vec<u8>, String> {
        let mut signer = Signer::new(similarity);
        let (mut ids, mut ranks, mut signatures) = (Vec::new(), Vec::new(), Vec::new());
        for batch in read(texts).map_err(|error| error.to_string())? {
            let columns = Columns(&batch);
            let (id, body, date) = (columns.texts("id")?, columns.texts("text")?, columns.texts("date")?);
            let confidence = columns.floats("confidence")?;
            for row in 0..batch.num_rows() {
                let signature = signer.sign(text(body, row).unwrap_or_default());
                let confidence = confidence.filter(|column| column.is_valid(row)).map(|column| column.value(row));
                let rank = keep_rank(keep, signature.length, text(date, row), confidence);
                // Maps unsigned to signed numbers, keeping their order.
                ranks.push((rank ^ (1 << 63)).cast_signed());
                ids.push(text(id, row).unwrap_or_default().to_owned());
                signatures.push(signature);
            }
        }
        let schema = Schema::new(vec![
            Field::new("id", DataType::Utf8, false),
            Field::new("content", DataType::Int64, false),
            Field::new("rank", DataType::Int64, false),
            Field::new("joins", list_type(), false),
            Field::new("hashes", list_type(), false),
        ]);
        let content = signatures.iter().map(|signature| signature.content.cast_signed());
        let columns: Vec<ArrayRef> = vec![
            Arc::new(StringArray::from(ids)),
            Arc::new(Int64Array::from_iter_values(content)),
            Arc::new(Int64Array::from(ranks)),
            Arc::new(lists(signatures.iter().map(|signature| signature.joins.as_slice()))),
            Arc::new(lists(signatures.iter().map(|signature| signature.hashes.as_slice()))),
        ];
        let batch = RecordBatch::try_new(Arc::new(schema), columns);
        batch.and_then(|batch| write(&batch)).map_err(|error| error.to_string())
    })
    .map_err(invalid)
}

/// Texts (`id`, `hashes`: those that other texts share) as `id`, `joins`: one for each combination of as many hashes as must agree.
#[pyfunction]
pub(crate) fn combine_hashes(py: Python<'_>, texts: &[u8], name: &str) -> PyResult<Vec<u8>> {
    let agree = match similarity(name).map_err(invalid)?.scheme {
        Scheme::Smallest { agree, .. } => usize::from(agree),
        Scheme::Bands { .. } => return Err(invalid(format!("{name} has no hashes to combine"))),
    };
    py.detach(|| -> Result<Vec<u8>, String> {
        let (mut ids, mut keys) = (Vec::new(), Vec::new());
        for batch in read(texts).map_err(|error| error.to_string())? {
            let columns = Columns(&batch);
            let (id, hashes) = (columns.texts("id")?, columns.lists("hashes")?.ok_or("there is no column `hashes`")?);
            for row in 0..batch.num_rows() {
                let hashes = hashes.value(row);
                let hashes = hashes.as_primitive_opt::<Int64Type>().ok_or("hashes are not numbers")?;
                ids.push(text(id, row).unwrap_or_default().to_owned());
                keys.push(combination_keys(hashes.values().iter().map(|hash| hash.cast_unsigned()).collect(), agree));
            }
        }
        let schema = Schema::new(vec![Field::new("id", DataType::Utf8, false), Field::new("joins", list_type(), false)]);
        let columns: Vec<ArrayRef> = vec![Arc::new(StringArray::from(ids)), Arc::new(lists(keys.iter().map(Vec::as_slice)))];
        let batch = RecordBatch::try_new(Arc::new(schema), columns);
        batch.and_then(|batch| write(&batch)).map_err(|error| error.to_string())
    })
    .map_err(invalid)
}
