//! `webstrata run`: the same output however a run was interrupted, and clear errors when it cannot continue.

#[cfg(unix)]
use crate::common::interrupt;
use crate::common::{article, folder, program, run};
#[cfg(unix)]
use crate::kills::{self, Killer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A WARC file of `pages` records, one in ten of them a request, with a broken record in the middle.
fn warc(pages: usize) -> Vec<u8> {
    let mut out = Vec::new();
    for number in 0..pages {
        let page = article(&format!("mill{number}")).replace("<title>", "<html lang=en><title>");
        let page = page + &format!("<p><a href=/{}>next</a>", number + 1).repeat(1 + number % 7);
        let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n{page}");
        let kind = if number % 10 == 3 { "request" } else { "response" };
        out.extend_from_slice(
            format!(
                "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: https://www.example.org/{number}\r\n\
                 WARC-Date: 2024-05-01T12:00:00Z\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-{number:012}>\r\n\
                 Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
                http.len()
            )
            .as_bytes(),
        );
        if number == pages / 2 {
            out.extend_from_slice(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: none\r\n\r\ntorn\r\n\r\n");
        }
    }
    out
}

/// All files of a folder by name.
fn contents(root: &Path) -> BTreeMap<String, Vec<u8>> {
    crate::common::files(root).into_iter().map(|name| (name.clone(), fs::read(root.join(name)).unwrap())).collect()
}

/// Describes the first difference between two folders.
fn difference(one: &Path, other: &Path) -> Option<String> {
    let (one, other) = (contents(one), contents(other));
    if one.keys().ne(other.keys()) {
        return Some(format!("{:?} and {:?}", one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>()));
    }
    let (name, bytes) = one.iter().find(|(name, bytes)| other[*name] != **bytes)?;
    let shown = |bytes: &[u8]| String::from_utf8_lossy(&bytes[..bytes.len().min(2000)]).into_owned();
    Some(format!("{name} is {} and {}", shown(bytes), shown(&other[name])))
}

fn crawl_folder(pages: usize) -> tempfile::TempDir {
    let here = folder(&[("crawl.warc", &warc(pages)), ("more/a.html", article("ferry").as_bytes())]);
    let lines: Vec<String> = (0..pages / 4)
        .map(
            |number| serde_json::json!({"url": format!("https://example.com/{number}"), "html": article(&format!("quay{number}"))}),
        )
        .map(|value| value.to_string())
        .collect();
    fs::write(here.path().join("more/b.jsonl"), lines.join("\n") + "\nno json\n").unwrap();
    here
}

const INPUT: [&str; 3] = ["run", "crawl.warc", "more"];

fn arguments<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&INPUT[..], &["--out", out, "--shard-pages", "20"], more].concat()
}

#[test]
fn pages_are_signed_on_request() {
    let here = crawl_folder(8);
    for (preset, length) in [("paper", 8), ("fineweb", 14)] {
        run(here.path(), &arguments(preset, &["--format", "jsonl", "--tables", "pages", "--signatures", preset]))
            .complains(1, &["errors"]);
        let pages = contents(&here.path().join(preset).join("pages"));
        let text = String::from_utf8(pages.into_values().next().unwrap()).unwrap();
        let page: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!(page["signature"].as_array().map(Vec::len), Some(length), "{page}");
    }
}

#[test]
fn a_crawl_becomes_tables() {
    let here = crawl_folder(40);
    let ran = run(here.path(), &arguments("out", &["--format", "jsonl"]))
        .complains(1, &["2 of 49 pages failed (2 damaged)", "out/errors"]);
    assert_eq!(ran.stdout.split(" pages, ").next(), Some("47"), "{}", ran.stdout);
    let lines = |folder: &str| -> Vec<Value> {
        let names = contents(&here.path().join("out").join(folder));
        names
            .values()
            .flat_map(|bytes| {
                String::from_utf8(bytes.clone()).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect::<Vec<_>>()
            })
            .collect()
    };
    let pages = lines("pages");
    assert_eq!(pages.len(), 47);
    assert_eq!((&pages[0]["url"], &pages[0]["host"]), (&"https://www.example.org/0".into(), &"www.example.org".into()));
    assert_eq!((&pages[0]["id"], &pages[0]["language"]), (&"crawl.warc@0".into(), &"en".into()));
    assert_eq!((&pages[0]["title"], &pages[0]["fetched"]), (&"About the mill0".into(), &"2024-05-01T12:00:00Z".into()));
    assert!(pages[0]["text"].as_str().unwrap().contains("The mill0 stood by the river"));
    assert!(lines("segments").iter().all(|row| row["spans"].as_array().is_some_and(|spans| !spans.is_empty())));
    let links = lines("links");
    assert_eq!(
        (&links[0]["source"], &links[0]["target"]),
        (&"https://www.example.org/0".into(), &"https://www.example.org/1".into())
    );
    assert_eq!(links[0]["same_host"], true);
    let errors = lines("errors");
    assert!(errors.iter().all(|row| row["reason"] == "damaged" && row["offset"].is_u64()), "{errors:?}");
    let manifest: Value = serde_json::from_slice(&fs::read(here.path().join("out/manifest.json")).unwrap()).unwrap();
    assert_eq!(
        (&manifest["complete"], &manifest["rows"]["pages"], &manifest["settings"]["preset"]),
        (&true.into(), &47.into(), &"strata".into())
    );
    // Run again, there is nothing left to do.
    let again = run(here.path(), &arguments("out", &["--format", "jsonl"]));
    assert!(again.stdout.contains("all already done"), "{}", again.stdout);
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let here = crawl_folder(120);
    for format in ["parquet", "jsonl", "wet", "wat"] {
        let name = |threads: &str| format!("{format}-{threads}");
        for threads in ["1", "2", "5"] {
            let out = name(threads);
            run(here.path(), &arguments(&out, &["--threads", threads, "--format", format, "--quiet"])).complains(1, &[]);
        }
        for threads in ["2", "5"] {
            assert_eq!(difference(&here.path().join(name("1")), &here.path().join(name(threads))), None);
        }
    }
}

/// A killed run that is started again gives the same bytes.
#[cfg(unix)]
#[test]
fn killed_runs_resume() {
    let here = crawl_folder(if kills::number() > 10 { 4000 } else { 800 });
    let started = Instant::now();
    run(here.path(), &arguments("whole", &["--quiet"])).complains(1, &[]);
    let mut killer = Killer::new(started.elapsed());
    for number in 0.. {
        if !killer.needs_more() {
            break;
        }
        let out = format!("out{number}");
        let args = arguments(&out, &["--quiet"]);
        // Twice in each folder: after the first kill there is something to resume.
        for _ in 0..2 {
            killer.kill(program(here.path(), &args).stderr(Stdio::null()).spawn().unwrap());
        }
        let threads = if number % 2 == 0 { "1" } else { "3" };
        run(here.path(), &[&args[..], &["--threads", threads]].concat()).complains(1, &[]);
        assert_eq!(difference(&here.path().join("whole"), &here.path().join(&out)), None, "run {number}");
    }
    killer.assert_enough();
}

/// A limit on the size of files simulates a full disk without root privileges.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_run_resumes() {
    let here = crawl_folder(100);
    // A large page after some small ones.
    let big =
        article("dam") + &(0..60_000).map(|i| format!("<p>The dam held for {i} years, and nobody knows why.")).collect::<String>();
    fs::write(here.path().join("more/z.html"), big).unwrap();
    run(here.path(), &arguments("whole", &["--format", "jsonl", "--quiet"])).complains(1, &[]);
    let args = arguments("out", &["--format", "jsonl", "--quiet"]);
    let limited = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 600; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_webstrata")])
        .args(&args)
        .current_dir(here.path())
        .output()
        .unwrap();
    let stderr = String::from_utf8(limited.stderr).unwrap();
    assert_eq!(limited.status.code(), Some(2), "{stderr}");
    assert!(
        stderr.contains("cannot write out/") && stderr.contains("free some space") && stderr.contains("finished shard"),
        "{stderr}"
    );
    let left = contents(&here.path().join("out"));
    assert!(left.keys().any(|name| name.starts_with("checkpoints/")), "{:?}", left.keys());
    assert!(left.keys().all(|name| !name.contains(".tmp")), "{:?}", left.keys());
    run(here.path(), &args).complains(1, &[]);
    assert_eq!(difference(&here.path().join("whole"), &here.path().join("out")), None);
}

#[test]
fn a_different_input_or_different_settings_are_refused() {
    let here = crawl_folder(30);
    run(here.path(), &arguments("out", &["--quiet"])).complains(1, &[]);
    run(here.path(), &arguments("out", &["--preset", "article"])).complains(2, &["`preset` was strata and is article", "--out"]);
    run(here.path(), &arguments("out", &["--format", "jsonl"])).complains(2, &["the format was parquet and is jsonl"]);
    run(here.path(), &["run", "more", "--out", "out", "--shard-pages", "20"]).complains(2, &["the input has different files"]);
    let mut longer = fs::read(here.path().join("crawl.warc")).unwrap();
    longer.extend_from_slice(&warc(1));
    fs::write(here.path().join("crawl.warc"), longer).unwrap();
    run(here.path(), &arguments("out", &[])).complains(2, &["files of different sizes", "start over"]);
    fs::create_dir(here.path().join("mine")).unwrap();
    fs::write(here.path().join("mine/thesis.tex"), "").unwrap();
    run(here.path(), &arguments("mine", &[])).complains(2, &["mine is neither empty nor a run"]);
    run(here.path(), &["run", "nowhere.warc", "--out", "new"]).complains(2, &["nowhere.warc"]);
    run(here.path(), &arguments("out", &["--tables", "words"])).complains(2, &["pages, segments, links"]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_says_how_to_resume() {
    let here = crawl_folder(3000);
    let args = arguments("out", &[]);
    let child = program(here.path(), &args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let checkpoints = here.path().join("out/checkpoints");
    for _ in 0..3000 {
        if fs::read_dir(&checkpoints).is_ok_and(|mut entries| entries.next().is_some()) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    // A second run in the same folder is refused.
    run(here.path(), &args).complains(2, &["is being written by another process"]);
    let (signal, code) = interrupt();
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{stderr}");
    assert!(stderr.contains("interrupted: ") && stderr.contains("run the same command again"), "{stderr}");
    assert!(contents(&here.path().join("out")).keys().all(|name| !name.contains(".tmp")));
    let ran = run(here.path(), &args).complains(1, &[]);
    assert!(ran.stdout.contains("already done"), "{}", ran.stdout);
}
