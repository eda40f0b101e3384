//! SIGINT and SIGTERM: the command ends between two pages and leaves no temporary file.

use crate::output::Gate;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io, process, thread};

/// Grace period for the command to end on its own: it may be blocked writing to a reader that has stalled.
const GRACE: Duration = Duration::from_secs(2);
/// Polling interval of the thread that waits for a signal.
const TICK: Duration = Duration::from_millis(50);

/// Receives signals.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    received: Arc<AtomicUsize>,
}

impl Interrupt {
    pub(crate) fn new() -> io::Result<Self> {
        let received = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            if is_ignored(signal) {
                continue; // the parent process asked for this, for example for a background job
            }
            // A second signal terminates the process immediately. The order matters: the first signal arms the second.
            flag::register_conditional_shutdown(signal, exit_code(signal).into(), Arc::clone(&again))?;
            flag::register(signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&received), usize::try_from(signal).unwrap_or(0))?;
        }
        Ok(Interrupt { received })
    }

    /// The signal that was received, if any.
    pub(crate) fn signal(&self) -> Option<i32> {
        i32::try_from(self.received.load(Ordering::SeqCst)).ok().filter(|&signal| signal != 0)
    }

    /// Sets `cancel` on a signal. If the process has not ended a while later, ends it and removes `temporary`.
    pub(crate) fn cancel_on_signal(&self, cancel: Arc<AtomicBool>, gate: Arc<Gate>, temporary: Option<&Path>) -> io::Result<()> {
        let (interrupt, temporary) = (self.clone(), temporary.map(Path::to_owned));
        let wait = move || {
            let signal = loop {
                match interrupt.signal() {
                    Some(signal) => break signal,
                    None => thread::sleep(TICK),
                }
            };
            cancel.store(true, Ordering::Relaxed);
            exit_after_grace(signal, &gate, temporary);
        };
        thread::Builder::new().name("signals".into()).spawn(wait).map(drop)
    }
}

/// Gives the command time to end on its own, then terminates the process.
fn exit_after_grace(signal: i32, gate: &Gate, temporary: Option<PathBuf>) {
    thread::sleep(GRACE);
    gate.close(GRACE);
    if let Some(temporary) = temporary {
        let _ = fs::remove_file(temporary);
    }
    process::exit(exit_code(signal).into());
}

/// The exit code that shells use for a signal.
pub(crate) fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Whether the signal was ignored when the process started. Only Linux reports it.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
