//! Encoding labels: maps a `Content-Type` value to an encoding, and determines which encodings are compatible.
//!
//! Follows the WHATWG Encoding standard ("get an encoding", which `encoding_rs` implements) and
//! the HTML standard's "algorithm for extracting a character encoding from a `meta` element".
//!
//! Departure: labels of the *replacement* encoding (`iso-2022-kr`, `hz-gb-2312` and others) count
//! as no label. The standard decodes such a page to one U+FFFD to protect a browser from script
//! injection; an extractor runs no script and is better served by the evidence in the bytes.

use encoding_rs::Encoding;

/// The script that an encoding covers besides ASCII. A declaration of the wrong script does real harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Script {
    Latin,
    Cyrillic,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    /// Legacy multi-byte encodings of Chinese, Japanese and Korean.
    Cjk,
    /// UTF-8 and UTF-16.
    Unicode,
}

/// The encoding a label names, ignoring surrounding space and stray quotes.
pub(crate) fn encoding_for(label: &[u8]) -> Option<&'static Encoding> {
    let label = label.trim_ascii();
    let label = label
        .iter()
        .position(|b| !matches!(b, b'"' | b'\''))
        .zip(label.iter().rposition(|b| !matches!(b, b'"' | b'\'')))
        .and_then(|(first, last)| label.get(first..=last))?;
    Encoding::for_label_no_replacement(label)
}

/// The encoding of a transport hint: either a bare label or a whole `Content-Type` value.
pub(crate) fn encoding_of_transport(hint: &str) -> Option<&'static Encoding> {
    encoding_for(hint.as_bytes()).or_else(|| charset_in(hint.as_bytes()).and_then(encoding_for))
}

/// The label after `charset=` in a `content` attribute or header value, as the HTML standard
/// extracts it: later occurrences are tried only while no `=` follows the word; an unmatched
/// quote yields nothing.
pub(crate) fn charset_in(value: &[u8]) -> Option<&[u8]> {
    const WORD: &[u8] = b"charset";
    let mut rest = value;
    loop {
        let at = rest.windows(WORD.len()).position(|window| window.eq_ignore_ascii_case(WORD))?;
        rest = rest.get(at + WORD.len()..)?.trim_ascii_start();
        if let Some((b'=', after)) = rest.split_first() {
            rest = after.trim_ascii_start();
            break;
        }
    }
    match rest.split_first()? {
        (&quote @ (b'"' | b'\''), quoted) => quoted.get(..quoted.iter().position(|&b| b == quote)?),
        _ => {
            let end = rest.iter().position(|b| b.is_ascii_whitespace() || *b == b';');
            rest.get(..end.unwrap_or(rest.len()))
        }
    }
}

/// The script family of an encoding.
pub(crate) fn script(encoding: &'static Encoding) -> Script {
    match encoding.name() {
        "UTF-8" | "UTF-16LE" | "UTF-16BE" => Script::Unicode,
        "GBK" | "gb18030" | "Big5" | "EUC-JP" | "EUC-KR" | "Shift_JIS" | "ISO-2022-JP" => Script::Cjk,
        "windows-1251" | "KOI8-R" | "KOI8-U" | "IBM866" | "ISO-8859-5" | "x-mac-cyrillic" => Script::Cyrillic,
        "windows-1253" | "ISO-8859-7" => Script::Greek,
        "windows-1255" | "ISO-8859-8" | "ISO-8859-8-I" => Script::Hebrew,
        "windows-1256" | "ISO-8859-6" => Script::Arabic,
        "windows-874" => Script::Thai,
        _ => Script::Latin,
    }
}

/// Whether two encodings agree on practically all letters of the languages both are used for, so
/// that a guess for one confirms a declaration of the other. The detector in use knows only one
/// of most such groups.
pub(crate) fn are_compatible(a: &'static Encoding, b: &'static Encoding) -> bool {
    fn group(encoding: &'static Encoding) -> &'static str {
        match encoding.name() {
            "gb18030" => "GBK",
            "KOI8-U" => "KOI8-R",
            "ISO-8859-15" => "windows-1252",
            "ISO-8859-2" | "ISO-8859-16" => "windows-1250",
            "ISO-8859-7" => "windows-1253",
            "ISO-8859-8" | "ISO-8859-8-I" => "windows-1255",
            "ISO-8859-13" => "windows-1257",
            name => name,
        }
    }
    group(a) == group(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, GB18030, GBK, KOI8_R, KOI8_U, SHIFT_JIS, UTF_8, WINDOWS_1252};

    #[test]
    fn transport_hints() {
        let cases: [(&str, Option<&'static Encoding>); 14] = [
            ("utf-8", Some(UTF_8)),
            ("  UTF8 ", Some(UTF_8)),
            ("\"big5\"", Some(BIG5)),
            ("text/html; charset=x", None),
            ("text/html; charset=Shift_JIS", Some(SHIFT_JIS)),
            ("text/html;charset=\"gb2312\"; x=y", Some(GBK)),
            ("text/html; charset = latin1;q", Some(WINDOWS_1252)),
            ("text/html; charset=\"utf-8", None),
            ("text/html", None),
            ("text/html; charset", None),
            ("charset charset=koi8-r", Some(KOI8_R)),
            ("iso-2022-kr", None),
            ("", None),
            ("''", None),
        ];
        for (hint, expected) in cases {
            assert_eq!(encoding_of_transport(hint), expected, "{hint:?}");
        }
    }

    #[test]
    fn compatible_encodings() {
        assert!(are_compatible(GBK, GB18030) && are_compatible(KOI8_R, KOI8_U) && are_compatible(BIG5, BIG5));
        assert!(!are_compatible(GBK, BIG5) && !are_compatible(UTF_8, WINDOWS_1252));
        assert_eq!(script(GB18030), Script::Cjk);
        assert_eq!(script(WINDOWS_1252), Script::Latin);
    }
}
