//! Cuts the row of pages into chunks and shards. Where it cuts depends on nothing but the rows.

use crate::store::{Chunk, LedgerRow, PageRows};
use serde_json::Value;

/// Bytes of rows that are put into the format together: a row group of Parquet.
const CHUNK: usize = 16 << 20;

/// What came of an item of the input.
#[derive(Debug)]
pub(super) enum Done {
    Page(Box<PageRows>),
    Fault(LedgerRow),
}

/// The same, with where the input is behind it.
#[derive(Debug)]
pub(super) struct Result {
    pub(super) done: Done,
    /// Bytes of its rows.
    pub(super) size: usize,
    pub(super) place: Place,
}

/// A place in the input.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Place {
    pub(super) position: Value,
    /// Bytes of the input that were read up to there, as it is stored. For progress: how far ahead a reader is depends on where it
    /// began.
    pub(super) read: u64,
}

/// Rows that are put into the format together.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) number: u64,
    pub(super) chunk: Chunk,
    pub(super) size: usize,
    /// Where the input is behind it, if it is the last of its shard.
    pub(super) ends_shard: Option<Place>,
}

/// Takes results in the order of the input and gives pieces.
#[derive(Debug)]
pub(super) struct Cutter {
    shard_pages: u64,
    shard_bytes: u64,
    chunk: Chunk,
    size: usize,
    /// Of the shard that is open.
    items: u64,
    bytes: u64,
    last: Place,
    pieces: u64,
}

impl Cutter {
    pub(super) fn new(shard_pages: u64, shard_bytes: u64) -> Self {
        Cutter {
            shard_pages: shard_pages.max(1),
            shard_bytes: shard_bytes.max(1),
            chunk: Chunk::default(),
            size: 0,
            items: 0,
            bytes: 0,
            last: Place::default(),
            pieces: 0,
        }
    }

    /// Takes the next result; gives a piece if it is full.
    pub(super) fn push(&mut self, result: Result) -> Option<Piece> {
        match result.done {
            Done::Page(rows) => self.chunk.pages.push(*rows),
            Done::Fault(row) => self.chunk.ledger.push(row),
        }
        self.size += result.size;
        self.items += 1;
        self.bytes += result.size as u64;
        self.last = result.place;
        let shard_is_full = self.items >= self.shard_pages || self.bytes >= self.shard_bytes;
        (shard_is_full || self.size >= CHUNK).then(|| self.piece(shard_is_full))
    }

    /// The input is at its end; gives what is left.
    pub(super) fn end(&mut self) -> Option<Piece> {
        (self.items > 0).then(|| self.piece(true))
    }

    fn piece(&mut self, ends_shard: bool) -> Piece {
        if ends_shard {
            (self.items, self.bytes) = (0, 0);
        }
        let number = self.pieces;
        self.pieces += 1;
        Piece {
            number,
            chunk: std::mem::take(&mut self.chunk),
            size: std::mem::take(&mut self.size),
            ends_shard: ends_shard.then(|| std::mem::take(&mut self.last)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;
    use crate::store::{Fault, PageRow};

    fn result(number: u64, size: usize) -> Result {
        let done = match number % 5 {
            4 => Done::Fault(LedgerRow::new(Fault::Record, &Origin::new("a", number), None, "torn")),
            _ => Done::Page(Box::new(PageRows { page: PageRow { hash: number, ..PageRow::default() }, ..PageRows::default() })),
        };
        Result { done, size, place: Place { position: number.into(), read: number } }
    }

    /// Sizes of the shards by items, and the pieces of each.
    fn cut(items: u64, size: usize, shard_pages: u64, shard_bytes: u64) -> Vec<(u64, usize)> {
        let mut cutter = Cutter::new(shard_pages, shard_bytes);
        let mut pieces: Vec<Piece> = (0..items).filter_map(|number| cutter.push(result(number, size))).collect();
        pieces.extend(cutter.end());
        assert!(cutter.end().is_none());
        let (mut shards, mut items, mut parts) = (Vec::new(), 0, 0);
        for (number, piece) in pieces.iter().enumerate() {
            assert_eq!(piece.number, number as u64);
            items += (piece.chunk.pages.len() + piece.chunk.ledger.len()) as u64;
            parts += 1;
            if let Some(place) = &piece.ends_shard {
                assert_eq!(place.read + 1, shards.iter().map(|(items, _)| items).sum::<u64>() + items);
                shards.push((std::mem::take(&mut items), std::mem::take(&mut parts)));
            }
        }
        assert_eq!(items, 0, "the last piece ends a shard");
        shards
    }

    #[test]
    fn shards_are_cut_by_pages_and_bytes() {
        assert_eq!(cut(25, 10, 10, 1 << 30), [(10, 1), (10, 1), (5, 1)]);
        assert_eq!(cut(20, 10, 10, 1 << 30), [(10, 1), (10, 1)], "no empty shard at the end");
        assert_eq!(cut(7, 100, 1000, 250), [(3, 1), (3, 1), (1, 1)]);
        assert_eq!(cut(0, 0, 10, 10), []);
    }

    #[test]
    fn large_shards_have_several_pieces() {
        assert_eq!(cut(9, CHUNK / 2, 1000, 1 << 40), [(9, 5)]);
        // The end of the input is not known when the last piece is full; an empty one ends the shard.
        assert_eq!(cut(3, CHUNK * 2, 1000, 1 << 40), [(3, 4)]);
        assert_eq!(cut(4, CHUNK * 2, 2, 1 << 40), [(2, 2), (2, 2)]);
    }
}
