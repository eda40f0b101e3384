//! The encoding and language a page declares about itself in its first bytes.
//!
//! Follows the HTML standard's "prescan a byte stream to determine its encoding", including "get
//! an attribute" and "get an XML encoding": comments are skipped, a `meta` inside a script *is*
//! seen, running out of bytes ends the scan, `UTF-16` means UTF-8 (bytes in which a `meta` can be
//! read are not UTF-16) and `x-user-defined` means windows-1252.
//!
//! Departures: the scan covers 4096 bytes where the standard has 1024, because real pages open
//! with long licence comments or `meta` blocks and no network latency is at stake here; and the
//! `lang` of the `html` element is noted on the way, as evidence for the detector.

use super::label;
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memmem};

/// How many bytes are scanned; four times the standard's 1024, see the module header.
const PRESCAN_BYTES: usize = 4096;

/// What a page declares about itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Declaration<'a> {
    /// The encoding of the first `meta` that names one, else of the XML declaration.
    pub(crate) encoding: Option<&'static Encoding>,
    /// The `lang` (or `xml:lang`) attribute of the `html` element, as written.
    pub(crate) language: Option<&'a [u8]>,
}

/// Scans the first bytes of a page.
pub(crate) fn prescan(bytes: &[u8]) -> Declaration<'_> {
    let head = bytes.get(..PRESCAN_BYTES).unwrap_or(bytes);
    let mut scan = Scan { head, position: 0 };
    let mut declaration = Declaration::default();
    declaration.encoding = scan.run(&mut declaration.language).or_else(|| xml_encoding(head)).map(|encoding| {
        if encoding == UTF_16LE || encoding == UTF_16BE {
            UTF_8
        } else if encoding == X_USER_DEFINED {
            WINDOWS_1252
        } else {
            encoding
        }
    });
    declaration
}

/// "Get an XML encoding": the pseudo-attribute of an XML declaration at the very start.
fn xml_encoding(head: &[u8]) -> Option<&'static Encoding> {
    if !head.starts_with(b"<?xml") {
        return None;
    }
    let declaration = head.get(..memchr(b'>', head)?)?;
    let after = memmem::find(declaration, b"encoding")? + b"encoding".len();
    let rest = skip_controls(declaration.get(after..)?);
    let rest = skip_controls(rest.strip_prefix(b"=")?);
    let (&quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let value = rest.get(..memchr(quote, rest)?)?;
    if value.iter().any(|&b| b <= b' ') {
        return None;
    }
    Encoding::for_label_no_replacement(value)
}

/// Everything up to the space character is skipped in XML declarations.
fn skip_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|&b| b > b' ');
    bytes.get(start.unwrap_or(bytes.len())..).unwrap_or(&[])
}

/// White space of the prescan: tab, line feed, form feed, carriage return, space.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0C | b'\r' | b' ')
}

/// The scan's position; every step returns `None` when the bytes run out, which ends the scan.
struct Scan<'a> {
    head: &'a [u8],
    position: usize,
}

impl<'a> Scan<'a> {
    /// The main loop; returns the first encoding a `meta` declares.
    fn run(&mut self, language: &mut Option<&'a [u8]>) -> Option<&'static Encoding> {
        loop {
            let rest = self.head.get(self.position..)?;
            self.position += memchr(b'<', rest)?;
            let rest = self.head.get(self.position..)?;
            if rest.starts_with(b"<!--") {
                // The two hyphens of the opening may also belong to the closing: `<!-->`.
                self.position += 2;
                let comment = self.head.get(self.position..)?;
                self.position += memmem::find(comment, b"-->")? + 3;
            } else if tag_is(rest, b"meta") {
                self.position += b"<meta".len();
                if let Some(encoding) = self.meta()? {
                    return Some(encoding);
                }
            } else if tag_is(rest, b"html") {
                self.position += b"<html".len();
                while let Some((name, value)) = self.attribute()? {
                    let names_language = name.eq_ignore_ascii_case(b"lang") || name.eq_ignore_ascii_case(b"xml:lang");
                    if names_language && !value.is_empty() && language.is_none() {
                        *language = Some(value);
                    }
                }
            } else if opens_tag(rest) {
                let name_end = rest.iter().position(|&b| is_space(b) || b == b'>')?;
                self.position += name_end;
                while self.attribute()?.is_some() {}
            } else if matches!(rest.get(1), Some(b'!' | b'/' | b'?')) {
                self.position += memchr(b'>', rest)? + 1;
            } else {
                self.position += 1;
            }
        }
    }

    /// The attributes of a `meta`: the encoding it declares, if it declares a known one.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let (mut seen_equiv, mut seen_content, mut seen_charset) = (false, false, false);
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset: Option<Option<&'static Encoding>> = None;
        while let Some((name, value)) = self.attribute()? {
            // Only the first of repeated attributes counts.
            if name.eq_ignore_ascii_case(b"http-equiv") {
                if !seen_equiv && value.eq_ignore_ascii_case(b"content-type") {
                    got_pragma = true;
                }
                seen_equiv = true;
            } else if name.eq_ignore_ascii_case(b"content") {
                if !seen_content && charset.is_none() {
                    let found = label::charset_in(value).and_then(label::encoding_for);
                    if found.is_some() {
                        charset = Some(found);
                        need_pragma = Some(true);
                    }
                }
                seen_content = true;
            } else if name.eq_ignore_ascii_case(b"charset") {
                if !seen_charset {
                    charset = Some(label::encoding_for(value));
                    need_pragma = Some(false);
                }
                seen_charset = true;
            }
        }
        Some(match need_pragma {
            None => None,
            Some(true) if !got_pragma => None,
            Some(_) => charset.flatten(),
        })
    }

    /// "Get an attribute": name and value as written, or the inner `None` at the end of the tag.
    fn attribute(&mut self) -> Option<Option<(&'a [u8], &'a [u8])>> {
        while is_space(self.peek()?) || self.peek()? == b'/' {
            self.position += 1;
        }
        if self.peek()? == b'>' {
            return Some(None);
        }
        let start = self.position;
        loop {
            match self.peek()? {
                b'=' if self.position > start => break,
                b'/' | b'>' => return Some(Some((self.since(start)?, &[]))),
                byte if is_space(byte) => break,
                _ => self.position += 1,
            }
        }
        let name = self.since(start)?;
        self.skip_spaces()?;
        if self.peek()? != b'=' {
            return Some(Some((name, &[])));
        }
        self.position += 1;
        self.skip_spaces()?;
        let quote = self.peek()?;
        if matches!(quote, b'"' | b'\'') {
            self.position += 1;
            let start = self.position;
            self.position += memchr(quote, self.head.get(start..)?)?;
            let value = self.since(start)?;
            self.position += 1;
            return Some(Some((name, value)));
        }
        let start = self.position;
        while !is_space(self.peek()?) && self.peek()? != b'>' {
            self.position += 1;
        }
        Some(Some((name, self.since(start)?)))
    }

    fn peek(&self) -> Option<u8> {
        self.head.get(self.position).copied()
    }

    fn since(&self, start: usize) -> Option<&'a [u8]> {
        self.head.get(start..self.position)
    }

    fn skip_spaces(&mut self) -> Option<()> {
        while is_space(self.peek()?) {
            self.position += 1;
        }
        Some(())
    }
}

/// Whether `rest` starts with `<name` and then a space or slash.
fn tag_is(rest: &[u8], name: &[u8]) -> bool {
    let after = rest.get(1..=name.len());
    let next = rest.get(name.len() + 1);
    after.is_some_and(|tag| tag.eq_ignore_ascii_case(name)) && next.is_some_and(|&b| is_space(b) || b == b'/')
}

/// Whether `rest` starts with `<` or `</` and an ASCII letter.
fn opens_tag(rest: &[u8]) -> bool {
    match rest.get(1) {
        Some(b'/') => rest.get(2).is_some_and(u8::is_ascii_alphabetic),
        Some(byte) => byte.is_ascii_alphabetic(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use encoding_rs::{BIG5, EUC_JP, GBK, KOI8_R, SHIFT_JIS};

    #[test]
    fn awkward_cases_from_the_standard() {
        let cases: [(&str, Option<&'static Encoding>); 40] = [
            ("<meta charset=big5>", Some(BIG5)),
            ("<META CHARSET='Big5'>", Some(BIG5)),
            ("<meta charset=\"big5\"/>", Some(BIG5)),
            ("<meta/charset=big5>", Some(BIG5)),
            ("<meta\n\tcharset\n=\r\x0C big5 >", Some(BIG5)),
            // An unquoted value runs up to a space or `>`, so the slash belongs to the label.
            ("<meta charset=big5/>", None),
            ("<meta charset=big5 />", Some(BIG5)),
            ("<metacharset=big5>", None),
            ("<meta charset=big5", None),
            ("<meta charset='big5", None),
            ("<meta charset='big5>", None),
            ("<meta charset=nonsense><meta charset=big5>", Some(BIG5)),
            ("<meta charset=big5 charset=gbk>", Some(BIG5)),
            ("<meta charset=nonsense charset=gbk>", None),
            ("<!-- <meta charset=gbk> --><meta charset=big5>", Some(BIG5)),
            ("<!--><meta charset=big5>", Some(BIG5)),
            ("<!---><meta charset=big5>", Some(BIG5)),
            ("<!-- <meta charset=big5>", None),
            ("<script>'<meta charset=big5>'</script>", Some(BIG5)),
            ("<a title='<meta charset=gbk>'><meta charset=big5>", Some(BIG5)),
            ("</a title='<meta charset=gbk>'><meta charset=big5>", Some(BIG5)),
            ("<!doctype '><meta charset=big5>", Some(BIG5)),
            ("<?php '><meta charset=big5>", Some(BIG5)),
            ("</ <meta charset=gbk><meta charset=big5>", Some(BIG5)),
            ("< meta charset=big5>", None),
            ("<<meta charset=big5>", Some(BIG5)),
            ("<meta http-equiv=content-type content='text/html; charset=euc-jp'>", Some(EUC_JP)),
            ("<meta content='text/html; charset=euc-jp' http-equiv=Content-Type>", Some(EUC_JP)),
            ("<meta content='text/html; charset=euc-jp'>", None),
            ("<meta http-equiv=refresh content='text/html; charset=euc-jp'>", None),
            ("<meta http-equiv=refresh http-equiv=content-type content='charset=euc-jp'>", None),
            // `charset` needs no pragma and overrides `content`.
            ("<meta content='charset=euc-jp' charset=sjis>", Some(SHIFT_JIS)),
            ("<meta charset=sjis content='charset=euc-jp'>", Some(SHIFT_JIS)),
            ("<meta http-equiv=content-type content='charset=bad' charset=sjis>", Some(SHIFT_JIS)),
            ("<meta charset=utf-16le>", Some(UTF_8)),
            ("<meta charset=x-user-defined>", Some(WINDOWS_1252)),
            ("<?xml version='1.0' encoding=\"koi8-r\"?><p>", Some(KOI8_R)),
            ("<?xml encoding='koi8-r'?><meta charset=gb2312>", Some(GBK)),
            (" <?xml encoding='koi8-r'?>", None),
            ("", None),
        ];
        for (page, expected) in cases {
            assert_eq!(prescan(page.as_bytes()).encoding, expected, "{page:?}");
        }
    }

    #[test]
    fn scan_limit_and_language() {
        let far = |padding: usize| format!("{}<meta charset=big5>", " ".repeat(padding));
        assert_eq!(prescan(far(4000).as_bytes()).encoding, Some(BIG5));
        assert_eq!(prescan(far(4090).as_bytes()).encoding, None);
        let page = b"<!doctype html><html class=x lang='zh-TW'><meta charset=nope><p>";
        assert_eq!(prescan(page).language, Some(&b"zh-TW"[..]));
        assert_eq!(prescan(b"<html lang=><p>").language, None);
    }

    #[test]
    fn every_prefix_is_scanned() {
        let page = b"<?xml encoding='x'?><!-- - --><html lang=x><meta a = 'b' charset = \"big5\" >";
        for end in 0..=page.len() {
            let found = prescan(page.get(..end).unwrap_or(page)).encoding;
            assert_eq!(found.is_some(), end == page.len(), "{end}");
        }
    }
}
