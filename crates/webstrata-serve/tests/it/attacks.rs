//! Attacks that must fail. Pages that try to run or load something in a browser are in `tests/browser/`.

use crate::client::Running;
use std::io::{Read, Write};

#[test]
fn no_file_but_ours() {
    let server = Running::usual();
    for path in [
        "/assets/../Cargo.toml",
        "/assets/%2e%2e/Cargo.toml",
        "/assets/..%2fCargo.toml",
        "/assets/..\\Cargo.toml",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "/assets/examples/../../src/lib.rs",
        "/assets/app.js%00.css",
        "/assets/page-2.schema.json",
        "/../../etc/passwd",
        "/assets/",
    ] {
        let answer = server.get(path);
        assert!(matches!(answer.status, 400 | 404), "{path}: {}", answer.status);
        assert!(!answer.text().contains("[package]") && !answer.text().contains("root:"));
    }
}

#[test]
fn headers_cannot_be_injected() {
    let server = Running::new(webstrata_serve::ServeOptions { token: Some("0123456789abcdef".into()), ..Default::default() });
    for path in
        ["/?token=0123456789abcdef%0d%0aX-Evil:%20yes", "/assets/x%0d%0aX-Evil:%20yes", "/api/v1/extract?url=x%0d%0aX-Evil:%20yes"]
    {
        let answer = server.request("GET", path, &[("x-request-id", "mine"), ("authorization", "Bearer 0123456789abcdef")], b"");
        assert!(answer.status != 0 && answer.header("x-evil").is_none(), "{path}: {}", answer.head);
        assert_ne!(answer.header("x-request-id"), Some("mine"));
    }
}

#[test]
fn other_sites_and_other_names_are_refused() {
    let server = Running::usual();
    let at = |host: &str, more: &str| {
        server
            .raw(
                format!("POST /api/v1/extract HTTP/1.1\r\nhost: {host}\r\n{more}content-length: 3\r\nconnection: close\r\n\r\n<p>")
                    .as_bytes(),
            )
            .status
    };
    assert_eq!(at("localhost", ""), 200);
    assert_eq!(at("evil.example", ""), 403, "a name that was pointed at this machine");
    assert_eq!(at("localhost", "origin: https://evil.example\r\n"), 403);
    assert_eq!(at("localhost", "sec-fetch-site: cross-site\r\n"), 403);
    assert_eq!(at("localhost", "origin: null\r\n"), 403);
}

#[test]
fn a_request_is_one_request() {
    let server = Running::usual();
    let smuggled = "GET /api/v1/about HTTP/1.1\r\nhost: localhost\r\n\r\n";
    let cases = [
        // Two different lengths, and both kinds of length.
        format!("POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ncontent-length: 60\r\n\r\n<p>{smuggled}"),
        format!(
            "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n{smuggled}"
        ),
        format!(
            "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: xchunked\r\ncontent-length: 3\r\n\r\n<p>{smuggled}"
        ),
        format!(
            "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n{smuggled}"
        ),
        format!("POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: +3\r\n\r\n<p>{smuggled}"),
        format!("POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length : 3\r\n\r\n<p>{smuggled}"),
        format!("POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: 3\r\n folded: yes\r\n\r\n<p>{smuggled}"),
        format!(
            "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffffff\r\n{smuggled}"
        ),
        format!("POST /api/v1/extract HTTP/1.1\nhost: localhost\0\ncontent-length: 3\n\n<p>{smuggled}"),
    ];
    for case in cases {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(std::time::Duration::from_millis(1500))).unwrap();
        stream.write_all(case.as_bytes()).unwrap();
        let mut all = Vec::new();
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            all.extend_from_slice(&buffer[..count]);
        }
        let text = String::from_utf8_lossy(&all);
        // The rest may be answered as a separate request only if any conforming parser sees two requests.
        let refused = text.starts_with("HTTP/1.1 4") || text.is_empty();
        let chunked_wins = case.contains("content-length: 3\r\ntransfer-encoding: chunked");
        assert!(refused || chunked_wins || !text.contains("presets"), "{case}\n{text}");
    }
}

#[test]
fn compressed_bodies_are_refused() {
    let server = Running::usual();
    for encoding in ["gzip", "deflate", "br", "zstd", "gzip, gzip"] {
        let answer = server.request("POST", "/api/v1/extract", &[("content-encoding", encoding)], &[0x1f, 0x8b, 8, 0]);
        assert_eq!(answer.status, 415, "{encoding}");
    }
    // A compression bomb without Content-Encoding is not decompressed: its bytes are just not a page.
    let mut bomb = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    bomb.write_all(&vec![b'a'; 30 << 20]).unwrap();
    let bomb = bomb.finish().unwrap();
    for path in ["/api/v1/extract", "/api/v1/view", "/api/v1/compare?methods=strata"] {
        let answer = server.request("POST", path, &[("content-type", "text/html")], &bomb);
        assert!(answer.status < 500 && answer.body.len() < 20 * bomb.len(), "{path}: {}, {}", answer.status, answer.body.len());
        assert!(!answer.text().contains(&"a".repeat(1000)));
    }
}

#[test]
fn page_text_is_never_markup() {
    let server = Running::usual();
    let page = "<title></title><script>alert(1)</script>\"';</title><p onclick=alert(1)>A <b>word</b><img src=x onerror=alert(1)> or <a href='javascript:alert(1)'>two</a> \
        and <a href=\"data:text/html,<script>alert(1)</script>\">three</a>, and some more text so that this is content for every method that there is.</p>";
    for path in ["/api/v1/extract?format=html", "/api/v1/view"] {
        let answer = server.post(path, page);
        let text = answer.text().to_lowercase();
        for never in ["<script", "onerror", "onclick", "javascript:", "data:text", "<img"] {
            assert!(!text.contains(never), "{never} in {path}: {text}");
        }
        assert!(
            answer.header("content-security-policy").unwrap().contains("sandbox"),
            "nothing runs even if it is opened as a page"
        );
    }
    let json = server.post("/api/v1/extract", page);
    assert_eq!((json.header("content-type"), json.header("x-content-type-options")), (Some("application/json"), Some("nosniff")));
}

#[test]
fn strange_requests_are_answered_or_closed() {
    let server = Running::usual();
    for request in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n",
        b"GET /api/v1/search?q=%ff%fe HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n",
    ] {
        let status = server.raw(request).status;
        assert!(status == 0 || (400..500).contains(&status), "{}: {status}", String::from_utf8_lossy(request));
    }
    let long = format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(100_000));
    assert!(matches!(server.raw(long.as_bytes()).status, 0 | 414 | 431 | 400));
    assert_eq!(server.get("/api/v1/health").status, 200);
}
