//! A worker: takes names, makes results.

use super::flow::Flow;
use super::page::Tools;
use super::slot::{Batch, Clock, Done, Phase, Slot};
use super::{Job, lock};
use crate::inputs::{self, Input, Names};
use crate::output::{Folder, Gate, write_whole};
use std::sync::{Arc, Mutex};
use std::{io, thread};
use webstrata::PageOptions;

/// Pages of a batch at most. Taking and handing in a batch wakes other threads; a page alone would not be worth it.
const MOST_PAGES: u64 = 16;
/// A batch is small while few pages have been taken: a run over ten pages keeps all threads busy too.
const SHARES_PER_THREAD: u64 = 8;

/// What all workers share.
pub(super) struct Shared {
    pub(super) source: Mutex<Source>,
    pub(super) flow: Flow,
    pub(super) gate: Arc<Gate>,
    pub(super) clock: Clock,
    pub(super) job: Arc<dyn Job>,
    pub(super) options: PageOptions,
}

/// The names that are left, and the files that results go to.
pub(super) struct Source {
    names: Names,
    folder: Option<Folder>,
    threads: u64,
    batches: u64,
    pages: u64,
}

impl Source {
    pub(super) fn new(names: Names, folder: Option<Folder>, threads: usize) -> Self {
        Source { names, folder, threads: threads as u64, batches: 0, pages: 0 }
    }

    /// The next pages, and whether they are the last.
    fn take(&mut self) -> (Vec<Input>, bool) {
        let size = (self.pages / (self.threads * SHARES_PER_THREAD)).clamp(1, MOST_PAGES);
        let mut inputs = Vec::new();
        while (inputs.len() as u64) < size {
            let Some(mut input) = self.names.next() else { return (inputs, true) };
            if let Some(folder) = &mut self.folder {
                folder.assign(&mut input);
            }
            self.pages += 1;
            inputs.push(input);
            if !self.names.ready() {
                break; // whoever writes the list has not come further: do what there is
            }
        }
        (inputs, false)
    }
}

impl Shared {
    /// The next batch, when there is room for it. The lock is kept while waiting: batches are numbered in order.
    fn take(&self) -> Option<Batch> {
        let mut source = lock(&self.source);
        if !self.flow.has_room() {
            return None;
        }
        let (inputs, ended) = source.take();
        let number = source.batches;
        source.batches += u64::from(!inputs.is_empty());
        self.flow.took(!inputs.is_empty(), ended);
        (!inputs.is_empty()).then(|| Batch { number, inputs: inputs.into(), done: Vec::new() })
    }
}

/// Starts a worker in its place.
pub(super) fn start(shared: &Arc<Shared>, slot: &Arc<Slot>) -> io::Result<()> {
    let (shared, slot) = (Arc::clone(shared), Arc::clone(slot));
    thread::Builder::new().name("worker".into()).spawn(move || work(&shared, &slot)).map(drop)
}

fn work(shared: &Shared, slot: &Slot) {
    let mut tools = Tools::new(&shared.options);
    loop {
        // There is a batch already where another worker was stuck.
        let Some((inputs, first)) = slot.at().or_else(|| {
            slot.put(shared.take()?);
            slot.at()
        }) else {
            return;
        };
        for input in &inputs[first..] {
            let Some(done) = one(shared, slot, &mut tools, input) else { return };
            match slot.finish(done) {
                Ok(Some(batch)) => shared.flow.deliver(batch),
                Ok(None) => {}
                Err(()) => return,
            }
        }
    }
}

/// One page. `None` if it was given up meanwhile, or no file may be written any more.
fn one(shared: &Shared, slot: &Slot, tools: &mut Tools, input: &Input) -> Option<Done> {
    if let Some(trouble) = &input.trouble {
        return Some(Done::failed(trouble.clone()));
    }
    // How long standard input takes is for those to say who write it.
    let reading = if input.is_stdin() { Phase::Untimed } else { Phase::Reading };
    slot.enter(reading, shared.clock.now());
    let mut buffer = tools.buffer();
    let read = inputs::read(input, &mut buffer, shared.options.limits.bytes);
    slot.enter(Phase::Working, shared.clock.now());
    let result = read.and_then(|()| tools.run(&*shared.job, &shared.options, input, &buffer));
    let bytes = buffer.len();
    tools.keep(buffer);
    // From here on the page is no longer given up, so what is written counts.
    if !slot.enter(Phase::Untimed, shared.clock.now()) {
        return None;
    }
    let done = |text, error| Some(Done { text, bytes, error });
    match (result, &input.place) {
        (Ok(text), None) => done(text, None),
        (Ok(text), Some(path)) => {
            let _pass = shared.gate.enter()?;
            let written = write_whole(path, &text);
            done(String::new(), written.err().map(|error| format!("cannot write {}: {error}", path.display())))
        }
        (Err(error), _) => done(String::new(), Some(error)),
    }
}
