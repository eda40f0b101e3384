//! Headers of every response.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Policy for our own page: its files from this server, and nothing else. There is no inline script or style anywhere, and
/// the browser refuses to turn text into markup, except where `frame.js` fills the frame of the page view.
pub(crate) const PAGE_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
     frame-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
     require-trusted-types-for 'script'; trusted-types frame";
/// Policy for everything else, should a browser show it as a page: nothing is allowed.
pub(crate) const DATA_POLICY: &str = "default-src 'none'; frame-ancestors 'none'; sandbox";

/// The header with the id of a request.
pub(crate) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

const ALWAYS: [(HeaderName, &str); 5] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// Adds the headers that a response does not have yet.
pub(crate) fn secure(headers: &mut HeaderMap) {
    // All of them, and the id of the request, at once: the table would otherwise grow twice.
    headers.reserve(ALWAYS.len() + 3);
    for (name, value) in ALWAYS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(DATA_POLICY));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}
