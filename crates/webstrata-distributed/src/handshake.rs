//! How processes connect: each listens at its address and calls those with lower numbers.
//!
//! On each connection both sides immediately send a greeting of fixed length that says who they are and what they compute.
//! Connections that send anything else are closed and ignored; processes that compute something else are reported.

use super::error::DistributedError;
use super::fingerprint::Fingerprint;
use super::frame::{self, Kind};
use super::hosts::Hosts;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use webstrata_corpus::graph::GraphError;
use xxhash_rust::xxh3::xxh3_64;

/// First bytes of a greeting.
const MAGIC: &[u8; 8] = b"wsdistrb";
/// Version of the protocol; every change gets a new number.
const VERSION: u32 = 1;
/// Maximum number of checkpoints in a greeting.
pub(crate) const MAX_ITERATIONS: usize = 8;
/// Size of a greeting in bytes.
const LENGTH: usize = 8 + 4 * 4 + 8 * (3 + MAX_ITERATIONS) + 8;
/// Time limit of a handshake.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(3);
/// Retry delay.
const RETRY_DELAY: Duration = Duration::from_millis(100);
/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Limit of concurrent handshakes.
const MAX_CONCURRENT_HANDSHAKES: usize = 64;

/// A greeting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) process: usize,
    pub(crate) processes: usize,
    pub(crate) fingerprint: Fingerprint,
    /// Iterations for which it has checkpoints.
    pub(crate) iterations: Vec<u64>,
}

impl Hello {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let count = self.iterations.len().min(MAX_ITERATIONS);
        for number in [VERSION, self.process as u32, self.processes as u32, count as u32] {
            bytes.extend(number.to_le_bytes());
        }
        let Fingerprint { graph, task, end } = self.fingerprint;
        let iterations = self.iterations.iter().copied().chain(std::iter::repeat(0)).take(MAX_ITERATIONS);
        for number in [graph, task, end].into_iter().chain(iterations) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    /// Parses a greeting. The version is checked first, as everything else may change with it.
    fn parse(bytes: &[u8; LENGTH]) -> Result<Hello, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("is not webstrata")?;
        let short =
            |at: usize| rest.get(at * 4..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let long =
            |at: usize| rest.get(16 + at * 8..).and_then(|rest| rest.first_chunk()).map_or(0, |bytes| u64::from_le_bytes(*bytes));
        if short(0) != VERSION {
            return Err("is a different version of webstrata");
        }
        if xxh3_64(&bytes[..LENGTH - 8]) != long(3 + MAX_ITERATIONS) {
            return Err("sends a damaged greeting");
        }
        let count = (short(3) as usize).min(MAX_ITERATIONS);
        Ok(Hello {
            process: short(1) as usize,
            processes: short(2) as usize,
            fingerprint: Fingerprint { graph: long(0), task: long(1), end: long(2) },
            iterations: (0..count).map(|at| long(3 + at)).collect(),
        })
    }

    /// What another process computes differently, if anything.
    fn difference(&self, other: &Hello) -> Option<String> {
        let (mine, its) = (self.fingerprint, other.fingerprint);
        if other.processes != self.processes {
            return Some(format!("has a host file of {} processes, this one of {}", other.processes, self.processes));
        }
        if its.graph != mine.graph {
            return Some("has a different graph".to_owned());
        }
        if its.task != mine.task {
            return Some(
                "ranks with different options (damping, solver, partitions, preference, start, link weights or self-links)"
                    .to_owned(),
            );
        }
        (its.end != mine.end).then(|| "stops at a different tolerance or iteration limit".to_owned())
    }
}

/// Result of a call.
enum Call {
    /// A matching process.
    Met(TcpStream, Hello),
    /// A process that computes something else.
    Differs(usize, String),
    /// A failed attempt, with the error.
    Failed(usize, String),
}

/// Exchanges greetings on a connection.
fn handshake(stream: &mut TcpStream, mine: &Hello) -> io::Result<Result<Hello, &'static str>> {
    stream.set_nonblocking(false)?;
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(HANDSHAKE_TIMEOUT))?;
    stream.set_write_timeout(Some(HANDSHAKE_TIMEOUT))?;
    stream.write_all(&mine.bytes())?;
    let mut bytes = [0; LENGTH];
    stream.read_exact(&mut bytes)?;
    Ok(Hello::parse(&bytes))
}

/// Answers a call. Unknown callers are ignored.
fn answer(mut stream: TcpStream, mine: &Hello) -> Option<Call> {
    let other = handshake(&mut stream, mine).ok()?.ok()?;
    if other.process <= mine.process || (other.process >= mine.processes && other.processes == mine.processes) {
        return None;
    }
    Some(match mine.difference(&other) {
        Some(difference) => Call::Differs(other.process, difference),
        None => Call::Met(stream, other),
    })
}

/// Calls a process once.
fn call(process: usize, address: &str, mine: &Hello) -> Call {
    let failed = |error: io::Error| Call::Failed(process, error.to_string());
    let resolved = match address.to_socket_addrs() {
        Ok(resolved) => resolved,
        Err(error) => return failed(error),
    };
    let mut last = io::Error::new(ErrorKind::NotFound, "the name has no address");
    for address in resolved {
        match TcpStream::connect_timeout(&address, HANDSHAKE_TIMEOUT) {
            Ok(mut stream) => {
                return match handshake(&mut stream, mine) {
                    Err(error) => Call::Failed(process, format!("something listens there but does not answer: {error}")),
                    Ok(Err(difference)) => Call::Differs(process, difference.to_owned()),
                    Ok(Ok(other)) if other.process != process => {
                        Call::Differs(process, format!("says that it is process {}", other.process))
                    }
                    Ok(Ok(other)) => match mine.difference(&other) {
                        Some(difference) => Call::Differs(process, difference),
                        None => Call::Met(stream, other),
                    },
                };
            }
            Err(error) => last = error,
        }
    }
    failed(last)
}

/// Calls a process until it answers.
fn keep_calling(process: usize, address: String, mine: Arc<Hello>, over: Arc<AtomicBool>, calls: Sender<Call>) {
    while !over.load(Ordering::Acquire) {
        let call = call(process, &address, &mine);
        let failed = matches!(call, Call::Failed(..));
        if calls.send(call).is_err() || !failed {
            return;
        }
        thread::sleep(RETRY_DELAY);
    }
}

/// Connects to all other processes. Returns connections and greetings by process, with none for this one. `progress` receives the
/// first missing process, and stops the waiting by returning false.
pub(crate) fn connect_all(
    hosts: &Hosts,
    mine: &Hello,
    timeout: Duration,
    progress: &mut dyn FnMut(usize) -> bool,
) -> Result<Vec<Option<(TcpStream, Hello)>>, DistributedError> {
    let over = Arc::new(AtomicBool::new(false));
    let mut met: Vec<Option<(TcpStream, Hello)>> = (0..hosts.len()).map(|_| None).collect();
    let result = gather(hosts, mine, timeout, progress, &over, &mut met);
    over.store(true, Ordering::Release);
    if let Err(error) = result {
        // The processes that are there need not wait for this one.
        for (stream, _) in met.iter_mut().flatten() {
            let _ = frame::write(stream, Kind::Fail, &frame::reason(mine.process, &error.to_string()));
        }
        return Err(error);
    }
    Ok(met)
}

fn gather(
    hosts: &Hosts,
    mine: &Hello,
    timeout: Duration,
    progress: &mut dyn FnMut(usize) -> bool,
    over: &Arc<AtomicBool>,
    met: &mut [Option<(TcpStream, Hello)>],
) -> Result<(), DistributedError> {
    let me = mine.process;
    let text = |process: usize| (hosts.address(process).to_owned(), hosts.place(process));
    let cannot_listen = |error: io::Error| {
        let (address, place) = text(me);
        DistributedError::Listen { process: me, address, place, reason: error.to_string() }
    };
    let listener = TcpListener::bind(hosts.address(me)).map_err(cannot_listen)?;
    listener.set_nonblocking(true).map_err(cannot_listen)?;
    let begun = Instant::now();
    let (sender, calls) = channel();
    let shared = Arc::new(mine.clone());
    let threads = |error: io::Error| DistributedError::Worker(format!("cannot start a thread: {error}"));
    for process in 0..me {
        let (address, mine, over, sender) =
            (hosts.address(process).to_owned(), Arc::clone(&shared), Arc::clone(over), sender.clone());
        let calling = move || keep_calling(process, address, mine, over, sender);
        thread::Builder::new().name(format!("call-{process}")).spawn(calling).map_err(threads)?;
    }
    let answering = Arc::new(AtomicUsize::new(0));
    let mut seen: Vec<String> = vec!["it has not connected".to_owned(); hosts.len()];
    loop {
        while answering.load(Ordering::Acquire) < MAX_CONCURRENT_HANDSHAKES
            && let Ok((stream, _)) = listener.accept()
        {
            answering.fetch_add(1, Ordering::AcqRel);
            let (mine, sender, done) = (Arc::clone(&shared), sender.clone(), Arc::clone(&answering));
            let answering = move || {
                if let Some(call) = answer(stream, &mine) {
                    let _ = sender.send(call);
                }
                done.fetch_sub(1, Ordering::AcqRel);
            };
            thread::Builder::new().name("answer".into()).spawn(answering).map_err(threads)?;
        }
        match calls.recv_timeout(POLL_INTERVAL) {
            // A process that calls again has dropped its first call.
            Ok(Call::Met(stream, other)) => {
                let process = other.process;
                if let Some(place) = met.get_mut(process) {
                    *place = Some((stream, other));
                }
            }
            Ok(Call::Differs(process, difference)) => {
                let (address, place) = text(process);
                return Err(DistributedError::Differs { process, address, place, difference });
            }
            Ok(Call::Failed(process, reason)) => seen[process] = reason,
            Err(_) => {}
        }
        let Some(missing) = (0..hosts.len()).find(|&process| process != me && met[process].is_none()) else { return Ok(()) };
        if begun.elapsed() >= timeout {
            let (address, place) = text(missing);
            let (seconds, reason) = (timeout.as_secs(), std::mem::take(&mut seen[missing]));
            return Err(DistributedError::Absent { process: missing, address, place, seconds, reason });
        }
        if !progress(missing) {
            return Err(GraphError::Stopped.into());
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    fn hello(process: usize, iterations: Vec<u64>) -> Hello {
        Hello { process, processes: 3, fingerprint: Fingerprint { graph: 1, task: 2, end: 3 }, iterations }
    }

    /// Performs a valid handshake.
    pub(crate) fn say_hello(stream: &mut TcpStream, process: usize, processes: usize, fingerprint: Fingerprint) {
        handshake(stream, &Hello { process, processes, fingerprint, iterations: vec![] }).unwrap().unwrap();
    }

    proptest! {
        #[test]
        fn greetings_are_parsed_or_refused(process in 0..3usize, iterations in prop::collection::vec(any::<u64>(), 0..8), at in 0..LENGTH) {
            let hello = hello(process, iterations);
            let mut bytes: [u8; LENGTH] = hello.bytes().try_into().unwrap();
            prop_assert_eq!(Hello::parse(&bytes).unwrap(), hello);
            bytes[at] ^= 1;
            prop_assert!(Hello::parse(&bytes).is_err());
        }
    }

    #[test]
    fn differences_are_reported() {
        let mine = hello(0, vec![]);
        let with = |change: &dyn Fn(&mut Hello)| {
            let mut other = hello(1, vec![7]);
            change(&mut other);
            mine.difference(&other)
        };
        assert_eq!(with(&|_| ()), None);
        assert!(with(&|other| other.processes = 4).unwrap().contains("4 processes"));
        assert!(with(&|other| other.fingerprint.graph = 9).unwrap().contains("different graph"));
        assert!(with(&|other| other.fingerprint.task = 9).unwrap().contains("options"));
        assert!(with(&|other| other.fingerprint.end = 9).unwrap().contains("tolerance"));
    }
}
