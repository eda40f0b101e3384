//! The functions behind `webstrata.spark`, which executors run on their partitions.
//!
//! Tables are passed as Arrow IPC streams. Spark's workers already receive their rows that way; one more copy is negligible next to
//! the work on a page, and needs no unsafe code.

use pyo3::prelude::*;

/// Functions that `webstrata.spark` runs on executors.
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
