//! Pages as digests, and the digests of a site as its report and facts.

use crate::spark_arrow::{invalid, read, write};
use crate::spark_documents::from_batch;
use arrow_array::{ArrayRef, BinaryArray, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;
use webstrata::PageOptions;
use webstrata_corpus::executor::{ItemReader, panic_guard};
use webstrata_corpus::site::digest::{Digest, DigestOptions, site_of};
use webstrata_corpus::site::evidence::EvidenceWriter;
use webstrata_corpus::site::som::SomOptions;
use webstrata_corpus::site::work::{self, in_file_order};

/// A batch of pages as `row` (the page's row in the batch), `site`, `digest`. Pages that cannot be read have none. `unnamed` is the
/// site of pages without an address.
#[pyfunction]
pub(crate) fn digests(py: Python<'_>, pages: &[u8], unnamed: &str) -> PyResult<Vec<u8>> {
    py.detach(|| -> Result<Vec<u8>, String> {
        let mut reader = ItemReader::new(PageOptions::default());
        let (mut rows, mut sites, mut digests) = (Vec::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for batch in read(pages).map_err(|error| error.to_string())? {
            for (item, row) in from_batch(&batch)?.iter().zip(first..) {
                let digest = panic_guard::catch(|| {
                    reader.read(item, &|_| {}, |document, page| {
                        let name = document.url.clone().unwrap_or_else(|| document.origin.to_string());
                        Digest::with(page, &site_of(document.url.as_deref(), unnamed), 0, &name, &DigestOptions::default())
                    })
                });
                match digest {
                    Ok(Ok(digest)) => {
                        rows.push(row);
                        digests.push(digest.to_bytes().map_err(|error| error.to_string())?);
                        sites.push(digest.site);
                    }
                    Ok(Err(_)) => {}
                    Err(_) => reader = ItemReader::new(PageOptions::default()),
                }
            }
            first += batch.num_rows() as i64;
        }
        let schema = Schema::new(vec![
            Field::new("row", DataType::Int64, false),
            Field::new("site", DataType::Utf8, false),
            Field::new("digest", DataType::Binary, false),
        ]);
        let columns: Vec<ArrayRef> = vec![
            Arc::new(Int64Array::from(rows)),
            Arc::new(StringArray::from(sites)),
            Arc::new(BinaryArray::from_iter_values(digests)),
        ];
        let batch = RecordBatch::try_new(Arc::new(schema), columns);
        batch.and_then(|batch| write(&batch)).map_err(|error| error.to_string())
    })
    .map_err(invalid)
}

/// Learns a site from its pages: its report as JSON, and its facts. Pages are given by their numbers and digests.
#[pyfunction]
pub(crate) fn learn_site(py: Python<'_>, site: &str, mut pages: Vec<(u32, Vec<u8>)>) -> PyResult<(String, Vec<u8>)> {
    py.detach(|| {
        pages.sort_by_key(|&(number, _)| number);
        let digests = pages.iter().map(|(number, bytes)| {
            let mut digest = Digest::from_bytes(bytes)?;
            digest.number = *number;
            Ok(digest)
        });
        work::learn_site(site, digests, &SomOptions::default())
    })
    .map(|known| (known.report, known.facts))
    .map_err(invalid)
}

/// Writes an evidence file.
#[pyfunction]
pub(crate) fn write_evidence(py: Python<'_>, path: PathBuf, mut sites: Vec<(String, Vec<u8>)>) -> PyResult<()> {
    py.detach(|| {
        in_file_order(&mut sites, |(site, _)| site);
        let mut writer = EvidenceWriter::create(&path).map_err(|error| error.to_string())?;
        for (site, facts) in &sites {
            writer.add(site, facts).map_err(|error| error.to_string())?;
        }
        writer.finish().map_err(|error| error.to_string())
    })
    .map_err(PyOSError::new_err)
}
