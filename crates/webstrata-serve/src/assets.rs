//! The files of the Web interface, embedded in the binary.

use crate::http::access;
use crate::http::error::ApiError;
use crate::http::headers::PAGE_POLICY;
use crate::state::App;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::sync::LazyLock;

struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

macro_rules! assets {
    ($($name:literal $kind:literal),* $(,)?) => {
        &[$(Asset { name: $name, kind: $kind, bytes: include_bytes!(concat!("../assets/", $name)) }),*]
    };
}

const ASSETS: &[Asset] = assets! {
    "app.css" "text/css; charset=utf-8",
    "view.css" "text/css; charset=utf-8",
    "icon.svg" "image/svg+xml",
    "app.js" "text/javascript; charset=utf-8",
    "api.js" "text/javascript; charset=utf-8",
    "dom.js" "text/javascript; charset=utf-8",
    "page.js" "text/javascript; charset=utf-8",
    "frame.js" "text/javascript; charset=utf-8",
    "profile.js" "text/javascript; charset=utf-8",
    "outline.js" "text/javascript; charset=utf-8",
    "search.js" "text/javascript; charset=utf-8",
    "site.js" "text/javascript; charset=utf-8",
    "links.js" "text/javascript; charset=utf-8",
    "examples/article.html" "text/plain; charset=utf-8",
    "examples/listing.html" "text/plain; charset=utf-8",
    "examples/forum.html" "text/plain; charset=utf-8",
    "examples/arabic.html" "text/plain; charset=utf-8",
};
const INDEX: &[u8] = include_bytes!("../assets/index.html");

/// One tag for all files: a new version of the program is a new version of each.
static TAG: LazyLock<String> = LazyLock::new(|| {
    let mut digest = Sha256::new();
    digest.update(INDEX);
    for asset in ASSETS {
        digest.update(asset.bytes);
    }
    let hex: String = digest.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    format!("\"{hex}\"")
});

/// The page itself. `/?token=…` stores the token in a cookie and redirects to `/`, so that it does not stay in the address.
pub(crate) async fn index(State(app): State<Arc<App>>, uri: Uri, headers: HeaderMap) -> Response {
    if let Some(token) = uri.query().and_then(|query| query.strip_prefix("token=")) {
        if !app.access.is_token(token) {
            return ApiError::NoToken.into_response();
        }
        let headers = [(header::LOCATION, "/".to_owned()), (header::SET_COOKIE, access::cookie(token))];
        return (StatusCode::SEE_OTHER, headers).into_response();
    }
    file(&headers, "text/html; charset=utf-8", INDEX)
}

/// A file. Only names in the list exist; no path is ever opened.
pub(crate) async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => file(&headers, asset.kind, asset.bytes),
        None => ApiError::NotFound("there is no such file".into()).into_response(),
    }
}

fn file(headers: &HeaderMap, kind: &'static str, bytes: &'static [u8]) -> Response {
    let known = headers.get(header::IF_NONE_MATCH).is_some_and(|tag| tag.as_bytes() == TAG.as_bytes());
    let mut response = if known { StatusCode::NOT_MODIFIED.into_response() } else { bytes.into_response() };
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(PAGE_POLICY));
    if let Ok(tag) = HeaderValue::from_str(&TAG) {
        headers.insert(header::ETAG, tag);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A package cannot include files from outside its folder, so these are copies.
    #[test]
    fn the_examples_are_the_bundled_pages() {
        for (name, page) in
            [("article", "news-html5"), ("listing", "category-listing"), ("forum", "forum-thread"), ("arabic", "lang-ar")]
        {
            let path = format!("{}/../../testdata/pages/{page}/page.html", env!("CARGO_MANIFEST_DIR"));
            let name = format!("examples/{name}.html");
            let asset = ASSETS.iter().find(|asset| asset.name == name).unwrap();
            assert!(std::fs::read(path).unwrap() == asset.bytes, "{name} differs from {page}");
        }
    }

    #[test]
    fn the_page_is_light_and_has_no_inline_script_or_style() {
        let weight = INDEX.len() + ASSETS.iter().map(|asset| asset.bytes.len()).sum::<usize>();
        assert!(weight < 300_000, "{weight} bytes");
        let index = std::str::from_utf8(INDEX).unwrap();
        assert!(!index.contains("<style") && !index.contains(" style=") && !index.contains(" on"), "{index}");
        assert_eq!(index.matches("<script").count(), index.matches("<script type=\"module\" src=").count());
        for asset in ASSETS.iter().filter(|asset| asset.name.ends_with(".js")) {
            let text = std::str::from_utf8(asset.bytes).unwrap();
            for risky in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"] {
                assert!(!text.contains(risky), "{risky} in {}", asset.name);
            }
        }
    }
}
