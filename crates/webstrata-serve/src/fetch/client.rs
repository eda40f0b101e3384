//! One request: ureq with rustls, a resolver that refuses non-public addresses, and no proxies, cookies or redirects of its own.

use super::{FetchError, FetchOptions, TestName, is_public};
use std::io::Read;
use std::net::SocketAddr;
use std::time::Duration;
use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Body};
use url::Url;

/// Answers without a body that we would read.
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, Vec<u8>)>,
    body: Option<Body>,
}

pub(super) struct Client(Agent);

impl Client {
    pub(super) fn new(options: &FetchOptions) -> Self {
        let config = Agent::config_builder()
            .proxy(None)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .timeout_global(Some(options.timeout))
            .timeout_connect(Some(options.timeout.min(Duration::from_secs(10))))
            .max_response_header_size(64 << 10)
            .user_agent(options.user_agent.as_str())
            .accept("text/html,application/xhtml+xml;q=0.9,text/plain;q=0.5")
            .accept_encoding("gzip")
            .build();
        let (any, names) = (options.any_address_in_tests, options.names_in_tests.clone());
        let resolver = PublicOnly { any, names, usual: DefaultResolver::default() };
        Client(Agent::with_parts(config, DefaultConnector::new(), resolver))
    }

    pub(super) fn get(&self, url: &Url) -> Result<Answer, FetchError> {
        let response = self.0.get(url.as_str()).call().map_err(|error| failed(url, error))?;
        let (parts, body) = response.into_parts();
        let headers = parts.headers.iter().map(|(name, value)| (name.as_str().to_owned(), value.as_bytes().to_vec())).collect();
        Ok(Answer { status: parts.status.as_u16(), headers, body: Some(body) })
    }
}

impl Answer {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let value = self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        value.and_then(|value| std::str::from_utf8(value).ok())
    }

    /// The body as it was sent.
    pub(super) fn read(&mut self, most: usize) -> Result<Vec<u8>, FetchError> {
        let Some(mut body) = self.body.take() else { return Ok(Vec::new()) };
        let mut bytes = Vec::new();
        let mut reader = body.with_config().limit(u64::MAX).reader().take(most as u64 + 1);
        reader.read_to_end(&mut bytes).map_err(|error| FetchError::Connection(format!("the connection broke: {error}")))?;
        if bytes.len() > most { Err(FetchError::TooLarge(most)) } else { Ok(bytes) }
    }

    /// Decompresses a body.
    pub(super) fn decoded(&self, raw: &[u8], most: usize) -> Result<Vec<u8>, FetchError> {
        let encoding = self.header("content-encoding").unwrap_or("identity").trim().to_ascii_lowercase();
        match encoding.as_str() {
            "" | "identity" => Ok(raw.to_vec()),
            "gzip" | "x-gzip" => {
                let mut page = Vec::new();
                let mut reader = flate2::read::MultiGzDecoder::new(raw).take(most as u64 + 1);
                reader.read_to_end(&mut page).map_err(|error| FetchError::Encoding(error.to_string()))?;
                if page.len() > most { Err(FetchError::TooLarge(most)) } else { Ok(page) }
            }
            other => Err(FetchError::Encoding(format!("{other:?} was not requested"))),
        }
    }
}

/// Looks names up as usual and refuses those with any address that is not public.
#[derive(Debug)]
struct PublicOnly {
    any: bool,
    names: Vec<TestName>,
    usual: DefaultResolver,
}

impl Resolver for PublicOnly {
    fn resolve(&self, uri: &Uri, config: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let known = self.names.iter().find(|known| uri.host() == Some(&known.name));
        let found = match known {
            Some(known) => {
                let mut found = self.empty();
                known.addresses.iter().for_each(|&address| found.push(address));
                found
            }
            None => self.usual.resolve(uri, config, timeout)?,
        };
        let trusted = self.any || known.is_some_and(|known| known.public);
        match found.iter().find(|address| !is_public(address.ip())) {
            Some(address) if !trusted => Err(ureq::Error::Other(Box::new(PrivateAddress(*address)))),
            _ => Ok(found),
        }
    }
}

#[derive(Debug, thiserror::Error)]
#[error("{} is not a public address", .0.ip())]
struct PrivateAddress(SocketAddr);

fn failed(url: &Url, error: ureq::Error) -> FetchError {
    let host = url.host_str().unwrap_or_default();
    match error {
        ureq::Error::Other(error) if error.is::<PrivateAddress>() => FetchError::Private(host.to_owned()),
        ureq::Error::HostNotFound => FetchError::Connection(format!("there is no host {host}")),
        ureq::Error::Timeout(_) => FetchError::Connection(format!("{host} did not answer in time")),
        error => FetchError::Connection(format!("cannot connect to {host}: {error}")),
    }
}
