//! A real browser, if there is one, and a script that reveals whether it was run.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit for the browser, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A Chromium that starts; `WEBSTRATA_BROWSER` names another one.
pub(crate) fn browser() -> Option<String> {
    let chosen = std::env::var("WEBSTRATA_BROWSER").ok();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"].map(str::to_owned);
    let works = |name: &String| {
        let version = Command::new(name).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    };
    let found = chosen.into_iter().chain(names).find(works);
    if found.is_none() {
        // Directly to standard error: the test runner hides what passing tests print.
        let _ = std::io::stderr().write_all(
            b"\n!!!! pages in a browser: NOT CHECKED (no Chromium)\n!!!! Remedy: scripts/setup, or set WEBSTRATA_BROWSER.\n",
        );
    }
    found
}

/// The document after the browser has loaded it and run its scripts.
pub(crate) fn loaded(browser: &str, home: &Path, address: &str) -> String {
    let mut child = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-default-apps", "--window-size=1300,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", home.display()))
        // Waits for what scripts fetch.
        .arg("--virtual-time-budget=20000")
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let mut stdout = child.stdout.take().expect("standard output is a pipe");
    let reader = std::thread::spawn(move || {
        let mut text = Vec::new();
        stdout.read_to_end(&mut text).map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let started = Instant::now();
    while child.try_wait().expect("the browser has a status").is_none() {
        if started.elapsed() > TIMEOUT {
            let _ = child.kill();
            panic!("the browser did not end within {TIMEOUT:?} on {address}");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    reader.join().expect("the reader does not panic").expect("the output can be read")
}

/// A script that marks the document in three ways and sends a request. It assembles the marks when it runs, so that its own
/// text does not look like success.
pub(crate) fn attack(port: u16) -> String {
    format!(
        "document.documentElement.setAttribute('data-r'+'an','1');document.title='r'+'an';\
         document.body.appendChild(document.createElement('p')).id='r'+'an';new Image().src='http://127.0.0.1:{port}/x'"
    )
}

pub(crate) fn script_ran(document: &str) -> bool {
    ["data-ran", "<title>ran", "id=\"ran\""].iter().any(|mark| document.contains(mark))
}
