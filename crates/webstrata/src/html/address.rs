//! Addresses: resolves relative ones (RFC 3986, 5.2), and rejects those that must not be written.
//!
//! Markdown and HTML share one list of allowed schemes, since a list of forbidden ones is never complete.

use std::borrow::Cow;

/// Maximum length of a URL; longer ones are data rather than locations.
const MAX_BYTES: usize = 2048;

/// Schemes allowed in links.
const LINK_SCHEMES: [&str; 4] = ["http", "https", "mailto", "tel"];

/// Schemes allowed for embedded content and for the page's own address.
const EMBEDDED_SCHEMES: [&str; 2] = ["http", "https"];

/// Whether a URL leads to a home page: a bare host, or the root of the current one.
pub(crate) fn is_home(href: &str) -> bool {
    let href = href.trim();
    let path = match href.split_once("//") {
        Some((scheme, rest)) if scheme.is_empty() || scheme.ends_with(':') => rest.split_once('/').map_or("", |(_, path)| path),
        _ => match href.strip_prefix('/') {
            Some(path) => path,
            None => return false,
        },
    };
    matches!(path, "" | "index.html" | "index.htm" | "index.php")
}

/// The URL of a link, resolved against `base` if there is one; `None` if it leads nowhere, or only in a browser that
/// runs scripts.
pub(crate) fn target(base: Option<&str>, href: &str) -> Option<String> {
    filtered(base, href, &LINK_SCHEMES)
}

/// The URL of an image.
pub(crate) fn source(base: Option<&str>, src: &str) -> Option<String> {
    filtered(base, src, &EMBEDDED_SCHEMES)
}

fn filtered(base: Option<&str>, address: &str, schemes: &[&str]) -> Option<String> {
    // Browsers ignore white space at the ends and newlines anywhere. All invisible characters are removed here, so
    // that the check sees the address as any consumer will.
    let address = visible(address.trim_matches(|c: char| c <= ' '));
    let address = address.trim();
    if address.is_empty() || address == "#" || address.len() > MAX_BYTES {
        return None;
    }
    if let Some(scheme) = scheme(address) {
        return schemes.iter().any(|s| scheme.eq_ignore_ascii_case(s)).then(|| percent_encoded(address).into_owned());
    }
    let address = &*percent_encoded(address);
    match base {
        Some(base) => Some(resolve(base, address)),
        // Some consumers would mistake a colon before the first slash for the end of a scheme.
        None if address.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':')) => Some(format!("./{address}")),
        None => Some(address.to_owned()),
    }
}

/// The visible characters of an address.
fn visible(address: &str) -> Cow<'_, str> {
    if all_bytes(address, |byte| matches!(byte, b' '..=b'~')) {
        return Cow::Borrowed(address);
    }
    Cow::Owned(address.chars().filter(|c| !c.is_control() && !is_invisible(*c)).collect())
}

/// Whether all bytes satisfy a test. Always reads all of them, which takes fewer instructions than stopping at the first failure.
fn all_bytes(text: &str, test: impl Fn(u8) -> bool) -> bool {
    text.bytes().fold(true, |all, byte| all & test(byte))
}

/// An address with spaces and quotes percent-encoded, as browsers send them.
fn percent_encoded(address: &str) -> Cow<'_, str> {
    let illegal = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '>' | '`');
    let is_plain = |byte: u8| matches!(byte, b'!' | b'#'..=b';' | b'=' | b'?'..=b'_' | b'a'..=b'~');
    if all_bytes(address, is_plain) || !address.contains(illegal) {
        return Cow::Borrowed(address);
    }
    let mut out = String::with_capacity(address.len() + 16);
    for c in address.chars() {
        if illegal(c) {
            push_percent_encoded(c, &mut out);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Appends a percent-encoded character.
pub(crate) fn push_percent_encoded(c: char, out: &mut String) {
    for byte in c.encode_utf8(&mut [0; 4]).bytes() {
        out.push('%');
        for digit in [byte >> 4, byte & 15] {
            out.push(char::from_digit(u32::from(digit), 16).unwrap_or('0').to_ascii_uppercase());
        }
    }
}

/// Whether `c` is a zero-width character or a noncharacter.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
        || matches!(c, '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fffd}' | '\u{e0000}'..='\u{e0fff}')
        || u32::from(c) & 0xfffe == 0xfffe
}

/// The scheme of an absolute address.
fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let legal = scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    (legal && scheme.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(scheme)
}

/// The base URL: `<base href>` if the page has one, else the one in the options.
pub(crate) fn base(given: Option<&str>, element: Option<&str>) -> Option<String> {
    let is_http =
        |address: &&str| scheme(address).is_some_and(|s| EMBEDDED_SCHEMES.iter().any(|scheme| s.eq_ignore_ascii_case(scheme)));
    let given = given.map(str::trim).filter(is_http).filter(|g| g.len() <= MAX_BYTES);
    let own = element.and_then(|href| source(given, href)).filter(|href| is_http(&href.as_str()));
    own.or_else(|| given.map(str::to_owned))
}

/// Resolves a relative reference against an absolute URL.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let Some(scheme) = scheme(base) else { return reference.to_owned() };
    let rest = &base[scheme.len() + 1..];
    let base_end = rest.find('#').unwrap_or(rest.len());
    let rest = &rest[..base_end];
    if reference.starts_with('#') {
        return format!("{scheme}:{rest}{reference}");
    }
    let (authority, path_query) = match rest.strip_prefix("//") {
        Some(inner) => inner.split_at(inner.find(['/', '?']).unwrap_or(inner.len())),
        None => ("", rest),
    };
    let slashes = if rest.starts_with("//") { "//" } else { "" };
    if reference.starts_with("//") {
        return format!("{scheme}:{reference}");
    }
    let path = path_query.split('?').next().unwrap_or("");
    if reference.starts_with('?') {
        return format!("{scheme}:{slashes}{authority}{path}{reference}");
    }
    let (relative, tail) = reference.split_at(reference.find(['?', '#']).unwrap_or(reference.len()));
    let folder = match relative.starts_with('/') {
        true => "",
        false => path.rfind('/').map_or("/", |slash| &path[..=slash]),
    };
    let mut out = String::with_capacity(base.len() + reference.len() + 1);
    for part in [scheme, ":", slashes, authority, folder, relative] {
        out.push_str(part);
    }
    let path_start = out.len() - folder.len() - relative.len();
    // Few paths have segments to remove.
    let path = &out[path_start..];
    if path.starts_with('.') || path.contains("/.") {
        let path = without_dots(path);
        out.truncate(path_start);
        out.push_str(&path);
    }
    out.push_str(tail);
    out
}

/// A path without its `.` and `..` segments.
fn without_dots(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let last = segments.peek().is_none();
        match segment {
            "." | ".." => {
                if segment == ".." && out.len() > 1 {
                    out.pop();
                }
                if last {
                    out.push("");
                }
            }
            _ => out.push(segment),
        }
    }
    out.join("/")
}

/// The host of an absolute URL, without user and port.
pub(crate) fn host(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let end = rest.bytes().position(|byte| matches!(byte, b'/' | b'?' | b'#' | b'\\'));
    let authority = &rest[..end.unwrap_or(rest.len())];
    let host_port = authority.rsplit('@').next().unwrap_or(authority);
    let end = if host_port.starts_with('[') { host_port.find(']').map(|at| at + 1) } else { host_port.find(':') };
    Some(&host_port[..end.unwrap_or(host_port.len())]).filter(|host| !host.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Examples of RFC 3986, 5.4.
    #[test]
    fn relative_references() {
        let base = "http://a/b/c/d;p?q";
        for (reference, want) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y#s", "http://a/b/c/g?y#s"),
            ("#s", "http://a/b/c/d;p?q#s"),
            (";x", "http://a/b/c/;x"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g/../h", "http://a/b/c/h"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g/.h/..i", "http://a/b/c/g/.h/..i"),
        ] {
            assert_eq!(target(Some(base), reference).as_deref(), Some(want), "{reference}");
        }
        assert_eq!(resolve("http:./a", "b"), "http:b");
    }

    #[test]
    fn plain_addresses_are_borrowed() {
        for byte in 0..=127u8 {
            let text = format!("a{}b", char::from(byte));
            let removed: String = text.chars().filter(|c| !c.is_control() && !is_invisible(*c)).collect();
            assert_eq!(visible(&text), removed, "{byte}");
            let is_encoded = char::from(byte).is_whitespace() || b"\"<>`".contains(&byte);
            assert_eq!(percent_encoded(&text) == text, !is_encoded, "{byte}");
        }
    }

    #[test]
    fn unsafe_addresses_are_dropped() {
        for href in [
            "",
            " ",
            "#",
            "javascript:void(0)",
            " JavaScript:x",
            "java\nscript:x",
            "java\u{1}script:x",
            "\u{1}\u{2} javascript:x",
            "\u{a0}javascript:x",
            "java\u{200b}script:x",
            "\u{feff}vbscript:x",
            "java\u{fdd0}script:x",
            "JAVA\tSCRIPT:x",
            "data:text/html,x",
            "DATA:image/svg+xml,x",
            "blob:https://a/b",
            "file:///etc/passwd",
            "view-source:http://a/",
            "feed:javascript:x",
            "about:blank",
            "x-made-up:y",
            "filesystem:http://a/",
            "jar:http://a/!/b",
            "mhtml:x",
        ] {
            assert_eq!(target(Some("http://a/"), href), None, "{href:?}");
            assert_eq!(target(None, href), None, "{href:?}");
            assert_eq!(source(None, href), None, "{href:?}");
        }
        assert_eq!(source(None, "mailto:a@b.example"), None);
        for href in ["mailto:a@b.example", "tel:+1", "HTTPS://a/b", "//a/b", "a?b:c", "/a:b", "#a:b"] {
            assert_eq!(target(None, href).as_deref(), Some(href));
        }
        assert_eq!(target(None, "12:30.html").as_deref(), Some("./12:30.html"));
        assert_eq!(target(Some("http://a/b"), "a b:c").as_deref(), Some("http://a/a%20b:c"));
        assert_eq!(target(None, "x\u{e9}:y").as_deref(), Some("./x\u{e9}:y"));
    }

    #[test]
    fn bases() {
        assert_eq!(base(Some("http://a/b"), Some("/c/")).as_deref(), Some("http://a/c/"));
        assert_eq!(base(None, Some("/c/")), None);
        assert_eq!(base(None, Some("javascript:x//")), None);
        assert_eq!(base(Some("data:text/html,x"), Some("c")), None);
        assert_eq!(base(Some("http://a/b"), Some("javascript:x//")).as_deref(), Some("http://a/b"));
    }

    #[test]
    fn hosts() {
        for (address, want) in [
            ("https://www.Example.org:8080/a", Some("www.Example.org")),
            ("https://me:pw@example.org?q", Some("example.org")),
            ("http://[::1]:80/", Some("[::1]")),
            ("mailto:a@example.org", None),
            ("/a/b", None),
            ("https:///a", None),
            ("https://[::1]/", Some("[::1]")),
            ("https://evil.org\\@example.org/", Some("evil.org")),
            ("", None),
        ] {
            assert_eq!(host(address), want, "{address}");
        }
    }
}
