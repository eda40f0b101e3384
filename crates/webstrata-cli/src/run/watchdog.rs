//! Sees to it that no page takes longer than its time, and that a signal is heard.
//!
//! A thread cannot be stopped from outside. A worker whose page is past its time is left alone: its batch goes to a fresh
//! worker, the page is a failed one, and what the old worker comes back with is dropped. When too many are stuck the run
//! ends: they take the processors from the others.

use super::flow::Stop;
use super::slot::{Done, Phase, Slot};
use super::worker::{self, Shared};
use crate::interrupt::Interrupt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{io, thread};

/// How often the watchdog looks, at least and at most.
const SHORTEST_TICK: Duration = Duration::from_millis(1);
const LONGEST_TICK: Duration = Duration::from_millis(50);
/// A look that comes so much too late means that the process stood still.
const STOOD_STILL: u32 = 20;
/// Stuck workers for each thread before the run ends.
const MOST_STUCK: usize = 4;

struct Watchdog {
    shared: Arc<Shared>,
    slots: Vec<Arc<Slot>>,
    timeout: Option<Duration>,
    stuck: usize,
    interrupt: Interrupt,
}

/// Starts the workers and the watchdog.
pub(super) fn start(shared: &Arc<Shared>, timeout: Option<Duration>, threads: usize, interrupt: Interrupt) -> io::Result<()> {
    let slots: Vec<Arc<Slot>> = (0..threads).map(|_| Slot::new(None)).collect();
    for slot in &slots {
        worker::start(shared, slot)?;
    }
    let watchdog = Watchdog { shared: Arc::clone(shared), slots, timeout, stuck: 0, interrupt };
    thread::Builder::new().name("watchdog".into()).spawn(move || watchdog.watch()).map(drop)
}

impl Watchdog {
    fn watch(mut self) {
        let tick = self.timeout.map_or(LONGEST_TICK, |timeout| (timeout / 10).clamp(SHORTEST_TICK, LONGEST_TICK));
        let mut last = Instant::now();
        while !self.shared.flow.is_stopped() {
            thread::sleep(tick);
            let now = Instant::now();
            self.shared.clock.advance((now - last).min(tick * STOOD_STILL));
            last = now;
            if let Some(signal) = self.interrupt.came() {
                self.shared.flow.stop(Stop::Interrupted(signal));
                self.interrupt.insist(signal);
                return;
            }
            if let Some(timeout) = self.timeout
                && let Err(stop) = self.look(timeout, tick)
            {
                self.shared.flow.stop(stop);
            }
        }
    }

    /// Gives up the pages that are past their time.
    fn look(&mut self, timeout: Duration, tick: Duration) -> Result<(), Stop> {
        let microseconds = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        // The clock goes in ticks: a page has its time at least.
        let limit = microseconds(timeout).saturating_add(microseconds(tick));
        let most = MOST_STUCK * self.slots.len();
        for slot in &mut self.slots {
            let Some((mut batch, phase)) = slot.abandon(self.shared.clock.now(), limit) else { continue };
            self.stuck += 1;
            batch.done.push(Done::failed(given_up(phase, timeout)));
            let too_many = self.stuck >= most;
            let rest = if too_many || batch.done.len() == batch.inputs.len() {
                self.shared.flow.deliver(batch);
                None
            } else {
                Some(batch)
            };
            if too_many {
                return Err(Stop::TooManyStuck(self.stuck));
            }
            *slot = Slot::new(rest);
            worker::start(&self.shared, slot).map_err(|error| Stop::NoThread(error.to_string()))?;
        }
        Ok(())
    }
}

fn given_up(phase: Phase, timeout: Duration) -> String {
    let seconds = timeout.as_secs_f64();
    let (what, remedy) = match phase {
        Phase::Reading => ("could not be read", "is it a pipe or on a slow disk?"),
        _ => ("was not done", "please report the page if it is not a large one"),
    };
    format!("it {what} within {seconds} s and was given up; {remedy} --timeout gives it more time")
}
