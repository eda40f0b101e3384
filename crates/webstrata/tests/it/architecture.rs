//! The order of stages inside the library, and the paths that ARCHITECTURE.md names.

use std::path::{Path, PathBuf};

/// Stages in the order in which data flows. A stage may use those before it.
const STAGES: [&str; 13] =
    ["span", "limits", "decode", "html", "layout", "formula", "block", "model", "segment", "label", "select", "content", "record"];

/// Allowed uses of a later stage, each with its reason.
const EXCEPTIONS: [(&str, &str, &str); 1] = [("limits", "html", "a problem names the tag that was repaired")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

#[test]
fn stages_use_only_what_comes_before_them() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&src, &mut files);
    files.sort();
    assert!(files.len() > 30);
    let mut checked = 0;
    for file in files {
        let inside = file.strip_prefix(&src).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
        let stage = first.trim_end_matches(".rs").to_owned();
        let Some(place) = STAGES.iter().position(|s| *s == stage) else {
            assert!(matches!(stage.as_str(), "lib" | "page" | "options"), "{} belongs to no stage", inside.display());
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap();
        // Tests may look at whole pages, and doc examples must.
        let code = text.split("#[cfg(test)]").next().unwrap();
        for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
            for part in line.split("crate::").skip(1) {
                let used: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(target) = STAGES.iter().position(|s| *s == used) else { continue };
                let allowed = EXCEPTIONS.iter().any(|(from, to, _)| *from == stage && *to == used);
                assert!(target <= place || allowed, "{}: {stage} uses {used}, a later stage: {line}", inside.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 50, "only {checked} uses seen: does the check still read the sources?");
}

#[test]
fn every_path_that_architecture_names_exists() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let mut named = 0;
    for path in text.split('`').skip(1).step_by(2) {
        let is_path =
            ["crates/", "testdata/", "scripts/", "docs/", ".ci/", ".github/", "fuzz/"].iter().any(|start| path.starts_with(start));
        if is_path && !path.contains(' ') {
            assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}, which does not exist");
            named += 1;
        }
    }
    assert!(named > 20);
}
