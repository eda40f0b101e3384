//! Names of vertices: addresses and hosts, in a form whose bytes sort as the vertices are numbered.

use super::Level;
use url::Url;

/// Longest address; what is longer was made by a program that went astray.
const MAX_LEN: usize = 1 << 14;

/// What a vertex is called: the reversed host, and for a page a zero byte and its address.
pub(crate) fn key(address: &str, level: Level) -> Option<Vec<u8>> {
    if address.len() > MAX_LEN {
        return None;
    }
    let mut url = Url::parse(address).ok()?;
    if !matches!(url.scheme(), "http" | "https") {
        return None;
    }
    let mut key = reversed(url.host_str()?)?.into_bytes();
    if level == Level::Pages {
        // The place in a page is not another page; who asks for it is not part of its name.
        url.set_fragment(None);
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        key.push(0);
        key.extend_from_slice(url.as_str().as_bytes());
    }
    Some(key)
}

/// The host in a key.
pub(crate) fn host(key: &[u8]) -> &[u8] {
    key.split(|&byte| byte == 0).next().unwrap_or_default()
}

/// What is written of a key: the address of a page, the reversed name of a host.
pub(crate) fn shown(key: &[u8]) -> &[u8] {
    key.iter().position(|&byte| byte == 0).map_or(key, |zero| &key[zero + 1..])
}

/// `www.example.org` as `org.example.www`. Numbers stay as they are. Nothing for a host with bytes that no host has.
fn reversed(host: &str) -> Option<String> {
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() || host.bytes().any(|byte| byte <= b' ' || byte == 0x7f) {
        return None;
    }
    let is_number =
        host.starts_with('[') || host.split('.').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    Some(if is_number { host.to_owned() } else { host.rsplit('.').collect::<Vec<_>>().join(".") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_named_by_their_hosts_first() {
        let key = |address: &str| key(address, Level::Pages).map(|key| String::from_utf8(key).unwrap());
        assert_eq!(
            key("HTTPS://user:word@WWW.Example.org:443/a/../b?c#d").unwrap(),
            "org.example.www\0https://www.example.org/b?c"
        );
        assert_eq!(key("http://127.0.0.1:80/").unwrap(), "127.0.0.1\0http://127.0.0.1/");
        assert_eq!(key("http://[::1]/").unwrap(), "[::1]\0http://[::1]/");
        assert_eq!(key("https://example.org./").unwrap(), "org.example\0https://example.org./");
        for address in [
            "mailto:a@b",
            "javascript:x",
            "/relative",
            "",
            "a.html",
            "ftp://e.org/",
            "https://",
            &format!("http://e.org/{}", "x".repeat(20_000)),
        ] {
            assert_eq!(key(address), None, "{address}");
        }
    }

    #[test]
    fn keys_are_taken_apart() {
        let page = key("https://a.b/c", Level::Pages).unwrap();
        assert_eq!((host(&page), shown(&page)), (b"b.a".as_slice(), b"https://a.b/c".as_slice()));
        let name = key("https://a.b/c", Level::Hosts).unwrap();
        assert_eq!((host(&name), shown(&name)), (b"b.a".as_slice(), b"b.a".as_slice()));
    }
}
