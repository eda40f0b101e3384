//! Data in the server's folder. Tables and graphs need whole commands and are tested in `crates/webstrata-cli/tests/cli/serve.rs`.

use crate::client::Running;
use std::path::Path;
use webstrata_corpus::store::{PageRow, SegmentRow};
use webstrata_search::{IndexOptions, IndexWriter};
use webstrata_serve::{ServeError, ServeOptions, Server};

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut writer = IndexWriter::open(&folder.path().join("pages.index"), &IndexOptions::default()).unwrap();
    for (number, host, language, text) in [
        (1, "valley.example", "en", "Heavy rain has flooded the valley"),
        (2, "valley.example", "en", "The rain stopped in the valley on Monday <script>alert(1)</script>"),
        (3, "tal.example", "de", "Der Regen im Tal, rain on the hills"),
    ] {
        let url = format!("https://{host}/{number}");
        let page = PageRow {
            id: number.to_string(),
            url: Some(url),
            host: Some(host.into()),
            title: Some(format!("Page {number}")),
            language: Some(language.into()),
            text: text.into(),
            ..PageRow::default()
        };
        let body = SegmentRow { page: number.to_string(), text: text.into(), content: true, ..SegmentRow::default() };
        writer.add(&page, &[body]).unwrap();
    }
    writer.finish().unwrap();
    let ranks = "page\t*\tWeather\nhttps://valley.example/1\t0.2\t0.5\nhttps://valley.example/2\t0.7\t0.1\nhttps://tal.example/3\t0.1\t0.4\n";
    std::fs::write(folder.path().join("ranks.tsv"), ranks).unwrap();
    std::fs::create_dir_all(folder.path().join("sites/sites/va")).unwrap();
    let line =
        "{\"site\":\"valley.example\",\"pages\":2,\"designs\":1,\"classes\":1,\"template_classes\":1,\"template_blocks\":3}\n";
    std::fs::write(folder.path().join("sites/sites.jsonl"), line).unwrap();
    let report = serde_json::json!({ "site": "valley.example", "pages": 2, "template_blocks": 3, "designs": [{ "pages": 2, "nodes": 9, "classes": [
        { "label": "nav/body/html", "path": ["html", "body", "nav"], "within": null, "pages": 2, "words": 3.0, "linked": 1.0, "constancy": 1.0, "template": true, "texts": ["Home News"] }
    ] }] });
    std::fs::write(folder.path().join("sites/sites/va/valley.example.json"), report.to_string()).unwrap();
    folder
}

fn serving(path: &Path) -> Running {
    Running::new(ServeOptions { folder: Some(path.to_owned()), ..ServeOptions::default() })
}

#[test]
fn search_facets_ranks_and_sites() {
    let folder = folder();
    let server = serving(folder.path());
    let found = server.get("/api/v1/search?q=rain+valley&limit=5").json();
    assert_eq!(found["format"], "webstrata.search/1");
    let ids = |found: &serde_json::Value| {
        found["hits"].as_array().unwrap().iter().map(|hit| hit["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids(&found).len(), 3);
    assert_eq!(ids(&server.get("/api/v1/search?q=rain+lang:de").json()), ["3"]);
    let explained = server.get("/api/v1/search?q=rain&explain=true&ranking=bm25&topic=Weather").json();
    assert!(explained["hits"][0]["explanation"].is_object());
    let facets = server.get("/api/v1/facets?q=rain").json();
    assert_eq!(facets["site"][0], serde_json::json!({ "value": "valley.example", "pages": 2 }));
    assert_eq!(facets["topics"][0]["topic"], "Weather");
    let ranks = server.get("/api/v1/rank").json();
    assert_eq!((ranks["topic"].as_str(), ranks["pages"][0]["page"].as_str()), (Some("*"), Some("https://valley.example/2")));
    assert_eq!(server.get("/api/v1/rank?topic=Weather&limit=1").json()["pages"][0]["page"], "https://valley.example/1");
    assert_eq!(server.get("/api/v1/rank?topic=Sports").status, 404);
    assert_eq!(server.get("/api/v1/sites").json()[0]["site"], "valley.example");
    assert_eq!(server.get("/api/v1/site?name=valley.example").json()["designs"][0]["classes"][0]["template"], true);
    let about = server.get("/api/v1/about").json();
    assert_eq!(
        (about["search"].as_bool(), about["sites"].as_bool(), about["graph"].as_bool(), about["pages"].as_bool()),
        (Some(true), Some(true), Some(false), Some(false))
    );
}

#[test]
fn missing_data_is_reported() {
    let folder = folder();
    let server = serving(folder.path());
    for path in [
        "/api/v1/page?id=1",
        "/api/v1/pages",
        "/api/v1/backlinks?page=x",
        "/api/v1/site?name=none.example",
        "/api/v1/site?name=../../etc/passwd",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
    for path in [
        "/api/v1/search",
        "/api/v1/search?q=",
        "/api/v1/search?q=rain&limit=0",
        "/api/v1/search?q=rain&limit=201",
        "/api/v1/search?q=rain&ranking=x",
        "/api/v1/search?q=%28%28",
        "/api/v1/search?q=rain&weights=x",
    ] {
        assert_eq!(server.get(path).status, 400, "{path}");
    }
    assert_eq!(server.get("/api/v1/search?q=rain&topic=Sports").status, 400);
    let none = Running::usual();
    assert_eq!(
        (none.get("/api/v1/search?q=rain").status, none.get("/api/v1/sites").status, none.get("/api/v1/rank").status),
        (404, 404, 404)
    );
}

#[test]
fn a_folder_without_data_is_an_error() {
    let empty = tempfile::tempdir().unwrap();
    let open = |path: &Path| Server::bind(ServeOptions { port: 0, folder: Some(path.to_owned()), ..ServeOptions::default() });
    assert!(matches!(open(empty.path()), Err(ServeError::Empty(_))));
    assert!(matches!(open(&empty.path().join("none")), Err(ServeError::Folder { .. })));
    let damaged = folder();
    std::fs::write(damaged.path().join("sites/sites.jsonl"), "{\"site\":").unwrap();
    assert!(matches!(open(damaged.path()), Err(ServeError::Damaged { .. })));
}
