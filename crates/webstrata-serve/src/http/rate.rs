//! Rate limits per client: the generic cell rate algorithm of `governor`, one cell per address.

use crate::ServeOptions;
use axum::http::HeaderMap;
use governor::clock::DefaultClock;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;

/// Default requests per second for clients on other machines.
const DEFAULT: u32 = 50;
/// Number of addresses kept before inactive ones are dropped.
const MANY: usize = 1 << 16;

pub(crate) struct Rate {
    cells: Option<RateLimiter<IpAddr, DefaultKeyedStateStore<IpAddr>, DefaultClock>>,
    /// Whether clients on this machine are limited as well.
    loopback: bool,
    behind_proxy: bool,
}

impl Rate {
    pub(crate) fn new(options: &ServeOptions) -> Self {
        let rate = NonZeroU32::new(options.rate.unwrap_or(DEFAULT));
        let quota = rate.map(|rate| Quota::per_second(rate).allow_burst(rate.saturating_add(rate.get())));
        let loopback = options.rate.is_some() || options.behind_proxy;
        Rate { cells: quota.map(RateLimiter::keyed), loopback, behind_proxy: options.behind_proxy }
    }

    /// Whether a client may send a request now.
    pub(crate) fn allows(&self, peer: IpAddr, headers: &HeaderMap) -> bool {
        let Some(cells) = &self.cells else { return true };
        let client = network(self.client(peer, headers));
        if client.is_loopback() && !self.loopback {
            return true;
        }
        if cells.len() > MANY {
            cells.retain_recent();
        }
        cells.check_key(&client).is_ok()
    }

    /// The client: the peer, or the address that our own proxy reports. Only the last address comes from the proxy; clients can
    /// forge the others.
    fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        if !self.behind_proxy {
            return peer;
        }
        let last = headers.get_all("x-forwarded-for").into_iter().next_back().and_then(|value| value.to_str().ok());
        last.and_then(|list| list.rsplit(',').next()).and_then(|address| address.trim().parse().ok()).unwrap_or(peer)
    }
}

/// IPv6 clients have whole networks of addresses, so only the first 64 bits count.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => Ipv6Addr::from(u128::from(address) >> 64 << 64).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_and_then_no_more() {
        let rate = Rate::new(&ServeOptions { rate: Some(5), ..ServeOptions::default() });
        let ask = |address: &str| rate.allows(address.parse().unwrap(), &HeaderMap::new());
        assert_eq!((0..20).filter(|_| ask("10.0.0.1")).count(), 10);
        assert!(ask("10.0.0.2"), "others are not affected");
        assert_eq!((0..20).filter(|i| ask(&format!("2001:db8::{i}"))).count(), 10, "a network is one client");
        assert_eq!((0..20).filter(|_| ask("127.0.0.1")).count(), 10);
        let usual = Rate::new(&ServeOptions::default());
        assert!((0..1000).all(|_| usual.allows("127.0.0.1".parse().unwrap(), &HeaderMap::new())));
        assert!(!(0..1000).all(|_| usual.allows("10.0.0.1".parse().unwrap(), &HeaderMap::new())));
        let any = Rate::new(&ServeOptions { rate: Some(0), ..ServeOptions::default() });
        assert!((0..1000).all(|_| any.allows("10.0.0.1".parse().unwrap(), &HeaderMap::new())));
    }

    #[test]
    fn behind_a_proxy_the_last_address_counts() {
        let proxied = Rate::new(&ServeOptions { behind_proxy: true, ..ServeOptions::default() });
        let direct = Rate::new(&ServeOptions::default());
        let mut headers = HeaderMap::new();
        headers.append("x-forwarded-for", "1.1.1.1, 10.0.0.7".parse().unwrap());
        let peer = "127.0.0.1".parse().unwrap();
        assert_eq!(proxied.client(peer, &headers).to_string(), "10.0.0.7");
        assert_eq!(direct.client(peer, &headers), peer, "anyone can send that header");
    }
}
