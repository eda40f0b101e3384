//! Ranks by topic as files: one column per topic, or the best pages of each. A file appears once it is complete.

use super::super::names::Names;
use super::super::rank::RankFormat;
use super::super::{Graph, GraphError};
use super::table::MAX_COLUMNS;
use crate::io::{AtomicFile, IoError};
use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Longest header that can be read back.
const MAX_HEADER_LEN: usize = 100_000;
/// Numbers per batch.
const BATCH: usize = 1 << 18;

/// The best pages of a topic, best first.
#[derive(Clone, Debug, PartialEq)]
pub struct TopPages {
    /// The topic.
    pub topic: String,
    /// Pages and their ranks.
    pub pages: Vec<(usize, f64)>,
}

/// Writes one column per ranking: a header, then `page<TAB>rank<TAB>rank…`, with pages in the order of `rank pagerank`; or columns of
/// Parquet.
///
/// # Errors
/// If the file cannot be written, or has too many columns to be read back.
pub fn write_table(path: &Path, graph: &Graph, rankings: &[(&str, &[f64])], format: RankFormat) -> Result<(), GraphError> {
    match format {
        RankFormat::Tsv => {
            check(rankings)?;
            let mut out = AtomicFile::create(path)?;
            write_table_lines(&mut out, graph, rankings).map_err(IoError::on("write", path))?;
            out.commit()?;
        }
        RankFormat::Parquet => {
            let mut fields = vec![Field::new("page", DataType::Utf8, false)];
            fields.extend(rankings.iter().map(|(name, _)| Field::new(*name, DataType::Float64, false)));
            let mut out = Columns::create(path, fields)?;
            let mut names = graph.names.reader();
            for pages in order(graph).chunks((BATCH / (rankings.len() + 1)).max(1)) {
                let mut columns: Vec<ArrayRef> =
                    vec![Arc::new(StringArray::from_iter_values(pages.iter().map(|&page| names.get(page))))];
                for (_, values) in rankings {
                    let ranks = pages.iter().map(|&page| values.get(page).copied().unwrap_or_default());
                    columns.push(Arc::new(Float64Array::from_iter_values(ranks)));
                }
                out.write(columns)?;
            }
            out.commit()?;
        }
    }
    Ok(())
}

/// Checks that these columns can be read back as text.
fn check(rankings: &[(&str, &[f64])]) -> Result<(), GraphError> {
    let header: usize = rankings.iter().map(|(name, _)| name.len() + 2).sum();
    if rankings.len() > MAX_COLUMNS || header > MAX_HEADER_LEN {
        let reason = format!(
            "{} topics are too many columns for one file; write Parquet, the best pages of each (--top), or fewer topics",
            rankings.len()
        );
        return Err(GraphError::Option(reason));
    }
    Ok(())
}

/// Writes one column per ranking as text.
///
/// # Errors
/// If writing fails.
pub fn write_table_lines(out: &mut impl Write, graph: &Graph, rankings: &[(&str, &[f64])]) -> io::Result<()> {
    write!(out, "page")?;
    for (name, _) in rankings {
        // A header must not look like a line of ranks.
        write!(out, "\t{}{name}", if name.parse::<f64>().is_ok() { "/" } else { "" })?;
    }
    writeln!(out)?;
    let mut names = graph.names.reader();
    for page in order(graph) {
        write!(out, "{}", names.get(page))?;
        for (_, values) in rankings {
            write!(out, "\t{}", values.get(page).copied().unwrap_or_default())?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Writes the best pages of topics: `topic<TAB>page<TAB>rank` under a header, or columns of Parquet.
///
/// # Errors
/// If the file cannot be written.
pub fn write_top(path: &Path, graph: &Graph, tops: &[TopPages], format: RankFormat) -> Result<(), GraphError> {
    match format {
        RankFormat::Tsv => {
            let mut out = AtomicFile::create(path)?;
            write_top_lines(&mut out, graph, tops).map_err(IoError::on("write", path))?;
            out.commit()?;
        }
        RankFormat::Parquet => {
            let text = |name| Field::new(name, DataType::Utf8, false);
            let mut out = Columns::create(path, vec![text("topic"), text("page"), Field::new("rank", DataType::Float64, false)])?;
            for top in tops {
                for pages in top.pages.chunks(BATCH) {
                    out.write(vec![
                        Arc::new(StringArray::from_iter_values(pages.iter().map(|_| &top.topic))),
                        Arc::new(StringArray::from_iter_values(pages.iter().map(|&(page, _)| graph.name(page)))),
                        Arc::new(Float64Array::from_iter_values(pages.iter().map(|&(_, rank)| rank))),
                    ])?;
                }
            }
            out.commit()?;
        }
    }
    Ok(())
}

/// Writes the best pages of topics as text.
///
/// # Errors
/// If writing fails.
pub fn write_top_lines(out: &mut impl Write, graph: &Graph, tops: &[TopPages]) -> io::Result<()> {
    writeln!(out, "topic\tpage\trank")?;
    for top in tops {
        for &(page, rank) in &top.pages {
            writeln!(out, "{}\t{}\t{rank}", top.topic, graph.name(page))?;
        }
    }
    Ok(())
}

/// Pages in output order: by number, or by host.
fn order(graph: &Graph) -> Vec<usize> {
    let mut order: Vec<usize> = (0..graph.num_pages()).collect();
    if let Names::Numbers(numbers) = &graph.names {
        // Pages added later follow the others.
        order.sort_by_key(|&page| numbers.get(page).copied());
    }
    order
}

/// A Parquet file under construction.
struct Columns<'p> {
    path: &'p Path,
    schema: SchemaRef,
    out: ArrowWriter<AtomicFile>,
}

impl<'p> Columns<'p> {
    fn create(path: &'p Path, fields: Vec<Field>) -> Result<Columns<'p>, GraphError> {
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("webstrata ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let out = ArrowWriter::try_new(AtomicFile::create(path)?, Arc::clone(&schema), Some(properties)).map_err(failed(path))?;
        Ok(Columns { path, schema, out })
    }

    fn write(&mut self, columns: Vec<ArrayRef>) -> Result<(), GraphError> {
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(failed(self.path))?;
        self.out.write(&batch).map_err(failed(self.path))
    }

    fn commit(self) -> Result<(), GraphError> {
        self.out.into_inner().map_err(failed(self.path))?.commit()?;
        Ok(())
    }
}

fn failed<E: std::error::Error + Send + Sync + 'static>(path: &Path) -> impl Fn(E) -> GraphError {
    move |error| IoError::on("write", path)(io::Error::other(error)).into()
}
