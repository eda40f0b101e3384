//! A worker thread: takes tasks until there are none.

use super::assignment::{Assignment, Batch, Phase, Ticks};
use super::scheduler::{Scheduler, Task};
use super::timer::{Stage, Timer, Times};
use super::{ItemOf, Job, Stop, panic_guard};
use crate::input::{Failure, Reason};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::{io, thread};

/// What all workers share.
pub(super) struct Shared<J: Job> {
    pub(super) scheduler: Scheduler<J::Source, J::Output, J::Background>,
    pub(super) clock: Ticks,
    pub(super) times: Arc<Times>,
    pub(super) job: J,
}

impl<J: Job> Shared<J> {
    pub(super) fn deliver(&self, batch: Batch<ItemOf<J>, J::Output>) {
        let size = batch.outputs.iter().map(|output| self.job.output_size(output)).sum();
        self.scheduler.deliver(batch, size);
    }
}

/// Starts a worker.
pub(super) fn start<J: Job>(shared: &Arc<Shared<J>>, assignment: &Arc<Assignment<ItemOf<J>, J::Output>>) -> io::Result<()> {
    let (shared, assignment) = (Arc::clone(shared), Arc::clone(assignment));
    thread::Builder::new().name("worker".into()).spawn(move || work(&shared, &assignment)).map(drop)
}

fn work<J: Job>(shared: &Shared<J>, assignment: &Assignment<ItemOf<J>, J::Output>) {
    let mut tools = shared.job.tools();
    // A worker that replaces a stuck one continues its batch.
    let mut goes_on = assignment.current().is_none() || process(shared, assignment, &mut tools);
    while goes_on {
        let task = shared.scheduler.task();
        let attempt = catch_unwind(AssertUnwindSafe(|| match task {
            Task::Read(source, count) => {
                read(shared, source, count);
                true
            }
            Task::Background(number, work) => {
                shared.scheduler.complete(number, work());
                true
            }
            Task::Process(batch) => {
                assignment.put(batch);
                process(shared, assignment, &mut tools)
            }
            Task::End => false,
        }));
        // Panics of items and readers are caught elsewhere. This one is a bug in the executor, and what was lost with it is unknown.
        goes_on = attempt.unwrap_or_else(|panic| {
            shared.scheduler.stop(Stop::Panicked(panic_guard::message(&*panic)));
            false
        });
    }
}

fn read<J: Job>(shared: &Shared<J>, mut source: J::Source, count: u64) {
    let mut timer = Timer::start(&shared.times);
    let read = Scheduler::<J::Source, J::Output, J::Background>::read(&mut source, count, |item| shared.job.item_size(item));
    timer.end(Stage::Read);
    match read {
        Ok(read) => shared.scheduler.has_read(source, read),
        Err(error) => shared.scheduler.stop(Stop::Source(error)),
    }
}

/// Processes the assigned batch. Returns false if the worker has to end.
fn process<J: Job>(shared: &Shared<J>, assignment: &Assignment<ItemOf<J>, J::Output>, tools: &mut J::Tools) -> bool {
    let Some((items, first)) = assignment.current() else { return false };
    let phase = |phase| {
        assignment.enter(phase, shared.clock.now());
    };
    for item in &items[first..] {
        assignment.enter(Phase::Reading, shared.clock.now());
        let attempt = panic_guard::catch(|| shared.job.run(tools, item, &phase));
        // From here on the item cannot be abandoned, so what is written counts.
        if !assignment.enter(Phase::Untimed, shared.clock.now()) {
            return false;
        }
        let output = attempt.unwrap_or_else(|panic| {
            *tools = shared.job.tools();
            let message = format!("webstrata failed on it ({panic}); please report the page");
            shared.job.failed(item, Failure { reason: Reason::Failed, message })
        });
        let Some(output) = shared.job.finish(item, output) else { return false };
        match assignment.finish(output) {
            Ok(Some(batch)) => shared.deliver(batch),
            Ok(None) => {}
            Err(()) => return false,
        }
    }
    true
}
