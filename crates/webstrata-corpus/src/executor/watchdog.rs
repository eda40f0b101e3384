//! Enforces the time limit per item, and notices that the work was cancelled.
//!
//! A thread cannot be stopped from outside. A worker that exceeds the limit is left alone: its batch goes to a new worker, the
//! item has failed, and whatever the old worker eventually produces is dropped. When too many workers are stuck the work ends,
//! because they take processor time from the others.

use super::assignment::{Assignment, Phase, microseconds};
use super::worker::{self, Shared};
use super::{ErrorOf, ExecutorOptions, ItemOf, Job, Stop, is_set};
use crate::input::{Failure, Reason};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

/// Bounds of the interval between two checks.
const MIN_TICK: Duration = Duration::from_millis(1);
const MAX_TICK: Duration = Duration::from_millis(50);
/// A check that is this many ticks late means that the process did not run.
const MAX_LATE_TICKS: u32 = 20;
/// Stuck workers per thread before the work ends.
const MAX_STUCK: usize = 4;

/// Returns the time that has passed since the previous call.
pub(crate) type Clock = Box<dyn FnMut() -> Duration + Send>;

/// A clock that measures real time.
pub(super) fn wall_clock() -> Clock {
    let mut last = Instant::now();
    Box::new(move || {
        let now = Instant::now();
        let passed = now - last;
        last = now;
        passed
    })
}

pub(super) struct Watchdog<J: Job> {
    shared: Arc<Shared<J>>,
    assignments: Vec<Arc<Assignment<ItemOf<J>, J::Output>>>,
    timeout: Option<Duration>,
    cancel: Arc<AtomicBool>,
    clock: Clock,
    stuck: usize,
}

impl<J: Job> Watchdog<J> {
    /// Starts the workers and the watchdog's own thread.
    pub(super) fn start(
        shared: &Arc<Shared<J>>,
        threads: usize,
        options: &ExecutorOptions,
        clock: Clock,
    ) -> Result<(), Stop<ErrorOf<J>>> {
        let no_thread = |error: std::io::Error| Stop::NoThread(error.to_string());
        let assignments: Vec<_> = (0..threads).map(|_| Assignment::new(None)).collect();
        for assignment in &assignments {
            worker::start(shared, assignment).map_err(no_thread)?;
        }
        let watchdog = Watchdog {
            shared: Arc::clone(shared),
            assignments,
            timeout: options.timeout,
            cancel: Arc::clone(&options.cancel),
            clock,
            stuck: 0,
        };
        thread::Builder::new().name("watchdog".into()).spawn(move || watchdog.watch()).map(drop).map_err(no_thread)
    }

    fn watch(mut self) {
        let tick = self.timeout.map_or(MAX_TICK, |timeout| (timeout / 10).clamp(MIN_TICK, MAX_TICK));
        while !self.shared.scheduler.is_stopped() {
            thread::sleep(tick);
            self.shared.clock.advance((self.clock)().min(tick * MAX_LATE_TICKS));
            if is_set(&self.cancel) {
                self.shared.scheduler.stop(Stop::Cancelled);
            } else if let Some(timeout) = self.timeout
                && let Err(stop) = self.check(timeout, tick)
            {
                self.shared.scheduler.stop(stop);
            }
        }
    }

    /// Abandons the items that have exceeded the limit.
    fn check(&mut self, timeout: Duration, tick: Duration) -> Result<(), Stop<ErrorOf<J>>> {
        // The clock advances in ticks; an item has at least its full time.
        let limit = microseconds(timeout).saturating_add(microseconds(tick));
        let max_stuck = MAX_STUCK * self.assignments.len();
        for assignment in &mut self.assignments {
            let Some((mut batch, phase)) = assignment.abandon(self.shared.clock.now(), limit) else { continue };
            self.stuck += 1;
            if let Some(item) = batch.items.get(batch.outputs.len()) {
                batch.outputs.push(self.shared.job.failed(item, timed_out(phase, timeout)));
            }
            let too_many = self.stuck >= max_stuck;
            let rest = if too_many || batch.is_done() {
                self.shared.deliver(batch);
                None
            } else {
                Some(batch)
            };
            if too_many {
                return Err(Stop::TooManyStuck(self.stuck));
            }
            *assignment = Assignment::new(rest);
            worker::start(&self.shared, assignment).map_err(|error| Stop::NoThread(error.to_string()))?;
        }
        Ok(())
    }
}

fn timed_out(phase: Phase, timeout: Duration) -> Failure {
    let seconds = timeout.as_secs_f64();
    let message = match phase {
        Phase::Reading => format!("not read within {seconds} s; if it is a pipe or on a slow disk, allow more time with --timeout"),
        _ => format!("not done within {seconds} s; allow more time with --timeout, and please report the page unless it is large"),
    };
    Failure { reason: Reason::TimedOut, message }
}
