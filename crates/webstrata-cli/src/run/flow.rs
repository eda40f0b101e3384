//! How many batches are under way, and which is the next to be written.

use super::{Batch, lock};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Condvar, Mutex, PoisonError};

/// Batches that may be taken and not yet written, for each thread: a slow page holds up what is written, and the other
/// threads go on for so long.
const BATCHES_PER_THREAD: u64 = 32;
/// Finished results that may wait to be written, in bytes.
const MOST_WAITING: usize = 64 << 20;

/// Why a run ends before its pages do.
#[derive(Clone, Debug)]
pub(super) enum Stop {
    /// This signal came.
    Interrupted(i32),
    /// So many pages do not end.
    TooManyStuck(usize),
    /// A thread could not be started.
    NoThread(String),
    /// Everything is written, or writing has failed.
    Ended,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Interrupted(_) => f.write_str("interrupted"),
            Stop::TooManyStuck(number) => write!(
                f,
                "stopped: {number} pages did not end in their time and still occupy their threads; take them out of the input, or \
                 give more time with --timeout"
            ),
            Stop::NoThread(error) => write!(f, "stopped: cannot start another thread: {error}; try fewer --threads"),
            Stop::Ended => f.write_str("ended"),
        }
    }
}

/// What is to be written next.
pub(super) enum Next {
    Batch(Batch),
    End,
    Stopped(Stop),
}

#[derive(Default)]
struct State {
    taken: u64,
    written: u64,
    /// Batches that wait for those before them.
    ready: BTreeMap<u64, Batch>,
    waiting: usize,
    /// Are there no more names?
    ended: bool,
    stop: Option<Stop>,
}

/// The way of batches from the names to the output.
pub(super) struct Flow {
    state: Mutex<State>,
    /// There may be room for another batch.
    room: Condvar,
    /// There may be a batch to write.
    arrived: Condvar,
    window: u64,
}

impl Flow {
    pub(super) fn new(threads: usize) -> Self {
        let window = BATCHES_PER_THREAD * threads as u64;
        Flow { state: Mutex::default(), room: Condvar::new(), arrived: Condvar::new(), window }
    }

    /// Waits until another batch may be taken; false if none is to be taken any more.
    pub(super) fn has_room(&self) -> bool {
        // The batch that is to be written next is in work or ready, so whoever waits here is woken.
        let full = |s: &mut State| s.stop.is_none() && (s.taken - s.written >= self.window || s.waiting > MOST_WAITING);
        let state = self.room.wait_while(lock(&self.state), full).unwrap_or_else(PoisonError::into_inner);
        state.stop.is_none() && !state.ended
    }

    /// A batch was taken, unless there were no names; `ended` if there are no more.
    pub(super) fn took(&self, batch: bool, ended: bool) {
        let mut state = lock(&self.state);
        state.taken += u64::from(batch);
        state.ended |= ended;
        if ended {
            self.arrived.notify_all();
        }
    }

    /// Hands in a finished batch.
    pub(super) fn deliver(&self, batch: Batch) {
        let mut state = lock(&self.state);
        state.waiting += batch.size();
        let is_next = batch.number == state.written;
        state.ready.insert(batch.number, batch);
        if is_next {
            self.arrived.notify_all();
        }
    }

    /// The next batch in order; calls `idle` before it waits for one.
    pub(super) fn next<E>(&self, mut idle: impl FnMut() -> Result<(), E>) -> Result<Next, E> {
        let mut state = lock(&self.state);
        let mut idled = false;
        loop {
            if let Some(stop @ (Stop::Interrupted(_) | Stop::Ended)) = &state.stop {
                return Ok(Next::Stopped(stop.clone()));
            }
            let number = state.written;
            if let Some(batch) = state.ready.remove(&number) {
                state.written += 1;
                state.waiting -= batch.size();
                drop(state);
                self.room.notify_all();
                return Ok(Next::Batch(batch));
            }
            // What was done before a run went wrong is written.
            if let Some(stop) = &state.stop {
                return Ok(Next::Stopped(stop.clone()));
            }
            if state.ended && state.written == state.taken {
                return Ok(Next::End);
            }
            if idled {
                state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
            } else {
                // Not under the lock: whoever reads our output may be slow.
                drop(state);
                idle()?;
                idled = true;
                state = lock(&self.state);
            }
        }
    }

    /// Ends the run. The first reason counts.
    pub(super) fn stop(&self, why: Stop) {
        lock(&self.state).stop.get_or_insert(why);
        self.room.notify_all();
        self.arrived.notify_all();
    }

    pub(super) fn is_stopped(&self) -> bool {
        lock(&self.state).stop.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(number: u64) -> Batch {
        Batch { number, inputs: [].into(), done: Vec::new() }
    }

    #[test]
    fn batches_come_out_in_order() {
        let flow = Flow::new(1);
        for number in [2, 0, 3, 1] {
            flow.took(true, false);
            flow.deliver(batch(number));
        }
        flow.took(false, true);
        for want in 0..4 {
            let Next::Batch(batch) = flow.next(|| Ok::<(), ()>(())).unwrap() else { panic!("a batch is there") };
            assert_eq!(batch.number, want);
        }
        assert!(matches!(flow.next(|| Ok::<(), ()>(())), Ok(Next::End)));
        assert!(!flow.has_room(), "there are no more names");
    }

    #[test]
    fn the_first_reason_to_stop_counts() {
        let flow = Flow::new(1);
        flow.stop(Stop::Interrupted(2));
        flow.stop(Stop::Ended);
        assert!(matches!(flow.next(|| Ok::<(), ()>(())), Ok(Next::Stopped(Stop::Interrupted(2)))));
        assert!(!flow.has_room());
    }

    #[test]
    fn what_is_done_is_written_though_the_run_goes_wrong() {
        let flow = Flow::new(1);
        flow.took(true, false);
        flow.took(true, false);
        flow.deliver(batch(0));
        flow.stop(Stop::TooManyStuck(4));
        assert!(matches!(flow.next(|| Ok::<(), ()>(())), Ok(Next::Batch(_))));
        assert!(matches!(flow.next(|| Ok::<(), ()>(())), Ok(Next::Stopped(Stop::TooManyStuck(4)))));
    }

    #[test]
    fn takers_wait_for_the_writer() {
        let flow = Flow::new(1);
        for number in 0..BATCHES_PER_THREAD {
            assert!(flow.has_room());
            flow.took(true, false);
            flow.deliver(batch(number));
        }
        std::thread::scope(|scope| {
            let taker = scope.spawn(|| flow.has_room());
            std::thread::sleep(std::time::Duration::from_millis(20));
            assert!(!taker.is_finished());
            assert!(matches!(flow.next(|| Ok::<(), ()>(())), Ok(Next::Batch(_))));
            assert!(taker.join().unwrap());
        });
    }
}
