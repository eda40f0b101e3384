//! The registrable domain of a host, by the public suffix list.
//!
//! This is a separate crate to reduce build times: `psl` has the list as generic inline code, which is compiled again in each crate
//! that calls it. In `webstrata-corpus` that was more than a quarter of all code (537,000 of 1,935,000 lines before optimisation),
//! once in the library and once more in its tests.

#![forbid(unsafe_code)]

/// The registrable domain of a host, or the host itself if it has none, such as an IP address.
///
/// ```
/// use webstrata_domain::registrable_domain;
/// assert_eq!(registrable_domain("www.example.co.uk"), "example.co.uk");
/// assert_eq!(registrable_domain("127.0.0.1"), "127.0.0.1");
/// assert_eq!(registrable_domain("[::1]"), "[::1]");
/// assert_eq!(registrable_domain("localhost"), "localhost");
/// ```
#[must_use]
#[inline(never)]
pub fn registrable_domain(host: &str) -> &str {
    // The list's default rule takes the last part of any name as a suffix, even that of an IP address.
    let is_number = host.starts_with('[') || host.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    if is_number { host } else { psl::domain_str(host).unwrap_or(host) }
}
