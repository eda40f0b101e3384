//! Connections to the other processes: data for timely, heartbeats, and failures.
//!
//! One thread per connection reads frames; one thread sends heartbeats to all. A process is lost if its connection ends before it said
//! goodbye, or if nothing arrives from it for [`PEER_TIMEOUT`]. Timely itself would panic then; here it never sees a broken connection
//! (`transport.rs`), and the workers stop through the [`AbortSignal`].

use super::abort::{AbortSignal, Failure};
use super::frame::{self, Kind};
use std::io::{self, BufReader, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval between heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// Time without data after which a process counts as lost.
pub(crate) const PEER_TIMEOUT: Duration = Duration::from_secs(6);
/// How long to wait for the others to close, so that our last frames reach them.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A connection to another process.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The other process.
    pub(crate) process: usize,
    writer: Mutex<TcpStream>,
    sent: AtomicU64,
    /// Whether nothing more can be sent.
    closed: AtomicBool,
    /// Whether it said goodbye.
    goodbye: AtomicBool,
    /// Why it was lost, if it was.
    loss: Mutex<Option<Failure>>,
    abort: Arc<AbortSignal>,
    /// Data for timely.
    data: Mutex<Option<Receiver<Vec<u8>>>>,
}

impl Connection {
    /// Sends a frame. If that fails, the connection is lost.
    pub(crate) fn send(&self, kind: Kind, bytes: &[u8]) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if self.closed.load(Ordering::Acquire) {
            return;
        }
        match frame::write(&mut *writer, kind, bytes) {
            Ok(length) => {
                self.sent.fetch_add(length, Ordering::Relaxed);
            }
            Err(error) => {
                self.closed.store(true, Ordering::Release);
                // The reader usually knows more: let it report first.
                thread::sleep(POLL_INTERVAL);
                self.mark_lost(Failure::Lost { process: self.process, reason: describe(&error) });
            }
        }
    }

    /// Sends a heartbeat, unless another frame is being sent.
    fn heartbeat(&self) {
        if let Ok(mut writer) = self.writer.try_lock()
            && !self.closed.load(Ordering::Acquire)
            && let Ok(length) = frame::write(&mut *writer, Kind::Heartbeat, &[])
        {
            self.sent.fetch_add(length, Ordering::Relaxed);
        }
    }

    /// Number of bytes sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The data for timely; available once.
    pub(crate) fn data(&self) -> Option<Receiver<Vec<u8>>> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn abort(&self) -> &AbortSignal {
        &self.abort
    }

    pub(crate) fn mark_lost(&self, failure: Failure) {
        if !self.goodbye.load(Ordering::Acquire) {
            self.loss.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure.clone());
            self.abort.raise(failure);
        }
    }

    fn loss(&self) -> Option<Failure> {
        self.loss.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads frames until the connection ends.
    fn read(&self, socket: TcpStream, data: Sender<Vec<u8>>) {
        let mut data = Some(data);
        let mut input = BufReader::with_capacity(1 << 16, socket);
        loop {
            match frame::read(&mut input) {
                Ok((Kind::Heartbeat, _)) => {}
                Ok((Kind::Data, bytes)) => {
                    if let Some(data) = &data {
                        // Nobody listens once the computation has ended.
                        let _ = data.send(bytes);
                    }
                }
                Ok((Kind::End, _)) => data = None,
                Ok((Kind::Goodbye, _)) => self.goodbye.store(true, Ordering::Release),
                Ok((Kind::Lost, bytes)) => {
                    let (process, reason) = frame::parse_reason(&bytes);
                    self.mark_lost(Failure::Lost { process, reason: format!("reported by process {}: {reason}", self.process) });
                }
                Ok((Kind::Fail, bytes)) => {
                    let (_, reason) = frame::parse_reason(&bytes);
                    self.mark_lost(Failure::Failed { process: self.process, reason });
                }
                Err(error) => {
                    self.closed.store(true, Ordering::Release);
                    if data.is_some() {
                        // A goodbye before the end of the data does not count: the others still wait for it.
                        self.goodbye.store(false, Ordering::Release);
                    }
                    self.mark_lost(Failure::Lost { process: self.process, reason: describe(&error) });
                    return;
                }
            }
        }
    }
}

/// The description of a connection error.
fn describe(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "its connection was closed".to_owned()
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => format!("no data for {} s", PEER_TIMEOUT.as_secs()),
        _ => error.to_string(),
    }
}

/// Connections to all other processes.
#[derive(Debug)]
pub(crate) struct Mesh {
    /// By process; none for this one.
    pub(crate) connections: Vec<Option<Arc<Connection>>>,
    readers: Vec<JoinHandle<()>>,
    over: Arc<AtomicBool>,
    heartbeat: Option<JoinHandle<()>>,
}

impl Mesh {
    /// Takes over sockets, in the order of processes, with none for this one.
    pub(crate) fn new(sockets: Vec<Option<TcpStream>>, abort: &Arc<AbortSignal>) -> io::Result<Mesh> {
        let (mut connections, mut readers) = (Vec::new(), Vec::new());
        for (process, socket) in sockets.into_iter().enumerate() {
            let Some(socket) = socket else {
                connections.push(None);
                continue;
            };
            socket.set_nonblocking(false)?;
            socket.set_nodelay(true)?;
            socket.set_read_timeout(Some(PEER_TIMEOUT))?;
            socket.set_write_timeout(Some(PEER_TIMEOUT))?;
            let (sender, receiver) = channel();
            let connection = Arc::new(Connection {
                process,
                writer: Mutex::new(socket.try_clone()?),
                sent: AtomicU64::new(0),
                closed: AtomicBool::new(false),
                goodbye: AtomicBool::new(false),
                loss: Mutex::new(None),
                abort: Arc::clone(abort),
                data: Mutex::new(Some(receiver)),
            });
            let reading = Arc::clone(&connection);
            readers.push(thread::Builder::new().name(format!("read-{process}")).spawn(move || reading.read(socket, sender))?);
            connections.push(Some(connection));
        }
        let over = Arc::new(AtomicBool::new(false));
        let (ended, all): (_, Vec<Arc<Connection>>) = (Arc::clone(&over), connections.iter().flatten().cloned().collect());
        let heartbeat = thread::Builder::new().name("heartbeat".into()).spawn(move || {
            while !ended.load(Ordering::Acquire) {
                all.iter().for_each(|connection| connection.heartbeat());
                thread::park_timeout(HEARTBEAT_INTERVAL);
            }
        })?;
        Ok(Mesh { connections, readers, over, heartbeat: Some(heartbeat) })
    }

    fn to_all(&self, kind: Kind, bytes: &[u8]) {
        self.connections.iter().flatten().for_each(|connection| connection.send(kind, bytes));
    }

    /// Waits for a process to say goodbye.
    pub(crate) fn wait_for(&self, process: usize) -> Result<(), Failure> {
        let Some(connection) = self.connections.get(process).and_then(Option::as_ref) else { return Ok(()) };
        loop {
            if connection.goodbye.load(Ordering::Acquire) {
                return Ok(());
            }
            if let Some(failure) = connection.loss() {
                return Err(failure);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Says goodbye to all.
    pub(crate) fn say_goodbye(self) {
        self.to_all(Kind::Goodbye, &[]);
    }

    /// Reports why this process stops. For a lost process all learn which it is, so that all name the same one.
    pub(crate) fn report_failure(self, failure: &Failure, me: usize, reason: &str) {
        match failure {
            Failure::Lost { process, reason } => self.to_all(Kind::Lost, &frame::reason(*process, reason)),
            Failure::Failed { .. } | Failure::Own => self.to_all(Kind::Fail, &frame::reason(me, reason)),
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(heartbeat) = self.heartbeat.take() {
            heartbeat.thread().unpark();
            let _ = heartbeat.join();
        }
        let shut = |how: Shutdown| {
            for connection in self.connections.iter().flatten() {
                connection.closed.store(true, Ordering::Release);
                let _ = connection.writer.lock().unwrap_or_else(PoisonError::into_inner).shutdown(how);
            }
        };
        // Closing a connection with unread data discards what was sent last, so read to the end first.
        shut(Shutdown::Write);
        let begun = Instant::now();
        while begun.elapsed() < SHUTDOWN_GRACE && !self.readers.iter().all(JoinHandle::is_finished) {
            thread::sleep(POLL_INTERVAL);
        }
        shut(Shutdown::Both);
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}
