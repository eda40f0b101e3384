//! The wire format of a connection: frames with a kind, a length, a checksum and bytes.
//!
//! One kind carries timely's messages; the others say that a process is alive, that it is done, or why it stops. Lengths are bounded
//! and checksums verified, so that a corrupt connection is distinguished from a lost one.

use std::io::{self, Read, Write};
use xxhash_rust::xxh3::xxh3_64;

/// Largest frame in bytes.
pub(crate) const MAX: usize = 1 << 20;
/// Longest reason in bytes.
const REASON: usize = 2000;
/// Size of kind, length and checksum.
const HEAD: usize = 9;

/// Kind of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The sender is alive.
    Heartbeat = 1,
    /// Data of timely.
    Data = 2,
    /// End of the data.
    End = 3,
    /// The sender is done.
    Goodbye = 4,
    /// A process was lost: its number and the reason.
    Lost = 5,
    /// The sender failed: the reason.
    Fail = 6,
}

impl Kind {
    fn from_u8(number: u8) -> Option<Kind> {
        [Kind::Heartbeat, Kind::Data, Kind::End, Kind::Goodbye, Kind::Lost, Kind::Fail]
            .into_iter()
            .find(|&kind| kind as u8 == number)
    }
}

/// Writes a frame and returns its size in bytes.
pub(crate) fn write(out: &mut impl Write, kind: Kind, bytes: &[u8]) -> io::Result<u64> {
    let bytes = bytes.get(..MAX).unwrap_or(bytes);
    let mut head = [0; HEAD];
    head[0] = kind as u8;
    head[1..5].copy_from_slice(&(bytes.len() as u32).to_le_bytes());
    head[5..].copy_from_slice(&(xxh3_64(bytes) as u32).to_le_bytes());
    out.write_all(&head)?;
    out.write_all(bytes)?;
    out.flush()?;
    Ok((HEAD + bytes.len()) as u64)
}

/// Reads a frame.
pub(crate) fn read(input: &mut impl Read) -> io::Result<(Kind, Vec<u8>)> {
    let invalid = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut head = [0; HEAD];
    input.read_exact(&mut head)?;
    let [kind, a, b, c, d, sum @ ..] = head;
    let kind = Kind::from_u8(kind).ok_or_else(|| invalid("it sends frames of an unknown kind"))?;
    let length = u32::from_le_bytes([a, b, c, d]) as usize;
    if length > MAX {
        return Err(invalid("it sends frames that are too long"));
    }
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    if xxh3_64(&bytes) as u32 != u32::from_le_bytes(sum) {
        return Err(invalid("its data was corrupted in transit"));
    }
    Ok((kind, bytes))
}

/// A process and a reason as bytes.
pub(crate) fn reason(process: usize, reason: &str) -> Vec<u8> {
    let mut bytes = (process as u32).to_le_bytes().to_vec();
    bytes.extend(reason.bytes().take(REASON));
    bytes
}

/// The process and the reason in a frame, without control characters, which could affect a terminal.
pub(crate) fn parse_reason(bytes: &[u8]) -> (usize, String) {
    let (process, text) =
        bytes.split_first_chunk().map_or((u32::MAX, bytes), |(process, text)| (u32::from_le_bytes(*process), text));
    let text = text.get(..REASON).unwrap_or(text);
    let text = String::from_utf8_lossy(text).chars().filter(|message| !message.is_control()).collect();
    (process as usize, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn frames_are_read_as_written_and_damage_is_an_error(bytes in prop::collection::vec(any::<u8>(), 0..300), at in any::<usize>(), noise in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut wire = Vec::new();
            let length = write(&mut wire, Kind::Data, &bytes).unwrap();
            prop_assert_eq!(length, wire.len() as u64);
            prop_assert_eq!(read(&mut wire.as_slice()).unwrap(), (Kind::Data, bytes.clone()));
            prop_assert!(read(&mut &wire[..wire.len() - 1]).is_err());
            let mut changed = wire.clone();
            let at = at % changed.len();
            changed[at] ^= 0x40;
            prop_assert!(read(&mut changed.as_slice()).is_err());
            // Arbitrary bytes cause no panic and no large allocation.
            let _ = read(&mut noise.as_slice());
            let _ = parse_reason(&noise);
        }
    }

    #[test]
    fn reasons_are_truncated_and_sanitized() {
        assert_eq!(parse_reason(&reason(3, "no \u{1b}[31mroom\n")), (3, "no [31mroom".to_owned()));
        assert_eq!(parse_reason(&reason(3, &"x".repeat(9000))).1.len(), REASON);
    }
}
