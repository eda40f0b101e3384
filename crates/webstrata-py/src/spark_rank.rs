//! Parts of a link graph, and the rounds of PageRank over them.

use crate::spark_arrow::{Columns, invalid, read, text, write};
use arrow_array::{Array, ArrayRef, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::Arc;
use webstrata_corpus::graph::rank::SelfLinks;
use webstrata_corpus::graph::rank::parts::{PageKey, PageName, Part, PartBuilder, PartOptions, Votes};

fn self_links(name: &str) -> PyResult<SelfLinks> {
    match name {
        "jump" => Ok(SelfLinks::Jump),
        "keep" => Ok(SelfLinks::Keep),
        "drop" => Ok(SelfLinks::Drop),
        _ => Err(invalid(format!("unknown rule '{name}' for links from pages to themselves; use jump, keep or drop"))),
    }
}

/// A column of names, each replaced.
fn replaced(py: Python<'_>, names: &[u8], of: impl Fn(&str) -> Option<String> + Sync) -> PyResult<Vec<u8>> {
    py.detach(|| -> Result<Vec<u8>, String> {
        let mut values = Vec::new();
        for batch in read(names).map_err(|error| error.to_string())? {
            let column = Columns(&batch).texts("name")?;
            values.extend((0..batch.num_rows()).map(|row| text(column, row).and_then(&of)));
        }
        let schema = Schema::new(vec![Field::new("name", DataType::Utf8, true)]);
        let batch = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(StringArray::from(values)) as ArrayRef]);
        batch.and_then(|batch| write(&batch)).map_err(|error| error.to_string())
    })
    .map_err(invalid)
}

/// The hosts of pages, reversed.
#[pyfunction]
pub(crate) fn hosts(py: Python<'_>, names: &[u8]) -> PyResult<Vec<u8>> {
    replaced(py, names, |name| Some(PageName::host(name)))
}

/// The addresses of pages, normalised as the vertices of graphs; null for anything but http and https.
#[pyfunction]
pub(crate) fn normalized(py: Python<'_>, names: &[u8]) -> PyResult<Vec<u8>> {
    replaced(py, names, PageName::normalized)
}

/// A page in a column of numbers or names.
trait Named: PageKey {
    fn column<'b>(columns: Columns<'b>, name: &str) -> Result<Box<dyn Fn(usize) -> Option<Self> + 'b>, String>;
    fn array(pages: Vec<Self>) -> ArrayRef;
}

impl Named for i64 {
    fn column<'b>(columns: Columns<'b>, name: &str) -> Result<Box<dyn Fn(usize) -> Option<Self> + 'b>, String> {
        let column = columns.numbers(name)?;
        Ok(Box::new(move |row| crate::spark_arrow::number(column, row)))
    }

    fn array(pages: Vec<Self>) -> ArrayRef {
        Arc::new(Int64Array::from(pages))
    }
}

impl Named for PageName {
    fn column<'b>(columns: Columns<'b>, name: &str) -> Result<Box<dyn Fn(usize) -> Option<Self> + 'b>, String> {
        let column = columns.texts(name)?;
        Ok(Box::new(move |row| text(column, row).map(PageName::new)))
    }

    fn array(pages: Vec<Self>) -> ArrayRef {
        Arc::new(StringArray::from_iter_values(pages.iter().map(PageName::name)))
    }
}

fn build<K: Named>(part: u32, links: &[RecordBatch], votes: &[RecordBatch]) -> Result<(Vec<u8>, Part), String> {
    let mut builder = PartBuilder::<K>::new(part);
    let number = |column: Option<&Int64Array>, row: usize| {
        crate::spark_arrow::number(column, row).and_then(|number| u32::try_from(number).ok()).ok_or("a part has no number")
    };
    for batch in links {
        let columns = Columns(batch);
        let (source, target, to) = (K::column(columns, "source")?, K::column(columns, "target")?, columns.numbers("to")?);
        for row in 0..batch.num_rows() {
            match (source(row), target(row)) {
                (Some(source), Some(target)) => builder.link(source, target, number(to, row)?),
                (Some(page), None) => builder.page(page),
                (None, _) => {}
            }
        }
    }
    for batch in votes {
        let columns = Columns(batch);
        let (target, from) = (K::column(columns, "target")?, columns.numbers("from")?);
        for row in 0..batch.num_rows() {
            if let Some(target) = target(row) {
                builder.expect_votes(number(from, row)?, target);
            }
        }
    }
    let (pages, part) = builder.finish().map_err(|error| error.to_string())?;
    let pages = K::array(pages);
    let schema = Schema::new(vec![Field::new("page", pages.data_type().clone(), false)]);
    let batch = RecordBatch::try_new(Arc::new(schema), vec![pages]);
    Ok((batch.and_then(|batch| write(&batch)).map_err(|error| error.to_string())?, part))
}

/// Pages, links, links to other parts, votes, lost shares.
type Counts = (u64, u64, u64, u64, f64);

/// Builds a part from its links (`source`, `target`, `to`: the part of the target) and from the pages that others link to (`target`,
/// `from`: the part of the sources). Returns its pages, the part itself, and its counts.
#[pyfunction]
pub(crate) fn build_part(
    py: Python<'_>,
    part: u32,
    links: &[u8],
    votes: &[u8],
    self_links: &str,
) -> PyResult<(Vec<u8>, Vec<u8>, Counts)> {
    let rule = self::self_links(self_links)?;
    py.detach(|| -> Result<_, String> {
        let [links, votes] = [links, votes].map(|bytes| read(bytes).map_err(|error| error.to_string()));
        let (links, votes) = (links?, votes?);
        let targets = links.iter().chain(&votes).filter_map(|batch| batch.column_by_name("target"));
        let numbers = targets.map(|column| column.data_type()).next() == Some(&DataType::Int64);
        let (pages, part) = if numbers { build::<i64>(part, &links, &votes)? } else { build::<PageName>(part, &links, &votes)? };
        let counts = part.counts(rule);
        Ok((pages, part.to_bytes(), (counts.pages, counts.links, counts.links_out, counts.votes, counts.lost)))
    })
    .map_err(invalid)
}

fn values(bytes: &[u8]) -> Vec<f64> {
    bytes.as_chunks::<8>().0.iter().map(|&value| f64::from_le_bytes(value)).collect()
}

fn bytes(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

fn sent(py: Python<'_>, votes: &[Votes]) -> Vec<(u32, Py<PyBytes>)> {
    votes.iter().map(|votes| (votes.part, PyBytes::new(py, &bytes(&votes.values)).unbind())).collect()
}

type Sent = Vec<(u32, Py<PyBytes>)>;

/// The state of a part before the first round, and the votes that it sends.
#[pyfunction]
pub(crate) fn part_start(
    py: Python<'_>,
    part: &[u8],
    pages: u64,
    lost: f64,
    damping: f64,
    self_links: &str,
) -> PyResult<(Py<PyBytes>, Sent)> {
    let options = PartOptions { damping, self_links: self::self_links(self_links)?, pages, ..PartOptions::default() };
    let part = Part::from_bytes(part).map_err(invalid)?;
    let state = part.start(lost, &options);
    let votes = part.votes(&state);
    Ok((PyBytes::new(py, &bytes(&state)).unbind(), sent(py, &votes)))
}

/// A round of a part: its new state, the votes that it sends, the maximum change of its ranks, their sum, and the number of sweeps.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python names them")]
pub(crate) fn part_round(
    py: Python<'_>,
    part: &[u8],
    state: &[u8],
    votes: Vec<(u32, Vec<u8>)>,
    pages: u64,
    damping: f64,
    self_links: &str,
    sweeps: usize,
    enough: f64,
) -> PyResult<(Py<PyBytes>, Sent, f64, f64, usize)> {
    let options = PartOptions { damping, self_links: self::self_links(self_links)?, pages, sweeps, enough };
    let round = py.detach(|| {
        let received: Vec<Votes> = votes.iter().map(|(part, bytes)| Votes { part: *part, values: values(bytes) }).collect();
        Part::from_bytes(part)?.round(values(state), &received, &options)
    });
    let round = round.map_err(invalid)?;
    Ok((PyBytes::new(py, &bytes(&round.state)).unbind(), sent(py, &round.votes), round.change, round.sum, round.sweeps))
}

/// The ranks of a part's pages, in the order of its pages, as 64-bit numbers.
#[pyfunction]
pub(crate) fn part_ranks(py: Python<'_>, part: &[u8], state: &[u8], sum: f64, self_links: &str) -> PyResult<Py<PyBytes>> {
    let rule = self::self_links(self_links)?;
    let part = Part::from_bytes(part).map_err(invalid)?;
    Ok(PyBytes::new(py, &bytes(&part.ranks(&values(state), sum, rule))).unbind())
}
