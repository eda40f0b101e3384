//! Puts an input into an index: pages are read, signed on all threads, and pushed in their order.

use super::compared::Of;
use super::error::DedupError;
use super::index::{Index, Page as Known};
use super::signer::{Signature, Signer};
use super::source::{Item, Source, Text};
use super::watch::{Stage, Watch};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use webstrata::{Page, PageOptions, PageReader};

/// What is read before it is signed: so many items, or so many bytes.
const ITEMS: usize = 512;
const BYTES: usize = 16 << 20;

/// An item when it was looked at.
enum Signed {
    Known { id: String, date: Option<String>, confidence: Option<f32>, signature: Signature },
    Broken(String),
}

impl Index {
    /// Adds all of an input, or what is left of it if a run before was killed. Nothing is done if it is in the index
    /// already. `add` says that pages of other inputs may be there. `of` is for pages; texts are compared as they are.
    pub fn add(&mut self, source: &mut Source, of: Of, add: bool, watch: &dyn Watch) -> Result<(), DedupError> {
        let similarity = self.settings().similarity;
        let fingerprint = source.fingerprint().to_owned();
        let Some(mut batch) = self.batch(&fingerprint, add)? else { return Ok(()) };
        watch.stage(Stage::Signing);
        for _ in 0..batch.items() {
            if source.next()?.is_none() {
                break;
            }
        }
        let mut chunk = read(source)?;
        while !chunk.is_empty() {
            let bytes = chunk.iter().map(Item::size).sum::<usize>() as u64;
            // The next chunk is read while this one is signed.
            let (signed, next) = rayon::join(
                || -> Vec<Signed> {
                    let tools = || (Signer::new(similarity), PageReader::new(PageOptions::default()));
                    chunk.into_par_iter().with_min_len(16).map_init(tools, |tools, item| sign(item, of, tools)).collect()
                },
                || read(source),
            );
            let pages = signed.len() as u64;
            for signed in signed {
                match signed {
                    Signed::Known { id, date, confidence, signature } => {
                        batch.push(Known { id: &id, date: date.as_deref(), confidence }, &signature)?;
                    }
                    Signed::Broken(what) => {
                        watch.broken(&what);
                        batch.skip()?;
                    }
                }
            }
            watch.signed(pages, bytes);
            if watch.stop() {
                batch.cut()?;
                return Err(DedupError::Stopped);
            }
            chunk = next?;
        }
        batch.finish()
    }
}

fn read(source: &mut Source) -> Result<Vec<Item>, DedupError> {
    let mut items = Vec::new();
    let mut bytes = 0;
    while items.len() < ITEMS && bytes < BYTES {
        let Some(item) = source.next()? else { break };
        bytes += item.size();
        items.push(item);
    }
    Ok(items)
}

fn sign(item: Item, of: Of, (signer, reader): &mut (Signer, PageReader)) -> Signed {
    let text = match item {
        Item::Broken(what) => return Signed::Broken(what),
        Item::Text(text) => text,
        Item::Page(document) => {
            let id = document.origin.to_string();
            // No page must end the run, whatever is wrong with us.
            let read = catch_unwind(AssertUnwindSafe(|| {
                if document.charset.is_some() {
                    let options = PageOptions::default().transport(document.charset.clone());
                    return of.text(&Page::parse_with(&document.bytes, &options));
                }
                let page = reader.read(&document.bytes);
                let text = of.text(&page);
                reader.recycle(page);
                text
            }));
            let Ok((text, confidence)) = read else { return Signed::Broken(format!("{id}: the page could not be read")) };
            Text { id, text, date: document.date, confidence }
        }
    };
    let Text { id, text, date, confidence } = text;
    Signed::Known { id, date, confidence, signature: signer.sign(&text) }
}
