//! A worker: takes what there is to do, until there is nothing.

use super::RunError;
use super::cutter::{Done, Piece};
use super::flow::{Encoded, Flow, Task};
use super::rows::{Tools, Work};
use super::slot::{Batch, Clock, Slot};
use super::source::{self, Source};
use super::times::{Lap, Stage, Times};
use crate::input::Item;
use crate::store::{Encoder, Fault, LedgerRow};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::{io, thread};

/// What all workers share.
pub(super) struct Shared {
    pub(super) flow: Flow,
    pub(super) clock: Clock,
    pub(super) times: Times,
    pub(super) encoder: Encoder,
    pub(super) work: Box<dyn Work>,
    pub(super) done: Tally,
}

/// What has been worked on, for progress.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) pages: AtomicU64,
    pub(super) faults: AtomicU64,
    /// Bytes of pages.
    pub(super) bytes: AtomicU64,
    /// Bytes of the input as it is stored.
    pub(super) read: AtomicU64,
}

/// Starts a worker in its place.
pub(super) fn start(shared: &Arc<Shared>, slot: &Arc<Slot>) -> io::Result<()> {
    let (shared, slot) = (Arc::clone(shared), Arc::clone(slot));
    thread::Builder::new().name("worker".into()).spawn(move || work(&shared, &slot)).map(drop)
}

fn work(shared: &Shared, slot: &Slot) {
    let mut tools = Tools::default();
    // There is a batch already where another worker was stuck.
    if slot.at().is_some() && !pages(shared, slot, &mut tools) {
        return;
    }
    loop {
        let task = shared.flow.task();
        let attempt = catch_unwind(AssertUnwindSafe(|| match task {
            Task::Read(source) => {
                read(shared, source);
                true
            }
            Task::Encode(piece) => {
                encode(shared, piece);
                true
            }
            Task::Work(batch) => {
                slot.put(batch);
                pages(shared, slot, &mut tools)
            }
            Task::End => false,
        }));
        match attempt {
            Ok(true) => {}
            Ok(false) => return,
            // Pages catch their own panics: this is a mistake of ours, and what was lost with it is not known.
            Err(panic) => return shared.flow.stop(Some(RunError::Panicked(said(&*panic)))),
        }
    }
}

fn read(shared: &Shared, mut source: Box<dyn Source>) {
    let mut lap = Lap::start(&shared.times);
    let taken = source::take(&mut *source);
    lap.end(Stage::Read);
    match taken {
        Ok((entries, ended)) => {
            if let Some(last) = entries.last() {
                shared.done.read.store(last.place.read, Ordering::Relaxed);
            }
            let batch = Batch { number: shared.flow.next_batch(), entries: entries.into(), done: Vec::new() };
            shared.flow.has_read(source, (!batch.entries.is_empty()).then_some(batch), ended);
        }
        Err(error) => shared.flow.stop(Some(error)),
    }
}

fn encode(shared: &Shared, piece: Piece) {
    let mut lap = Lap::start(&shared.times);
    let encoded = shared.encoder.encode(&piece.chunk);
    lap.end(Stage::Encode);
    match encoded {
        Ok(chunk) => shared.flow.encoded(Encoded { number: piece.number, chunk, ends_shard: piece.ends_shard }, piece.size),
        Err(error) => shared.flow.stop(Some(error.into())),
    }
}

/// Works on the batch in the slot; false if it was taken away meanwhile.
fn pages(shared: &Shared, slot: &Slot, tools: &mut Tools) -> bool {
    let Some((entries, first)) = slot.at() else { return false };
    for entry in &entries[first..] {
        let done = match &entry.item {
            Item::Broken(broken) => Ok(Done::Fault(LedgerRow::new(Fault::Record, &broken.origin, None, &broken.reason))),
            Item::Document(document) => {
                slot.begin(shared.clock.now());
                let attempt = catch_unwind(AssertUnwindSafe(|| shared.work.rows(tools, document, &shared.times)));
                shared.done.bytes.fetch_add(document.bytes.len() as u64, Ordering::Relaxed);
                match attempt {
                    Ok(rows) => rows.map(|rows| Done::Page(Box::new(rows))),
                    Err(panic) => {
                        tools.forget();
                        Err(format!("webstrata failed on it ({}); please report the page", said(&*panic)))
                    }
                }
            }
        };
        let tally = if matches!(done, Ok(Done::Page(_))) { &shared.done.pages } else { &shared.done.faults };
        match slot.finish(done) {
            Ok(batch) => {
                tally.fetch_add(1, Ordering::Relaxed);
                if let Some(batch) = batch {
                    shared.flow.deliver(batch);
                }
            }
            Err(()) => return false,
        }
    }
    true
}

/// What a panic said.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("panic").to_owned()
}
