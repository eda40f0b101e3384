//! Pages from the Web, fetched politely and from public addresses only.
//!
//! - `robots.txt` is obeyed (RFC 9309: a missing one allows everything, one that cannot be read forbids everything).
//! - A host gets one request at a time, with a delay in between: that of its `robots.txt`, but at least `delay`.
//! - Temporary failures (no connection, 429, 5xx) are retried with exponential backoff, or when the server says so.
//! - A page has a limit on its size, before and after decompression, and on the time it may take.
//! - Private, loopback, link-local and other special addresses are never connected to (`address.rs`): the addresses of a
//!   name are checked after it is looked up, and the connection is made to one of them, without another lookup. Redirects are
//!   followed here, one by one, so each of them goes through the same checks. Proxies from the environment are not used.

mod address;
mod client;
mod list;
mod polite;
mod warc;

pub use address::is_public;
pub use list::{FetchReport, fetch_all, read_urls};
pub use polite::Fetcher;
pub use warc::WarcWriter;

use std::time::Duration;

/// Product token by which `robots.txt` files address us.
pub const ROBOT: &str = "webstrata";

/// Options for fetching.
///
/// ```
/// use webstrata_serve::fetch::FetchOptions;
/// let options = FetchOptions { retries: 0, ..FetchOptions::default() };
/// assert!(options.user_agent.starts_with("webstrata/"));
/// ```
#[derive(Clone, Debug)]
pub struct FetchOptions {
    /// User-Agent to send. It should say how to contact the operator.
    pub user_agent: String,
    /// Minimum delay between two requests to the same host.
    pub delay: Duration,
    /// Maximum delay that a `robots.txt` or a `Retry-After` can demand; hosts that want more are not fetched from.
    pub max_delay: Duration,
    /// Time limit for one request.
    pub timeout: Duration,
    /// Maximum size of a page in bytes.
    pub max_bytes: usize,
    /// Number of retries for a failed request.
    pub retries: u32,
    /// Maximum number of redirects to follow.
    pub redirects: u32,
    /// Allow fetching from this machine, for tests with their own servers. No command has an option for it.
    #[doc(hidden)]
    pub any_address_in_tests: bool,
    /// Names that resolve to these addresses, for tests.
    #[doc(hidden)]
    pub names_in_tests: Vec<TestName>,
}

/// A host name with its addresses, for tests.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct TestName {
    /// The name.
    pub name: String,
    /// Its addresses.
    pub addresses: Vec<std::net::SocketAddr>,
    /// Whether they are treated as public.
    pub public: bool,
}

impl Default for FetchOptions {
    fn default() -> Self {
        FetchOptions {
            user_agent: concat!("webstrata/", env!("CARGO_PKG_VERSION")).to_owned(),
            delay: Duration::from_secs(1),
            max_delay: Duration::from_secs(60),
            timeout: Duration::from_secs(30),
            max_bytes: 16 << 20,
            retries: 2,
            redirects: 5,
            any_address_in_tests: false,
            names_in_tests: Vec::new(),
        }
    }
}

/// A page that was fetched.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Its URL after redirects.
    pub url: String,
    /// Status of the response.
    pub status: u16,
    /// `Content-Type` of the response.
    pub content_type: Option<String>,
    /// Headers of the response, in their order.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body as it was sent, perhaps compressed.
    pub raw: Vec<u8>,
    /// The page.
    pub body: Vec<u8>,
}

/// The reason why a page was not fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// It is not the URL of a page.
    #[error("{0:?} is not the address of a page; write it like https://example.org/page")]
    Address(String),
    /// The name resolves to an address that is not on the public Internet.
    #[error("{0} is a private, local or reserved address; nothing is fetched from such addresses")]
    Private(String),
    /// The site asks not to be fetched.
    #[error("robots.txt of {0} disallows it")]
    Robots(String),
    /// It is unknown what the site allows.
    #[error("robots.txt of {host} cannot be read, so nothing is fetched from it: {reason}")]
    NoRobots {
        /// The host.
        host: String,
        /// Why.
        reason: String,
    },
    /// The site wants longer pauses than we wait.
    #[error("{host} asks for a delay of {seconds} seconds, which is too long")]
    Delay {
        /// The host.
        host: String,
        /// The pause.
        seconds: u64,
    },
    /// There are too many redirects, or they go in circles.
    #[error("more than {0} redirects")]
    Redirects(u32),
    /// The response is not a page.
    #[error("the response is {0}, not a page")]
    NotAPage(String),
    /// The status says that there is no page.
    #[error("the server answered with status {0}")]
    Status(u16),
    /// It is too large.
    #[error("the page has more than {0} bytes")]
    TooLarge(usize),
    /// It cannot be decompressed.
    #[error("the page cannot be decompressed: {0}")]
    Encoding(String),
    /// The connection failed.
    #[error("{0}")]
    Connection(String),
}
