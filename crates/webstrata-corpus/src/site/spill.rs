//! Digests of pages on disk, grouped by site: the pages of a crawl are not in the order of sites and do not fit in memory.
//!
//! All pages of a site are in one of [`BUCKETS`] files, by a hash of its name. A record is its length, a checksum and the digest. No
//! external sort is needed: pages of a site only have to be together, in the order of the crawl. A checkpoint returns the lengths of
//! the files, and resuming truncates them to these lengths, because later pages were not counted.

use super::digest::Digest;
use super::file::FileError;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// Files that a crawl is divided into.
pub const BUCKETS: usize = 64;

/// Longest digest: a page has at most 32 MB, and its digest is smaller.
const MAX_BYTES: usize = 256 << 20;

/// The files, open for writing.
#[derive(Debug)]
pub struct Spill {
    files: Vec<BufWriter<File>>,
    lengths: Vec<u64>,
    /// Files written since the last checkpoint.
    changed: Vec<bool>,
}

/// Name of a bucket's file.
pub(super) fn name(folder: &Path, bucket: usize) -> PathBuf {
    folder.join(format!("pages-{bucket:02}"))
}

impl Spill {
    /// Opens the files in a folder and truncates them to these lengths; missing files are created.
    ///
    /// # Errors
    /// If a file cannot be created, or is shorter than at the checkpoint.
    pub fn open(folder: &Path, lengths: &[u64]) -> io::Result<Spill> {
        let lengths: Vec<u64> = (0..BUCKETS).map(|bucket| lengths.get(bucket).copied().unwrap_or(0)).collect();
        let mut files = Vec::with_capacity(BUCKETS);
        for (bucket, &length) in lengths.iter().enumerate() {
            let mut file = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(name(folder, bucket))?;
            if file.metadata()?.len() < length {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "shorter than at the last checkpoint"));
            }
            file.set_len(length)?;
            file.seek(SeekFrom::End(0))?;
            files.push(BufWriter::with_capacity(1 << 16, file));
        }
        Ok(Spill { files, lengths, changed: vec![true; BUCKETS] })
    }

    /// Appends a digest.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, digest: &Digest) -> io::Result<()> {
        let bytes = postcard::to_stdvec(digest).map_err(io::Error::other)?;
        let bucket = bucket_of(&digest.site);
        let file = &mut self.files[bucket];
        file.write_all(&(bytes.len() as u32).to_le_bytes())?;
        file.write_all(&xxh3_64(&bytes).to_le_bytes())?;
        file.write_all(&bytes)?;
        self.lengths[bucket] += 12 + bytes.len() as u64;
        self.changed[bucket] = true;
        Ok(())
    }

    /// Flushes everything to disk and returns the lengths of the files.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn checkpoint(&mut self) -> io::Result<Vec<u64>> {
        for (file, changed) in self.files.iter_mut().zip(&mut self.changed).filter(|(_, changed)| **changed) {
            file.flush()?;
            file.get_ref().sync_data()?;
            *changed = false;
        }
        Ok(self.lengths.clone())
    }
}

pub(super) fn bucket_of(site: &str) -> usize {
    (xxh3_64(site.as_bytes()) % BUCKETS as u64) as usize
}

/// The digests of a bucket, in the order they were written.
///
/// # Errors
/// If the file cannot be opened, also if the bucket was never written.
pub fn read(folder: &Path, bucket: usize) -> io::Result<impl Iterator<Item = Result<Digest, FileError>>> {
    let file = File::open(name(folder, bucket))?;
    let mut left = file.metadata()?.len();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut buffer = Vec::new();
    Ok(std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let next = next(&mut reader, &mut left, &mut buffer);
        if next.is_err() {
            left = 0;
        }
        Some(next)
    }))
}

fn next(reader: &mut impl Read, left: &mut u64, buffer: &mut Vec<u8>) -> Result<Digest, FileError> {
    let mut head = [0u8; 12];
    reader.read_exact(&mut head)?;
    let [a, b, c, d, sum @ ..] = head;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    *left = left.checked_sub(12 + length as u64).ok_or(FileError::Damaged)?;
    if length > MAX_BYTES {
        return Err(FileError::Inconsistent("a page is too large"));
    }
    buffer.resize(length, 0);
    reader.read_exact(buffer)?;
    if xxh3_64(buffer) != u64::from_le_bytes(sum) {
        return Err(FileError::Damaged);
    }
    let digest: Digest = postcard::from_bytes(buffer).map_err(|_| FileError::Damaged)?;
    if digest.is_valid() { Ok(digest) } else { Err(FileError::Inconsistent("a page is inconsistent")) }
}

/// Records which fingerprints of a site occur at least twice, in fixed memory: a fingerprint that is not marked occurs at most once.
#[derive(Clone, Debug)]
pub(super) struct SeenTwice {
    once: Vec<u64>,
    twice: Vec<u64>,
}

impl SeenTwice {
    /// Bits per table: 16 MB.
    const BITS: u64 = 1 << 27;

    pub(super) fn new() -> Self {
        let words = (Self::BITS / 64) as usize;
        SeenTwice { once: vec![0; words], twice: vec![0; words] }
    }

    fn place(site: u64, print: u64) -> (usize, u64) {
        let bit = (site.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ print) % Self::BITS;
        ((bit / 64) as usize, 1 << (bit % 64))
    }

    pub(super) fn add(&mut self, site: u64, print: u64) {
        let (word, bit) = Self::place(site, print);
        if self.once[word] & bit != 0 {
            self.twice[word] |= bit;
        }
        self.once[word] |= bit;
    }

    pub(super) fn may_have(&self, site: u64, print: u64) -> bool {
        let (word, bit) = Self::place(site, print);
        self.twice[word] & bit != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(site: &str, number: u32) -> Digest {
        let html = format!("<h1>Page {number}</h1><p>Text of {site}.");
        Digest::new(&webstrata::Page::parse(html.as_bytes()), site, number, "name")
    }

    fn all(folder: &Path) -> Vec<(String, u32)> {
        (0..BUCKETS).flat_map(|bucket| read(folder, bucket).unwrap()).map(|d| d.unwrap()).map(|d| (d.site, d.number)).collect()
    }

    #[test]
    fn digests_after_the_checkpoint_are_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::open(folder.path(), &[]).unwrap();
        (0..20).for_each(|n| spill.push(&digest(&format!("site{}.org", n % 3), n)).unwrap());
        let lengths = spill.checkpoint().unwrap();
        let before = all(folder.path());
        assert_eq!(before.len(), 20);
        (20..30).for_each(|n| spill.push(&digest("other.org", n)).unwrap());
        drop(spill);
        assert_eq!(all(folder.path()).len(), 30);
        let mut again = Spill::open(folder.path(), &lengths).unwrap();
        assert_eq!(all(folder.path()), before);
        again.push(&digest("other.org", 20)).unwrap();
        again.checkpoint().unwrap();
        assert_eq!(all(folder.path()).len(), 21);
    }

    #[test]
    fn damage_ends_reading_with_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut spill = Spill::open(folder.path(), &[]).unwrap();
        spill.push(&digest("a.org", 1)).unwrap();
        spill.checkpoint().unwrap();
        let file = name(folder.path(), bucket_of("a.org"));
        let bytes = std::fs::read(&file).unwrap();
        for at in (0..bytes.len()).step_by(3) {
            let mut broken = bytes.clone();
            broken[at] ^= 0x11;
            std::fs::write(&file, &broken).unwrap();
            assert!(read(folder.path(), bucket_of("a.org")).unwrap().any(|d| d.is_err()), "byte {at}");
        }
    }

    #[test]
    fn repeated_fingerprints_are_never_missed() {
        let mut twice = SeenTwice::new();
        (0..1000u64).for_each(|print| twice.add(7, print * print));
        (0..500u64).for_each(|print| twice.add(7, print * print));
        assert!((0..500u64).all(|print| twice.may_have(7, print * print)));
        assert!((600..1000u64).filter(|print| twice.may_have(7, print * print)).count() < 10);
    }
}
