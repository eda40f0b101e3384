//! Responses of the API.

use crate::client::Running;
use webstrata::record::PageRecord;
use webstrata::{Page, record::RecordOptions};

const PAGE: &str = "<html lang=en><title>Rain in the valley - Valley News</title><nav><a href=/>Home</a> <a href=/news>News</a> <a href=/sport>Sport</a></nav>\
    <h1>Rain in the valley</h1><p>It has been raining in the valley for three days, and nobody there can remember when that last happened.</p>\
    <p>The river has risen by two metres since Monday, and the mayor has asked people to stay away from the bridges.</p><footer>© Valley News</footer>";

#[test]
fn extract_is_the_librarys_record() {
    let server = Running::usual();
    let answer = server.post("/api/v1/extract", PAGE);
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")));
    let page = Page::parse(PAGE.as_bytes());
    let expected = PageRecord::new(&page, &page.extract(), &RecordOptions::default());
    assert_eq!(answer.text(), expected.to_json());
    let more = server
        .post("/api/v1/extract?include=markdown,html,metadata,readability,blocks,links,images&url=https://valley.example/a", PAGE)
        .json();
    for part in ["markdown", "html", "metadata", "readability", "blocks", "links", "images"] {
        assert!(!more[part].is_null(), "{part}");
    }
    assert_eq!(more["links"][1]["target"], "https://valley.example/news");
    for (format, kind) in
        [("text", "text/plain; charset=utf-8"), ("markdown", "text/markdown; charset=utf-8"), ("html", "text/html; charset=utf-8")]
    {
        let answer = server.post(&format!("/api/v1/extract?format={format}&preset=article&mode=recall"), PAGE);
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(kind)));
        assert!(answer.text().contains("three days") && !answer.text().contains("Sport"));
    }
}

#[test]
fn encodings_are_found_or_declared() {
    let server = Running::usual();
    let body = b"<p>\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0, \xfd\xf2\xee \xe4\xeb\xe8\xed\xed\xfb\xe9 \xf2\xe5\xea\xf1\xf2.";
    let declared = server
        .request("POST", "/api/v1/extract?preset=keep-everything", &[("content-type", "text/html; charset=windows-1251")], body)
        .json();
    assert_eq!(declared["encoding"], "windows-1251");
    assert!(declared["text"].as_str().unwrap().starts_with("Привет"));
}

#[test]
fn segments_by_any_method_and_side_by_side() {
    let server = Running::usual();
    for method in webstrata::segment::Method::ALL {
        let answer = server.post(&format!("/api/v1/segment?method={method}&theta=0.5&granularity=0.4"), PAGE).json();
        assert_eq!(answer["method"], method.name());
        assert!(!answer["segments"].as_array().unwrap().is_empty());
    }
    let fine = server.post("/api/v1/segment?granularity=1", PAGE).json()["segments"].as_array().unwrap().len();
    let one = server.post("/api/v1/segment?granularity=0", PAGE).json()["segments"].as_array().unwrap().len();
    assert!(one == 1 && fine > 3);
    let both = server.post("/api/v1/compare?methods=strata,bf-plain,wordwrap", PAGE).json();
    assert_eq!(both["schema"], "webstrata.compare/1");
    let methods: Vec<&str> = both["methods"].as_array().unwrap().iter().map(|by| by["method"].as_str().unwrap()).collect();
    assert_eq!(methods, ["strata", "bf-plain", "wordwrap"]);
    assert_eq!(both["methods"][0]["segments"], server.post("/api/v1/segment", PAGE).json()["segments"]);
    assert!(both["profile"].as_array().unwrap().len() >= 5 && both["page"]["markdown"].is_string());
    let view = server.post("/api/v1/view?method=strata", PAGE);
    assert_eq!(view.header("content-security-policy"), Some("default-src 'none'; frame-ancestors 'none'; sandbox"));
    assert!(view.text().contains("data-s=\"0\""));
}

#[test]
fn metadata_with_sources() {
    let answer = Running::usual().post("/api/v1/metadata?url=https://valley.example/2024/05/01/rain", PAGE).json();
    assert_eq!(answer["metadata"]["title"]["value"], "Rain in the valley");
    assert!(answer["text"].is_null());
}

#[test]
fn wrong_parameters_are_named() {
    let server = Running::usual();
    for (path, word) in [
        ("/api/v1/extract?preset=artikel", "artikel"),
        ("/api/v1/extract?presett=article", "presett"),
        ("/api/v1/extract?mode=all", "mode"),
        ("/api/v1/extract?include=texts", "include"),
        ("/api/v1/extract?mode=recall&mode=recall", "mode"),
        ("/api/v1/segment?method=vips", "method"),
        ("/api/v1/segment?theta=NaN", "theta"),
        ("/api/v1/segment?granularity=2", "granularity"),
        ("/api/v1/compare?methods=strata,,", "methods"),
        ("/api/v1/compare?methods=strata,strata,strata,strata,strata,strata,strata,strata,strata,strata", "nine"),
    ] {
        let answer = server.post(path, PAGE);
        assert_eq!(answer.status, 400, "{path}");
        assert!(answer.json()["error"].as_str().unwrap().contains(word), "{path}: {}", answer.text());
    }
    assert_eq!(server.post("/api/v1/extract?fetch=https://example.org/", "").status, 403);
    assert_eq!(server.get("/api/v1/extract").status, 405);
    assert_eq!(server.get("/api/v1/nothing").status, 404);
    assert_eq!(server.post("/api/v1/extract", "").status, 200, "an empty page is a page");
}

#[test]
fn health_metrics_and_the_description() {
    let server = Running::usual();
    assert_eq!(server.get("/api/v1/health").json()["status"], "ok");
    server.post("/api/v1/extract", PAGE);
    let metrics = server.get("/api/v1/metrics").text();
    assert!(metrics.contains("webstrata_requests_total{route=\"/api/v1/extract\",status=\"200\"} 1"), "{metrics}");
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(document["openapi"], "3.1.0");
    for path in document["paths"].as_object().unwrap().keys() {
        let status = server.get(path).status;
        assert!(matches!(status, 200 | 400 | 404 | 405), "{path}: {status}");
    }
    let about = server.get("/api/v1/about").json();
    assert_eq!(
        (about["fetch"].as_bool(), about["search"].as_bool(), about["methods"][0].as_str()),
        (Some(false), Some(false), Some("strata"))
    );
}

#[test]
fn every_answer_has_an_id_and_safe_headers() {
    let server = Running::usual();
    let answers = [
        server.get("/"),
        server.get("/assets/app.js"),
        server.get("/x"),
        server.post("/api/v1/extract", PAGE),
        server.request("PUT", "/", &[], b""),
    ];
    let mut ids: Vec<String> = answers.iter().map(|answer| answer.header("x-request-id").unwrap().to_owned()).collect();
    ids.dedup();
    assert_eq!(ids.len(), answers.len());
    for answer in &answers {
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    }
    let tag = answers[0].header("etag").unwrap();
    assert_eq!(server.request("GET", "/", &[("if-none-match", tag)], b"").status, 304);
}

#[test]
fn requests_that_have_begun_are_answered_before_it_stops() {
    use std::io::Write;
    let mut server = Running::usual();
    let mut stream = server.connect();
    write!(stream, "POST /api/v1/extract HTTP/1.1\r\nhost: localhost\r\ncontent-length: {}\r\n\r\n", PAGE.len()).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(100));
    let address = server.address;
    let stopping = std::thread::spawn(move || {
        server.stop();
        server
    });
    std::thread::sleep(std::time::Duration::from_millis(100));
    assert!(std::net::TcpStream::connect(address).is_err(), "no new connections");
    stream.write_all(PAGE.as_bytes()).unwrap();
    assert_eq!(crate::client::answer(&mut stream).status, 200);
    stopping.join().unwrap();
}

#[test]
fn a_token_opens_api_and_page() {
    let token = "0123456789abcdef";
    let server = Running::new(webstrata_serve::ServeOptions { token: Some(token.into()), ..Default::default() });
    assert_eq!((server.get("/").status, server.get("/api/v1/about").status, server.get("/api/v1/health").status), (401, 401, 200));
    assert_eq!(server.request("GET", "/api/v1/about", &[("authorization", "Bearer 0123456789abcdef")], b"").status, 200);
    assert_eq!(server.get("/?token=wrong").status, 401);
    let signed_in = server.get("/?token=0123456789abcdef");
    assert_eq!((signed_in.status, signed_in.header("location")), (303, Some("/")));
    let cookie = signed_in.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    assert_eq!(server.request("GET", "/", &[("cookie", cookie.split(';').next().unwrap())], b"").status, 200);
}
