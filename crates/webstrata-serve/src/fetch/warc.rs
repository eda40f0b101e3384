//! Fetched pages as a WARC file, from which a run can be repeated without the Web.

use super::Fetched;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use webstrata_corpus::Timestamp;
use webstrata_corpus::io::{AtomicFile, IoError};

/// Writes responses; each record is a gzip member. The file gets its name once it is complete.
#[derive(Debug)]
pub struct WarcWriter {
    file: AtomicFile,
    records: u64,
}

impl WarcWriter {
    /// Creates a file whose name ends in `.warc.gz`.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path, user_agent: &str) -> Result<Self, WarcError> {
        let mut writer = WarcWriter { file: AtomicFile::create(path)?, records: 0 };
        let info = format!("software: {}\r\nformat: WARC File Format 1.1\r\nrobots: obey\r\n", line(user_agent));
        writer.record("warcinfo", None, "application/warc-fields", info.as_bytes())?;
        Ok(writer)
    }

    /// Writes a response.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, page: &Fetched) -> Result<(), WarcError> {
        let mut block = format!("HTTP/1.1 {} \r\n", page.status).into_bytes();
        for (name, value) in &page.headers {
            // The body has been read: its length is known, and it is no longer chunked.
            if !matches!(name.as_str(), "transfer-encoding" | "content-length" | "connection") {
                block.extend_from_slice(name.as_bytes());
                block.extend_from_slice(b": ");
                block.extend(value.iter().filter(|byte| !matches!(byte, b'\r' | b'\n')));
                block.extend_from_slice(b"\r\n");
            }
        }
        block.extend_from_slice(format!("content-length: {}\r\n\r\n", page.raw.len()).as_bytes());
        block.extend_from_slice(&page.raw);
        self.records += 1;
        self.record("response", Some((&page.url, &page.raw)), "application/http; msgtype=response", &block)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// If that fails.
    pub fn finish(self) -> Result<u64, WarcError> {
        self.file.commit()?;
        Ok(self.records)
    }

    fn record(&mut self, kind: &str, of: Option<(&str, &[u8])>, media: &str, block: &[u8]) -> Result<(), WarcError> {
        let mut head = format!("WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Date: {}\r\nWARC-Record-ID: {}\r\n", now(), record_id()?);
        if let Some((url, payload)) = of {
            let _ = write!(head, "WARC-Target-URI: {}\r\nWARC-Payload-Digest: sha256:", line(url));
            for byte in Sha256::digest(payload) {
                let _ = write!(head, "{byte:02x}");
            }
            head.push_str("\r\n");
        }
        let _ = write!(head, "Content-Type: {media}\r\nContent-Length: {}\r\n\r\n", block.len());
        let mut member = GzEncoder::new(&mut self.file, Compression::new(6));
        member.write_all(head.as_bytes())?;
        member.write_all(block)?;
        member.write_all(b"\r\n\r\n")?;
        member.finish()?;
        Ok(())
    }
}

/// The reason why a WARC file was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WarcError {
    /// The file.
    #[error(transparent)]
    File(#[from] IoError),
    /// Writing to it.
    #[error("cannot write the WARC file: {0}")]
    Write(#[from] std::io::Error),
    /// No random numbers for ids.
    #[error("cannot get random numbers: {0}")]
    Random(#[from] getrandom::Error),
}

/// A value that stays on its line.
fn line(value: &str) -> String {
    value.chars().filter(|c| !c.is_control()).collect()
}

fn now() -> Timestamp {
    let micros = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| i64::try_from(time.as_micros()).unwrap_or(0));
    Timestamp::from_micros(micros - micros % 1_000_000).unwrap_or_default()
}

/// A random UUID (version 4).
fn record_id() -> Result<String, getrandom::Error> {
    let (high, low) = (getrandom::u64()?, getrandom::u64()?);
    let (high, low) = (high & !0xf000 | 0x4000, low & (u64::MAX >> 2) | 1 << 63);
    Ok(format!(
        "<urn:uuid:{:08x}-{:04x}-{:04x}-{:04x}-{:012x}>",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    ))
}
