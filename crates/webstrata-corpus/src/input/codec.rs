//! Gzip members and Zstandard frames, decompressed piece by piece from memory to memory.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::{fmt, io};
use zstd::stream::raw::{DParameter, Decoder as ZstdDecoder, Operation};

/// Start of every gzip member found in practice: the magic number, and deflate as the method.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Zstandard frames that contain something other than compressed data begin with 0x50 to 0x5f and this.
const SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];
/// The skippable frame at the start of a WARC file with a dictionary for all other frames.
const DICTIONARY_FRAME: u8 = 0x5d;
/// Largest dictionary; those of archives have up to 1 MB.
const MAX_DICTIONARY: usize = 1 << 24;
/// Largest Zstandard window as a power of two: the default limit of the `zstd` command.
const MAX_WINDOW: u32 = 27;
/// Flags of a gzip header.
const HAS_CRC: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// How a file is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Codec {
    Plain,
    Gzip,
    Zstd,
}

impl Codec {
    /// Recognises the codec by the first bytes of a file.
    pub(super) fn detect(bytes: &[u8]) -> Codec {
        if bytes.starts_with(GZIP) {
            Codec::Gzip
        } else if bytes.starts_with(ZSTD) || is_skippable(bytes) {
            Codec::Zstd
        } else {
            Codec::Plain
        }
    }

    /// The name, for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Codec::Plain => "plain",
            Codec::Gzip => "gzip",
            Codec::Zstd => "Zstandard",
        }
    }

    /// The first bytes of a member.
    pub(super) fn magic(self) -> &'static [u8] {
        match self {
            Codec::Plain => &[],
            Codec::Gzip => GZIP,
            Codec::Zstd => ZSTD,
        }
    }

    /// Where a member may begin in `bytes`.
    pub(super) fn find_member(self, bytes: &[u8]) -> Option<usize> {
        let magic = self.magic();
        let first = *magic.first()?;
        let mut at = 0;
        loop {
            at += bytes.get(at..)?.iter().position(|&byte| byte == first)?;
            if bytes[at..].starts_with(magic) {
                return Some(at);
            }
            at += 1;
        }
    }
}

fn is_skippable(bytes: &[u8]) -> bool {
    bytes.len() >= 4 && bytes[0] & 0xf0 == 0x50 && &bytes[1..4] == SKIPPABLE
}

/// The length of the dictionary frame at the start of a file, if there is one.
pub(super) fn dictionary_frame(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&DICTIONARY_FRAME) || !is_skippable(bytes) {
        return None;
    }
    let length = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    (length <= MAX_DICTIONARY).then_some(8 + length)
}

/// The dictionary in a dictionary frame.
fn dictionary(frame: &[u8]) -> io::Result<Vec<u8>> {
    let content = frame.get(8..).unwrap_or_default();
    // It may be compressed itself.
    if !content.starts_with(ZSTD) {
        return Ok(content.to_vec());
    }
    let mut content_bytes = Vec::new();
    let limit = MAX_DICTIONARY as u64;
    io::Read::read_to_end(&mut io::Read::take(zstd::stream::read::Decoder::with_buffer(content)?, limit), &mut content_bytes)?;
    Ok(content_bytes)
}

/// The result of one step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The member continues. If nothing was read and nothing written, more input is needed.
    More { read: usize, written: usize },
    /// The member has ended, and its checksum is correct.
    End { read: usize, written: usize },
}

impl Step {
    /// Bytes read and written.
    pub(super) fn counts(&self) -> (usize, usize) {
        match *self {
            Step::More { read, written } | Step::End { read, written } => (read, written),
        }
    }
}

/// Decompresses one member.
pub(super) enum Decoder {
    Plain,
    Gzip {
        inflate: Decompress,
        crc: Crc,
        /// Whether all bytes are decompressed and only the checksum is missing.
        ended: bool,
    },
    Zstd(ZstdDecoder<'static>),
}

impl fmt::Debug for Decoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Decoder::Plain => "Plain",
            Decoder::Gzip { .. } => "Gzip",
            Decoder::Zstd(_) => "Zstd",
        })
    }
}

impl Decoder {
    /// A decoder for a file that begins with `bytes`, which include its dictionary frame if it has one.
    pub(super) fn new(codec: Codec, bytes: &[u8]) -> io::Result<Decoder> {
        Ok(match codec {
            Codec::Plain => Decoder::Plain,
            Codec::Gzip => Decoder::Gzip { inflate: Decompress::new(false), crc: Crc::new(), ended: false },
            Codec::Zstd => {
                let frame = dictionary_frame(bytes).and_then(|length| bytes.get(..length));
                let mut decoder = match frame {
                    // Frames that need an unreadable dictionary are reported one by one.
                    Some(frame) => ZstdDecoder::with_dictionary(&dictionary(frame).unwrap_or_default())?,
                    None => ZstdDecoder::new()?,
                };
                decoder.set_parameter(DParameter::WindowLogMax(MAX_WINDOW))?;
                Decoder::Zstd(decoder)
            }
        })
    }

    /// Begins a member. Returns the length of its header, or `None` if more bytes are needed.
    pub(super) fn begin(&mut self, bytes: &[u8]) -> Result<Option<usize>, String> {
        match self {
            Decoder::Plain => Ok(Some(0)),
            Decoder::Gzip { inflate, crc, ended } => {
                inflate.reset(false);
                crc.reset();
                *ended = false;
                gzip_header(bytes)
            }
            Decoder::Zstd(decoder) => {
                decoder.reinit().map_err(|error| error.to_string())?;
                match bytes {
                    _ if bytes.starts_with(ZSTD) || is_skippable(bytes) => Ok(Some(0)),
                    _ if bytes.len() < ZSTD.len() => Ok(None),
                    _ => Err("no Zstandard frame begins here".into()),
                }
            }
        }
    }

    /// Decompresses from `input` to `output`.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        match self {
            Decoder::Plain => {
                let count = input.len().min(output.len());
                output[..count].copy_from_slice(&input[..count]);
                Ok(Step::More { read: count, written: count })
            }
            Decoder::Gzip { crc, ended: true, .. } => {
                let Some(sums) = input.get(..8) else { return Ok(Step::More { read: 0, written: 0 }) };
                let sum = |at: usize| u32::from_le_bytes([sums[at], sums[at + 1], sums[at + 2], sums[at + 3]]);
                if sum(0) != crc.sum() || sum(4) != crc.amount() {
                    return Err("wrong checksum".into());
                }
                Ok(Step::End { read: 8, written: 0 })
            }
            Decoder::Gzip { inflate, crc, ended } => {
                let (read, written) = (inflate.total_in(), inflate.total_out());
                let status = inflate.decompress(input, output, FlushDecompress::None);
                let read = (inflate.total_in() - read) as usize;
                let written = (inflate.total_out() - written) as usize;
                match status {
                    Ok(status) => *ended = status == Status::StreamEnd,
                    Err(_) => return Err("invalid deflate data".into()),
                }
                crc.update(&output[..written]);
                Ok(Step::More { read, written })
            }
            Decoder::Zstd(decoder) => match decoder.run_on_buffers(input, output) {
                Ok(status) => {
                    let (read, written) = (status.bytes_read, status.bytes_written);
                    Ok(if status.remaining == 0 { Step::End { read, written } } else { Step::More { read, written } })
                }
                Err(error) => Err(error.to_string()),
            },
        }
    }

    /// Whether a member begins here whose first `most` bytes can be decompressed.
    pub(super) fn probe(&mut self, bytes: &[u8], most: usize) -> bool {
        let Ok(Some(header)) = self.begin(bytes) else { return false };
        let mut output = vec![0; most];
        let (mut read, mut written) = (header, 0);
        while written < most {
            match self.step(&bytes[read..], &mut output[written..]) {
                Ok(Step::End { .. }) => return true,
                Ok(Step::More { read: 0, written: 0 }) => return written > 0,
                Ok(Step::More { read: more, written: out }) => {
                    read += more;
                    written += out;
                }
                Err(_) => return false,
            }
        }
        true
    }
}

/// The length of the header of a gzip member (RFC 1952).
fn gzip_header(bytes: &[u8]) -> Result<Option<usize>, String> {
    if !bytes.starts_with(&GZIP[..bytes.len().min(GZIP.len())]) {
        return Err("no gzip member begins here".into());
    }
    let Some(&flags) = bytes.get(3) else { return Ok(None) };
    if flags & RESERVED != 0 {
        return Err("invalid gzip header".into());
    }
    let mut at = 10;
    if flags & HAS_EXTRA != 0 {
        let Some(length) = bytes.get(at..at + 2) else { return Ok(None) };
        at += 2 + usize::from(u16::from_le_bytes([length[0], length[1]]));
    }
    for flag in [HAS_NAME, HAS_COMMENT] {
        if flags & flag != 0 {
            let Some(end) = bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| byte == 0)) else { return Ok(None) };
            at += end + 1;
        }
    }
    if flags & HAS_CRC != 0 {
        at += 2;
    }
    Ok((at <= bytes.len()).then_some(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_headers_are_measured() {
        let plain = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2];
        assert_eq!(gzip_header(&plain), Ok(Some(10)));
        assert_eq!(gzip_header(&plain[..9]), Ok(None));
        assert_eq!(gzip_header(&plain[..2]), Ok(None));
        let named = [0x1f, 0x8b, 8, HAS_EXTRA | HAS_NAME | HAS_CRC, 0, 0, 0, 0, 0, 3, 2, 0, b'x', b'y', b'a', 0, 1, 2, 9];
        assert_eq!(gzip_header(&named), Ok(Some(18)));
        for end in 0..18 {
            assert_eq!(gzip_header(&named[..end]), Ok(None), "{end}");
        }
        assert!(gzip_header(&[0x1f, 0x8b, 8, 0x80]).is_err());
        assert!(gzip_header(b"WARC").is_err());
    }

    #[test]
    fn members_are_found() {
        let bytes = [0x1f, 0x1f, 0x8b, 0x1f, 0x8b, 8, 0x1f, 0x8b];
        assert_eq!(Codec::Gzip.find_member(&bytes), Some(3));
        assert_eq!(Codec::Gzip.find_member(&bytes[4..]), None);
        assert_eq!(Codec::Gzip.find_member(&[]), None);
        assert_eq!(Codec::Zstd.find_member(&[1, 0x28, 0xb5, 0x2f, 0xfd]), Some(1));
    }
}
