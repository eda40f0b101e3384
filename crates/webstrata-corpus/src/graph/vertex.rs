//! Keys of vertices: a page or host as bytes that sort in the order in which vertices are numbered.

use std::borrow::Cow;
use url::Url;

/// Longest URL that becomes a vertex; longer ones come from broken programs.
const MAX_URL_LEN: usize = 1 << 14;

/// Whether vertices are pages or hosts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Level {
    /// A page.
    #[default]
    Pages,
    /// A host.
    Hosts,
}

/// The key of a URL: the reversed host, and for a page a zero byte and the URL. `None` for anything but http and https.
pub(crate) fn key(url: &str, level: Level) -> Option<Vec<u8>> {
    if url.len() > MAX_URL_LEN {
        return None;
    }
    let mut url = Url::parse(url).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let mut key = reversed(url.host_str()?)?.into_bytes();
    if level == Level::Pages {
        // Fragments and credentials do not identify a different page.
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        key.push(0);
        key.extend_from_slice(url.as_str().as_bytes());
    }
    Some(key)
}

/// The key of a name that is kept as it is, whether or not it is a URL.
pub(crate) fn verbatim_key(name: &str) -> Vec<u8> {
    let mut key = host_key(name).into_owned().into_bytes();
    key.retain(|&byte| byte > b' ');
    key.push(0);
    key.extend_from_slice(name.as_bytes());
    key
}

/// The normalised URL of a page, as [`key`] contains it.
pub(crate) fn normalized(url: &str) -> Option<String> {
    let key = key(url, Level::Pages)?;
    String::from_utf8(name(&key).to_vec()).ok()
}

/// The host in a key.
pub(crate) fn host(key: &[u8]) -> &[u8] {
    key.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// The name of the vertex: the URL of a page, the reversed name of a host.
pub(crate) fn name(key: &[u8]) -> &[u8] {
    key.iter().position(|&byte| byte == 0).map_or(key, |zero| &key[zero + 1..])
}

/// `www.example.org` as `org.example.www`. IP addresses stay as they are. `None` for a host with invalid bytes.
fn reversed(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() || host.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
        return None;
    }
    Some(if host.starts_with('[') || is_ipv4(host) { host.to_owned() } else { reverse_labels(host) })
}

fn is_ipv4(host: &str) -> bool {
    host.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
}

fn reverse_labels(host: &str) -> String {
    host.rsplit('.').collect::<Vec<_>>().join(".")
}

/// The reversed host of a name, without parsing it as a URL; empty for names that are not URLs.
pub(crate) fn host_key(name: &str) -> Cow<'_, str> {
    let Some((scheme, rest)) = name.split_once("://") else { return Cow::Borrowed("") };
    if scheme.is_empty() || !scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')) {
        return Cow::Borrowed("");
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if host.starts_with('[') {
        return Cow::Borrowed(host.split_inclusive(']').next().unwrap_or_default());
    }
    let host = host.split(':').next().unwrap_or_default();
    let host = host.strip_suffix('.').unwrap_or(host);
    if is_ipv4(host) {
        return Cow::Borrowed(host);
    }
    Cow::Owned(reverse_labels(&host.to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_keys_begin_with_the_reversed_host() {
        let key = |url: &str| key(url, Level::Pages).map(|key| String::from_utf8(key).unwrap());
        assert_eq!(
            key("HTTPS://user:word@WWW.Example.org:443/a/../b?c#d").unwrap(),
            "org.example.www\0https://www.example.org/b?c"
        );
        assert_eq!(key("http://127.0.0.1:80/").unwrap(), "127.0.0.1\0http://127.0.0.1/");
        assert_eq!(key("http://[::1]/").unwrap(), "[::1]\0http://[::1]/");
        assert_eq!(key("https://example.org./").unwrap(), "org.example\0https://example.org./");
        let long = format!("http://e.org/{}", "x".repeat(20_000));
        for url in ["mailto:a@b", "javascript:x", "/relative", "", "a.html", "ftp://e.org/", "https://", &long] {
            assert_eq!(key(url), None, "{url}");
        }
    }

    #[test]
    fn keys_split_into_host_and_name() {
        let page = key("https://a.b/c", Level::Pages).unwrap();
        assert_eq!((host(&page), name(&page)), (b"b.a".as_slice(), b"https://a.b/c".as_slice()));
        let site = key("https://a.b/c", Level::Hosts).unwrap();
        assert_eq!((host(&site), name(&site)), (b"b.a".as_slice(), b"b.a".as_slice()));
    }

    #[test]
    fn hosts_of_names() {
        for (name, want) in [
            ("https://www.Example.org:80/a", "org.example.www"),
            ("http://user@a.b?x", "b.a"),
            ("http://127.0.0.1/x", "127.0.0.1"),
            ("http://[::1]:8/x", "[::1]"),
            ("Main_Page", ""),
            ("://x", ""),
            ("http://", ""),
        ] {
            assert_eq!(host_key(name), want, "{name}");
        }
    }
}
