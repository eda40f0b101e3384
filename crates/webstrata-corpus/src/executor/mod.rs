//! The driver of every command that reads pages.
//!
//! A [`Source`] is read in order, a [`Job`] turns items into outputs on all threads, and the caller takes the outputs from the
//! [`Executor`] in the order of the input. Every item is guarded: a panic, or taking longer than the time limit, fails that item
//! and no other. Memory is bounded, because reading waits while too many bytes are in flight.
//!
//! Threads have no fixed roles. Whichever is free takes the most urgent task: reading when little has been read ahead, then
//! background work that the caller submitted, then items. So a single thread can do everything, and with many threads
//! none is idle.

mod assignment;
#[cfg(test)]
pub(crate) mod endless;
mod item_reader;
pub mod panic_guard;
mod scheduler;
#[cfg(test)]
mod tests;
mod timer;
mod watchdog;
mod worker;

pub use assignment::Phase;
pub use item_reader::ItemReader;
pub use timer::{Stage, Timer, Times};
pub(crate) use watchdog::Clock;

use crate::input::Failure;
use scheduler::Scheduler;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use thiserror::Error;
use watchdog::Watchdog;
use worker::Shared;

/// Where items come from.
pub trait Source: Send + 'static {
    /// An item of the input.
    type Item: Send + Sync + 'static;
    /// Why nothing more can be read.
    type Error: Send + 'static;

    /// The next item. An error ends the work.
    fn next(&mut self) -> Option<Result<Self::Item, Self::Error>>;

    /// Whether the next item is available without waiting, for example for the process that writes a list of files.
    fn is_ready(&self) -> bool {
        true
    }
}

impl<S: Source + ?Sized> Source for Box<S> {
    type Item = S::Item;
    type Error = S::Error;

    fn next(&mut self) -> Option<Result<S::Item, S::Error>> {
        (**self).next()
    }

    fn is_ready(&self) -> bool {
        (**self).is_ready()
    }
}

/// The work to do for each item.
pub trait Job: Send + Sync + 'static {
    /// Where items come from.
    type Source: Source;
    /// State that a thread reuses from item to item.
    type Tools;
    /// The result for an item.
    type Output: Send + 'static;
    /// The result of background work ([`Executor::submit`]); `()` if there is none.
    type Background: Send + 'static;

    /// New tools for a thread. They are replaced after a panic.
    fn tools(&self) -> Self::Tools;

    /// Processes an item, within the time limit. The item is in [`Phase::Reading`] until `phase` says otherwise.
    fn run(&self, tools: &mut Self::Tools, item: &ItemOf<Self>, phase: &dyn Fn(Phase)) -> Self::Output;

    /// Completes an output that was ready in time, for example by writing files. Not subject to the time limit. `None` ends the thread.
    fn finish(&self, _item: &ItemOf<Self>, output: Self::Output) -> Option<Self::Output> {
        Some(output)
    }

    /// The output for an item that panicked or ran out of time.
    fn failed(&self, item: &ItemOf<Self>, failure: Failure) -> Self::Output;

    /// Approximate bytes of an item in memory.
    fn item_size(&self, item: &ItemOf<Self>) -> usize;

    /// Approximate bytes of an output in memory.
    fn output_size(&self, output: &Self::Output) -> usize;
}

/// The items of a job.
pub type ItemOf<J> = <<J as Job>::Source as Source>::Item;
/// The errors of a job's source.
pub type ErrorOf<J> = <<J as Job>::Source as Source>::Error;

/// How items are processed.
#[derive(Clone, Debug, Default)]
pub struct ExecutorOptions {
    /// Number of threads; 0 = one per core. Outputs do not depend on it.
    pub threads: usize,
    /// Time limit for an item.
    pub timeout: Option<Duration>,
    /// Ends the work when it becomes true.
    pub cancel: Arc<AtomicBool>,
    /// Time per stage.
    pub times: Arc<Times>,
}

impl ExecutorOptions {
    /// The actual number of threads.
    #[must_use]
    pub fn thread_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        }
    }
}

/// Why work ended before the input did.
#[derive(Clone, Debug, Error)]
pub enum Stop<E> {
    /// The caller cancelled it.
    #[error("cancelled")]
    Cancelled,
    /// Too many items exceeded the time limit. Their threads cannot be stopped and take processor time from the others.
    #[error("{0} pages exceeded the time limit and still occupy their threads")]
    TooManyStuck(usize),
    /// A thread could not be started.
    #[error("cannot start another thread: {0}")]
    NoThread(String),
    /// A bug in this program, outside of any item.
    #[error("webstrata failed ({0}); please report it")]
    Panicked(String),
    /// The source failed.
    #[error("the input cannot be read")]
    Source(E),
}

/// What [`Executor::next`] returns.
#[derive(Debug)]
pub enum Event<I, O, B> {
    /// Outputs of consecutive items.
    Outputs(Outputs<I, O>),
    /// The result of background work, in the order of submission.
    Background(B),
    /// Nothing yet.
    Idle,
    /// The input has ended and everything has been returned.
    End,
}

/// Consecutive items with their outputs.
#[derive(Debug)]
pub struct Outputs<I, O> {
    items: Arc<[I]>,
    outputs: Vec<O>,
}

impl<I, O> Outputs<I, O> {
    /// Calls `f` for each item and its output, in order, until it returns an error.
    ///
    /// # Errors
    /// The error that `f` returned.
    pub fn try_for_each<E>(self, mut f: impl FnMut(&I, O) -> Result<(), E>) -> Result<(), E> {
        self.items.iter().zip(self.outputs).try_for_each(|(item, output)| f(item, output))
    }
}

/// The [`Event`] of a job.
pub type EventOf<J> = Event<ItemOf<J>, <J as Job>::Output, <J as Job>::Background>;

/// Work in progress. Dropping it ends the threads, except those that are stuck.
pub struct Executor<J: Job> {
    shared: Arc<Shared<J>>,
}

impl<J: Job> Executor<J> {
    /// Starts the threads.
    ///
    /// # Errors
    /// When no thread can be started.
    pub fn start(source: J::Source, job: J, options: &ExecutorOptions) -> Result<Self, Stop<ErrorOf<J>>> {
        Executor::start_with_clock(source, job, options, watchdog::wall_clock())
    }

    /// Like [`Executor::start`], with a clock that decides how much time has passed.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn start_with_clock(
        source: J::Source,
        job: J,
        options: &ExecutorOptions,
        clock: Clock,
    ) -> Result<Self, Stop<ErrorOf<J>>> {
        let threads = options.thread_count();
        let shared = Arc::new(Shared {
            scheduler: Scheduler::new(source, threads),
            clock: assignment::Ticks::default(),
            times: Arc::clone(&options.times),
            job,
        });
        let executor = Executor { shared };
        Watchdog::start(&executor.shared, threads, options, clock)?;
        Ok(executor)
    }

    /// The job.
    pub fn job(&self) -> &J {
        &self.shared.job
    }

    /// The next outputs or background result, waiting for at most `timeout`.
    ///
    /// # Errors
    /// When the work was stopped. Outputs that directly follow those already returned come first, unless it was cancelled.
    pub fn next(&self, timeout: Duration) -> Result<EventOf<J>, Stop<ErrorOf<J>>> {
        self.shared.scheduler.next(timeout, |output| self.shared.job.output_size(output))
    }

    /// Runs `work` on one of the threads; `size` is the memory it occupies until its result is returned.
    pub fn submit(&self, size: usize, work: impl FnOnce() -> J::Background + Send + 'static) {
        self.shared.scheduler.submit(size, Box::new(work));
    }

    /// Ends the work. Threads stop after their current item.
    pub fn stop(&self) {
        self.shared.scheduler.stop(Stop::Cancelled);
    }
}

impl<J: Job> Drop for Executor<J> {
    fn drop(&mut self) {
        self.stop();
    }
}

impl<J: Job> std::fmt::Debug for Executor<J> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Executor").finish_non_exhaustive()
    }
}

/// Whether cancellation was requested.
fn is_set(flag: &AtomicBool) -> bool {
    flag.load(Ordering::Relaxed)
}

/// Locks a mutex. Poisoning is ignored: the guarded state changes in single steps.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
