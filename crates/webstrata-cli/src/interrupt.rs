//! Signals that ask the program to end: it does so between two pages, and no temporary file stays behind.

use crate::output::Gate;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use std::{fs, io, process, thread};

/// Time that the run has to end by itself. It may be writing to somebody who does not read.
const GRACE: Duration = Duration::from_secs(2);

/// Hears signals during a run.
#[derive(Debug)]
pub(crate) struct Interrupt {
    came: Arc<AtomicUsize>,
    gate: Arc<Gate>,
    temporary: Option<PathBuf>,
}

impl Interrupt {
    pub(crate) fn new(gate: Arc<Gate>) -> io::Result<Self> {
        let came = Arc::new(AtomicUsize::new(0));
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            if is_ignored(signal) {
                continue; // who started us wants it so, as for a job in the background
            }
            // The second time it ends at once. The order matters: the first signal arms the second.
            flag::register_conditional_shutdown(signal, exit_code(signal).into(), Arc::clone(&again))?;
            flag::register(signal, Arc::clone(&again))?;
            flag::register_usize(signal, Arc::clone(&came), usize::try_from(signal).unwrap_or(0))?;
        }
        Ok(Interrupt { came, gate, temporary: None })
    }

    /// A file that must not stay behind.
    pub(crate) fn removes(&mut self, temporary: Option<&Path>) {
        self.temporary = temporary.map(Path::to_owned);
    }

    /// The signal that came, if one did.
    pub(crate) fn came(&self) -> Option<i32> {
        i32::try_from(self.came.load(Ordering::SeqCst)).ok().filter(|&signal| signal != 0)
    }

    /// Gives the run time to end, then ends the process.
    pub(crate) fn insist(&self, signal: i32) {
        thread::sleep(GRACE);
        self.gate.shut(GRACE);
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
        process::exit(exit_code(signal).into());
    }
}

/// The code that shells know a signal by.
pub(crate) fn exit_code(signal: i32) -> u8 {
    u8::try_from(128 + signal).unwrap_or(u8::MAX)
}

/// Was the signal ignored when we were started? Only Linux says so.
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}
