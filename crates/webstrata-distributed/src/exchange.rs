//! Letters between workers, by a dataflow of timely's: what is sent in a step is there for all before the next begins.
//!
//! The dataflow is one exchange with a probe behind it. Letters of a step have its number as their timestamp; when timely says that no more
//! of that number can come, from no worker in no process, the step is over.

use super::abort::AbortSignal;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange as ExchangePact;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

/// Numbers in a letter at most: longer lists take several.
pub(crate) const MAX: usize = 1 << 13;
/// How often it is looked whether there is trouble.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Payload a worker knows before the first round.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LocalTotals {
    /// Sum of the ranks of its pages at first, and of what goes over no link of them.
    pub(crate) ranks: f64,
    pub(crate) lost: f64,
    /// Does anything?
    pub(crate) loses: bool,
    /// Its links to pages of other workers, and the pages that these lead to.
    pub(crate) links: u64,
    pub(crate) votes: u64,
}

/// Payload came of a round.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) change: f64,
    pub(crate) sum: f64,
    /// It is time for a checkpoint.
    pub(crate) checkpoint: bool,
}

/// Payload a letter says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Payload {
    LocalTotals(LocalTotals),
    /// Pages of the receiver that pages of the sender link to.
    Targets(Vec<u32>),
    /// Payload these get in a round, in the order of that list.
    Votes(Vec<f64>),
    Outcome(Outcome),
    /// Ranks of the pages of the sender.
    Ranks(Vec<f64>),
    /// Bytes that were sent before the first round, and until the last.
    Bytes(u64, u64),
}

/// Something from one worker to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message {
    to: u32,
    pub(crate) from: u32,
    /// Its place among those of this step from this sender.
    number: u32,
    pub(crate) payload: Payload,
}

/// There is trouble: see the alarm.
#[derive(Debug)]
pub(crate) struct Aborted;

type Inbox = Rc<RefCell<Vec<(u64, Message)>>>;

/// Sends and receives the letters of a worker.
pub(crate) struct Exchange<'w> {
    worker: &'w mut Worker,
    input: Option<InputHandle<u64, CapacityContainerBuilder<Vec<Message>>>>,
    probe: ProbeHandle<u64>,
    inbox: Inbox,
    number: u32,
    abort: Arc<AbortSignal>,
}

impl<'w> Exchange<'w> {
    pub(crate) fn open(worker: &'w mut Worker, abort: &Arc<AbortSignal>) -> Exchange<'w> {
        let inbox = Inbox::default();
        let filled = Rc::clone(&inbox);
        let (input, probe) = worker.dataflow::<u64, _, _>(|scope| {
            let (input, messages) = scope.new_input::<Vec<Message>>();
            let pact = ExchangePact::new(|message: &Message| u64::from(message.to));
            let done = messages.unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(pact, "Exchange", |_, _| {
                move |input, _| {
                    input.for_each(|time, messages| {
                        filled.borrow_mut().extend(messages.drain(..).map(|message| (*time.time(), message)));
                    });
                }
            });
            (input, done.probe().0)
        });
        Exchange { worker, input: Some(input), probe, inbox, number: 0, abort: Arc::clone(abort) }
    }

    pub(crate) fn me(&self) -> usize {
        self.worker.index()
    }

    pub(crate) fn workers(&self) -> usize {
        self.worker.peers()
    }

    /// Sends a letter.
    pub(crate) fn send(&mut self, to: usize, payload: Payload) {
        let message = Message { to: to as u32, from: self.me() as u32, number: self.number, payload };
        self.number += 1;
        if let Some(input) = &mut self.input {
            input.send(message);
        }
    }

    /// Sends a letter to all, ourselves too.
    pub(crate) fn send_all(&mut self, payload: &Payload) {
        for to in 0..self.workers() {
            self.send(to, payload.clone());
        }
    }

    /// Sends a list in as many letters as it takes.
    pub(crate) fn send_list<T: Copy>(&mut self, to: usize, list: impl Iterator<Item = T>, payload: impl Fn(Vec<T>) -> Payload) {
        let mut list = list.peekable();
        while list.peek().is_some() {
            let some: Vec<T> = list.by_ref().take(MAX).collect();
            self.send(to, payload(some));
        }
    }

    /// Ends a step: waits for all letters of it, and gives those to us by sender, each sender's in the order in which they were sent.
    pub(crate) fn finish_step(&mut self) -> Result<Vec<Message>, Aborted> {
        let Some(input) = &mut self.input else { return Err(Aborted) };
        let step = *input.time();
        input.advance_to(step + 1);
        self.number = 0;
        while self.probe.less_than(&(step + 1)) {
            if self.abort.is_raised() {
                return Err(Aborted);
            }
            self.worker.step_or_park(Some(POLL_INTERVAL));
        }
        // Letters of the next step may be there already.
        let (now, later) = self.inbox.borrow_mut().drain(..).partition(|(time, _)| *time == step);
        *self.inbox.borrow_mut() = later;
        let mut messages: Vec<Message> = now.into_iter().map(|(_, message): (u64, Message)| message).collect();
        messages.sort_by_key(|message| (message.from, message.number));
        Ok(messages)
    }

    /// Ends in peace: waits until all others have.
    pub(crate) fn close(mut self) -> Result<(), Aborted> {
        self.input = None;
        while self.worker.has_dataflows() {
            if self.abort.is_raised() {
                return Err(Aborted);
            }
            self.worker.step_or_park(Some(POLL_INTERVAL));
        }
        Ok(())
    }
}

impl Drop for Exchange<'_> {
    fn drop(&mut self) {
        self.input = None;
        // Timely waits for dataflows that are not done, and this one may never be.
        for dataflow in self.worker.installed_dataflows() {
            self.worker.drop_dataflow(dataflow);
        }
    }
}
