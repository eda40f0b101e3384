//! Cuts the rows of consecutive pages into chunks and shards. The cuts depend on the rows alone.

use crate::input::Position;
use crate::store::{Chunk, ErrorRow, PageRows};

/// Bytes of rows that are encoded together: a Parquet row group.
const CHUNK: usize = 16 << 20;

/// The result for an item of the input.
#[derive(Debug)]
pub(super) enum Output {
    Page {
        rows: Box<PageRows>,
        /// Bytes of the page.
        bytes: u64,
    },
    Failed(ErrorRow),
}

impl Output {
    /// Approximate bytes of the rows.
    pub(super) fn size(&self) -> usize {
        match self {
            Output::Page { rows, .. } => rows.size(),
            Output::Failed(row) => row.size(),
        }
    }
}

/// Rows that are encoded together.
#[derive(Debug)]
pub(super) struct Piece {
    pub(super) chunk: Chunk,
    pub(super) size: usize,
    /// The position after it, if it is the last one of its shard.
    pub(super) ends_shard: Option<Position>,
}

/// Collects outputs in the order of the input and returns pieces.
#[derive(Debug)]
pub(super) struct Chunker {
    shard_pages: u64,
    shard_bytes: u64,
    chunk: Chunk,
    size: usize,
    /// Items and bytes of the open shard.
    items: u64,
    bytes: u64,
    last: Position,
}

impl Chunker {
    pub(super) fn new(shard_pages: u64, shard_bytes: u64) -> Self {
        Chunker {
            shard_pages: shard_pages.max(1),
            shard_bytes: shard_bytes.max(1),
            chunk: Chunk::default(),
            size: 0,
            items: 0,
            bytes: 0,
            last: Position::default(),
        }
    }

    /// Adds the next output, with the position after its item. Returns a piece if one is full.
    pub(super) fn push(&mut self, output: Output, position: Position) -> Option<Piece> {
        let size = output.size();
        match output {
            Output::Page { rows, .. } => self.chunk.pages.push(*rows),
            Output::Failed(row) => self.chunk.errors.push(row),
        }
        self.size += size;
        self.items += 1;
        self.bytes += size as u64;
        self.last = position;
        let shard_is_full = self.items >= self.shard_pages || self.bytes >= self.shard_bytes;
        (shard_is_full || self.size >= CHUNK).then(|| self.piece(shard_is_full))
    }

    /// Returns the remaining piece at the end of the input.
    pub(super) fn end(&mut self) -> Option<Piece> {
        (self.items > 0).then(|| self.piece(true))
    }

    fn piece(&mut self, ends_shard: bool) -> Piece {
        if ends_shard {
            (self.items, self.bytes) = (0, 0);
        }
        Piece {
            chunk: std::mem::take(&mut self.chunk),
            size: std::mem::take(&mut self.size),
            ends_shard: ends_shard.then_some(self.last),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Origin;
    use crate::input::{Failure, Reason};
    use crate::store::PageRow;

    fn output(number: u64, size: usize) -> Output {
        if number % 5 == 4 {
            let mut row = ErrorRow::new(&Origin::new("a", number), None, Failure::new(Reason::Damaged, ""));
            row.message = "x".repeat(size - row.size());
            return Output::Failed(row);
        }
        let mut rows = PageRows { page: PageRow { hash: number, ..PageRow::default() }, ..PageRows::default() };
        rows.page.text = "x".repeat(size - rows.size());
        Output::Page { rows: Box::new(rows), bytes: 0 }
    }

    /// The shards by number of items, with the pieces of each.
    fn cut(items: u64, size: usize, shard_pages: u64, shard_bytes: u64) -> Vec<(u64, usize)> {
        let mut chunker = Chunker::new(shard_pages, shard_bytes);
        let position = |number| Position { offset: number, ..Position::default() };
        let mut pieces: Vec<Piece> = (0..items).filter_map(|number| chunker.push(output(number, size), position(number))).collect();
        pieces.extend(chunker.end());
        assert!(chunker.end().is_none());
        let (mut shards, mut items, mut parts) = (Vec::new(), 0, 0);
        for piece in &pieces {
            items += (piece.chunk.pages.len() + piece.chunk.errors.len()) as u64;
            parts += 1;
            if let Some(position) = &piece.ends_shard {
                assert_eq!(position.offset + 1, shards.iter().map(|(items, _)| items).sum::<u64>() + items);
                shards.push((std::mem::take(&mut items), std::mem::take(&mut parts)));
            }
        }
        assert_eq!(items, 0, "the last piece ends a shard");
        shards
    }

    #[test]
    fn shards_are_cut_by_pages_and_bytes() {
        assert_eq!(cut(25, 1000, 10, 1 << 30), [(10, 1), (10, 1), (5, 1)]);
        assert_eq!(cut(20, 1000, 10, 1 << 30), [(10, 1), (10, 1)], "no empty shard at the end");
        assert_eq!(cut(7, 1000, 1000, 2500), [(3, 1), (3, 1), (1, 1)]);
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
