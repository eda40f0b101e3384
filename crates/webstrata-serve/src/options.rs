//! Options of a server.

use crate::ServeError;
use crate::fetch::FetchOptions;
use crate::http::log::LogLine;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where the request log goes.
pub type Log = Arc<dyn Fn(&LogLine<'_>) + Send + Sync>;

/// Minimum length of a token in characters.
const MIN_TOKEN: usize = 16;

/// Options of a server. The default listens on the loopback address only and fetches nothing.
///
/// ```
/// use webstrata_serve::ServeOptions;
/// let options = ServeOptions { port: 0, ..ServeOptions::default() };
/// assert!(options.address.is_loopback());
/// assert_eq!(options.max_body, 16 << 20);
/// assert!(options.fetch.is_none());
/// ```
#[derive(Clone)]
pub struct ServeOptions {
    /// The address to listen on.
    pub address: std::net::IpAddr,
    /// The port; 0 lets the system choose one.
    pub port: u16,
    /// Whether the address may be one that other machines can reach.
    pub public: bool,
    /// The token that requests must present, as a bearer token or in the cookie that `/?token=…` sets.
    pub token: Option<String>,
    /// Names by which browsers may address the server besides `localhost` and its address.
    pub hosts: Vec<String>,
    /// A folder with tables, an index, site evidence, graphs and ranks, or with folders of them.
    pub folder: Option<PathBuf>,
    /// A folder with the files that the run read to make the tables. Pages of the tables are then shown with their HTML; no file
    /// outside this folder is read.
    pub sources: Option<PathBuf>,
    /// Options for fetching pages; without them, nothing is fetched.
    pub fetch: Option<FetchOptions>,
    /// Maximum size of a request body in bytes.
    pub max_body: usize,
    /// Maximum size of all request bodies together in bytes.
    pub max_memory: usize,
    /// Time limit for a request, from its first byte to the start of the response.
    pub timeout: Duration,
    /// Time limit for the head of a request, and for an idle connection.
    pub idle: Duration,
    /// Number of pages processed at the same time.
    pub threads: usize,
    /// Maximum number of pages waiting for one of these threads.
    pub queue: usize,
    /// Maximum requests per second per client, with bursts of twice as many; 0 means no limit. By default 50, and no limit for
    /// clients on this machine.
    pub rate: Option<u32>,
    /// Take the address of clients from the last `X-Forwarded-For`: for a server behind a reverse proxy.
    pub behind_proxy: bool,
    /// Maximum number of connections. Beyond it, the one that has been idle longest is closed.
    pub max_connections: usize,
    /// The request log.
    pub log: Option<Log>,
}

impl Default for ServeOptions {
    fn default() -> Self {
        ServeOptions {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 8080,
            public: false,
            token: None,
            hosts: Vec::new(),
            folder: None,
            sources: None,
            fetch: None,
            max_body: 16 << 20,
            max_memory: 256 << 20,
            timeout: Duration::from_secs(30),
            idle: Duration::from_secs(15),
            threads: std::thread::available_parallelism().map_or(2, usize::from),
            queue: 64,
            rate: None,
            behind_proxy: false,
            max_connections: 512,
            log: None,
        }
    }
}

impl std::fmt::Debug for ServeOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The token is a secret.
        write!(f, "ServeOptions({}, public: {}, folder: {:?})", self.socket(), self.public, self.folder)
    }
}

impl ServeOptions {
    /// The address with the port.
    #[must_use]
    pub fn socket(&self) -> SocketAddr {
        SocketAddr::new(self.address, self.port)
    }

    /// Checks that the combination of options is safe.
    ///
    /// # Errors
    /// If other machines could connect without `public`, or without a good token.
    pub fn check(&self) -> Result<(), ServeError> {
        if let Some(token) = &self.token {
            if token.len() < MIN_TOKEN {
                return Err(ServeError::ShortToken(token.len()));
            }
            if !token.bytes().all(|byte| byte.is_ascii_graphic() && !b";,\"\\".contains(&byte)) {
                return Err(ServeError::TokenCharacters);
            }
        }
        if self.address.is_loopback() {
            return Ok(());
        }
        match (self.public, &self.token) {
            (false, _) => Err(ServeError::Public(self.socket())),
            (true, None) => Err(ServeError::NoToken),
            (true, Some(_)) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{IpAddr, Ipv6Addr};

    #[test]
    fn other_machines_only_by_request_and_with_a_token() {
        let at = |address: &str| ServeOptions { address: address.parse().unwrap(), ..ServeOptions::default() };
        assert!(at("127.0.0.1").check().is_ok() && at("127.9.9.9").check().is_ok());
        assert!(ServeOptions { address: IpAddr::V6(Ipv6Addr::LOCALHOST), ..ServeOptions::default() }.check().is_ok());
        for address in ["0.0.0.0", "192.168.1.4", "::", "::ffff:127.0.0.1"] {
            assert!(matches!(at(address).check(), Err(ServeError::Public(_))), "{address}");
            assert!(matches!(ServeOptions { public: true, ..at(address) }.check(), Err(ServeError::NoToken)));
            let token = Some("0123456789abcdef".to_owned());
            assert!(ServeOptions { public: true, token, ..at(address) }.check().is_ok());
        }
        let token = |token: &str| ServeOptions { token: Some(token.into()), ..ServeOptions::default() }.check();
        assert!(matches!(token("short"), Err(ServeError::ShortToken(5))));
        assert!(matches!(token("0123456789abcdef\r\nX: y"), Err(ServeError::TokenCharacters)));
    }
}
