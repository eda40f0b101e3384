//! Letters between workers, by a dataflow of timely's: what is sent in a step is there for all before the next begins.
//!
//! The dataflow is one exchange with a probe behind it. Letters of a step have its number as their timestamp; when timely says that no more
//! of that number can come, from no worker in no process, the step is over.

use super::alarm::Alarm;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// Numbers in a letter at most: longer lists take several.
pub(super) const MOST: usize = 1 << 13;
/// How often it is looked whether there is trouble.
const LOOK: Duration = Duration::from_millis(50);

/// What a worker knows before the first round.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Facts {
    /// Sum of the ranks of its pages at first, and of what goes over no link of them.
    pub(super) ranks: f64,
    pub(super) lost: f64,
    /// Does anything?
    pub(super) loses: bool,
    /// Its links to pages of other workers, and the pages that these lead to.
    pub(super) links: u64,
    pub(super) votes: u64,
}

/// What came of a round.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(super) struct Outcome {
    pub(super) change: f64,
    pub(super) sum: f64,
    /// It is time for a checkpoint.
    pub(super) checkpoint: bool,
}

/// What a letter says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum What {
    Facts(Facts),
    /// Pages of the receiver that pages of the sender link to.
    Targets(Vec<u32>),
    /// What these get in a round, in the order of that list.
    Votes(Vec<f64>),
    Outcome(Outcome),
    /// Ranks of the pages of the sender.
    Ranks(Vec<f64>),
    /// Bytes that were sent before the first round, and until the last.
    Bytes(u64, u64),
}

/// Something from one worker to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Letter {
    to: u32,
    pub(super) from: u32,
    /// Its place among those of this step from this sender.
    number: u32,
    pub(super) what: What,
}

/// There is trouble: see the alarm.
#[derive(Debug)]
pub(super) struct Ended;

type Inbox = Rc<RefCell<Vec<(u64, Letter)>>>;

/// Sends and receives the letters of a worker.
pub(super) struct Post<'w> {
    worker: &'w mut Worker,
    input: Option<InputHandle<u64, CapacityContainerBuilder<Vec<Letter>>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    number: u32,
    alarm: Arc<Alarm>,
}

impl<'w> Post<'w> {
    pub(super) fn open(worker: &'w mut Worker, alarm: &Arc<Alarm>) -> Post<'w> {
        let inbox = Inbox::default();
        let filled = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, letters) = scope.new_input::<Vec<Letter>>();
            let pact = Exchange::new(|letter: &Letter| u64::from(letter.to));
            let done = letters.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(pact, "Post", |_, _| {
                move |input, _| {
                    input.for_each(|time, letters| {
                        filled.borrow_mut().extend(letters.drain(..).map(|letter| (*time.time(), letter)));
                    });
                }
            });
            (input, done.probe().0)
        });
        Post { worker, input: Some(input), probe, inbox, number: 0, alarm: Arc::clone(alarm) }
    }

    pub(super) fn me(&self) -> usize {
        self.worker.index()
    }

    pub(super) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// Sends a letter.
    pub(super) fn send(&mut self, to: usize, what: What) {
        let letter = Letter { to: to as u32, from: self.me() as u32, number: self.number, what };
        self.number += 1;
        if let Some(input) = &mut self.input {
            input.send(letter);
        }
    }

    /// Sends a letter to all, ourselves too.
    pub(super) fn send_all(&mut self, what: &What) {
        for to in 0..self.workers() {
            self.send(to, what.clone());
        }
    }

    /// Sends a list in as many letters as it takes.
    pub(super) fn send_list<T: Copy>(&mut self, to: usize, list: impl Iterator<Item = T>, what: impl Fn(Vec<T>) -> What) {
        let mut list = list.peekable();
        while list.peek().is_some() {
            let some: Vec<T> = list.by_ref().take(MOST).collect();
            self.send(to, what(some));
        }
    }

    /// Ends a step: waits for all letters of it, and gives those to us by sender, each sender's in the order in which they were sent.
    pub(super) fn exchange(&mut self) -> Result<Vec<Letter>, Ended> {
        let Some(input) = &mut self.input else { return Err(Ended) };
        let step = *input.time();
        input.advance_to(step + 1);
        self.number = 0;
        while self.probe.less_than(&(step + 1)) {
            if self.alarm.is_raised() {
                return Err(Ended);
            }
            self.worker.step_or_park(Some(LOOK));
        }
        // Letters of the next step may be there already.
        let (now, later) = self.inbox.borrow_mut().drain(..).partition(|(time, _)| *time == step);
        *self.inbox.borrow_mut() = later;
        let mut letters: Vec<Letter> = now.into_iter().map(|(_, letter): (u64, Letter)| letter).collect();
        letters.sort_by_key(|letter| (letter.from, letter.number));
        Ok(letters)
    }

    /// Ends in peace: waits until all others have.
    pub(super) fn close(mut self) -> Result<(), Ended> {
        self.input = None;
        while self.worker.has_dataflows() {
            if self.alarm.is_raised() {
                return Err(Ended);
            }
            self.worker.step_or_park(Some(LOOK));
        }
        Ok(())
    }
}

impl Drop for Post<'_> {
    fn drop(&mut self) {
        self.input = None;
        // Timely waits for dataflows that are not done, and this one may never be.
        for dataflow in self.worker.installed_dataflows() {
            self.worker.drop_dataflow(dataflow);
        }
    }
}
