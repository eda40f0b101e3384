//! Connections to the other processes, and what is seen on them: bytes for timely, signs of life, and ends.
//!
//! A thread for each reads frames; one for all sends a sign of life every second. A process is lost when its connection ends before it
//! has said good-bye, or when nothing was heard of it for [`PEER_TIMEOUT`]. Timely itself ends a process with a panic
//! then; here it never sees a broken connection (`pipe.rs`), and the workers end as the [`AbortSignal`] says.

use super::abort::{AbortSignal, Failure};
use super::frame::{self, Kind};
use std::io::{self, BufReader, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a process says that it is alive.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How long nothing may be heard of one.
pub(crate) const PEER_TIMEOUT: Duration = Duration::from_secs(6);
/// How long the end of the others is waited for, so that our last words reach them.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);
/// How often it is looked whether something has ended.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// A connection to another process.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The other process.
    pub(crate) process: usize,
    writer: Mutex<TcpStream>,
    sent: AtomicU64,
    /// Nothing more can be sent.
    closed: AtomicBool,
    /// It has said good-bye.
    goodbye: AtomicBool,
    /// Payload became of it, if not that.
    gone: Mutex<Option<Failure>>,
    abort: Arc<AbortSignal>,
    /// Bytes for timely.
    data: Mutex<Option<Receiver<Vec<u8>>>>,
}

impl Connection {
    /// Sends a frame. A line that cannot send is lost, and says so by the alarm.
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
                // The reader has mostly seen more: let it speak first.
                thread::sleep(POLL_INTERVAL);
                self.lose(Failure::Lost { process: self.process, reason: described(&error) });
            }
        }
    }

    /// Says that we are alive, unless something is being sent, which says so, too.
    fn heartbeat(&self) {
        if let Ok(mut writer) = self.writer.try_lock()
            && !self.closed.load(Ordering::Acquire)
            && let Ok(length) = frame::write(&mut *writer, Kind::Heartbeat, &[])
        {
            self.sent.fetch_add(length, Ordering::Relaxed);
        }
    }

    /// Bytes that were sent.
    pub(crate) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The bytes that come for timely; once.
    pub(crate) fn data(&self) -> Option<Receiver<Vec<u8>>> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn abort(&self) -> &AbortSignal {
        &self.abort
    }

    pub(crate) fn lose(&self, failure: Failure) {
        if !self.goodbye.load(Ordering::Acquire) {
            self.gone.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(failure.clone());
            self.abort.raise(failure);
        }
    }

    fn gone(&self) -> Option<Failure> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads frames until there are no more.
    fn read(&self, socket: TcpStream, data: Sender<Vec<u8>>) {
        let mut data = Some(data);
        let mut input = BufReader::with_capacity(1 << 16, socket);
        loop {
            match frame::read(&mut input) {
                Ok((Kind::Heartbeat, _)) => {}
                Ok((Kind::Data, bytes)) => {
                    if let Some(data) = &data {
                        // Nobody listens once the work has ended.
                        let _ = data.send(bytes);
                    }
                }
                Ok((Kind::End, _)) => data = None,
                Ok((Kind::Goodbye, _)) => self.goodbye.store(true, Ordering::Release),
                Ok((Kind::Lost, bytes)) => {
                    let (process, reason) = frame::parse_reason(&bytes);
                    self.lose(Failure::Lost { process, reason: format!("as process {} says: {reason}", self.process) });
                }
                Ok((Kind::Fail, bytes)) => {
                    let (_, reason) = frame::parse_reason(&bytes);
                    self.lose(Failure::Failed { process: self.process, reason });
                }
                Err(error) => {
                    self.closed.store(true, Ordering::Release);
                    self.lose(Failure::Lost { process: self.process, reason: described(&error) });
                    return;
                }
            }
        }
    }
}

/// Payload is said of a connection that failed.
fn described(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "its connection has ended".to_owned()
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => format!("nothing was heard of it for {} s", PEER_TIMEOUT.as_secs()),
        _ => error.to_string(),
    }
}

/// Connections to all others.
#[derive(Debug)]
pub(crate) struct Mesh {
    /// By process; none to ourselves.
    pub(crate) connections: Vec<Option<Arc<Connection>>>,
    readers: Vec<JoinHandle<()>>,
    over: Arc<AtomicBool>,
    heartbeat: Option<JoinHandle<()>>,
}

impl Mesh {
    /// Takes connections over. Those that a process has are in the order of processes, with none at its own place.
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
                gone: Mutex::new(None),
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

    /// Waits for the good-bye of a process.
    pub(crate) fn wait_for(&self, process: usize) -> Result<(), Failure> {
        let Some(connection) = self.connections.get(process).and_then(Option::as_ref) else { return Ok(()) };
        loop {
            if connection.goodbye.load(Ordering::Acquire) {
                return Ok(());
            }
            if let Some(failure) = connection.gone() {
                return Err(failure);
            }
            thread::sleep(POLL_INTERVAL);
        }
    }

    /// Says good-bye.
    pub(crate) fn say_goodbye(self) {
        self.to_all(Kind::Goodbye, &[]);
    }

    /// Says why we end. Of a lost process all are told which it is, so that all name the same.
    pub(crate) fn give_up(self, failure: &Failure, me: usize, reason: &str) {
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
        // A connection that is closed with something unread takes back what was sent last: read to the end, if it comes.
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
