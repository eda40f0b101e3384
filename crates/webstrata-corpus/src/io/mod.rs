//! File input and output shared by the whole crate: every other module reads and writes through these.
//!
//! [`AtomicFile`] makes a file appear complete or not at all, [`LineReader`] reads lines of plain, gzip or Zstandard files,
//! [`Checksum`] hashes the bytes that pass through it, [`FileList`] reads lists of file names, and [`Random`] is the seeded random
//! generator used everywhere. `external_sort` sorts more records than fit in memory, in the files of `record_file` and the folder of
//! a [`TempDir`].

mod atomic;
mod checksum;
mod error;
pub(crate) mod external_sort;
mod lines;
mod list;
mod random;
pub(crate) mod record_file;
mod temp_dir;

pub use atomic::{AtomicFile, remove_temporaries, write_atomically, write_without_sync};
pub use checksum::Checksum;
pub use error::IoError;
pub use lines::{Line, LineReader};
pub use list::{FileList, ListEntry, ListError};
pub use random::{Random, mix};
pub use temp_dir::TempDir;

pub(crate) use atomic::is_temporary;
#[cfg(feature = "bvgraph")]
pub(crate) use atomic::publish;
