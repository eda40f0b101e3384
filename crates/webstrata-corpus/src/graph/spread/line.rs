//! Connections to the other processes, and what is seen on them: bytes for timely, signs of life, and ends.
//!
//! A thread for each reads frames; one for all sends a sign of life every second. A process is lost when its connection ends before it
//! has said good-bye, or when nothing was heard of it for [`SILENCE`]. Timely itself ends a process with a panic
//! then; here it never sees a broken connection (`pipe.rs`), and the workers end as the [`Alarm`] says.

use super::alarm::{Alarm, Trouble};
use super::frame::{self, Kind};
use std::io::{self, BufReader, ErrorKind};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a process says that it is alive.
const BEAT: Duration = Duration::from_secs(1);
/// How long nothing may be heard of one.
pub(super) const SILENCE: Duration = Duration::from_secs(6);
/// How long the end of the others is waited for, so that our last words reach them.
const PARTING: Duration = Duration::from_secs(2);
/// How often it is looked whether something has ended.
const LOOK: Duration = Duration::from_millis(10);

/// A connection to another process.
#[derive(Debug)]
pub(super) struct Line {
    /// The other process.
    pub(super) process: usize,
    writer: Mutex<TcpStream>,
    sent: AtomicU64,
    /// Nothing more can be sent.
    closed: AtomicBool,
    /// It has said good-bye.
    bye: AtomicBool,
    /// What became of it, if not that.
    gone: Mutex<Option<Trouble>>,
    alarm: Arc<Alarm>,
    /// Bytes for timely.
    data: Mutex<Option<Receiver<Vec<u8>>>>,
}

impl Line {
    /// Sends a frame. A line that cannot send is lost, and says so by the alarm.
    pub(super) fn send(&self, kind: Kind, bytes: &[u8]) {
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
                thread::sleep(LOOK);
                self.lose(Trouble::Lost { process: self.process, reason: described(&error) });
            }
        }
    }

    /// Says that we are alive, unless something is being sent, which says so, too.
    fn beat(&self) {
        if let Ok(mut writer) = self.writer.try_lock()
            && !self.closed.load(Ordering::Acquire)
            && let Ok(length) = frame::write(&mut *writer, Kind::Beat, &[])
        {
            self.sent.fetch_add(length, Ordering::Relaxed);
        }
    }

    /// Bytes that were sent.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    /// The bytes that come for timely; once.
    pub(super) fn data(&self) -> Option<Receiver<Vec<u8>>> {
        self.data.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(super) fn alarm(&self) -> &Alarm {
        &self.alarm
    }

    pub(super) fn lose(&self, trouble: Trouble) {
        if !self.bye.load(Ordering::Acquire) {
            self.gone.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(trouble.clone());
            self.alarm.raise(trouble);
        }
    }

    fn gone(&self) -> Option<Trouble> {
        self.gone.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads frames until there are no more.
    fn read(&self, socket: TcpStream, data: Sender<Vec<u8>>) {
        let mut data = Some(data);
        let mut input = BufReader::with_capacity(1 << 16, socket);
        loop {
            match frame::read(&mut input) {
                Ok((Kind::Beat, _)) => {}
                Ok((Kind::Data, bytes)) => {
                    if let Some(data) = &data {
                        // Nobody listens once the work has ended.
                        let _ = data.send(bytes);
                    }
                }
                Ok((Kind::End, _)) => data = None,
                Ok((Kind::Bye, _)) => self.bye.store(true, Ordering::Release),
                Ok((Kind::Lost, bytes)) => {
                    let (process, reason) = frame::parse_reason(&bytes);
                    self.lose(Trouble::Lost { process, reason: format!("as process {} says: {reason}", self.process) });
                }
                Ok((Kind::Fail, bytes)) => {
                    let (_, reason) = frame::parse_reason(&bytes);
                    self.lose(Trouble::GaveUp { process: self.process, reason });
                }
                Err(error) => {
                    self.closed.store(true, Ordering::Release);
                    self.lose(Trouble::Lost { process: self.process, reason: described(&error) });
                    return;
                }
            }
        }
    }
}

/// What is said of a connection that failed.
fn described(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "its connection has ended".to_owned()
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => format!("nothing was heard of it for {} s", SILENCE.as_secs()),
        _ => error.to_string(),
    }
}

/// Connections to all others.
#[derive(Debug)]
pub(super) struct Mesh {
    /// By process; none to ourselves.
    pub(super) lines: Vec<Option<Arc<Line>>>,
    readers: Vec<JoinHandle<()>>,
    over: Arc<AtomicBool>,
    heart: Option<JoinHandle<()>>,
}

impl Mesh {
    /// Takes connections over. Those that a process has are in the order of processes, with none at its own place.
    pub(super) fn new(sockets: Vec<Option<TcpStream>>, alarm: &Arc<Alarm>) -> io::Result<Mesh> {
        let (mut lines, mut readers) = (Vec::new(), Vec::new());
        for (process, socket) in sockets.into_iter().enumerate() {
            let Some(socket) = socket else {
                lines.push(None);
                continue;
            };
            socket.set_nonblocking(false)?;
            socket.set_nodelay(true)?;
            socket.set_read_timeout(Some(SILENCE))?;
            socket.set_write_timeout(Some(SILENCE))?;
            let (sender, receiver) = channel();
            let line = Arc::new(Line {
                process,
                writer: Mutex::new(socket.try_clone()?),
                sent: AtomicU64::new(0),
                closed: AtomicBool::new(false),
                bye: AtomicBool::new(false),
                gone: Mutex::new(None),
                alarm: Arc::clone(alarm),
                data: Mutex::new(Some(receiver)),
            });
            let reading = Arc::clone(&line);
            readers.push(thread::Builder::new().name(format!("read-{process}")).spawn(move || reading.read(socket, sender))?);
            lines.push(Some(line));
        }
        let over = Arc::new(AtomicBool::new(false));
        let (ended, all): (_, Vec<Arc<Line>>) = (Arc::clone(&over), lines.iter().flatten().cloned().collect());
        let heart = thread::Builder::new().name("heart".into()).spawn(move || {
            while !ended.load(Ordering::Acquire) {
                all.iter().for_each(|line| line.beat());
                thread::park_timeout(BEAT);
            }
        })?;
        Ok(Mesh { lines, readers, over, heart: Some(heart) })
    }

    fn to_all(&self, kind: Kind, bytes: &[u8]) {
        self.lines.iter().flatten().for_each(|line| line.send(kind, bytes));
    }

    /// Waits for the good-bye of a process.
    pub(super) fn wait_for(&self, process: usize) -> Result<(), Trouble> {
        let Some(line) = self.lines.get(process).and_then(Option::as_ref) else { return Ok(()) };
        loop {
            if line.bye.load(Ordering::Acquire) {
                return Ok(());
            }
            if let Some(trouble) = line.gone() {
                return Err(trouble);
            }
            thread::sleep(LOOK);
        }
    }

    /// Says good-bye.
    pub(super) fn part(self) {
        self.to_all(Kind::Bye, &[]);
    }

    /// Says why we end. Of a lost process all are told which it is, so that all name the same.
    pub(super) fn give_up(self, trouble: &Trouble, me: usize, reason: &str) {
        match trouble {
            Trouble::Lost { process, reason } => self.to_all(Kind::Lost, &frame::reason(*process, reason)),
            Trouble::GaveUp { .. } | Trouble::Own => self.to_all(Kind::Fail, &frame::reason(me, reason)),
        }
    }
}

impl Drop for Mesh {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Release);
        if let Some(heart) = self.heart.take() {
            heart.thread().unpark();
            let _ = heart.join();
        }
        let shut = |how: Shutdown| {
            for line in self.lines.iter().flatten() {
                line.closed.store(true, Ordering::Release);
                let _ = line.writer.lock().unwrap_or_else(PoisonError::into_inner).shutdown(how);
            }
        };
        // A connection that is closed with something unread takes back what was sent last: read to the end, if it comes.
        shut(Shutdown::Write);
        let begun = Instant::now();
        while begun.elapsed() < PARTING && !self.readers.iter().all(JoinHandle::is_finished) {
            thread::sleep(LOOK);
        }
        shut(Shutdown::Both);
        for reader in self.readers.drain(..) {
            let _ = reader.join();
        }
    }
}
