//! Addresses in metadata: resolving references, hosts, and dates in paths.

use super::date::Date;
use crate::html::address;

/// Scheme, authority and path of an absolute URL.
fn parts(base: &str) -> Option<(&str, &str, &str)> {
    let (scheme, rest) = base.split_once("://")?;
    if scheme.is_empty() || !scheme.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')) {
        return None;
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let path = &rest[end..];
    Some((scheme, &rest[..end], &path[..path.find(['?', '#']).unwrap_or(path.len())]))
}

/// The host of a URL, without `www.`, port or user.
pub(super) fn host(url: &str) -> Option<&str> {
    let host = address::host(url)?;
    Some(host.strip_prefix("www.").unwrap_or(host)).filter(|host| !host.is_empty())
}

/// Resolves `reference` against `base`, if there is one. `None` for schemes other than HTTP, such as `javascript:`.
pub(super) fn resolve(base: Option<&str>, reference: &str) -> Option<String> {
    let reference = reference.trim();
    let scheme = reference.find(':').filter(|at| !reference[..*at].contains(['/', '?', '#'])).map(|at| &reference[..at]);
    if reference.is_empty() || scheme.is_some_and(|s| !s.eq_ignore_ascii_case("http") && !s.eq_ignore_ascii_case("https")) {
        return None;
    }
    match base.filter(|base| scheme.is_none() && parts(base).is_some()) {
        Some(base) => Some(address::resolve(base, reference)),
        None => Some(reference.to_owned()),
    }
}

/// The date in a path: `/2024/05/13/`, `/2024-05-13-rain`, `/20240513`.
pub(super) fn date(url: &str) -> Option<Date> {
    let (_, _, path) = parts(url)?;
    let bytes = path.as_bytes();
    let digits = |from: usize, max: usize| -> Option<(u32, usize)> {
        let n = bytes.get(from..)?.iter().take(max + 1).take_while(|b| b.is_ascii_digit()).count();
        (n > 0 && n <= max).then(|| Some((path.get(from..from + n)?.parse().ok()?, from + n)))?
    };
    let day = |year: u32, month: u32, day: u32| {
        Date::new(u16::try_from(year).ok().filter(|y| *y >= 1990)?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
    };
    for from in 1..bytes.len() {
        if bytes[from - 1].is_ascii_digit() || !bytes[from].is_ascii_digit() {
            continue;
        }
        let Some((value, at)) = digits(from, 8) else { continue };
        let found = match at - from {
            8 => day(value / 10_000, value / 100 % 100, value % 100),
            4 => (|| {
                let separator = *bytes.get(at).filter(|b| matches!(b, b'/' | b'-' | b'_'))?;
                let (month, at) = digits(at + 1, 2)?;
                let at = (bytes.get(at) == Some(&separator)).then_some(at + 1)?;
                let (number, _) = digits(at, 2)?;
                day(value, month, number)
            })(),
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references() {
        let base = Some("https://user@www.example.com:80/a/b/c.html?q=1#f");
        let table = [
            ("https://x.org/y", Some("https://x.org/y")),
            ("//x.org/y", Some("https://x.org/y")),
            ("/y?z", Some("https://user@www.example.com:80/y?z")),
            ("y", Some("https://user@www.example.com:80/a/b/y")),
            ("../y/./z/", Some("https://user@www.example.com:80/a/y/z/")),
            ("../../../../y", Some("https://user@www.example.com:80/y")),
            ("?z", Some("https://user@www.example.com:80/a/b/c.html?z")),
            ("/", Some("https://user@www.example.com:80/")),
            ("javascript:void(0)", None),
            ("data:image/png;base64,x", None),
            (" ", None),
        ];
        for (reference, expected) in table {
            assert_eq!(resolve(base, reference).as_deref(), expected, "{reference}");
        }
        assert_eq!(resolve(None, "/y").as_deref(), Some("/y"));
        assert_eq!(host("https://user@www.example.com:80/a"), Some("example.com"));
        assert_eq!(host("example"), None);
    }

    #[test]
    fn dates_in_paths() {
        let table = [
            ("https://e.com/2024/05/13/rain/", Some("2024-05-13")),
            ("https://e.com/news/2024/5/3", Some("2024-05-03")),
            ("https://e.com/2024-05-13-rain.html", Some("2024-05-13")),
            ("https://e.com/n/20240513/rain", Some("2024-05-13")),
            ("https://e.com/2024/05/rain", None),
            ("https://e.com/?d=2024/05/13", None),
            ("https://e.com/123456789", None),
            ("https://e.com/2024/13/13", None),
            ("https://e.com/99999999", None),
            ("2024/05/13", None),
        ];
        for (url, expected) in table {
            assert_eq!(date(url).map(|d| d.to_string()).as_deref(), expected, "{url}");
        }
    }
}
