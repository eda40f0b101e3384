//! Messages between workers, by a timely dataflow: everything sent in a step arrives before the next step begins.
//!
//! The dataflow is one exchange followed by a probe. Messages are timestamped with the number of their step; the step is over when
//! timely knows that no worker of any process can send more messages with that timestamp.

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

/// Maximum number of values per message; longer lists are split.
pub(crate) const MAX: usize = 1 << 13;
/// Polling interval of the abort signal.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Totals of a worker before the first iteration.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct LocalTotals {
    /// Sum of the starting ranks, and of the share that follows no link.
    pub(crate) ranks: f64,
    pub(crate) lost: f64,
    /// Whether any share follows no link.
    pub(crate) loses: bool,
    /// Number of links to pages of other workers, and of these pages.
    pub(crate) links: u64,
    pub(crate) votes: u64,
}

/// Sums of an iteration.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) change: f64,
    pub(crate) sum: f64,
    /// Whether it is time for a checkpoint.
    pub(crate) checkpoint: bool,
}

/// Contents of a message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Payload {
    LocalTotals(LocalTotals),
    /// Pages of the receiver that the sender links to.
    Targets(Vec<u32>),
    /// Votes for these pages, in the same order.
    Votes(Vec<f64>),
    Outcome(Outcome),
    /// Ranks of the pages of the sender.
    Ranks(Vec<f64>),
    /// Bytes sent before the first iteration, and in total.
    Bytes(u64, u64),
}

/// A message from one worker to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Message {
    to: u32,
    pub(crate) from: u32,
    /// Sequence number within the step and sender.
    number: u32,
    pub(crate) payload: Payload,
}

/// The computation was aborted; the abort signal knows why.
#[derive(Debug)]
pub(crate) struct Aborted;

type Inbox = Rc<RefCell<Vec<(u64, Message)>>>;

/// Sends and receives the messages of a worker.
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

    /// Sends a message.
    pub(crate) fn send(&mut self, to: usize, payload: Payload) {
        let message = Message { to: to as u32, from: self.me() as u32, number: self.number, payload };
        self.number += 1;
        if let Some(input) = &mut self.input {
            input.send(message);
        }
    }

    /// Sends a message to all workers, including this one.
    pub(crate) fn send_all(&mut self, payload: &Payload) {
        for to in 0..self.workers() {
            self.send(to, payload.clone());
        }
    }

    /// Sends a list, split into messages.
    pub(crate) fn send_list<T: Copy>(&mut self, to: usize, list: impl Iterator<Item = T>, payload: impl Fn(Vec<T>) -> Payload) {
        let mut list = list.peekable();
        while list.peek().is_some() {
            let some: Vec<T> = list.by_ref().take(MAX).collect();
            self.send(to, payload(some));
        }
    }

    /// Ends a step: waits for all its messages, and returns those for this worker, sorted by sender and in the order of sending.
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
        // Messages of the next step may have arrived already.
        let (now, later) = self.inbox.borrow_mut().drain(..).partition(|(time, _)| *time == step);
        *self.inbox.borrow_mut() = later;
        let mut messages: Vec<Message> = now.into_iter().map(|(_, message): (u64, Message)| message).collect();
        messages.sort_by_key(|message| (message.from, message.number));
        Ok(messages)
    }

    /// Closes the dataflow once all workers are done.
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
        // Timely waits for unfinished dataflows, and after an abort this one never finishes.
        for dataflow in self.worker.installed_dataflows() {
            self.worker.drop_dataflow(dataflow);
        }
    }
}
