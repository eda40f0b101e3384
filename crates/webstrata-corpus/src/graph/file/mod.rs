//! The graph file format: tables, then a footer directory.
//!
//! ```text
//! magic                      16 bytes: "webstrata graph\n"
//! tables                     each starts at a multiple of 64 bytes; little-endian numbers
//! directory                  version, flags, counts; for each table: kind, offset, length in bytes, XXH3
//! end                        length of the directory, XXH3 of the directory, "wsgraph1"
//! ```
//!
//! The tables are the adjacency lists (`adjacency.rs`), strata (one byte per link), the index into both, out-degrees, first pages
//! of hosts, and names. A file is written sequentially under a temporary name and renamed once it is complete. Opening maps it and
//! reads every table once, to verify its checksum and that every number is a valid index: a file is untrusted input.

mod check;
mod read;
mod write;

pub(crate) use write::{FileWriter, NamesToWrite};

/// First bytes of a file.
const MAGIC: &[u8; 16] = b"webstrata graph\n";
/// Last bytes of a file.
const END: &[u8; 8] = b"wsgraph1";
/// Version of the format.
const VERSION: u32 = 1;
/// Alignment of tables.
const ALIGNMENT: u64 = 64;
/// Sizes in bytes: of the directory before its entries, of an entry, and of the end of the file.
const DIRECTORY_HEADER: usize = 40;
const DIRECTORY_ENTRY: usize = 28;
const FOOTER: usize = 24;
/// Maximum number of tables.
const MAX_TABLES: usize = 16;

/// Flag: hosts are known.
const HAS_HOSTS: u32 = 1;
/// Flag: names ascend within each host.
const SORTED: u32 = 2;

/// Contents of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Adjacency = 1,
    Strata = 2,
    Index = 3,
    Degrees = 4,
    Starts = 5,
    Numbers = 6,
    Offsets = 7,
    Texts = 8,
    HostOrder = 9,
}

/// An entry of the directory.
#[derive(Clone, Copy, Debug)]
struct Table {
    kind: u32,
    offset: u64,
    length: u64,
    hash: u64,
}

#[cfg(test)]
mod tests;
