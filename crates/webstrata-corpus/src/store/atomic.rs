//! Files that are there whole or not at all: written under a temporary name, brought to the disk, then renamed.

use super::StoreError;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3Default;

/// How names of unfinished files end. They start with a dot, so that no reader of the folder takes them for data.
const TEMPORARY: &str = ".tmp";

/// A file that appears under its name when it is complete. Dropped before, it leaves nothing; if the process dies, it
/// leaves a file that [`remove_temporaries`] knows.
///
/// ```
/// use std::io::Write;
/// use webstrata_corpus::store::AtomicFile;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("table.txt");
/// let mut file = AtomicFile::create(&path).unwrap();
/// file.write_all(b"one").unwrap();
/// assert!(!path.exists());
/// let written = file.commit().unwrap();
/// assert_eq!((std::fs::read(&path).unwrap().as_slice(), written.bytes), (&b"one"[..], 3));
/// ```
pub struct AtomicFile {
    out: BufWriter<File>,
    path: PathBuf,
    temporary: Option<PathBuf>,
    bytes: u64,
    hash: Box<Xxh3Default>,
}

/// A file as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its length.
    pub bytes: u64,
    /// XXH3 of its bytes.
    pub hash: u64,
}

impl fmt::Debug for AtomicFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AtomicFile({}, {} bytes)", self.path.display(), self.bytes)
    }
}

impl AtomicFile {
    /// Begins a file; its folder is made if it is not there.
    ///
    /// # Errors
    /// When the file cannot be made.
    pub fn create(path: &Path) -> Result<AtomicFile, StoreError> {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(StoreError::io("make the folder", folder))?;
        }
        let temporary = temporary(path);
        let file = File::create(&temporary).map_err(StoreError::io("write", &temporary))?;
        let out = BufWriter::with_capacity(1 << 16, file);
        Ok(AtomicFile { out, path: path.to_owned(), temporary: Some(temporary), bytes: 0, hash: Box::default() })
    }

    /// The name that it will have.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Brings the file to the disk and gives it its name.
    ///
    /// # Errors
    /// When the disk is full or fails; then there is no file, or the one that was there before.
    pub fn commit(mut self) -> Result<Written, StoreError> {
        self.out.flush().and_then(|()| self.out.get_ref().sync_all()).map_err(StoreError::io("write", &self.path))?;
        if let Some(temporary) = &self.temporary {
            fs::rename(temporary, &self.path).map_err(StoreError::io("rename to", &self.path))?;
        }
        self.temporary = None;
        if let Some(folder) = self.path.parent() {
            sync_folder(folder);
        }
        Ok(Written { bytes: self.bytes, hash: self.hash.digest() })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        self.hash.update(&bytes[..written]);
        Ok(written)
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

/// Writes a file whole.
///
/// # Errors
/// As [`AtomicFile::commit`].
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<Written, StoreError> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes).map_err(StoreError::io("write", path))?;
    file.commit()
}

/// The name that a file has while it is written: always the same, so that a killed run leaves one at most.
fn temporary(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!(".{name}{TEMPORARY}"))
}

/// Is this the name of an unfinished file?
pub(crate) fn is_temporary(name: &str) -> bool {
    name.starts_with('.') && name.ends_with(TEMPORARY)
}

/// Removes the unfinished files of a folder, not of those in it.
///
/// # Errors
/// When the folder cannot be read or a file not removed.
pub fn remove_temporaries(folder: &Path) -> Result<(), StoreError> {
    for entry in fs::read_dir(folder).map_err(StoreError::io("read", folder))? {
        let entry = entry.map_err(StoreError::io("read", folder))?;
        if is_temporary(&entry.file_name().to_string_lossy()) {
            fs::remove_file(entry.path()).map_err(StoreError::io("remove", &entry.path()))?;
        }
    }
    Ok(())
}

/// Brings a change of names to the disk. Some systems cannot do this, and none loses more than the last names by it.
fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
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
    fn a_file_that_is_given_up_leaves_the_old_one() {
        let here = tempfile::tempdir().unwrap();
        let path = here.path().join("a/b.txt");
        write_atomically(&path, b"old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"new").unwrap();
        assert_eq!(names(&here.path().join("a")), [".b.txt.tmp", "b.txt"]);
        drop(file);
        assert_eq!((fs::read(&path).unwrap().as_slice(), names(&here.path().join("a")).len()), (&b"old"[..], 1));
    }

    #[test]
    fn what_a_killed_process_left_is_removed() {
        let here = tempfile::tempdir().unwrap();
        for name in [".a.parquet.tmp", "b.tmp", ".c"] {
            fs::write(here.path().join(name), "x").unwrap();
        }
        remove_temporaries(here.path()).unwrap();
        assert_eq!(names(here.path()), [".c", "b.tmp"]);
    }

    #[test]
    fn bytes_are_counted_and_hashed() {
        let here = tempfile::tempdir().unwrap();
        let written = write_atomically(&here.path().join("a"), b"some bytes").unwrap();
        assert_eq!(written, Written { bytes: 10, hash: xxhash_rust::xxh3::xxh3_64(b"some bytes") });
    }
}
