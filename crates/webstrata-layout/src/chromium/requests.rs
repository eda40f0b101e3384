//! Answers the requests of a page: it gets its own source, the files next to it, and nothing else.

use crate::assets::Assets;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};

/// The page's origin. Names below `.invalid` never exist (RFC 2606).
pub(crate) const ORIGIN: &str = "http://page.invalid/";

/// Maximum total size of files that one page may load, in bytes.
const MAX_BYTES: usize = 128 << 20;

/// Maximum number of files that one page may load.
const MAX_FILES: usize = 2_000;

/// Content security policy of the page, in case a request is not intercepted: no scripts, frames, plugins or forms, and nothing
/// from elsewhere.
const POLICY: &str = "default-src 'none'; img-src http://page.invalid data:; font-src http://page.invalid data:; \
style-src 'unsafe-inline' http://page.invalid data:; form-action 'none'; sandbox allow-same-origin";

/// A request of the page, as the browser reports it (`Fetch.requestPaused`).
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Paused {
    pub(crate) request_id: String,
    request: Request,
    #[serde(default)]
    resource_type: String,
}

#[derive(Debug, Deserialize)]
struct Request {
    url: String,
}

/// Answers the requests of one page.
pub(crate) struct Requests<'a> {
    /// Its source, until it is sent.
    html: Option<String>,
    assets: Option<&'a Assets>,
    bytes: usize,
    files: usize,
}

impl<'a> Requests<'a> {
    pub(crate) fn new(html: String, assets: Option<&'a Assets>) -> Self {
        Requests { html: Some(html), assets, bytes: 0, files: 0 }
    }

    /// The page's address.
    pub(crate) fn address(&self) -> String {
        format!("{ORIGIN}{}", self.assets.map_or("page.html", Assets::address))
    }

    /// Whether the page was sent.
    pub(crate) fn served(&self) -> bool {
        self.html.is_none()
    }

    /// The command that answers a request, and its parameters.
    pub(crate) fn answer(&mut self, paused: &Paused) -> (&'static str, Value) {
        let id = &paused.request_id;
        match self.content(paused) {
            Some((kind, content)) => {
                let mut headers = vec![json!({"name": "Content-Type", "value": kind})];
                if kind.starts_with("text/html") {
                    headers.push(json!({"name": "Content-Security-Policy", "value": POLICY}));
                }
                let body = STANDARD.encode(content);
                ("Fetch.fulfillRequest", json!({"requestId": id, "responseCode": 200, "responseHeaders": headers, "body": body}))
            }
            // A navigation that is aborted leaves the page as it is.
            None => ("Fetch.failRequest", json!({"requestId": id, "errorReason": "Aborted"})),
        }
    }

    /// The type and content of the requested file; `None` if the page may not have it.
    fn content(&mut self, paused: &Paused) -> Option<(&'static str, Vec<u8>)> {
        let url = paused.request.url.split('#').next().unwrap_or_default();
        if paused.resource_type == "Document" {
            if url != self.address() {
                return None;
            }
            return self.html.take().map(|html| ("text/html; charset=utf-8", html.into_bytes()));
        }
        let address = url.strip_prefix(ORIGIN)?;
        let is_known = ["Stylesheet", "Image", "Font"].contains(&paused.resource_type.as_str());
        if !is_known || self.files >= MAX_FILES || self.bytes >= MAX_BYTES {
            return None;
        }
        self.files += 1;
        let content = self.assets?.read(address)?;
        self.bytes += content.len();
        Some((kind(&paused.resource_type, address, &content), content))
    }
}

/// The type to declare. Browsers detect the formats of fonts and of pictures other than SVG.
fn kind(resource: &str, address: &str, content: &[u8]) -> &'static str {
    let path = address.split('?').next().unwrap_or_default().to_ascii_lowercase();
    let start = String::from_utf8_lossy(&content[..content.len().min(256)]).trim_start().to_ascii_lowercase();
    match resource {
        "Stylesheet" => "text/css",
        "Image" if path.ends_with(".svg") || start.starts_with("<svg") || start.starts_with("<?xml") => "image/svg+xml",
        "Image" => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused(url: &str, kind: &str) -> Paused {
        Paused { request_id: "1".to_owned(), request: Request { url: url.to_owned() }, resource_type: kind.to_owned() }
    }

    #[test]
    fn the_page_is_sent_once_and_nothing_else_is() {
        let mut requests = Requests::new("<p>Rain".to_owned(), None);
        let mut answer = |url: &str, kind: &str| requests.answer(&paused(url, kind));
        assert_eq!(answer("http://127.0.0.1/", "Document").0, "Fetch.failRequest");
        assert_eq!(answer("http://page.invalid/page.html", "Image").0, "Fetch.failRequest");
        let (method, parameters) = answer("http://page.invalid/page.html#top", "Document");
        assert_eq!((method, &parameters["body"]), ("Fetch.fulfillRequest", &json!("PHA+UmFpbg==")));
        assert!(parameters["responseHeaders"].to_string().contains("sandbox"));
        assert_eq!(answer("http://page.invalid/page.html", "Document").0, "Fetch.failRequest");
    }

    #[test]
    fn files_are_sent_by_their_use() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["a.css", "a.js", "a.svg", "page.html"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        let assets = Assets::beside(&folder.path().join("page.html")).unwrap();
        let mut requests = Requests::new(String::new(), Some(&assets));
        let mut answer = |url: &str, kind: &str| requests.answer(&paused(url, kind)).0;
        assert_eq!(answer("http://page.invalid/a.css?v=1", "Stylesheet"), "Fetch.fulfillRequest");
        assert_eq!(answer("http://page.invalid/a.svg", "Image"), "Fetch.fulfillRequest");
        for (url, kind) in [
            ("http://page.invalid/a.js", "Script"),
            ("http://page.invalid/a.css", "Fetch"),
            ("http://page.invalid/a.css", ""),
            ("http://page.invalid.example.org/a.css", "Stylesheet"),
            ("https://page.invalid/a.css", "Stylesheet"),
            ("file:///etc/passwd", "Image"),
            ("http://page.invalid/none.css", "Stylesheet"),
        ] {
            assert_eq!(answer(url, kind), "Fetch.failRequest", "{url} {kind}");
        }
    }
}
