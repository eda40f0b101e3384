//! Politeness: robots.txt, one request per host at a time, delays, redirects, retries.

use super::client::{Answer, Client};
use super::{FetchError, FetchOptions, Fetched, ROBOT};
use robotxt::Robots;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use url::Url;

/// Maximum number of bytes read of a robots.txt; RFC 9309 requires at least 500 KiB.
const ROBOTS_BYTES: usize = 512 << 10;
/// How long a robots.txt is cached.
const ROBOTS_AGE: Duration = Duration::from_secs(24 * 3600);
/// How long to wait before retrying one that could not be read.
const ROBOTS_PAUSE: Duration = Duration::from_secs(60);
/// Maximum number of hosts remembered.
const MAX_HOSTS: usize = 10_000;
/// Delay before the first retry.
const BACK_OFF: Duration = Duration::from_millis(500);

/// Fetches pages.
///
/// ```
/// use webstrata_serve::fetch::{FetchError, FetchOptions, Fetcher};
/// let fetcher = Fetcher::new(FetchOptions::default());
/// assert!(matches!(fetcher.get("file:///etc/passwd"), Err(FetchError::Address(_))));
/// assert!(matches!(fetcher.get("http://127.0.0.1/"), Err(FetchError::Private(_))));
/// ```
pub struct Fetcher {
    options: FetchOptions,
    client: Client,
    hosts: Mutex<HashMap<String, Arc<Mutex<Host>>>>,
}

/// A host; its lock is held while it answers.
#[derive(Default)]
struct Host {
    /// Earliest time of the next request.
    free_at: Option<Instant>,
    robots: Option<Rules>,
}

struct Rules {
    robots: Result<Robots, String>,
    until: Instant,
}

impl std::fmt::Debug for Fetcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Fetcher({})", self.options.user_agent)
    }
}

impl Fetcher {
    /// Creates a fetcher. It remembers the hosts it has contacted.
    #[must_use]
    pub fn new(options: FetchOptions) -> Self {
        Fetcher { client: Client::new(&options), options, hosts: Mutex::default() }
    }

    /// The options of the fetcher.
    #[must_use]
    pub fn options(&self) -> &FetchOptions {
        &self.options
    }

    /// Fetches the page at a URL.
    ///
    /// # Errors
    /// If the IP address of the host is not public, robots.txt disallows it, or there is no page.
    pub fn get(&self, address: &str) -> Result<Fetched, FetchError> {
        let mut url = page_address(address)?;
        for _ in 0..=self.options.redirects {
            let mut answer = self.polite(&url)?;
            if let Some(location) = redirect(&answer) {
                url = url
                    .join(location)
                    .map_err(|_| FetchError::Address(location.to_owned()))
                    .and_then(|url| page_address(url.as_str()))?;
                continue;
            }
            if !(200..300).contains(&answer.status) {
                return Err(FetchError::Status(answer.status));
            }
            let content_type = answer.header("content-type").map(str::to_owned);
            if let Some(kind) = content_type.as_deref().filter(|kind| !is_page(kind)) {
                return Err(FetchError::NotAPage(kind.chars().filter(|c| !c.is_control()).take(80).collect()));
            }
            let raw = answer.read(self.options.max_bytes)?;
            let body = answer.decoded(&raw, self.options.max_bytes)?;
            return Ok(Fetched { url: url.to_string(), status: answer.status, content_type, headers: answer.headers, raw, body });
        }
        Err(FetchError::Redirects(self.options.redirects))
    }

    /// Sends a request once the host is free, if its robots.txt allows it, and retries temporary failures.
    fn polite(&self, url: &Url) -> Result<Answer, FetchError> {
        let host = self.host(url);
        let mut host = host.lock().unwrap_or_else(PoisonError::into_inner);
        let pause = self.allowed(&mut host, url)?;
        let mut back_off = BACK_OFF;
        for tries_left in (0..=self.options.retries).rev() {
            let result = self.request(&mut host, url, pause);
            let wait = match &result {
                Ok(answer) if matches!(answer.status, 429 | 500 | 502..=504) => retry_after(answer).unwrap_or(back_off),
                Err(FetchError::Connection(_)) => back_off,
                _ => return result,
            };
            if tries_left == 0 || wait > self.options.max_delay {
                return result;
            }
            host.free_at = Some(Instant::now() + wait);
            back_off *= 2;
        }
        Err(FetchError::Connection("no attempt was made".to_owned()))
    }

    /// Sends one request, after the delay.
    fn request(&self, host: &mut Host, url: &Url, pause: Duration) -> Result<Answer, FetchError> {
        if let Some(wait) = host.free_at.and_then(|at| at.checked_duration_since(Instant::now())) {
            std::thread::sleep(wait);
        }
        let answer = self.client.get(url);
        host.free_at = Some(Instant::now() + pause);
        answer
    }

    /// Whether robots.txt allows the address, and the delay between requests.
    fn allowed(&self, host: &mut Host, url: &Url) -> Result<Duration, FetchError> {
        let name = || url.host_str().unwrap_or_default().to_owned();
        if host.robots.as_ref().is_none_or(|rules| rules.until <= Instant::now()) {
            let robots = self.robots(host, url)?;
            let age = if robots.is_ok() { ROBOTS_AGE } else { ROBOTS_PAUSE };
            host.robots = Some(Rules { robots, until: Instant::now() + age });
        }
        let robots = match host.robots.as_ref().map(|rules| &rules.robots) {
            Some(Ok(robots)) => robots,
            Some(Err(reason)) => return Err(FetchError::NoRobots { host: name(), reason: reason.clone() }),
            None => return Err(FetchError::Robots(name())),
        };
        if !robots.is_url_allowed(url) {
            return Err(FetchError::Robots(name()));
        }
        let pause = robots.crawl_delay().unwrap_or_default().max(self.options.delay);
        if pause > self.options.max_delay.max(self.options.delay) {
            return Err(FetchError::Delay { host: name(), seconds: pause.as_secs() });
        }
        Ok(pause)
    }

    /// The rules of a host. Its robots.txt may be elsewhere: up to five redirects are followed, as RFC 9309 says.
    fn robots(&self, host: &mut Host, url: &Url) -> Result<Result<Robots, String>, FetchError> {
        let mut at = url.join("/robots.txt").map_err(|_| FetchError::Address(url.to_string()))?;
        for _ in 0..=5 {
            let mut answer = match self.request(host, &at, Duration::ZERO) {
                Ok(answer) => answer,
                Err(FetchError::Connection(reason)) => return Ok(Err(reason)),
                Err(error) => return Err(error),
            };
            if let Some(location) = redirect(&answer) {
                match at.join(location).ok().and_then(|url| page_address(url.as_str()).ok()) {
                    Some(url) => at = url,
                    None => return Ok(Ok(Robots::allow_all())),
                }
                continue;
            }
            return Ok(match answer.status {
                200..300 => match answer.read(ROBOTS_BYTES).and_then(|raw| answer.decoded(&raw, ROBOTS_BYTES)) {
                    Ok(text) => Ok(Robots::parse(&text, ROBOT)),
                    Err(error) => Err(error.to_string()),
                },
                400..500 if answer.status != 429 => Ok(Robots::allow_all()),
                status => Err(format!("status {status}")),
            });
        }
        Ok(Ok(Robots::allow_all()))
    }

    fn host(&self, url: &Url) -> Arc<Mutex<Host>> {
        let key = url[..url::Position::BeforePath].to_owned();
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        if hosts.len() >= MAX_HOSTS {
            // Only hosts without a request in progress.
            hosts.retain(|_, host| Arc::strong_count(host) > 1);
        }
        Arc::clone(hosts.entry(key).or_default())
    }
}

/// An address of a page: http or https, without a user name and password, which must not end up in logs.
fn page_address(address: &str) -> Result<Url, FetchError> {
    let refused = || FetchError::Address(address.chars().take(200).collect());
    let mut url = Url::parse(address).map_err(|_| refused())?;
    let fine = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    if !fine || !url.username().is_empty() || url.password().is_some() {
        return Err(refused());
    }
    url.set_fragment(None);
    Ok(url)
}

fn redirect(answer: &Answer) -> Option<&str> {
    if matches!(answer.status, 301 | 302 | 303 | 307 | 308) { answer.header("location") } else { None }
}

/// Parses seconds; dates are not worth a parser here.
fn retry_after(answer: &Answer) -> Option<Duration> {
    answer.header("retry-after")?.trim().parse().ok().map(Duration::from_secs)
}

fn is_page(content_type: &str) -> bool {
    let kind = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    matches!(kind.as_str(), "" | "text/html" | "application/xhtml+xml" | "text/plain" | "application/xml" | "text/xml")
}
