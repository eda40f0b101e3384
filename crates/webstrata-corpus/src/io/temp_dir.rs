//! Temporary folders: created when first used, removed with their last user.
//!
//! A process that is killed cannot remove its folder. Each process therefore locks its own folder, and the next
//! process that creates one beside it removes those that are not locked.

use super::IoError;
use super::atomic::{is_temporary, unique_name};
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The common part of the names of temporary folders.
const STEM: &str = "webstrata";

/// A temporary folder. Clones share it.
///
/// ```
/// use webstrata_corpus::io::TempDir;
/// let parent = tempfile::tempdir().unwrap();
/// let folder = TempDir::new(parent.path());
/// std::fs::write(folder.new_path().unwrap(), "a run").unwrap();
/// drop(folder);
/// assert_eq!(std::fs::read_dir(parent.path()).unwrap().count(), 0);
/// ```
#[derive(Clone, Debug)]
pub struct TempDir(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    parent: PathBuf,
    created: Mutex<Option<Created>>,
    files: AtomicU64,
}

#[derive(Debug)]
struct Created {
    path: PathBuf,
    /// Held, not read; `None` where folders cannot be locked.
    _lock: Option<File>,
}

impl TempDir {
    /// A folder inside `parent`. It is created when it is first used.
    #[must_use]
    pub fn new(parent: &Path) -> TempDir {
        TempDir(Arc::new(Shared { parent: parent.to_owned(), created: Mutex::new(None), files: AtomicU64::new(0) }))
    }

    /// The folder.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn path(&self) -> Result<PathBuf, IoError> {
        let mut created = self.0.created.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(created) = &*created {
            return Ok(created.path.clone());
        }
        let parent = &self.0.parent;
        let folder = create(parent).map_err(IoError::on("create a temporary folder in", parent))?;
        Ok(created.insert(folder).path.clone())
    }

    /// An unused name for a file in the folder.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new_path(&self) -> Result<PathBuf, IoError> {
        let number = self.0.files.fetch_add(1, Ordering::Relaxed);
        Ok(self.path()?.join(format!("{number:06}")))
    }
}

impl Drop for Created {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn create(parent: &Path) -> io::Result<Created> {
    fs::create_dir_all(parent)?;
    remove_abandoned(parent);
    loop {
        let path = parent.join(unique_name(Path::new(STEM)));
        match fs::create_dir(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        }
        let Ok(folder) = File::open(&path) else {
            if path.exists() {
                return Ok(Created { path, _lock: None }); // Windows cannot open folders
            }
            continue;
        };
        match folder.try_lock() {
            // Between its creation and the lock, another process may have taken the folder for an abandoned one.
            Err(fs::TryLockError::WouldBlock) => {}
            Ok(()) if !path.exists() => {}
            Ok(()) => return Ok(Created { path, _lock: Some(folder) }),
            Err(fs::TryLockError::Error(_)) => return Ok(Created { path, _lock: None }),
        }
    }
}

/// Removes the folders of processes that no longer run. Folders that cannot be read or removed are ignored.
fn remove_abandoned(parent: &Path) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let ours = is_temporary(&name) && name[1..].strip_prefix(STEM).is_some_and(|rest| rest.starts_with('.'));
        if ours
            && entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Ok(folder) = File::open(entry.path())
            && folder.try_lock().is_ok()
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn abandoned_folders_are_removed_and_live_ones_are_not() {
        let here = tempfile::tempdir().unwrap();
        let live = TempDir::new(here.path());
        let live_path = live.path().unwrap();
        let abandoned = here.path().join(".webstrata.1-7.tmp");
        fs::create_dir(&abandoned).unwrap();
        fs::write(abandoned.join("000000"), "a run").unwrap();
        let next = TempDir::new(here.path());
        let next_path = next.path().unwrap();
        assert!(live_path.exists() && next_path.exists() && live_path != next_path && !abandoned.exists());
        drop((live, next));
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 0);
    }

    #[test]
    fn an_unused_folder_is_never_created() {
        let here = tempfile::tempdir().unwrap();
        let folder = TempDir::new(&here.path().join("missing"));
        let clone = folder.clone();
        drop(folder);
        drop(clone);
        assert_eq!(fs::read_dir(here.path()).unwrap().count(), 0);
    }
}
