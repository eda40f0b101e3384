//! A file that is one page, plain or packed.

use super::http::cut;
use super::tape::Tape;
use super::{Broken, InputOptions, Item};
use crate::document::{Document, Origin};
use std::fs::File;
use std::io;
use std::sync::Arc;

/// The page that a file is.
pub(super) fn read(name: Arc<str>, url: Option<String>, file: File, options: &InputOptions) -> io::Result<Item> {
    let limit = usize::try_from(options.max_record).unwrap_or(usize::MAX);
    let mut tape = Tape::new(file)?;
    let there = tape.fill(limit.saturating_add(1))?;
    let origin = Origin { file: name, offset: 0, inside: 0 };
    let mut problems = Vec::new();
    if let Some(damage) = tape.damage() {
        if there == 0 {
            return Ok(Item::Broken(Broken { origin, reason: damage.reason.clone() }));
        }
        problems.push(damage.reason.clone());
    }
    let bytes = cut(tape.ahead()[..there.min(limit.saturating_add(1))].to_vec(), limit, &mut problems);
    Ok(Item::Document(Document { origin, url, date: None, charset: None, bytes, problems }))
}
