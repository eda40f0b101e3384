//! Files that are written whole or not at all: under a temporary name first, which is then changed.

use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Counts the files that are being written, and can be shut: then no new ones are begun, and those under way are waited for.
/// That is how an interrupted run leaves no temporary files.
#[derive(Debug, Default)]
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    writing: usize,
    shut: bool,
}

/// A file is being written while this lives.
#[derive(Debug)]
pub(crate) struct Pass<'g>(&'g Gate);

impl Gate {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leave to write a file; none when the gate is shut.
    pub(crate) fn enter(&self) -> Option<Pass<'_>> {
        let mut state = self.lock();
        if state.shut {
            return None;
        }
        state.writing += 1;
        Some(Pass(self))
    }

    /// Lets nobody in any more and waits until everybody is out, at most for `patience`: a disk may hang.
    pub(crate) fn shut(&self, patience: Duration) {
        let mut state = self.lock();
        state.shut = true;
        drop(self.changed.wait_timeout_while(state, patience, |state| state.writing > 0));
    }
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.lock().writing -= 1;
        self.0.changed.notify_all();
    }
}

/// A name beside `path` that no other file has. It is short: that of the file may be as long as the system allows.
fn temporary(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    path.with_file_name(format!(".webstrata-{}-{}.tmp", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
}

/// Writes a file; its folder is made if it is not there.
pub(crate) fn write_whole(path: &Path, text: impl AsRef<[u8]>) -> io::Result<()> {
    let text = text.as_ref();
    let temporary = temporary(path);
    let mut written = fs::write(&temporary, text);
    if written.as_ref().is_err_and(|error| error.kind() == ErrorKind::NotFound)
        && let Some(folder) = path.parent()
    {
        fs::create_dir_all(folder)?;
        written = fs::write(&temporary, text);
    }
    let result = written.and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result
}

/// A file that is written bit by bit and appears under its name when it is complete. Dropped before, it leaves nothing.
#[derive(Debug)]
pub(crate) struct WholeFile {
    out: BufWriter<File>,
    path: PathBuf,
    /// None if it is written in place: a device or a pipe cannot be replaced.
    temporary: Option<PathBuf>,
}

impl WholeFile {
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        // A link stays one.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let special = path.metadata().is_ok_and(|found| !found.is_file());
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder)?;
        }
        let temporary = (!special).then(|| temporary(&path));
        let file = match &temporary {
            Some(temporary) => File::create(temporary)?,
            None => File::options().write(true).open(&path)?,
        };
        Ok(WholeFile { out: BufWriter::with_capacity(1 << 16, file), path, temporary })
    }

    /// Gives the file its name.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        match self.temporary.take() {
            Some(temporary) => fs::rename(&temporary, &self.path).inspect_err(|_| drop(fs::remove_file(&temporary))),
            None => Ok(()),
        }
    }

    /// The temporary file, to be removed should the process end early.
    pub(crate) fn temporary(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/a.txt");
        write_whole(&path, "one").unwrap();
        write_whole(&path, "two").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"three").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        drop(file);
        assert_eq!(names(path.parent().unwrap()), ["a.txt"]);
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"four").unwrap();
        file.commit().unwrap();
        assert_eq!(
            (fs::read_to_string(&path).unwrap().as_str(), names(path.parent().unwrap())),
            ("four", vec!["a.txt".to_owned()])
        );
    }

    #[test]
    fn a_gate_waits_for_those_inside() {
        let gate = Gate::default();
        let pass = gate.enter().unwrap();
        std::thread::scope(|scope| {
            let shutting = scope.spawn(|| gate.shut(Duration::from_secs(60)));
            while gate.enter().is_some() {
                std::thread::yield_now();
            }
            assert!(!shutting.is_finished());
            drop(pass);
        });
        assert!(gate.enter().is_none());
    }

    #[test]
    fn a_gate_does_not_wait_for_ever() {
        let gate = Gate::default();
        let _pass = gate.enter().unwrap();
        gate.shut(Duration::from_millis(1));
    }
}
