//! The connection to a browser: messages of its DevTools protocol in JSON over two pipes, each ended by a zero byte.
//!
//! Pipes need no port, so nobody else on the machine can talk to the browser. Two threads do the reading and writing, because a
//! browser that hangs may stop both; every wait for a response has a timeout. Generated clients for the protocol (`chromiumoxide`,
//! `headless_chrome`) cover all of its 600 commands and need an asynchronous runtime or a WebSocket over a port; we use a dozen
//! commands.

use super::process::Process;
use crate::LayoutError;
use serde::Deserialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// Maximum size of a message from the browser in bytes. The largest are snapshots and screenshots.
const MAX_MESSAGE: usize = 256 << 20;

/// Maximum number of queued messages.
const QUEUE: usize = 64;

/// A deadline.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline {
    pub(crate) at: Instant,
    /// The total time allowed.
    pub(crate) limit: Duration,
}

impl Deadline {
    pub(crate) fn after(limit: Duration) -> Self {
        let now = Instant::now();
        // A limit that the clock cannot represent is no limit; a century will do.
        Deadline { at: now.checked_add(limit).unwrap_or(now + Duration::from_secs(3_000_000_000)), limit }
    }

    pub(crate) fn left(self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }
}

/// An event of the browser.
#[derive(Debug)]
pub(crate) struct Event {
    pub(crate) method: String,
    /// The session it belongs to; `None` for the browser as a whole.
    pub(crate) session: Option<String>,
    message: Vec<u8>,
}

impl Event {
    /// Its parameters.
    pub(crate) fn parameters<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice::<WithParameters<T>>(&self.message).map(|message| message.params)
    }
}

/// A response to one of our commands.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) id: u64,
    /// Why the command was refused, if it was.
    pub(crate) refusal: Option<String>,
    message: Vec<u8>,
}

impl Answer {
    /// Its result.
    pub(crate) fn result<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_slice::<WithResult<T>>(&self.message).map(|message| message.result)
    }
}

#[derive(Deserialize)]
struct WithParameters<T> {
    params: T,
}

#[derive(Deserialize)]
struct WithResult<T> {
    result: T,
}

/// A message as the browser sends it. Its content is parsed later, once its type is known.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Message {
    id: Option<u64>,
    method: Option<String>,
    session_id: Option<String>,
    result: Option<IgnoredAny>,
    error: Option<Refusal>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    #[serde(default)]
    message: String,
}

/// A received message: a response to one of our commands, or an event.
#[derive(Debug)]
pub(crate) enum Received {
    Answer(Answer),
    Event(Event),
}

/// The reason why reading stopped.
enum Stopped {
    Closed,
    TooLong,
}

/// A running browser and the connection to it. The browser is terminated when this is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    process: Process,
    outgoing: Sender<Vec<u8>>,
    incoming: Receiver<Result<Vec<u8>, Stopped>>,
    last: u64,
}

impl std::fmt::Debug for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Stopped::Closed => "closed",
            Stopped::TooLong => "too long",
        })
    }
}

impl Connection {
    /// Creates a connection over the pipes of a browser.
    pub(crate) fn new(process: Process, from: impl Read + Send + 'static, to: impl Write + Send + 'static) -> Self {
        let (outgoing, messages) = channel();
        std::thread::spawn(move || write_all(to, &messages));
        let (received, incoming) = sync_channel(QUEUE);
        std::thread::spawn(move || read_all(from, &received));
        Connection { process, outgoing, incoming, last: 0 }
    }

    /// Sends a command and returns its number.
    pub(crate) fn send(&mut self, session: Option<&str>, method: &str, parameters: Value) -> u64 {
        self.last += 1;
        let mut message = serde_json::json!({"id": self.last, "method": method, "params": parameters});
        if let (Some(session), Some(fields)) = (session, message.as_object_mut()) {
            fields.insert("sessionId".to_owned(), session.into());
        }
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        // If the writer has ended, so has the browser, and the next read reports it.
        let _ = self.outgoing.send(bytes);
        self.last
    }

    /// The next message.
    pub(crate) fn receive(&mut self, step: &'static str, deadline: Deadline) -> Result<Received, LayoutError> {
        let left = deadline.left();
        if left.is_zero() {
            return Err(LayoutError::Timeout { step, limit: deadline.limit });
        }
        let bytes = match self.incoming.recv_timeout(left) {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(Stopped::TooLong)) => {
                return Err(LayoutError::TooLarge {
                    what: "a message from the browser",
                    limit: format!("{} MB", MAX_MESSAGE >> 20),
                });
            }
            Ok(Err(Stopped::Closed)) | Err(RecvTimeoutError::Disconnected) => return Err(self.process.ended(step)),
            Err(RecvTimeoutError::Timeout) => return Err(LayoutError::Timeout { step, limit: deadline.limit }),
        };
        let nonsense = |reason: String| LayoutError::Nonsense { step, reason };
        let message: Message = serde_json::from_slice(&bytes).map_err(|error| nonsense(error.to_string()))?;
        match message {
            Message { id: Some(_), result: None, error: None, .. } => {
                Err(nonsense("it has neither a result nor an error".to_owned()))
            }
            Message { id: Some(id), error, .. } => {
                let refusal = error.map(|refusal| refusal.message.chars().take(300).collect());
                Ok(Received::Answer(Answer { id, refusal, message: bytes }))
            }
            Message { method: Some(method), session_id, .. } => {
                Ok(Received::Event(Event { method, session: session_id, message: bytes }))
            }
            _ => Err(nonsense("it is neither an answer nor an event".to_owned())),
        }
    }
}

fn write_all(mut to: impl Write, messages: &Receiver<Vec<u8>>) {
    for message in messages {
        if to.write_all(&message).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn read_all(from: impl Read, received: &SyncSender<Result<Vec<u8>, Stopped>>) {
    let mut from = BufReader::with_capacity(1 << 16, from);
    loop {
        let mut message = Vec::new();
        let read = (&mut from).take(MAX_MESSAGE as u64).read_until(0, &mut message);
        let complete = message.pop_if(|last| *last == 0).is_some();
        let result = match read {
            Ok(_) if complete => Ok(message),
            Ok(bytes) if bytes == MAX_MESSAGE => Err(Stopped::TooLong),
            // Bytes after the last complete message are ignored.
            _ => Err(Stopped::Closed),
        };
        let is_last = result.is_err();
        if received.send(result).is_err() || is_last {
            return;
        }
    }
}
