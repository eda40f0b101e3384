//! Evidence in the raw bytes that needs no statistics: byte order marks, the NUL pattern of
//! UTF-16, the escape sequences of ISO-2022-JP, and how close the bytes are to UTF-8.
//!
//! Follows the WHATWG Encoding standard's "BOM sniff".
//!
//! Departures: the HTML standard recognises neither UTF-16 without a BOM nor undeclared ISO-2022-JP
//! (browsers dropped both for the sake of script security, which is no concern here), and does
//! not consider how well the bytes fit UTF-8.

use encoding_rs::{Encoding, ISO_2022_JP, UTF_8, UTF_16BE, UTF_16LE};
use memchr::{memchr, memchr_iter};

/// The UTF-8 byte order mark.
pub(crate) const UTF8_BOM: &[u8] = b"\xEF\xBB\xBF";

/// Bytes examined for the NUL pattern: a page's head is ASCII markup in any language.
const UTF16_SCAN_BYTES: usize = 4096;

/// Minimum number of code units for a decision.
const UTF16_MIN_UNITS: usize = 4;

/// At least one code unit in this many must be ASCII. Pages have more; binary data has fewer, or has
/// NULs in both positions.
const UTF16_ASCII_SHARE: usize = 4;

/// The same if the transport declares UTF-16: an occasional space or newline is enough.
const UTF16_ASCII_SHARE_DECLARED: usize = 64;

/// Tolerated ASCII units of the other byte order, one in this many: characters such as U+4E00 look like
/// ASCII in the wrong byte order.
const UTF16_STRAY_SHARE: usize = 4;

/// Bytes searched for escape sequences. The title of a Japanese page comes early, and an all-ASCII
/// page should not pay for a second pass over its whole length.
const ISO_2022_JP_SCAN_BYTES: usize = 64 * 1024;

/// Number of malformed runs after which the audit stops, which bounds its cost on binary input.
const AUDIT_MAX_INVALID: usize = 4096;

/// The encoding a byte order mark announces.
pub(crate) fn sniff(bytes: &[u8]) -> Option<&'static Encoding> {
    Encoding::for_bom(bytes).map(|(encoding, _)| encoding)
}

/// UTF-16 without a BOM, recognised by its ASCII characters: every other byte is NUL.
pub(crate) fn utf16_by_nuls(bytes: &[u8], declared: bool) -> Option<&'static Encoding> {
    let head = bytes.get(..UTF16_SCAN_BYTES).unwrap_or(bytes);
    // Practically every page returns here.
    memchr(0, head)?;
    let (mut units, mut little, mut big) = (0, 0, 0);
    for unit in head.chunks_exact(2) {
        units += 1;
        match *unit {
            [0, 0] => return None,
            [byte, 0] if is_text(byte) => little += 1,
            [0, byte] if is_text(byte) => big += 1,
            _ => {}
        }
    }
    let share = if declared { UTF16_ASCII_SHARE_DECLARED } else { UTF16_ASCII_SHARE };
    let (encoding, matching, stray) = if little >= big { (UTF_16LE, little, big) } else { (UTF_16BE, big, little) };
    let fits = units >= UTF16_MIN_UNITS && matching * share >= units && matching > 0 && stray * UTF16_STRAY_SHARE <= matching;
    fits.then_some(encoding)
}

fn is_text(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
}

/// Whether ASCII bytes are ISO-2022-JP: they switch to a double-byte set (`ESC $ @`, `ESC $ B`)
/// and decode without an error. A declaration alone is not enough, since without an escape the
/// text is plain ASCII anyway.
pub(crate) fn is_iso_2022_jp(bytes: &[u8]) -> bool {
    let head = bytes.get(..ISO_2022_JP_SCAN_BYTES).unwrap_or(bytes);
    let switches =
        memchr_iter(0x1B, head).any(|at| matches!(head.get(at + 1..at + 3), Some([b'$', b'@' | b'B'] | [b'(', b'J' | b'I'])));
    switches && !ISO_2022_JP.decode_without_bom_handling(bytes).1
}

/// How much of the bytes is UTF-8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Utf8Audit {
    /// Well-formed multi-byte sequences.
    pub(crate) sequences: usize,
    /// Malformed runs of bytes, except one cut off by the end of the input.
    pub(crate) malformed: usize,
}

impl Utf8Audit {
    /// Counts sequences, stopping early on input that is clearly not UTF-8.
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut audit = Self::default();
        let mut seen = 0;
        for chunk in bytes.utf8_chunks() {
            let valid = chunk.valid().as_bytes();
            audit.sequences += valid.iter().filter(|&&b| b >= 0xC0).count();
            seen += valid.len() + chunk.invalid().len();
            let cut_off = seen == bytes.len() && is_cut_off(chunk.invalid());
            if !chunk.invalid().is_empty() && !cut_off {
                audit.malformed += 1;
                if audit.malformed > AUDIT_MAX_INVALID {
                    break;
                }
            }
        }
        audit
    }

    /// Whether there is at most one malformed run per `share` sequences. Text in a legacy encoding
    /// is the reverse: a few accidental sequences among many malformed runs.
    pub(crate) fn tolerable(self, share: usize) -> bool {
        self.malformed.saturating_mul(share) <= self.sequences
    }
}

/// Whether these bytes start a sequence that the end of the input cut off.
fn is_cut_off(bytes: &[u8]) -> bool {
    // `error_len` is absent exactly when more input might have completed the sequence.
    core::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

/// Whether valid UTF-8 may nevertheless be a short piece of the legacy multi-byte encoding that
/// was declared: fewer than `limit` sequences, one of them a two-byte character beyond Latin-1,
/// which is rare on a page in a CJK language but is what a Chinese or Korean double byte looks like
/// (about one in seven does, so four in a row practically never happen).
pub(crate) fn may_be_legacy_pairs(text: &str, limit: usize) -> bool {
    let wide = || text.chars().filter(|c| !c.is_ascii());
    wide().take(limit).count() < limit && wide().any(|c| ('\u{100}'..='\u{7FF}').contains(&c))
}

/// The length of a byte order mark that stays in the text, which only a UTF-8 mark does.
pub(crate) fn kept_bom_length(bytes: &[u8], encoding: &'static Encoding) -> usize {
    if encoding == UTF_8 && bytes.starts_with(UTF8_BOM) { UTF8_BOM.len() } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf16(text: &str, big: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    #[test]
    fn marks() {
        assert_eq!(sniff(b"\xEF\xBB\xBFx"), Some(UTF_8));
        assert_eq!(sniff(b"\xFF\xFEx"), Some(UTF_16LE));
        assert_eq!(sniff(b"\xFE\xFFx"), Some(UTF_16BE));
        assert_eq!(sniff(b"\xEF\xBB"), None);
        assert_eq!(sniff(b""), None);
    }

    #[test]
    fn utf16_without_a_mark() {
        let page = "<html><title>一二三</title><p>一万人の一日</p>";
        assert_eq!(utf16_by_nuls(&utf16(page, false), false), Some(UTF_16LE));
        assert_eq!(utf16_by_nuls(&utf16(page, true), false), Some(UTF_16BE));
        let prose = "山の上に小さな家があり、\n人が住んでいた。";
        assert_eq!(utf16_by_nuls(&utf16(prose, false), false), None);
        assert_eq!(utf16_by_nuls(&utf16(prose, false), true), Some(UTF_16LE));
        for other in [
            &b"<html>\0<p>plain text with a stray zero"[..],
            b"\0\0\0\0\0\0\0\0",
            b"a\0",
            b"\x7FELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0",
            b"",
        ] {
            assert_eq!(utf16_by_nuls(other, false), None, "{other:?}");
        }
    }

    #[test]
    fn escapes() {
        let (bytes, ..) = ISO_2022_JP.encode("<p>日本語の頁");
        assert!(is_iso_2022_jp(&bytes));
        assert!(!is_iso_2022_jp(b"\x1B[31mred\x1B[0m"));
        assert!(!is_iso_2022_jp(b"\x1B$B then plain \x7F"));
        assert!(!is_iso_2022_jp(b""));
    }

    #[test]
    fn audits() {
        let audit = |bytes: &[u8]| {
            let audit = Utf8Audit::new(bytes);
            (audit.sequences, audit.malformed)
        };
        assert_eq!(audit("aéあ😀".as_bytes()), (3, 0));
        assert_eq!(audit(b"a\xC3\xA9\xE9 \xE3\x81"), (1, 1));
        assert_eq!(audit(b"\xE3\x81"), (0, 0));
        assert_eq!(audit(b"\xFF\xFF"), (0, 2));
        assert!(may_be_legacy_pairs("<p>ש", 4) && !may_be_legacy_pairs("<p>é", 4));
        assert!(!may_be_legacy_pairs("שששש", 4) && !may_be_legacy_pairs("", 4));
    }
}
