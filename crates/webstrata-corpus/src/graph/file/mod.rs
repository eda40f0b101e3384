//! The form of a graph on disk: tables behind each other, and at the end a list of them.
//!
//! ```text
//! magic                      16 bytes: "webstrata graph\n"
//! tables                     each begins at a multiple of 64 bytes; numbers with the lowest byte first
//! list of tables             version, what is known, counts; for each table: kind, place, length in bytes, XXH3
//! end                        length of the list, XXH3 of the list, "wsgraph1"
//! ```
//!
//! The tables: the stream of in-links (`stream.rs` has its form), strata (a byte a link), the index into both, out-degrees, first
//! pages of hosts, and names. A file is written from the front to the back, under another name, and is renamed when it is whole. It is
//! mapped when it is opened, and every table is read once to see that it is what was written and that every number in it
//! leads somewhere: a file is input like any other.

mod check;
mod read;
mod write;

pub(crate) use write::{FileWriter, NamesToWrite};

/// What files begin with.
const MAGIC: &[u8; 16] = b"webstrata graph\n";
/// What they end with.
const END: &[u8; 8] = b"wsgraph1";
/// The form that is written here.
const VERSION: u32 = 1;
/// Tables begin at multiples of this.
const ALIGNMENT: u64 = 64;
/// Bytes of the list before its tables, of one of these, and behind all of them.
const LIST_HEAD: usize = 40;
const LIST_ROW: usize = 28;
const TAIL: usize = 24;
/// Most tables that a list can have.
const MAX_TABLES: usize = 16;

/// Hosts are known.
const HAS_HOSTS: u32 = 1;
/// Names ascend within each host.
const SORTED: u32 = 2;

/// What a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(crate) enum Kind {
    Stream = 1,
    Strata = 2,
    Index = 3,
    Degrees = 4,
    Starts = 5,
    Numbers = 6,
    Places = 7,
    Texts = 8,
    HostOrder = 9,
}

/// Where a table is.
#[derive(Clone, Copy, Debug)]
struct Table {
    kind: u32,
    place: u64,
    length: u64,
    hash: u64,
}

#[cfg(test)]
mod tests;
