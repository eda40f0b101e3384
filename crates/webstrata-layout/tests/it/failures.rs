//! Browsers that are missing, exit, hang or send garbage: each gives an error, in time.

use crate::common::chromium;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use webstrata::Page;
use webstrata_layout::{Chromium, ChromiumOptions, LayoutError};

/// Time limit for fake browsers.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Time within which an error must arrive, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30);

/// A shell script in place of a browser. It reads commands from descriptor 3 and writes answers to 4.
fn pretender(folder: &Path, script: &str) -> PathBuf {
    let path = folder.join("browser");
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("the script can be written");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it can be made executable");
    path
}

fn error_of(script: &str) -> LayoutError {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let options = ChromiumOptions::default().browser(pretender(folder.path(), script)).timeout(TIMEOUT);
    let started = Instant::now();
    let error = Chromium::new(options).capture(&Page::parse(b"<p>Rain"), None, false).expect_err("this is no browser");
    assert!(started.elapsed() < PATIENCE, "it took {:?}", started.elapsed());
    error
}

#[test]
fn a_browser_that_ends_is_quoted() {
    let error = error_of("echo 'No usable sandbox!' >&2; exit 1");
    assert!(matches!(error, LayoutError::Ended { .. }), "{error}");
    assert!(error.to_string().contains("it said: No usable sandbox!"), "{error}");
}

#[test]
fn a_browser_that_closes_its_pipe_has_ended() {
    let error = error_of("exec 4>&-; sleep 1000");
    assert!(matches!(error, LayoutError::Ended { .. }), "{error}");
    let error = error_of("printf '{\"id\":1,' >&4; exit 0");
    assert!(matches!(error, LayoutError::Ended { .. }), "{error}");
}

#[test]
fn a_browser_that_hangs_takes_no_longer_than_allowed() {
    for script in ["sleep 1000", "exec 3<&-; sleep 1000", "sleep 1000 & wait", "trap '' TERM INT; while :; do sleep 1; done"] {
        let error = error_of(script);
        assert!(matches!(error, LayoutError::Timeout { .. }), "{script}: {error}");
    }
}

#[test]
fn events_without_end_do_not_extend_the_time() {
    let error = error_of("while printf '{\"method\":\"Page.frameStarted\",\"params\":{}}\\0' >&4; do :; done");
    assert!(matches!(error, LayoutError::Timeout { .. }), "{error}");
}

#[test]
fn nonsense_is_an_error() {
    for answer in [
        "hello",
        "",
        "[]",
        "null",
        "{}",
        "{\"id\":1}",
        "{\"id\":-1,\"result\":{}}",
        "{\"id\":1,\"result\":[]}",
        "{\"id\":1,\"result\":{\"browserContextId\":17}}",
        "{\"method\":\"Fetch.requestPaused\",\"params\":{\"requestId\":1}}",
        "{\"method\":\"Fetch.requestPaused\"}",
        "\\377\\376",
    ] {
        let error = error_of(&format!("printf '{answer}\\0' >&4; sleep 1000"));
        assert!(matches!(error, LayoutError::Nonsense { .. }), "{answer}: {error}");
    }
    let deep = "i=0; while [ $i -lt 1000 ]; do printf '[[[[[[[[[[' >&4; i=$((i+1)); done; printf '\\0' >&4; sleep 1000";
    assert!(matches!(error_of(deep), LayoutError::Nonsense { .. }));
}

#[test]
fn refusals_are_quoted() {
    let error = error_of("printf '{\"id\":1,\"error\":{\"code\":-32601,\"message\":\"not today\"}}\\0' >&4; sleep 1000");
    assert!(matches!(error, LayoutError::Refused { .. }), "{error}");
    assert!(error.to_string().contains("not today"), "{error}");
}

#[test]
fn crashes_are_errors() {
    let error = error_of("printf '{\"method\":\"Target.targetCrashed\",\"params\":{}}\\0' >&4; sleep 1000");
    assert!(matches!(error, LayoutError::Crashed), "{error}");
}

#[test]
fn all_browser_processes_are_killed_and_the_profile_is_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let script = format!(
        "for flag in \"$@\"; do case $flag in --user-data-dir=*) echo \"${{flag#*=}}\" >{0}/profile;; esac; done\n\
         sleep 1000 & echo $! >{0}/child; echo $$ >{0}/own; wait",
        folder.path().display()
    );
    let options = ChromiumOptions::default().browser(pretender(folder.path(), &script)).timeout(TIMEOUT);
    Chromium::new(options).capture(&Page::parse(b"<p>Rain"), None, false).expect_err("this is no browser");
    let written = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("the script wrote it").trim().to_owned();
    assert!(!Path::new(&written("profile")).exists());
    for name in ["own", "child"] {
        let id = written(name);
        // A process that has ended but has not been waited for is a zombie; the child's parent is gone, so reaping it is up to the
        // system. On a busy machine, a killed process takes a moment to end.
        let state = || std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
        let ended = |state: &str| state.is_empty() || state.contains(") Z");
        let end = Instant::now() + TIMEOUT;
        while !ended(&state()) && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(20));
        }
        assert!(ended(&state()), "{name}: {}", state());
    }
}

#[test]
fn missing_browsers_are_named() {
    let options = ChromiumOptions::default().browser("/nonexistent/chromium");
    let error = Chromium::new(options).capture(&Page::parse(b"<p>Rain"), None, false).expect_err("there is no such file");
    assert!(error.to_string().contains("/nonexistent/chromium"), "{error}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("browser");
    std::fs::write(&path, "not a program").expect("the folder can be written");
    let error = Chromium::new(ChromiumOptions::default().browser(path)).capture(&Page::parse(b"<p>Rain"), None, false);
    assert!(matches!(error, Err(LayoutError::Start { .. })), "{error:?}");
}

#[test]
fn after_an_error_the_next_page_gets_a_new_browser() {
    let Some(mut real) = chromium() else { return };
    let page = Page::parse(b"<p>Rain");
    real.capture(&page, None, false).expect("the browser renders the page");
    // The first run hangs, all others are the real browser.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let browser = real.find().expect("it has just been used");
    let script = format!(
        "if [ ! -e {0}/again ]; then touch {0}/again; exit 1; fi; exec {1} \"$@\"",
        folder.path().display(),
        browser.display()
    );
    let options = ChromiumOptions::default().browser(pretender(folder.path(), &script)).timeout(Duration::from_secs(120));
    let mut chromium = Chromium::new(options);
    chromium.capture(&page, None, false).expect_err("the first run fails");
    let capture = chromium.capture(&page, None, false).expect("the second is a real browser");
    assert!(capture.layout.rendered() > 0);
}
