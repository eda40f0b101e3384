//! Checks that docs/lab-cli.md is up to date and that the examples in docs/lab.md work.

use crate::common::transcript::check_console;
use crate::common::{copy_labelled, folder, run};
use std::fs;
use std::path::Path;

fn docs(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

/// WEBSTRATA_BLESS=1 rewrites the reference.
#[test]
fn the_reference_is_current() {
    let here = folder(&[]);
    let generated = run(here.path(), &["reference"]).quiet().stdout;
    if std::env::var_os("WEBSTRATA_BLESS").is_some() {
        fs::write(docs("lab-cli.md"), &generated).unwrap();
    }
    let kept = fs::read_to_string(docs("lab-cli.md")).unwrap_or_default();
    assert!(kept == generated, "docs/lab-cli.md is out of date; run the tests with WEBSTRATA_BLESS=1 and review the difference");
}

#[test]
fn the_examples_of_the_guide_work() {
    let here = folder(&[]);
    copy_labelled(here.path());
    let commands = check_console(&fs::read_to_string(docs("lab.md")).unwrap(), here.path());
    assert!(commands >= 4, "{commands}");
    for file in ["mine.json", "mine.model"] {
        assert!(here.path().join(file).is_file(), "{file}");
    }
}
