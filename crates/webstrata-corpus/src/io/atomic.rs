//! Files that appear complete or not at all: written under a temporary name in the same folder, then renamed.
//!
//! Each temporary name is used once and created exclusively, so two processes that write the same target never share a
//! temporary file: the target is always one complete file. A process locks its temporary file; the next process that writes
//! the same target removes unlocked ones, which killed processes left behind.

use super::IoError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// End of temporary names. They start with a dot, so no reader of the folder takes them for data.
const SUFFIX: &str = ".tmp";
/// Longest part of the target's name in a temporary name: file systems allow 255 bytes.
const MAX_STEM: usize = 200;

/// A file that appears under its name when it is committed. Dropped before that, it leaves nothing behind. Leftovers of a killed
/// process are removed by the next process that writes the same file, or by [`remove_temporaries`].
///
/// A symbolic link is followed, and a device or a pipe is written in place.
///
/// ```
/// use std::io::Write;
/// use webstrata_corpus::io::AtomicFile;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("table.txt");
/// let mut file = AtomicFile::create(&path).unwrap();
/// file.write_all(b"one").unwrap();
/// assert!(!path.exists());
/// file.commit().unwrap();
/// assert_eq!(std::fs::read(&path).unwrap(), b"one");
/// ```
pub struct AtomicFile {
    out: BufWriter<File>,
    path: PathBuf,
    /// `None` if the target is written in place.
    temporary: Option<PathBuf>,
}

impl fmt::Debug for AtomicFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AtomicFile({})", self.path.display())
    }
}

impl AtomicFile {
    /// Creates a file. Missing folders are created.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(path: &Path) -> Result<AtomicFile, IoError> {
        let file = AtomicFile::begin(path)?;
        if file.temporary.is_some() {
            remove_abandoned(&file.path);
        }
        Ok(file)
    }

    fn begin(path: &Path) -> Result<AtomicFile, IoError> {
        let (path, in_place) = resolve(path);
        let (file, temporary) = if in_place {
            (File::options().write(true).open(&path).map_err(IoError::on("write", &path))?, None)
        } else {
            let (file, temporary) = create_temporary(&path).map_err(IoError::on("write", &path))?;
            (file, Some(temporary))
        };
        Ok(AtomicFile { out: BufWriter::with_capacity(1 << 16, file), path, temporary })
    }

    /// The final name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the file until it is committed, so that a signal handler can remove it; `None` if it is written in place.
    #[must_use]
    pub fn temporary_path(&self) -> Option<&Path> {
        self.temporary.as_deref()
    }

    /// Flushes the file to disk and renames it.
    ///
    /// # Errors
    /// If the disk is full or fails. The target is then unchanged.
    pub fn commit(self) -> Result<(), IoError> {
        self.finish(true)
    }

    /// Renames the file without waiting for the disk: for results that can be computed again after a power failure.
    ///
    /// # Errors
    /// Same as for [`AtomicFile::commit`].
    pub fn commit_without_sync(self) -> Result<(), IoError> {
        self.finish(false)
    }

    fn finish(mut self, sync: bool) -> Result<(), IoError> {
        self.out.flush().map_err(IoError::on("write", &self.path))?;
        let Some(temporary) = &self.temporary else { return Ok(()) };
        if sync {
            self.out.get_ref().sync_all().map_err(IoError::on("write", &self.path))?;
        }
        fs::rename(temporary, &self.path).map_err(IoError::on("rename to", &self.path))?;
        self.temporary = None;
        if sync {
            sync_folder(&self.path);
        }
        Ok(())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes a whole file, flushes it to disk, and removes leftovers of killed writers of the same file.
///
/// # Errors
/// Same as for [`AtomicFile::commit`].
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    filled(AtomicFile::create(path)?, bytes)?.commit()
}

/// Writes a whole file without waiting for the disk, and without looking for leftovers of killed writers, because its folder may
/// have very many files.
///
/// # Errors
/// Same as for [`AtomicFile::commit`].
pub fn write_without_sync(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    filled(AtomicFile::begin(path)?, bytes)?.commit_without_sync()
}

fn filled(mut file: AtomicFile, bytes: &[u8]) -> Result<AtomicFile, IoError> {
    file.write_all(bytes).map_err(IoError::on("write", file.path()))?;
    Ok(file)
}

/// Moves a complete file to its final name, after flushing its contents to disk.
///
/// # Errors
/// If the file cannot be read or renamed.
#[cfg(feature = "bvgraph")]
pub(crate) fn publish(from: &Path, to: &Path) -> Result<(), IoError> {
    File::open(from).and_then(|file| file.sync_all()).map_err(IoError::on("write", from))?;
    fs::rename(from, to).map_err(IoError::on("rename to", to))?;
    sync_folder(to);
    Ok(())
}

/// The file that a path leads to, and whether it has to be written in place: a device or a pipe cannot be replaced.
fn resolve(path: &Path) -> (PathBuf, bool) {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => (path.to_owned(), false),
        Ok(_) => {
            let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
            let in_place = path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir());
            (path, in_place)
        }
        Err(_) => (path.to_owned(), false),
    }
}

/// Creates a new file beside the target. Its folder is created if it is missing.
fn create_temporary(target: &Path) -> io::Result<(File, PathBuf)> {
    let mut tried_folder = false;
    loop {
        let path = target.with_file_name(unique_name(target));
        match File::create_new(&path) {
            // Before it was locked, another process may have taken it for an abandoned file.
            Ok(file) => match file.try_lock() {
                Err(fs::TryLockError::WouldBlock) => {}
                Ok(()) if !path.exists() => {}
                Ok(()) | Err(fs::TryLockError::Error(_)) => return Ok((file, path)),
            },
            // Left by an earlier process with the same id.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) if error.kind() == ErrorKind::NotFound && !tried_folder => {
                tried_folder = true;
                fs::create_dir_all(folder_of(target))?;
            }
            Err(error) => return Err(error),
        }
    }
}

/// A hidden name that no other call in this process returns.
pub(super) fn unique_name(target: &Path) -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}{}-{}{SUFFIX}", prefix(target), std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// The common prefix of the temporary names of a target.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let end = (0..=name.len().min(MAX_STEM)).rev().find(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!(".{}.", &name[..end])
}

/// Removes the temporary files of a target that no process has locked.
fn remove_abandoned(target: &Path) {
    let (prefix, Ok(entries)) = (prefix(target), fs::read_dir(folder_of(target))) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let number = name.strip_prefix(&prefix).and_then(|rest| rest.strip_suffix(SUFFIX));
        if number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
            && let Ok(file) = File::open(entry.path())
            && file.try_lock().is_ok()
        {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether this is the name of an unfinished file or a temporary folder.
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(SUFFIX)
}

/// Removes the temporary files and folders that killed processes left in a folder. The caller must know that no other process
/// is writing to the folder.
///
/// # Errors
/// If the folder cannot be read or a file cannot be removed.
pub fn remove_temporaries(folder: &Path) -> Result<(), IoError> {
    for entry in fs::read_dir(folder).map_err(IoError::on("read", folder))? {
        let entry = entry.map_err(IoError::on("read", folder))?;
        if is_temporary(&entry.file_name().to_string_lossy()) {
            let path = entry.path();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let removed = if is_folder { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.map_err(IoError::on("remove", &path))?;
        }
    }
    Ok(())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes a rename durable. Some systems cannot sync a folder; they lose no more than the latest renames.
fn sync_folder(path: &Path) {
    let _ = File::open(folder_of(path)).and_then(|folder| folder.sync_all());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_dropped_file_leaves_the_old_one() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("a/b.txt");
        write_atomically(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(names(&here.path().join("a")).len(), 2);
        assert!(names(&here.path().join("a")).iter().any(|name| is_temporary(name)));
        drop(file);
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&here.path().join("a")).len()), (&b"old"[..], 1));
    }

    #[test]
    fn concurrent_writers_never_mix() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("out");
        for _ in 0..50 {
            std::thread::scope(|scope| {
                for byte in *b"abcd" {
                    let path = &path;
                    scope.spawn(move || {
                        let mut file = AtomicFile::create(path).unwrap();
                        for _ in 0..20 {
                            file.write_all(&[byte; 5000]).unwrap();
                            file.flush().unwrap();
                        }
                        file.commit_without_sync().unwrap();
                    });
                }
            });
            let found = fs::read(&path).unwrap();
            assert!(found.len() == 100_000 && found.iter().all(|&byte| byte == found[0]));
        }
        assert_eq!(names(here.path()), ["out"]);
    }

    #[test]
    fn leftovers_of_killed_processes_are_removed() {
        let here = tempfile::tempdir().unwrap();
        for name in [".a.parquet.17-3.tmp", "b.tmp", ".c"] {
            fs::write(here.path().join(name), "x").unwrap();
        }
        fs::create_dir(here.path().join(".sort.17-4.tmp")).unwrap();
        remove_temporaries(here.path()).unwrap();
        assert_eq!(names(here.path()), [".c", "b.tmp"]);
    }

    #[test]
    fn a_leftover_does_not_block_its_name() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("x");
        // The counter is shared with other tests, so a range of its next names is taken.
        let first: u64 = unique_name(&path).rsplit_once('-').unwrap().1.trim_end_matches(SUFFIX).parse().unwrap();
        for number in first..first + 20 {
            fs::write(here.path().join(format!(".x.{}-{number}{SUFFIX}", std::process::id())), "left").unwrap();
        }
        write_atomically(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn the_next_writer_removes_what_a_killed_one_left() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("out");
        for name in [".out.1-7.tmp", ".out.jsonl.1-7.tmp", ".out.x.tmp"] {
            fs::write(here.path().join(name), "left").unwrap();
        }
        let live = AtomicFile::create(&path).unwrap();
        let next = AtomicFile::create(&path).unwrap();
        assert!(live.temporary_path().unwrap().exists() && next.temporary_path().unwrap().exists());
        drop((live, next));
        assert_eq!(names(here.path()), [".out.jsonl.1-7.tmp", ".out.x.tmp"]);
        fs::write(here.path().join(".out.1-8.tmp"), "left").unwrap();
        write_atomically(&path, b"whole").unwrap();
        assert_eq!(names(here.path()), [".out.jsonl.1-7.tmp", ".out.x.tmp", "out"]);
    }

    #[test]
    fn long_names_fit() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("ü".repeat(125));
        write_without_sync(&path, b"x").unwrap();
        assert_eq!(names(here.path()).len(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let here = tempfile::tempdir().unwrap();
        let (target, link) = (here.path().join("target"), here.path().join("link"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        write_atomically(&link, b"new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&target).unwrap(), b"new");
        write_atomically(Path::new("/dev/null"), b"nothing").unwrap();
    }
}
