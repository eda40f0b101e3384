//! The annotation server, as used by a browser and by attackers.

use crate::common::browser::{attack, browser, loaded, script_ran};
use crate::common::folder;
use serde_json::{Value, json};
use std::fs;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use webstrata_lab::annotate::folder::Folder;
use webstrata_lab::annotate::http::MAX_BODY;
use webstrata_lab::annotate::marks::Start;
use webstrata_lab::annotate::server::Server;

const PAGE: &str = "<title>Rain</title><ul><li><a href=/>Home</a><li><a href=/n>News</a></ul><h1>Rain</h1><p>It has been raining \
                    in the valley for three days, and nobody there can remember when that last happened.</p><p>Imprint";

/// A running server; it stops with the test program.
struct Running {
    here: TempDir,
    server: &'static Server,
    token: String,
}

fn start(start: Start) -> Running {
    serve(folder(&[("html/a.html", PAGE.as_bytes()), ("html/b.html", b"<p>Two"), ("secret.txt", b"secret")]), start)
}

fn serve(here: TempDir, start: Start) -> Running {
    let server = Server::bind(Folder::open(here.path()).unwrap(), "anna", start, 0).unwrap();
    let server: &'static Server = Box::leak(Box::new(server));
    std::thread::spawn(|| server.run());
    let token = server.url().trim_end_matches('/').rsplit('/').next().unwrap().to_owned();
    Running { here, server, token }
}

/// Sends a raw request and returns the status and body of the response.
fn raw(address: SocketAddr, request: &[u8]) -> (u16, String) {
    let (status, _, body) = whole(address, request);
    (status, body)
}

fn whole(address: SocketAddr, request: &[u8]) -> (u16, String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    // A server that refuses a long body may not read all of it.
    let _ = stream.write_all(request);
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    (head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0), head.to_owned(), body.to_owned())
}

impl Running {
    fn host(&self) -> String {
        self.server.address().to_string()
    }

    fn get(&self, path: &str) -> (u16, String) {
        raw(self.server.address(), format!("GET /{}/{path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.token, self.host()).as_bytes())
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).unwrap()
    }

    fn post(&self, path: &str, body: &Value) -> (u16, String) {
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", self.host());
        self.post_with(path, &headers, &body.to_string())
    }

    fn post_with(&self, path: &str, headers: &str, body: &str) -> (u16, String) {
        let length = body.len();
        let request = format!("POST /{}/{path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{body}", self.token);
        raw(self.server.address(), request.as_bytes())
    }

    fn saved(&self, id: &str) -> Option<Value> {
        let text = fs::read(self.here.path().join(format!("annotations/anna/{id}.json"))).ok()?;
        Some(serde_json::from_slice(&text).unwrap())
    }
}

/// A change with these marks on the blocks.
fn change(version: u64, marks: &[(bool, Option<&str>, u8)]) -> Value {
    json!({ "version": version, "done": false, "page_type": null, "sure": null, "note": "", "marks": marks })
}

const MARKS: [(bool, Option<&str>, u8); 5] = [
    (false, Some("navigation"), 0),
    (false, Some("navigation"), 0),
    (true, Some("title"), 1),
    (true, Some("body"), 2),
    (false, None, 1),
];

#[test]
fn every_click_is_saved_and_shown_again() {
    let running = start(Start::Empty);
    let set = running.json("pages");
    assert_eq!(
        (&set["annotator"], &set["start"], &set["pages"]),
        (&json!("anna"), &json!("empty"), &json!([{"id": "a", "state": "new"}, {"id": "b", "state": "new"}]))
    );
    let page = running.json("page/0");
    assert_eq!((&page["title"], &page["start"], &page["version"]), (&json!("Rain"), &json!("empty"), &json!(0)));
    assert_eq!(page["blocks"].as_array().unwrap().len(), 5);
    assert_eq!(
        page["blocks"][0],
        json!({"text": "Home", "kind": "list", "path": "body › ul › li › a", "words": 1, "links": 1,
        "hidden": false, "content": false, "role": null, "cut": 0})
    );
    // Viewing a page saves nothing.
    assert!(running.saved("a").is_none());

    let mut marks = [(false, None, 0); 5];
    for (version, number) in [2, 3].into_iter().enumerate() {
        marks[number] = MARKS[number];
        let (status, body) = running.post("page/0", &change(version as u64, &marks));
        assert_eq!(
            (status, serde_json::from_str::<Value>(&body).unwrap()),
            (200, json!({"version": version + 1, "state": "begun"}))
        );
        let saved = running.saved("a").unwrap();
        assert_eq!(saved["blocks"][number]["content"], json!(true));
        assert_eq!(
            (&saved["start"], &saved["version"], &saved["annotator"]),
            (&json!("empty"), &json!(version + 1), &json!("anna"))
        );
    }
    let page = running.json("page/0");
    assert_eq!((&page["blocks"][2]["role"], &page["blocks"][3]["cut"], &page["version"]), (&json!("title"), &json!(2), &json!(2)));
    assert_eq!(running.json("pages")["pages"][0]["state"], "begun");
    // Undo is a change like any other.
    let (status, _) = running.post("page/0", &change(2, &[(false, None, 0); 5]));
    assert_eq!((status, running.json("page/0")["blocks"][2]["content"].clone()), (200, json!(false)));
    let mut last = change(3, &MARKS);
    last["done"] = json!(true);
    assert_eq!(running.post("page/0", &last).0, 200);
    assert_eq!(running.json("pages")["pages"][0]["state"], "done");
    // No temporary files remain.
    assert_eq!(fs::read_dir(running.here.path().join("annotations/anna")).unwrap().count(), 1);
}

#[test]
fn predictions_are_marked_as_such() {
    let running = start(Start::Strata);
    let page = running.json("page/0");
    assert!(page["start"] == json!("strata") && page["page_type"].is_string(), "{page}");
    assert!(page["blocks"][3]["content"] == json!(true) && page["blocks"][3]["role"].is_string());
    assert_eq!(running.post("page/0", &change(0, &MARKS)).0, 200);
    assert_eq!(running.saved("a").unwrap()["start"], "strata");
}

#[test]
fn two_windows_do_not_overwrite_each_other() {
    let running = start(Start::Empty);
    assert_eq!(running.post("page/0", &change(0, &MARKS)).0, 200);
    let (status, body) = running.post("page/0", &change(0, &[(false, None, 0); 5]));
    assert!(status == 409 && body.contains("changed elsewhere"), "{body}");
    assert_eq!(running.saved("a").unwrap()["blocks"][2]["content"], true);
    for (bad, want) in [
        (change(1, &MARKS[..3]), "5 blocks, not 3"),
        (change(1, &[(true, Some("<script>"), 0); 5]), "unknown role"),
        (json!({ "version": 1 }), "not a change"),
        (json!([1]), "not a change"),
    ] {
        let (status, body) = running.post("page/0", &bad);
        assert!(status == 400 && body.contains(want), "{status} {body}");
    }
}

#[test]
fn only_requests_from_its_own_page_are_answered() {
    let running = start(Start::Empty);
    let (host, port) = (running.host(), running.server.address().port());
    assert!(running.server.address().ip().is_loopback());
    let body = change(0, &MARKS).to_string();
    let kind = "Content-Type: application/json\r\n";
    let refused = |headers: &str, want: u16| {
        let (status, text) = running.post_with("page/0", headers, &body);
        assert_eq!(status, want, "{headers} {text}");
        assert!(running.saved("a").is_none(), "{headers}");
    };
    // Another name that resolves to this server (DNS rebinding), with and without the right origin.
    refused(&format!("Host: evil.example:{port}\r\nOrigin: http://evil.example:{port}\r\n{kind}"), 403);
    refused(&format!("Host: evil.example:{port}\r\nOrigin: http://{host}\r\n{kind}"), 403);
    refused(&format!("Host: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n{kind}"), 403);
    refused(&format!("Origin: http://{host}\r\n{kind}"), 403);
    refused(&format!("Host: {host}\r\nHost: {host}\r\nOrigin: http://{host}\r\n{kind}"), 403);
    // A page of another site, or a form.
    for origin in [
        "https://evil.example".to_owned(),
        "null".to_owned(),
        format!("https://{host}"),
        format!("http://{host}.evil.example"),
        "http://127.0.0.1:1".to_owned(),
    ] {
        refused(&format!("Host: {host}\r\nOrigin: {origin}\r\n{kind}"), 403);
    }
    refused(&format!("Host: {host}\r\n{kind}"), 403);
    refused(&format!("Host: {host}\r\nOrigin: http://{host}\r\nSec-Fetch-Site: cross-site\r\n{kind}"), 403);
    refused(&format!("Host: {host}\r\nOrigin: http://{host}\r\nContent-Type: text/plain\r\n"), 415);
    // The name localhost is accepted as well.
    let local = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n{kind}");
    assert_eq!(running.post_with("page/0", &local, &body).0, 200);
    // Reading is also restricted to its own page.
    let get = |headers: &str| {
        raw(running.server.address(), format!("GET /{}/page/0 HTTP/1.1\r\n{headers}\r\n", running.token).as_bytes()).0
    };
    assert_eq!(get(&format!("Host: {host}\r\n")), 200);
    assert_eq!(get(&format!("Host: evil.example:{port}\r\n")), 403);
    assert_eq!(get(&format!("Host: {host}\r\nOrigin: https://evil.example\r\n")), 403);
    assert_eq!(get(&format!("Host: {host}\r\nSec-Fetch-Site: same-site\r\n")), 403);
}

#[test]
fn nothing_is_found_without_the_token_or_outside_the_folder() {
    let running = start(Start::Empty);
    let wrong = format!("{}x", &running.token[1..]);
    for token in ["", "x", wrong.as_str(), &running.token[..31]] {
        let request = format!("GET /{token}/pages HTTP/1.1\r\nHost: {}\r\n\r\n", running.host());
        assert_eq!(raw(running.server.address(), request.as_bytes()).0, 404, "{token}");
        let headers = format!("Host: {0}\r\nOrigin: http://{0}\r\nContent-Type: application/json\r\n", running.host());
        let body = change(0, &MARKS).to_string();
        let request = format!("POST /{token}/page/0 HTTP/1.1\r\n{headers}Content-Length: {}\r\n\r\n{body}", body.len());
        assert_eq!(raw(running.server.address(), request.as_bytes()).0, 404, "{token}");
    }
    for path in [
        "page/2",
        "page/-1",
        "page/+0",
        "page/0/",
        "page/../../secret.txt",
        "page/%2e%2e",
        "../secret.txt",
        "secret.txt",
        "page/99999999999999999999",
        "page/",
        "pages/",
    ] {
        assert_eq!(running.get(path).0, 404, "{path}");
    }
    assert!(running.saved("a").is_none());
    assert_eq!(running.post("pages", &json!({})).0, 405);
    let request = format!("DELETE /{}/page/0 HTTP/1.1\r\nHost: {1}\r\nOrigin: http://{1}\r\n\r\n", running.token, running.host());
    assert_eq!(raw(running.server.address(), request.as_bytes()).0, 405);
}

#[test]
fn large_and_broken_requests_do_no_harm() {
    let running = start(Start::Empty);
    let head =
        format!("POST /{0}/page/0 HTTP/1.1\r\nHost: {1}\r\nOrigin: http://{1}\r\nContent-Length: ", running.token, running.host());
    assert_eq!(raw(running.server.address(), format!("{head}{}\r\n\r\n", MAX_BODY + 1).as_bytes()).0, 413);
    assert_eq!(raw(running.server.address(), b"\x16\x03\x01\x02\x00\x01").0, 400);
    assert_eq!(raw(running.server.address(), b"nonsense\r\n\r\n").0, 400);
    // Idle connections do not block others.
    let idle: Vec<TcpStream> = (0..20).map(|_| TcpStream::connect(running.server.address()).unwrap()).collect();
    assert_eq!(running.get("pages").0, 200);
    drop(idle);
}

#[test]
fn responses_forbid_everything_else() {
    let running = start(Start::Empty);
    for path in ["", "page.js", "page.css", "pages", "page/0"] {
        let request = format!("GET /{}/{path} HTTP/1.1\r\nHost: {}\r\n\r\n", running.token, running.host());
        let (status, head, _) = whole(running.server.address(), request.as_bytes());
        assert_eq!(status, 200, "{path}");
        for header in [
            "Content-Security-Policy: default-src 'none'; script-src 'self'",
            "frame-ancestors 'none'",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
            "Cross-Origin-Resource-Policy: same-origin",
        ] {
            assert!(head.contains(header), "{path}: {head}");
        }
        assert!(!head.contains("Access-Control"), "{head}");
    }
    // The script never turns text into markup.
    let script = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/annotate/page.js")).unwrap();
    for risk in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "srcdoc", "Function("] {
        assert!(!script.contains(risk), "{risk}");
    }
}

/// Number of requests to the local server.
static REQUESTS: AtomicUsize = AtomicUsize::new(0);

#[test]
fn in_a_browser_the_page_is_drawn_and_nothing_of_it_runs() {
    let Some(browser) = browser() else { return };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    // Requests are counted and dropped.
    std::thread::spawn(move || {
        for _ in listener.incoming() {
            REQUESTS.fetch_add(1, Ordering::SeqCst);
        }
    });
    let attack = attack(port);
    let text = attack.replace('&', "&amp;").replace('<', "&lt;");
    let html = format!(
        "<title>&lt;/script>&lt;img src=x onerror=\"{text}\"></title><script>{attack}</script><body onload=\"{attack}\">\
         <p>Words &lt;script>{text}&lt;/script> and after.</p><p>&lt;img src=x onerror=\"{text}\"> and more</p>\
         <img src='http://127.0.0.1:{port}/i'><iframe src='http://127.0.0.1:{port}/f'></iframe><p onclick=\"{attack}\">Plain words"
    );
    // The file name also contains markup.
    let running = serve(folder(&[("html/a\"<img src=x onerror=document.title='ran'>.html", html.as_bytes())]), Start::Strata);
    assert_eq!(running.post("page/0", &change(0, &[(true, Some("body"), 0), (false, None, 1), (true, None, 2)])).0, 200);
    let profile = tempfile::tempdir().unwrap();
    let document = loaded(&browser, profile.path(), &running.server.url());
    assert!(!script_ran(&document), "a script of the page ran: {document}");
    assert!(document.contains("data-shown=\"3 blocks\""), "{document}");
    assert!(document.contains("started from the prediction of strata") && document.contains("0 of 1 pages done"), "{document}");
    // The marks are shown: two blocks of content, one with a role, three segments.
    let rows: Vec<&str> = document.split("<li ").skip(1).collect();
    assert_eq!(rows.iter().filter(|row| row.split('>').next().unwrap().contains(" content")).count(), 2, "{document}");
    assert!(rows[0].contains("data-role=\"body\"") && rows[1].contains("data-cut=\"1\"") && rows[2].contains("data-cut=\"2\""));
    std::thread::sleep(Duration::from_millis(100));
    assert_eq!(REQUESTS.load(Ordering::SeqCst), 0, "the page reached the network");
}
