//! The functions behind `webstrata.spark`: what executors run on their share of the data.
//!
//! Tables come and go as Arrow IPC streams. Spark's workers get their rows that way already; one more copy costs nothing beside what
//! is done with a page, and needs no unsafe code.

use pyo3::prelude::*;

/// What `webstrata.spark` runs on executors.
#[pymodule(submodule, gil_used = false)]
pub(crate) mod _spark {
    #[pymodule_export]
    use crate::spark_dedup::{combine_hashes, sign};
    #[pymodule_export]
    use crate::spark_rank::{build_part, hosts, normalized, part_ranks, part_round, part_start};
    #[pymodule_export]
    use crate::spark_sites::{digests, learn_site, write_evidence};
    #[pymodule_export]
    use crate::spark_tables::{Documents, Extractor, find_files, schema};
}
