//! Content sniffing: HTML and text are pages; PDF files, images and other binary data are not.
//!
//! The signatures and the idea of the "binary data byte" are those of the WHATWG *MIME Sniffing* standard (sections 3, 6 and 7,
//! <https://mimesniff.spec.whatwg.org/>), with more signatures for files that users pass by mistake. Two departures:
//!
//! - The standard sniffs resources of unknown type; crawls are full of pages with stray control characters that browsers show
//!   because the server said `text/html`. So binary data bytes count only where there are many of them and no HTML tag is in
//!   sight, or together with a signature. Text that happens to begin with `BM` or `MZ` remains text.
//! - UTF-16 and UTF-32 without a byte order mark are also text, although every other byte is zero.

use super::{Failure, Reason};

/// Number of bytes examined: the "resource header" of the standard.
const HEADER: usize = 1445;
/// Share of binary data bytes, as a divisor, above which bytes are not text. Random and compressed bytes have 1 in 10.
const MAX_BINARY: usize = 20;

/// A kind of file that is not a page.
struct Signature {
    /// Offset of the pattern.
    at: usize,
    pattern: &'static [u8],
    /// With its article.
    name: &'static str,
    remedy: &'static str,
    /// Whether the pattern alone decides. Other patterns could begin a text, and need a binary data byte after them.
    sufficient: bool,
}

const fn binary(pattern: &'static [u8], name: &'static str, remedy: &'static str) -> Signature {
    Signature { at: 0, pattern, name, remedy, sufficient: false }
}

const fn binary_at(at: usize, pattern: &'static [u8], name: &'static str, remedy: &'static str) -> Signature {
    Signature { at, pattern, name, remedy, sufficient: false }
}

const PDF_TOOL: &str = "convert it with a PDF tool such as pdftotext";
const DECOMPRESS: &str = "decompress it first";
const UNPACK: &str = "unpack it and name the pages inside";
const NO_TEXT: &str = "leave it out";

const SIGNATURES: &[Signature] = &[
    Signature { at: 0, pattern: b"%PDF-", name: "a PDF file", remedy: PDF_TOOL, sufficient: true },
    Signature { at: 0, pattern: b"%!PS-Adobe-", name: "a PostScript file", remedy: "convert it to text first", sufficient: true },
    // Section 6.1: images.
    binary(b"\x00\x00\x01\x00", "an icon", NO_TEXT),
    binary(b"\x00\x00\x02\x00", "a cursor", NO_TEXT),
    binary(b"BM", "a BMP image", NO_TEXT),
    binary(b"GIF87a", "a GIF image", NO_TEXT),
    binary(b"GIF89a", "a GIF image", NO_TEXT),
    binary_at(8, b"WEBPVP", "a WebP image", NO_TEXT),
    binary(b"\x89PNG\r\n\x1a\n", "a PNG image", NO_TEXT),
    binary(b"\xff\xd8\xff", "a JPEG image", NO_TEXT),
    binary(b"II*\x00", "a TIFF image", NO_TEXT),
    binary(b"MM\x00*", "a TIFF image", NO_TEXT),
    // Section 6.2: audio and video.
    binary_at(8, b"AIFF", "an AIFF sound", NO_TEXT),
    binary(b"ID3", "an MP3 file", NO_TEXT),
    binary(b"OggS\x00", "an Ogg file", NO_TEXT),
    binary(b"MThd\x00\x00\x00\x06", "a MIDI file", NO_TEXT),
    binary_at(8, b"AVI ", "an AVI video", NO_TEXT),
    binary_at(8, b"WAVE", "a WAV sound", NO_TEXT),
    binary_at(4, b"ftyp", "an MP4 video", NO_TEXT),
    binary(b"\x1a\x45\xdf\xa3", "a WebM or Matroska video", NO_TEXT),
    binary(b"FLV\x01", "a Flash video", NO_TEXT),
    binary(b"CWS", "a Flash file", NO_TEXT),
    binary(b"FWS", "a Flash file", NO_TEXT),
    // Section 6.3: fonts.
    binary_at(34, b"LP", "a font", NO_TEXT),
    binary(b"\x00\x01\x00\x00", "a font", NO_TEXT),
    binary(b"OTTO", "a font", NO_TEXT),
    binary(b"ttcf", "a font", NO_TEXT),
    binary(b"wOFF", "a font", NO_TEXT),
    binary(b"wOF2", "a font", NO_TEXT),
    // Section 6.4: archives.
    binary(b"\x1f\x8b", "gzip data", DECOMPRESS),
    binary(b"PK\x03\x04", "a ZIP archive or an Office document", UNPACK),
    binary(b"Rar!\x1a\x07", "a RAR archive", UNPACK),
    // Not in the standard.
    binary(b"\x28\xb5\x2f\xfd", "Zstandard data", DECOMPRESS),
    binary(b"BZh", "bzip2 data", DECOMPRESS),
    binary(b"\xfd7zXZ\x00", "xz data", DECOMPRESS),
    binary(b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", UNPACK),
    binary_at(257, b"ustar", "a tar archive", UNPACK),
    binary(b"PAR1", "a Parquet file", "name it *.parquet to read the pages in it"),
    binary(b"ARROW1", "an Arrow file", "convert it to Parquet"),
    binary(b"SQLite format 3\x00", "an SQLite database", "export the pages to JSON Lines or Parquet"),
    binary(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a Microsoft Office document", "convert it to HTML first"),
    binary(b"{\\rtf", "an RTF document", "convert it to HTML first"),
    binary(b"\x7fELF", "a program", NO_TEXT),
    binary(b"MZ", "a program", NO_TEXT),
    binary(b"\xcf\xfa\xed\xfe", "a program", NO_TEXT),
    binary(b"\xca\xfe\xba\xbe", "a program", NO_TEXT),
    binary(b"\x00asm", "a WebAssembly module", NO_TEXT),
];

/// Tags that show that bytes are HTML, in lower case. The first ones are those of section 7.1 that random bytes do not contain by
/// chance.
const TAGS: [&[u8]; 15] = [
    b"<!doctype", b"<html", b"<head", b"<body", b"<title", b"<script", b"<iframe", b"<style", b"<table", b"<font", b"<meta",
    b"<div", b"<link", b"<?xml", b"<!--",
];

/// Fails if bytes are empty or not a page.
///
/// # Errors
/// With the reason [`Reason::Empty`] or [`Reason::NotHtml`], and what the bytes are.
///
/// ```
/// use webstrata_corpus::input::{Reason, sniff};
/// assert!(sniff::check(b"<p>It rained.").is_ok());
/// let failure = sniff::check(b"%PDF-1.7 ...").unwrap_err();
/// assert_eq!(failure.reason, Reason::NotHtml);
/// assert!(failure.message.starts_with("this is a PDF file, not HTML"));
/// ```
pub fn check(bytes: &[u8]) -> Result<(), Failure> {
    let header = &bytes[..bytes.len().min(HEADER)];
    if header.iter().all(|byte| byte.is_ascii_whitespace()) && bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Failure::new(Reason::Empty, "the page is empty"));
    }
    if has_byte_order_mark(header) {
        return Ok(());
    }
    let binary_bytes = header.iter().filter(|&&byte| is_binary(byte)).count();
    let matches = |signature: &&Signature| {
        let found = header.get(signature.at..).is_some_and(|rest| rest.starts_with(signature.pattern));
        // A page may have letters such as "LP" at any offset, and a stray control character.
        let may_be_page = signature.pattern.iter().all(u8::is_ascii_graphic) && has_tag(header);
        found && (signature.sufficient || binary_bytes > 0 && !may_be_page)
    };
    if let Some(Signature { name, remedy, .. }) = SIGNATURES.iter().find(matches).filter(|_| !is_wide(header)) {
        return Err(Failure::new(Reason::NotHtml, format!("this is {name}, not HTML; {remedy}")));
    }
    if binary_bytes * MAX_BINARY <= header.len() || has_tag(header) || is_wide(header) {
        return Ok(());
    }
    Err(Failure::new(Reason::NotHtml, format!("this is binary data, not HTML; {NO_TEXT}")))
}

/// A byte that text does not contain (section 3).
const fn is_binary(byte: u8) -> bool {
    matches!(byte, 0x00..=0x08 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f)
}

fn has_byte_order_mark(header: &[u8]) -> bool {
    [b"\xef\xbb\xbf".as_slice(), b"\xfe\xff", b"\xff\xfe", b"\x00\x00\xfe\xff"].into_iter().any(|mark| header.starts_with(mark))
}

fn has_tag(header: &[u8]) -> bool {
    let starts = |rest: &[u8], tag: &[u8]| rest.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag));
    header.iter().enumerate().filter(|(_, byte)| **byte == b'<').any(|(at, _)| TAGS.iter().any(|tag| starts(&header[at..], tag)))
}

/// Whether bytes are UTF-16 or UTF-32 without a byte order mark: markup is ASCII, so most code units are an ASCII
/// character and one or three zeros, always at the same place.
fn is_wide(header: &[u8]) -> bool {
    const MIN_UNITS: usize = 4;
    let is_text = |byte: u8| byte != 0 && byte < 0x80 && !is_binary(byte);
    [(2, 0), (2, 1), (4, 0), (4, 3)].into_iter().any(|(width, at): (usize, usize)| {
        let units = header.chunks_exact(width);
        let count = units.len();
        let wide = |unit: &&[u8]| unit.iter().enumerate().all(|(i, &byte)| if i == at { is_text(byte) } else { byte == 0 });
        count >= MIN_UNITS && units.filter(wide).count() * 3 >= count
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> Option<String> {
        check(bytes).err().map(|failure| failure.message)
    }

    fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
        text.encode_utf16().flat_map(|unit| if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    }

    fn utf32(text: &str, big_endian: bool) -> Vec<u8> {
        let bytes = |c: char| if big_endian { u32::from(c).to_be_bytes() } else { u32::from(c).to_le_bytes() };
        text.chars().flat_map(bytes).collect()
    }

    const PAGE: &str = "<!DOCTYPE html><title>Быль</title><p>Дождь шёл три дня, и никто в долине не помнил, когда это было.";

    #[test]
    fn every_encoding_of_a_page_passes() {
        for big_endian in [false, true] {
            for mark in ["", "\u{feff}"] {
                let text = format!("{mark}{PAGE}");
                assert_eq!(message(&utf16(&text, big_endian)), None, "UTF-16, {big_endian}, {mark:?}");
                assert_eq!(message(&utf32(&text, big_endian)), None, "UTF-32, {big_endian}, {mark:?}");
            }
        }
        assert_eq!(message(PAGE.as_bytes()), None);
        for label in ["windows-1251", "koi8-r", "ibm866", "gb18030", "shift_jis", "iso-2022-jp", "euc-kr", "big5"] {
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap_or(encoding_rs::UTF_8);
            let (bytes, ..) = encoding.encode("Дождь 雨 шёл три дня, и никто не помнил, когда это было.");
            assert_eq!(message(&bytes), None, "{label}, without a tag");
        }
    }

    #[test]
    fn text_passes() {
        for text in [
            "It rained.",
            "BM is a company, and so is MZ.",
            "ID3 tags are metadata.",
            "{\"json\": true}",
            "body { color: red }",
            "<?xml version='1.0'?><feed/>",
            "a form feed\u{c} and an escape \u{1b}[1m",
            "\0<p>a NUL before the page",
        ] {
            assert_eq!(message(text.as_bytes()), None, "{text}");
        }
        let controls = format!("\u{1}\u{2}\u{3}<html><body>{}", "\u{0}\u{1}x".repeat(400));
        assert_eq!(message(controls.as_bytes()), None, "control characters in a page");
        let letters = "<!DOCTYPE html><title>An album of LPs</title>\u{1}";
        assert_eq!((&letters[34..36], message(letters.as_bytes())), ("LP", None), "letters of a font at its offset");
    }

    #[test]
    fn other_files_are_named() {
        for (bytes, word) in [
            (b"%PDF-1.4\n%".as_slice(), "PDF"),
            (b"\x1f\x8b\x08\x00\x00\x00\x00\x00", "gzip"),
            (b"PAR1\x15\x04\x15\x00", "Parquet"),
            (b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "PNG"),
            (b"GIF89a\x01\x00", "GIF"),
            (b"PK\x03\x04\x14\x00", "ZIP"),
            (b"\x00\x00\x00\x18ftypmp42", "MP4"),
            (b"RIFF\x24\x00\x00\x00WAVEfmt ", "WAV"),
            (b"wOF2\x00\x01\x00\x00", "font"),
            (b"\x7fELF\x02\x01\x01\x00", "program"),
            (b"MZ\x90\x00\x03\x00", "program"),
            (b"\x28\xb5\x2f\xfd\x04\x00", "Zstandard"),
            (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
            (b"BM\x36\x00\x00\x00", "BMP"),
            (&[0; 100], "binary"),
        ] {
            assert!(message(bytes).is_some_and(|message| message.contains(word)), "{word}: {:?}", message(bytes));
        }
        let mut random = crate::io::Random::new(1);
        for _ in 0..1000 {
            let bytes: Vec<u8> = (0..2000).map(|_| random.below(256) as u8).collect();
            // A byte order mark by chance makes them text.
            assert!(message(&bytes).is_some() || has_byte_order_mark(&bytes));
        }
    }

    #[test]
    fn nothing_but_white_space_is_empty() {
        for bytes in [b"".as_slice(), b" \n\t\r\n", &[b' '; 5000]] {
            assert_eq!(check(bytes).map_err(|failure| failure.reason), Err(Reason::Empty));
        }
        assert_eq!(check(&[[b' '; 5000].as_slice(), b"x"].concat()), Ok(()));
    }
}
