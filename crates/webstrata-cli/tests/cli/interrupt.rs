//! Interrupted commands leave complete files and nothing else.
#![cfg(unix)]

use crate::common::{article, files, folder, interrupt, program};
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// Starts a command over many pages and a pipe that never delivers, waits until `ready`, and sends it a signal.
fn interrupted(here: &Path, args: &[&str], signal: &str, ready: impl Fn() -> bool) -> Output {
    let child = program(here, args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    for _ in 0..3000 {
        if ready() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(ready(), "the command has not started");
    send(&child, signal);
    child.wait_with_output().unwrap()
}

fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

fn many() -> tempfile::TempDir {
    let here = folder(&[]);
    fs::create_dir(here.path().join("in")).unwrap();
    for i in 0..300 {
        fs::write(here.path().join(format!("in/{i:03}.html")), article(&format!("mill{i}"))).unwrap();
    }
    // With a pipe that never delivers, the command does not end on its own.
    let made = Command::new("mkfifo").arg(here.path().join("pipe.html")).status().unwrap();
    assert!(made.success());
    here
}

#[test]
fn an_interrupted_folder_has_only_complete_files() {
    let here = many();
    let out = here.path().join("out");
    for (signal, code) in [interrupt(), ("-TERM", 143)] {
        let _ = fs::remove_dir_all(&out);
        let ready = || out.is_dir() && files(&out).len() > 20;
        let output = interrupted(here.path(), &["extract", "--timeout", "0", "in", "pipe.html", "-o", "out"], signal, ready);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(stderr.contains("interrupted: ") && stderr.contains("pages done, the last one in/"), "{stderr}");
        for name in files(&out) {
            assert!(name.ends_with(".txt"), "{name}");
            let text = fs::read_to_string(out.join(&name)).unwrap();
            assert!(text.starts_with("About the mill") && text.ends_with("owned it.\n"), "{name}: {text}");
        }
    }
}

#[test]
fn an_interrupted_file_is_not_written() {
    let here = many();
    let ready = || files(here.path()).iter().any(|name| name.ends_with(".tmp"));
    let args = ["extract", "--format", "jsonl", "--timeout", "0", "in", "pipe.html", "-o", "all.jsonl"];
    let (signal, code) = interrupt();
    let output = interrupted(here.path(), &args, signal, ready);
    assert_eq!(output.status.code(), Some(code));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the output file was not written"));
    assert!(files(here.path()).iter().all(|name| name.ends_with(".html")), "{:?}", files(here.path()));
}

#[test]
fn interrupted_standard_output_ends_after_a_page() {
    let here = many();
    let args = ["extract", "--format", "jsonl", "--timeout", "0", "in", "pipe.html"];
    let mut child = program(here.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut text = vec![0];
    stdout.read_exact(&mut text).unwrap(); // the command has started
    let (signal, code) = interrupt();
    send(&child, signal);
    stdout.read_to_end(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(code));
    let text = String::from_utf8(text).unwrap();
    assert!(text.ends_with("}\n"));
    for line in text.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

/// Nobody reads standard output, so the command cannot end on its own.
#[test]
fn a_command_that_cannot_write_is_terminated() {
    let here = many();
    let big =
        article("mill") + &"<p>Nobody in the village had asked who owned it, and for many years it stood there.</p>".repeat(20_000);
    fs::write(here.path().join("in/000.html"), big).unwrap();
    let args = ["extract", "--preset", "keep-everything", "--timeout", "0", "in", "pipe.html"];
    let mut child = program(here.path(), &args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap(); // the command has started
    let (signal, code) = interrupt();
    send(&child, signal);
    assert_eq!(child.wait().unwrap().code(), Some(code));
}
