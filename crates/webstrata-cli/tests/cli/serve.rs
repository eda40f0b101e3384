//! `serve` over the tables, index, sites, graph and ranks that the other commands write; addresses as input of `extract`.

use crate::common::{folder, program, run};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

/// A server that ends with the test.
struct Serving {
    process: Child,
    address: String,
}

impl Serving {
    fn new(here: &Path, args: &[&str]) -> Serving {
        let mut process = program(here, &[&["serve", "--port", "0"], args].concat()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = loop {
            let line = lines.next().unwrap().unwrap();
            if let Some((_, address)) = line.split_once("open http://") {
                break address.trim_end_matches('/').to_owned();
            }
        };
        std::thread::spawn(move || lines.for_each(drop)); // or the log would fill the pipe
        Serving { process, address }
    }

    fn get(&self, path: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn json(&self, path: &str) -> Value {
        let (status, body) = self.get(path);
        assert_eq!(status, 200, "{path}: {body}");
        serde_json::from_str(&body).unwrap()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_crawl_is_served() {
    let here = folder(&[]);
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/site");
    let list: String = ["bridge", "ferry", "harvest", "library", "market", "school"]
        .iter()
        .map(|name| format!("{}\thttps://valley.example/{name}\n", site.join(format!("{name}.html")).display()))
        .collect();
    std::fs::write(here.path().join("list.txt"), list).unwrap();
    for command in [
        &["run", "--files-from", "list.txt", "--out", "crawl/tables", "--quiet"][..],
        &["index", "crawl/tables", "--out", "crawl/index"],
        &["site", "--files-from", "list.txt", "--out", "crawl/sites", "--quiet"],
        &["graph", "build", "crawl/tables", "--out", "crawl/web.graph"],
        &["rank", "pagerank", "crawl/web.graph", "--out", "crawl/ranks.tsv"],
    ] {
        assert_eq!(run(here.path(), command).code, Some(0), "{command:?}");
    }
    let server = Serving::new(here.path(), &["crawl"]);
    let about = server.json("/api/v1/about");
    for part in ["pages", "search", "sites", "graph"] {
        assert_eq!(about[part], true, "{part}: {about}");
    }
    assert_eq!(about["topics"], serde_json::json!(["ranks"]), "no path of this machine");
    assert!(!about.to_string().contains("crawl/"), "{about}");

    let pages = server.json("/api/v1/pages?limit=2&skip=1");
    assert_eq!((pages["total"].as_u64(), pages["pages"].as_array().unwrap().len()), (Some(6), 2));
    let page = server.json("/api/v1/page?id=https://valley.example/ferry");
    assert_eq!(page["page"]["url"], "https://valley.example/ferry");
    assert!(page["segments"].as_array().unwrap().len() > 1 && !page["links"].as_array().unwrap().is_empty());
    assert!(page["segments"].as_array().unwrap().iter().all(|segment| segment["page"] == page["page"]["id"]));
    assert_eq!(server.get("/api/v1/page?id=none").0, 404);
    let (status, reason) = server.get("/api/v1/source?id=https://valley.example/ferry");
    assert!(status == 404 && reason.contains("--sources"), "{reason}");
    assert_eq!(about["sources"], false);
    let knowing = Serving::new(here.path(), &["crawl", "--sources", site.to_str().unwrap()]);
    let (status, source) = knowing.get("/api/v1/source?id=https://valley.example/ferry");
    assert_eq!((status, source), (200, std::fs::read_to_string(site.join("ferry.html")).unwrap()));
    assert_eq!(knowing.get("/api/v1/source?id=/etc/passwd@0").0, 404, "only pages of the tables");
    let elsewhere = Serving::new(here.path(), &["crawl", "--sources", "crawl"]);
    assert_eq!(elsewhere.get("/api/v1/source?id=https://valley.example/ferry").0, 404, "and only files of the folder");

    let hits = server.json("/api/v1/search?q=ferry&explain=true");
    assert_eq!(hits["hits"][0]["url"], "https://valley.example/ferry");
    assert_eq!(server.json("/api/v1/search?q=ferry&topic=ranks")["hits"][0]["url"], "https://valley.example/ferry");
    assert_eq!(server.json("/api/v1/sites")[0]["site"], "valley.example");
    assert!(!server.json("/api/v1/site?name=valley.example")["designs"][0]["classes"].as_array().unwrap().is_empty());
    let best = server.json("/api/v1/rank?limit=1")["pages"][0]["page"].as_str().unwrap().to_owned();
    let links = server.json(&format!("/api/v1/backlinks?page={best}"));
    let strata: u64 = links["strata"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert!(links["total"].as_u64().unwrap() > 0 && strata == links["total"].as_u64().unwrap(), "{links}");
    assert!(links["ranks"]["ranks"].is_number());
}

#[cfg(unix)]
#[test]
fn a_signal_stops_it() {
    let here = folder(&[]);
    let mut server = Serving::new(here.path(), &["--quiet"]);
    assert_eq!(server.get("/api/v1/health").0, 200);
    let id = server.process.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}

#[test]
fn unsafe_servers_do_not_start() {
    let here = folder(&[("token", b"short")]);
    run(here.path(), &["serve", "--address", "0.0.0.0"]).complains(2, &["--public"]);
    run(here.path(), &["serve", "--address", "0.0.0.0", "--public"]).complains(2, &["--token-file"]);
    run(here.path(), &["serve", "--address", "0.0.0.0", "--public", "--token-file", "token"]).complains(2, &["16"]);
    run(here.path(), &["serve", "--token-file", "none"]).complains(2, &["none"]);
    run(here.path(), &["serve", "nothing"]).complains(2, &["nothing"]);
    run(here.path(), &["serve", "."]).complains(2, &["nothing to show", "webstrata run"]);
}

#[test]
fn addresses_of_this_machine_are_not_fetched() {
    let here = folder(&[("list.txt", b"# mine\nhttp://localhost:1/\nhttp://[::ffff:127.0.0.1]:1/\n")]);
    run(here.path(), &["extract", "http://127.0.0.1:1/page", "--retries", "0"])
        .complains(3, &["http://127.0.0.1:1/page", "private"]);
    run(here.path(), &["extract", "--urls-from", "list.txt", "--save-warc", "kept.warc.gz"])
        .complains(3, &["localhost", "2 of 2 pages could not"]);
    assert!(here.path().join("kept.warc.gz").exists());
    run(here.path(), &["extract", "--urls-from", "none.txt"]).complains(2, &["none.txt"]);
    run(here.path(), &["extract", "https://user:secret@example.org/"]).complains(3, &["not the address"]);
}
