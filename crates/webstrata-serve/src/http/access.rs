//! Access control.
//!
//! A server without a token trusts everyone who can connect, that is, this machine. Browsers on this machine show pages from
//! anywhere, so it must distinguish its own page from those, by the host name used (another site can point its own name at
//! 127.0.0.1) and by the site that a request comes from.

use super::error::ApiError;
use crate::ServeOptions;
use axum::http::{HeaderMap, Method, Uri, header};
use sha2::{Digest, Sha256};
use std::net::IpAddr;

/// Name of the cookie with the token.
const COOKIE: &str = "webstrata-token";

/// Decides which requests may be answered.
pub(crate) struct Access {
    token: Option<[u8; 32]>,
    hosts: Vec<String>,
    own: IpAddr,
}

impl Access {
    pub(crate) fn new(options: &ServeOptions) -> Self {
        let hosts = options.hosts.iter().map(|host| host.trim_end_matches('.').to_ascii_lowercase()).collect();
        Access { token: options.token.as_deref().map(digest), hosts, own: options.address }
    }

    /// Whether a request may be answered.
    pub(crate) fn check(&self, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<(), ApiError> {
        let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if self.token.is_none() && !self.is_own(host) {
            return Err(ApiError::Forbidden("this server does not accept that host name; --host NAME adds it".into()));
        }
        self.same_site(method, uri, host, headers)?;
        // Monitoring programs have no token.
        if uri.path() == "/api/v1/health" {
            return Ok(());
        }
        match self.token {
            Some(token) if !presented(headers).any(|given| digest(given) == token) => Err(ApiError::NoToken),
            _ => Ok(()),
        }
    }

    /// Whether this is the token. Digests are compared, so that timing reveals nothing about the token.
    pub(crate) fn is_token(&self, given: &str) -> bool {
        self.token.is_some_and(|token| digest(given) == token)
    }

    fn is_own(&self, host: &str) -> bool {
        let name = without_port(host).trim_end_matches('.').to_ascii_lowercase();
        if name == "localhost" || self.hosts.contains(&name) {
            return true;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(&name);
        bare.parse::<IpAddr>().is_ok_and(|address| address.is_loopback() || address == self.own)
    }

    /// Other sites may link to the page, but neither call the API nor show the page in a frame.
    fn same_site(&self, method: &Method, uri: &Uri, host: &str, headers: &HeaderMap) -> Result<(), ApiError> {
        let refused = || Err(ApiError::Forbidden("requests from pages of other sites are refused".into()));
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if let Some(origin) = text("origin") {
            let own = origin.split_once("://").is_some_and(|(_, authority)| authority.eq_ignore_ascii_case(host));
            if !own {
                return refused();
            }
        }
        let navigation = method == Method::GET && uri.path() == "/" && text("sec-fetch-mode").is_none_or(|mode| mode == "navigate");
        match text("sec-fetch-site") {
            None | Some("same-origin" | "none") => Ok(()),
            Some(_) if navigation => Ok(()),
            Some(_) => refused(),
        }
    }
}

/// The cookie that `/?token=…` sets.
pub(crate) fn cookie(token: &str) -> String {
    format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/")
}

fn presented(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer = headers.get_all(header::AUTHORIZATION).into_iter().filter_map(|value| value.to_str().ok());
    let bearer = bearer.filter_map(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    let cookies = cookies.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    bearer.map(|(_, token)| token.trim()).chain(cookies.filter(|(name, _)| *name == COOKIE).map(|(_, token)| token))
}

fn digest(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

fn without_port(host: &str) -> &str {
    match host.rfind(':') {
        Some(at) if !host[at..].contains(']') && host[at + 1..].bytes().all(|byte| byte.is_ascii_digit()) => &host[..at],
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(access: &Access, path: &str, pairs: &[(&str, &str)]) -> Result<(), ApiError> {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(header::HeaderName::from_bytes(name.as_bytes()).unwrap(), value.parse().unwrap());
        }
        access.check(&Method::GET, &path.parse().unwrap(), &headers)
    }

    #[test]
    fn only_under_its_own_name() {
        let access = Access::new(&ServeOptions { hosts: vec!["Strata.Example".into()], ..ServeOptions::default() });
        for host in ["localhost:8080", "127.0.0.1", "[::1]:8080", "LOCALHOST.", "strata.example:80"] {
            assert!(request(&access, "/", &[("host", host)]).is_ok(), "{host}");
        }
        for host in
            ["", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::1].evil", "localhost:80:80@x", "10.0.0.1"]
        {
            assert!(matches!(request(&access, "/", &[("host", host)]), Err(ApiError::Forbidden(_))), "{host}");
        }
    }

    #[test]
    fn other_sites_may_link_but_not_call() {
        let access = Access::new(&ServeOptions::default());
        let ask = |path, pairs: &[(&str, &str)]| request(&access, path, &[&[("host", "localhost:8080")], pairs].concat()).is_ok();
        assert!(ask("/", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]));
        assert!(!ask("/", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors")]));
        assert!(!ask("/api/v1/search", &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")]));
        assert!(!ask("/api/v1/search", &[("sec-fetch-site", "same-site")]), "another port is another site");
        assert!(ask("/api/v1/search", &[("sec-fetch-site", "same-origin"), ("origin", "http://localhost:8080")]));
        for origin in ["http://evil.example", "null", "http://localhost:9", "localhost:8080"] {
            assert!(!ask("/api/v1/search", &[("origin", origin)]), "{origin}");
        }
    }

    #[test]
    fn the_token_by_header_or_cookie() {
        let token = "0123456789abcdef";
        let access = Access::new(&ServeOptions { token: Some(token.into()), ..ServeOptions::default() });
        let ask = |pairs: &[(&str, &str)]| request(&access, "/api/v1/search", &[&[("host", "any.example")], pairs].concat());
        assert!(matches!(ask(&[]), Err(ApiError::NoToken)));
        assert!(ask(&[("authorization", "Bearer 0123456789abcdef")]).is_ok());
        assert!(ask(&[("authorization", "bearer 0123456789abcdef")]).is_ok());
        assert!(ask(&[("cookie", "a=b; webstrata-token=0123456789abcdef")]).is_ok());
        for wrong in ["Bearer 0123456789abcde", "Bearer 0123456789abcdefg", "Basic 0123456789abcdef", "0123456789abcdef", "Bearer "]
        {
            assert!(matches!(ask(&[("authorization", wrong)]), Err(ApiError::NoToken)), "{wrong}");
        }
        assert!(request(&access, "/api/v1/health", &[]).is_ok());
        assert!(access.is_token(token) && !access.is_token(""));
    }
}
