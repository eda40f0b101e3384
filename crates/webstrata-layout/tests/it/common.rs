//! A real browser, if there is one.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;
use webstrata_layout::{Chromium, ChromiumOptions};

/// Time limit for a page, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A browser to test with; `None` (and a notice) if there is none.
pub(crate) fn chromium() -> Option<Chromium> {
    let chromium = Chromium::new(ChromiumOptions::default().timeout(TIMEOUT));
    if chromium.find().is_err() {
        // Directly to standard error: the test runner hides what passing tests print.
        let _ = std::io::stderr().write_all(
            b"\n!!!! layouts from a browser: NOT CHECKED (no Chromium)\n!!!! Remedy: scripts/setup, or set WEBSTRATA_BROWSER.\n",
        );
        return None;
    }
    Some(chromium)
}

/// A file of our test data.
pub(crate) fn testdata(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/layout").join(name)
}
