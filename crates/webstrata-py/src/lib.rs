//! The extension module of the Python package `webstrata`. It converts arguments and results, releases the GIL and maps errors,
//! and nothing else: the public interface is in `python/webstrata`, the implementation in the libraries.
//!
//! Pages with all their details go to Python as JSON, in the schema of the command line (`docs/json.md`), so there is
//! one definition of what a block or a segment is.

mod arrow;
mod batch;
mod command;
mod duplicates;
mod error;
mod extractor;
mod graph;
mod html;
mod options;
mod page;
mod reader;
mod readers;
mod spark;
mod spark_arrow;
mod spark_dedup;
mod spark_documents;
mod spark_rank;
mod spark_sites;
mod spark_tables;

// The same allocator as in the program: the C library's takes a tenth of the time of an extraction.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The module `webstrata._webstrata`.
#[pyo3::pymodule(gil_used = false)]
mod _webstrata {
    #[pymodule_export]
    use crate::arrow::ArrowArray;
    #[pymodule_export]
    use crate::batch::extract_batch;
    #[pymodule_export]
    use crate::command::main;
    #[pymodule_export]
    use crate::duplicates::near_duplicates;
    #[pymodule_export]
    use crate::extractor::Extractor;
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::page::Page;
    #[pymodule_export]
    use crate::reader::Reader;

    #[pymodule_export]
    use crate::spark::_spark;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const CSV_HEADER: &str = webstrata_corpus::format::csv::HEADER;
}
