//! Gzip members and Zstandard frames, unpacked piece by piece from memory to memory.

use flate2::{Crc, Decompress, FlushDecompress, Status};
use std::{fmt, io};
use zstd::stream::raw::{DParameter, Decoder, Operation};

/// Every gzip member that is in use begins so: magic number, and deflate as the method.
const GZIP: &[u8] = &[0x1f, 0x8b, 0x08];
const ZSTD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Frames of Zstandard that hold other things than packed bytes begin with 0x50 to 0x5f and this.
const SKIPPABLE: &[u8] = &[0x2a, 0x4d, 0x18];
/// The skippable frame at the beginning of a WARC file that holds a dictionary for all others.
const DICTIONARY_FRAME: u8 = 0x5d;
/// Largest dictionary: those of archives have up to 1 MB.
const LARGEST_DICTIONARY: usize = 1 << 24;
/// Largest window of Zstandard, as a power of two: what its own tool takes without being asked.
const LARGEST_WINDOW: u32 = 27;
/// Flags of a gzip header.
const HAS_CRC: u8 = 2;
const HAS_EXTRA: u8 = 4;
const HAS_NAME: u8 = 8;
const HAS_COMMENT: u8 = 16;
const RESERVED: u8 = 0xe0;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    Plain,
    Gzip,
    Zstd,
}

impl Packing {
    /// As seen from the first bytes of a file.
    pub(super) fn of(bytes: &[u8]) -> Packing {
        if bytes.starts_with(GZIP) {
            Packing::Gzip
        } else if bytes.starts_with(ZSTD) || is_skippable(bytes) {
            Packing::Zstd
        } else {
            Packing::Plain
        }
    }

    /// The first bytes of a member.
    pub(super) fn magic(self) -> &'static [u8] {
        match self {
            Packing::Plain => &[],
            Packing::Gzip => GZIP,
            Packing::Zstd => ZSTD,
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

/// The length of the dictionary frame that a file begins with, as far as its first bytes say.
pub(super) fn dictionary_frame(bytes: &[u8]) -> Option<usize> {
    if bytes.first() != Some(&DICTIONARY_FRAME) || !is_skippable(bytes) {
        return None;
    }
    let length = u32::from_le_bytes(bytes.get(4..8)?.try_into().ok()?) as usize;
    (length <= LARGEST_DICTIONARY).then_some(8 + length)
}

/// The dictionary in a dictionary frame.
fn dictionary(frame: &[u8]) -> io::Result<Vec<u8>> {
    let content = frame.get(8..).unwrap_or_default();
    // It may be packed itself.
    if !content.starts_with(ZSTD) {
        return Ok(content.to_vec());
    }
    let mut unpacked = Vec::new();
    let limit = LARGEST_DICTIONARY as u64;
    io::Read::read_to_end(&mut io::Read::take(zstd::stream::read::Decoder::with_buffer(content)?, limit), &mut unpacked)?;
    Ok(unpacked)
}

/// What one step did.
#[derive(Clone, Copy, Debug)]
pub(super) enum Step {
    /// The member goes on. Where nothing was read and nothing written, more input is needed.
    More { read: usize, written: usize },
    /// The member has ended, and what it says about itself is right.
    End { read: usize, written: usize },
}

impl Step {
    /// Bytes that were read and written.
    pub(super) fn counts(&self) -> (usize, usize) {
        match *self {
            Step::More { read, written } | Step::End { read, written } => (read, written),
        }
    }
}

/// The state of unpacking one member.
pub(super) enum Unpacker {
    Plain,
    Gzip {
        inflate: Decompress,
        crc: Crc,
        /// Have all bytes been unpacked, so that only the sums at the end are missing?
        ended: bool,
    },
    Zstd(Decoder<'static>),
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unpacker::Plain => "Plain",
            Unpacker::Gzip { .. } => "Gzip",
            Unpacker::Zstd(_) => "Zstd",
        })
    }
}

impl Unpacker {
    /// For a file that begins with `bytes`: with all of its dictionary frame, if it has one.
    pub(super) fn new(packing: Packing, bytes: &[u8]) -> io::Result<Unpacker> {
        Ok(match packing {
            Packing::Plain => Unpacker::Plain,
            Packing::Gzip => Unpacker::Gzip { inflate: Decompress::new(false), crc: Crc::new(), ended: false },
            Packing::Zstd => {
                let frame = dictionary_frame(bytes).and_then(|length| bytes.get(..length));
                let mut decoder = match frame {
                    // Frames that need a dictionary that cannot be read are named one by one when their turn comes.
                    Some(frame) => Decoder::with_dictionary(&dictionary(frame).unwrap_or_default())?,
                    None => Decoder::new()?,
                };
                decoder.set_parameter(DParameter::WindowLogMax(LARGEST_WINDOW))?;
                Unpacker::Zstd(decoder)
            }
        })
    }

    /// Begins with a member. Returns the length of its header, or nothing if more bytes are needed to tell.
    pub(super) fn begin(&mut self, bytes: &[u8]) -> Result<Option<usize>, String> {
        match self {
            Unpacker::Plain => Ok(Some(0)),
            Unpacker::Gzip { inflate, crc, ended } => {
                inflate.reset(false);
                crc.reset();
                *ended = false;
                gzip_header(bytes)
            }
            Unpacker::Zstd(decoder) => {
                decoder.reinit().map_err(|error| error.to_string())?;
                match bytes {
                    _ if bytes.starts_with(ZSTD) || is_skippable(bytes) => Ok(Some(0)),
                    _ if bytes.len() < ZSTD.len() => Ok(None),
                    _ => Err("no Zstandard frame begins here".into()),
                }
            }
        }
    }

    /// Unpacks from `input` to `output`. The reason, if that cannot be done.
    pub(super) fn step(&mut self, input: &[u8], output: &mut [u8]) -> Result<Step, String> {
        match self {
            Unpacker::Plain => {
                let count = input.len().min(output.len());
                output[..count].copy_from_slice(&input[..count]);
                Ok(Step::More { read: count, written: count })
            }
            Unpacker::Gzip { crc, ended: true, .. } => {
                let Some(sums) = input.get(..8) else { return Ok(Step::More { read: 0, written: 0 }) };
                let sum = |at: usize| u32::from_le_bytes([sums[at], sums[at + 1], sums[at + 2], sums[at + 3]]);
                if sum(0) != crc.sum() || sum(4) != crc.amount() {
                    return Err("the checksum of a gzip member is wrong".into());
                }
                Ok(Step::End { read: 8, written: 0 })
            }
            Unpacker::Gzip { inflate, crc, ended } => {
                let (read, written) = (inflate.total_in(), inflate.total_out());
                let status = inflate.decompress(input, output, FlushDecompress::None);
                let read = (inflate.total_in() - read) as usize;
                let written = (inflate.total_out() - written) as usize;
                match status {
                    Ok(status) => *ended = status == Status::StreamEnd,
                    Err(_) => return Err("the bits of a gzip member are wrong".into()),
                }
                crc.update(&output[..written]);
                Ok(Step::More { read, written })
            }
            Unpacker::Zstd(decoder) => match decoder.run_on_buffers(input, output) {
                Ok(status) => {
                    let (read, written) = (status.bytes_read, status.bytes_written);
                    Ok(if status.remaining == 0 { Step::End { read, written } } else { Step::More { read, written } })
                }
                Err(error) => Err(format!("a Zstandard frame cannot be unpacked: {error}")),
            },
        }
    }

    /// Does a member begin here that can be unpacked, as far as `most` bytes show?
    pub(super) fn trial(&mut self, bytes: &[u8], most: usize) -> bool {
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

/// The length of the header that a gzip member begins with (RFC 1952).
fn gzip_header(bytes: &[u8]) -> Result<Option<usize>, String> {
    if !bytes.starts_with(&GZIP[..bytes.len().min(GZIP.len())]) {
        return Err("no gzip member begins here".into());
    }
    let Some(&flags) = bytes.get(3) else { return Ok(None) };
    if flags & RESERVED != 0 {
        return Err("the header of a gzip member is wrong".into());
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
    fn headers_of_gzip_are_measured() {
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
        assert_eq!(Packing::Gzip.find_member(&bytes), Some(3));
        assert_eq!(Packing::Gzip.find_member(&bytes[4..]), None);
        assert_eq!(Packing::Gzip.find_member(&[]), None);
        assert_eq!(Packing::Zstd.find_member(&[1, 0x28, 0xb5, 0x2f, 0xfd]), Some(1));
    }
}
