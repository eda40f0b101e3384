//! Limits per page: bytes, nodes, depth, time.

use crate::common::{article, folder, program, run, run_with, spans};
use serde_json::Value;
use std::time::Duration;
use webstrata_corpus::archive::{Packing, Record, WarcWriter};

#[test]
fn a_page_above_the_limit_is_truncated_and_reported() {
    let page = article("mill") + &"<p>Far below, the last line.</p>".repeat(50) + "<p>Ünique end</p>";
    let here = folder(&[("a.html", page.as_bytes())]);
    let line = |limit: &str| {
        let args = ["extract", "--format", "jsonl", "--preset", "keep-everything", "--max-bytes", limit, "a.html"];
        run(here.path(), &args).quiet().lines().remove(0)
    };
    let cut = line("300");
    assert_eq!(
        cut["problems"],
        serde_json::json!([{"code": "bytes-cut", "message": "page cut at byte 300: longer than the byte limit", "offset": 300}])
    );
    assert!(cut["text"].as_str().unwrap().contains("The mill") && !cut["text"].as_str().unwrap().contains("Far below"));
    spans(&cut["spans"], &mut 0, 300);
    let whole = line(&page.len().to_string());
    assert_eq!(whole["problems"], Value::Array(vec![]), "a page as long as the limit is complete");
    assert!(whole["text"].as_str().unwrap().ends_with("Ünique end"));
    // A cut inside a character leaves valid UTF-8.
    let inside = line(&(page.find('Ü').unwrap() + 1).to_string());
    assert_eq!((&inside["encoding"], &inside["transcoded"]), (&"UTF-8".into(), &false.into()));
    run(here.path(), &["extract", "--max-bytes", "0", "a.html"]).complains(3, &["no content found"]);
    let many = ["segment", "--max-bytes", "300", "a.html"];
    assert!(run(here.path(), &many).quiet().stdout.contains("page cut at byte 300"));
}

#[test]
fn a_page_in_an_archive_is_truncated_like_a_file() {
    let page = article("mill") + &"<p>Far below, the last line of a long page.</p>".repeat(9000);
    let date = "2024-05-01T12:00:00Z";
    let mut archive = WarcWriter::new(Vec::new(), Packing::Gzip).unwrap();
    archive.page("https://example.org/", date, "text/html; charset=utf-8", page.as_bytes()).unwrap();
    let mut chunked = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n".to_vec();
    for chunk in page.as_bytes().chunks(1000) {
        chunked.extend([format!("{:x}\r\n", chunk.len()).as_bytes(), chunk, b"\r\n"].concat());
    }
    chunked.extend(b"0\r\n\r\n");
    let content_type = "application/http; msgtype=response";
    let record = Record { kind: "response", uri: Some("https://example.org/"), date, content_type, content: &chunked };
    let mut chunks = WarcWriter::new(Vec::new(), Packing::Plain).unwrap();
    chunks.record(&record).unwrap();
    let row = serde_json::json!({"html": page, "url": "https://example.org/"}).to_string();
    let here = folder(&[
        ("a.html", page.as_bytes()),
        ("a.warc.gz", &archive.into_inner()),
        ("chunked.warc", &chunks.into_inner()),
        ("a.jsonl", row.as_bytes()),
    ]);
    let list = "{\"file\": \"a.html\", \"url\": \"https://example.org/\"}\n";
    std::fs::write(here.path().join("list"), list).unwrap();
    // Under the first two limits only the start of a record is read.
    for limit in ["300", "200000", &(page.len() - 1).to_string(), &page.len().to_string()] {
        let line = |input: &[&str]| {
            let args = ["extract", "--format", "jsonl", "--preset", "keep-everything", "--max-bytes", limit];
            let mut line = run(here.path(), &[&args, input].concat()).quiet().lines().remove(0);
            line.as_object_mut().unwrap().remove("id");
            line
        };
        let file = line(&["--files-from", "list"]);
        let is_cut = file["problems"][0]["code"] == "bytes-cut";
        assert_eq!(is_cut, limit != page.len().to_string(), "{limit}: {}", file["problems"]);
        for name in ["a.warc.gz", "chunked.warc", "a.jsonl"] {
            let mut record = line(&[name]);
            // Only a container declares the encoding.
            record["encoding_because"] = file["encoding_because"].clone();
            assert_eq!(record, file, "{name}, {limit}");
        }
    }
}

#[test]
fn an_encoding_can_be_forced() {
    // The same bytes in two encodings; the page declares a third.
    let page = b"<meta charset=utf-8><p>\xcf\xf0\xe8\xe2\xe5\xf2 \xec\xe8\xf0 ok</p>";
    let here = folder(&[("a.html", page)]);
    let line = |label: &str| {
        let args = ["extract", "--format", "jsonl", "--preset", "keep-everything", "--encoding", label, "a.html"];
        run(here.path(), &args).quiet().lines().remove(0)
    };
    for label in ["windows-1251", "CP1251"] {
        let line = line(label);
        assert_eq!((line["text"].as_str(), line["encoding"].as_str()), (Some("Привет мир ok"), Some("windows-1251")));
        assert_eq!((&line["encoding_because"], &line["transcoded"]), (&"forced by the caller".into(), &true.into()));
    }
    assert_eq!(line("latin1")["text"], "Ïðèâåò ìèð ok");
    let utf8 = line("utf-8");
    assert!(utf8["text"].as_str().unwrap().contains('\u{fffd}'));
    assert_eq!(
        utf8["problems"],
        serde_json::json!([{"code": "bytes-replaced", "message": "malformed bytes were replaced by U+FFFD"}])
    );
    let segments = run(here.path(), &["segment", "--encoding", "windows-1251", "a.html"]).quiet().lines().remove(0);
    assert_eq!(segments["segments"][0]["text"], "Привет мир ok");
}

#[test]
fn nodes_and_depth_are_limited() {
    let here = folder(&[("a.html", ("<div>".repeat(100) + "deep" + &"<p>x</p>".repeat(100)).as_bytes())]);
    let problems = |option: &str, value: &str| {
        let args = ["extract", "--format", "jsonl", option, value, "a.html"];
        run(here.path(), &args).lines().remove(0)["problems"].to_string()
    };
    assert!(problems("--max-nodes", "50").contains("the tree reached its node limit"));
    assert!(problems("--max-depth", "20").contains("nested deeper than the depth limit"));
    assert_eq!(problems("--max-depth", "500"), "[]");
    for (option, wrong) in
        [("--max-nodes", "0"), ("--max-depth", "20000"), ("--max-bytes", "many"), ("--timeout", "1s"), ("--timeout", "soon")]
    {
        run(here.path(), &["extract", option, wrong, "a.html"]).complains(2, &[option, wrong]);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_that_never_delivers_times_out() {
    let here = folder(&[("a.html", article("mill").as_bytes()), ("z.html", article("ferry").as_bytes())]);
    let made = std::process::Command::new("mkfifo").arg(here.path().join("pipe.html")).status().unwrap();
    assert!(made.success());
    for threads in ["1", "3"] {
        let args = ["extract", "--format", "jsonl", "--timeout", "1.5", "--threads", threads, "a.html", "pipe.html", "z.html"];
        let ran = run(here.path(), &args);
        assert!(ran.stderr.contains("pipe.html: not read within 1.5 s") && ran.stderr.contains("--timeout"), "{}", ran.stderr);
        let ids: Vec<Value> = ran.lines().iter().map(|line| line["id"].clone()).collect();
        assert_eq!(ids, ["a.html", "pipe.html", "z.html"]);
        assert!(ran.lines()[1]["error"].as_str().unwrap().contains("not read"));
    }
    // If there are many of them, the command ends.
    let args = [["extract", "--timeout", "0.05", "--threads", "1"].as_slice(), &["pipe.html"; 10], &["a.html"]].concat();
    run(here.path(), &args).complains(2, &["stopped: 4 pages exceeded the time limit", "0 pages done, 4 failed"]);
}

/// A pipe that delivers some data and then stalls also times out; one that ends is read.
#[cfg(unix)]
#[test]
fn a_stalled_pipe_times_out() {
    use std::io::Write;
    let here = folder(&[]);
    let path = here.path().join("pipe.html");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    for (pause, timeout) in [(0, "0"), (600_000, "1")] {
        let child = program(here.path(), &["extract", "--timeout", timeout, "pipe.html"])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = std::fs::File::options().write(true).open(&path).unwrap();
        pipe.write_all(article("mill").as_bytes()).unwrap();
        let writer = std::thread::spawn(move || {
            std::thread::park_timeout(Duration::from_millis(pause));
            drop(pipe);
        });
        let output = child.wait_with_output().unwrap();
        writer.thread().unpark();
        let code = if timeout == "0" { 0 } else { 3 };
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn waiting_for_standard_input_is_not_timed() {
    use std::io::Write;
    let here = folder(&[]);
    let mut child = program(here.path(), &["extract", "--timeout", "0.1", "-"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::thread::sleep(Duration::from_millis(500));
    stdin.write_all(article("mill").as_bytes()).unwrap();
    drop(stdin);
    // Waiting is not timed. How long the page then takes depends on the machine.
    let output = child.wait_with_output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("not read"));
    assert_eq!(run_with(here.path(), &["extract", "--timeout", "0", "-"], article("mill").as_bytes()).quiet().code, Some(0));
}
