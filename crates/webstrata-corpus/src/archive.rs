//! Writes WARC files: for tests, for benchmarks, and for storing a folder of pages as one file.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use xxhash_rust::xxh3::xxh3_128;

/// Magic number of the skippable frame that holds a dictionary (WARC/Zstandard 1.0).
const DICTIONARY_FRAME: [u8; 4] = [0x5d, 0x2a, 0x4d, 0x18];
const GZIP_LEVEL: u32 = 6;
const ZSTD_LEVEL: i32 = 3;

/// How records are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Packing {
    /// No compression.
    Plain,
    /// Each record as a gzip member, as is usual for archives.
    #[default]
    Gzip,
    /// Each record as a Zstandard frame.
    Zstd,
}

/// Writes records one after another.
///
/// ```
/// use webstrata_corpus::archive::{Packing, WarcWriter};
/// # fn main() -> std::io::Result<()> {
/// let mut archive = WarcWriter::new(Vec::new(), Packing::Plain)?;
/// archive.page("https://example.org/", "2024-05-01T12:00:00Z", "text/html; charset=utf-8", b"<p>Text")?;
/// let bytes = archive.into_inner();
/// assert!(bytes.starts_with(b"WARC/1.0\r\nWARC-Type: response\r\n"));
/// assert!(bytes.ends_with(b"<p>Text\r\n\r\n"));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct WarcWriter<W> {
    out: W,
    packing: Packing,
    dictionary: Vec<u8>,
}

/// A record to write.
#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// `response`, `resource`, `warcinfo`, …
    pub kind: &'a str,
    /// Its address.
    pub uri: Option<&'a str>,
    /// When it was fetched.
    pub date: &'a str,
    /// Its media type.
    pub content_type: &'a str,
    /// Its content.
    pub content: &'a [u8],
}

impl<W: Write> WarcWriter<W> {
    /// Begins a file.
    pub fn new(out: W, packing: Packing) -> io::Result<Self> {
        Ok(WarcWriter { out, packing, dictionary: Vec::new() })
    }

    /// Begins a file of Zstandard frames that share a dictionary, which is stored at the beginning.
    pub fn with_dictionary(mut out: W, dictionary: Vec<u8>) -> io::Result<Self> {
        let length = u32::try_from(dictionary.len()).map_err(|_| io::Error::from(io::ErrorKind::InvalidInput))?;
        out.write_all(&DICTIONARY_FRAME)?;
        out.write_all(&length.to_le_bytes())?;
        out.write_all(&dictionary)?;
        Ok(WarcWriter { out, packing: Packing::Zstd, dictionary })
    }

    /// Writes a page as a server's response.
    pub fn page(&mut self, uri: &str, date: &str, content_type: &str, page: &[u8]) -> io::Result<()> {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {}\r\n\r\n", page.len());
        let content = [head.as_bytes(), page].concat();
        let content_type = "application/http; msgtype=response";
        self.record(&Record { kind: "response", uri: Some(uri), date, content_type, content: &content })
    }

    /// Writes any record.
    pub fn record(&mut self, record: &Record<'_>) -> io::Result<()> {
        let mut bytes = format!("WARC/1.0\r\nWARC-Type: {}\r\n", record.kind).into_bytes();
        if let Some(uri) = record.uri {
            // Line breaks in an address must not end its header line.
            let uri: String = uri.chars().filter(|c| !c.is_control()).collect();
            bytes.extend_from_slice(format!("WARC-Target-URI: {uri}\r\n").as_bytes());
        }
        let id =
            xxh3_128(&[record.uri.unwrap_or_default().as_bytes(), b"\0", record.date.as_bytes(), b"\0", record.content].concat());
        let id = format!("{id:032x}");
        let id = format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]);
        let fields = format!(
            "WARC-Date: {}\r\nWARC-Record-ID: <urn:uuid:{id}>\r\nContent-Type: {}\r\nContent-Length: {}\r\n\r\n",
            record.date,
            record.content_type,
            record.content.len()
        );
        bytes.extend_from_slice(fields.as_bytes());
        bytes.extend_from_slice(record.content);
        bytes.extend_from_slice(b"\r\n\r\n");
        self.write(&bytes)
    }

    /// Compresses and writes bytes as one member.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self.packing {
            Packing::Plain => self.out.write_all(bytes),
            Packing::Gzip => {
                let mut member = GzEncoder::new(&mut self.out, Compression::new(GZIP_LEVEL));
                member.write_all(bytes)?;
                member.finish().map(|_| ())
            }
            Packing::Zstd => {
                let mut frame = zstd::stream::Encoder::with_dictionary(&mut self.out, ZSTD_LEVEL, &self.dictionary)?;
                frame.include_checksum(true)?;
                frame.write_all(bytes)?;
                frame.finish().map(|_| ())
            }
        }
    }

    /// The underlying writer.
    pub fn get_ref(&self) -> &W {
        &self.out
    }

    /// Returns the underlying writer.
    pub fn into_inner(self) -> W {
        self.out
    }
}
