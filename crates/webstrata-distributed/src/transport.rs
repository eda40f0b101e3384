//! A connection as timely sees it: one that never breaks.
//!
//! Timely's threads panic if a connection ends before its last message, or if they cannot write. Here, data that cannot be sent is
//! dropped, and if a connection ends, the last message that timely waits for is synthesised: its threads end normally, and the workers
//! stop through the abort signal. Only complete messages for this process are passed on.

use super::abort::Failure;
use super::connection::Connection;
use super::frame::{self, Kind};
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use timely::communication::allocator::zero_copy::stream::Stream;

/// Size of a message header: channel, source, first target, end of targets, length, number; big-endian.
const HEAD: usize = 48;
/// Largest message in bytes, far above what the exchange sends.
const MAX: u64 = 1 << 28;
/// Limit of the number of channels; ours has a few.
const CHANNELS: u64 = 64;
/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Data received and not yet passed on.
#[derive(Debug)]
struct Incoming {
    from: Receiver<Vec<u8>>,
    /// Received bytes.
    pending: VecDeque<u8>,
    /// How many of them form complete messages.
    complete_bytes: usize,
    /// Whether the last message was among them.
    ended: bool,
}

/// One end of a connection.
#[derive(Clone, Debug)]
pub(crate) struct Transport {
    connection: Arc<Connection>,
    me: usize,
    incoming: Arc<Mutex<Incoming>>,
}

impl Transport {
    pub(crate) fn new(connection: &Arc<Connection>, me: usize) -> Option<Transport> {
        let incoming = Incoming { from: connection.data()?, pending: VecDeque::new(), complete_bytes: 0, ended: false };
        Some(Transport { connection: Arc::clone(connection), me, incoming: Arc::new(Mutex::new(incoming)) })
    }
}

/// The length of the message at an offset including its header, if that is complete; none for an invalid message.
fn message(pending: &VecDeque<u8>, from: usize, source: usize, me: usize) -> Option<Option<usize>> {
    if pending.len() < from + HEAD {
        return Some(None);
    }
    let field = |at: usize| (0..8).fold(0u64, |sum, byte| sum << 8 | u64::from(pending[from + at * 8 + byte]));
    let [channel, sender, first, end, length] = [0, 1, 2, 3, 4].map(field);
    let last = length == 0;
    let one = first == me as u64 && end.checked_sub(1) == Some(first);
    let ours = one && sender == source as u64 && channel < CHANNELS && length <= MAX;
    (last || ours).then(|| Some(HEAD + length as usize))
}

impl Incoming {
    /// Finds complete messages. False if there is an invalid one.
    fn find_complete(&mut self, source: usize, me: usize) -> bool {
        while !self.ended {
            match message(&self.pending, self.complete_bytes, source, me) {
                None => return false,
                Some(Some(length)) if self.pending.len() - self.complete_bytes >= length => {
                    self.complete_bytes += length;
                    self.ended = length == HEAD;
                }
                Some(_) => return true,
            }
        }
        true
    }

    /// Synthesises the last message.
    fn end(&mut self) {
        self.pending.truncate(self.complete_bytes);
        if !self.ended {
            self.pending.extend([0; HEAD]);
            self.complete_bytes += HEAD;
            self.ended = true;
        }
    }
}

impl Read for Transport {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut incoming = self.incoming.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if incoming.complete_bytes > 0 {
                let length = buffer.len().min(incoming.complete_bytes);
                let (front, back) = incoming.pending.as_slices();
                let in_front = length.min(front.len());
                buffer[..in_front].copy_from_slice(&front[..in_front]);
                buffer[in_front..length].copy_from_slice(&back[..length - in_front]);
                incoming.pending.drain(..length);
                incoming.complete_bytes -= length;
                return Ok(length);
            }
            if incoming.ended {
                return Ok(0);
            }
            match incoming.from.recv_timeout(POLL_INTERVAL) {
                Ok(bytes) => {
                    incoming.pending.extend(bytes);
                    if !incoming.find_complete(self.connection.process, self.me) {
                        let reason = "it sends messages that are not for this process".to_owned();
                        self.connection.mark_lost(Failure::Lost { process: self.connection.process, reason });
                        incoming.end();
                    }
                }
                Err(RecvTimeoutError::Timeout) if !self.connection.abort().is_raised() => {}
                Err(_) => incoming.end(),
            }
        }
    }
}

impl Write for Transport {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let bytes = bytes.get(..frame::MAX).unwrap_or(bytes);
        self.connection.send(Kind::Data, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Stream for Transport {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(self.clone())
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        self.connection.send(Kind::End, &[]);
        Ok(())
    }
}
