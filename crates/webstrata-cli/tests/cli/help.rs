//! Help, completions and manual pages.

use crate::common::{files, folder, run};
use std::fs;
use std::path::Path;
use std::process::Command;
use webstrata::label::Preset;
use webstrata::segment::Method;

#[test]
fn help_has_examples_and_exit_codes() {
    let here = folder(&[]);
    for command in ["extract", "segment"] {
        let help = run(here.path(), &[command, "--help"]).quiet().stdout;
        for word in ["Examples:", "webstrata extract", "--files-from", "--out ", "--encoding", "Exit codes: 0"] {
            assert!(help.contains(&word.replace("extract", command)), "{word} in the help of {command}: {help}");
        }
    }
    let help = run(here.path(), &["--help"]).quiet().stdout;
    assert!(help.contains("extract") && help.contains("segment") && help.contains("Exit codes: 0"), "{help}");
    assert!(run(here.path(), &["--version"]).quiet().stdout.starts_with("webstrata "));
}

#[test]
fn help_names_all_presets_and_methods() {
    let here = folder(&[]);
    let help = run(here.path(), &["extract", "--help"]).quiet().stdout;
    for preset in Preset::ALL {
        assert!(help.contains(preset.name()), "{}: {help}", preset.name());
    }
    let help = run(here.path(), &["segment", "--help"]).quiet().stdout;
    for method in Method::ALL {
        assert!(help.contains(method.name()), "{}: {help}", method.name());
    }
}

/// Long names of all options in the help of a command.
fn options(here: &Path, command: &str) -> Vec<String> {
    let help = run(here, &[command, "--help"]).quiet().stdout;
    let long = |line: &str| {
        let line = line.trim_start();
        let start = if line.starts_with('-') { line.find("--")? } else { return None };
        let name = line[start..].split([' ', ',', '[', '=']).next()?;
        (!name.contains('`')).then(|| name.to_owned())
    };
    let found: Vec<String> = help.lines().filter_map(long).collect();
    assert!(found.len() > 15 && found.contains(&"--timeout".to_owned()), "{found:?}");
    found
}

#[test]
fn completions_know_every_option() {
    let here = folder(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(here.path(), &["completions", shell]).quiet().stdout;
        for command in ["extract", "segment"] {
            for option in options(here.path(), command) {
                let wanted = if shell == "fish" { format!("-l {}", option.trim_start_matches('-')) } else { option };
                assert!(script.contains(&wanted), "{wanted} for {shell}");
            }
        }
        fs::write(here.path().join(shell), script).unwrap();
        // `-n` reads without running.
        match Command::new(shell).args(["-n", shell]).current_dir(here.path()).output() {
            Ok(output) if shell != "elvish" && shell != "powershell" => {
                assert!(output.status.success(), "{shell}: {}", String::from_utf8_lossy(&output.stderr));
            }
            _ => eprintln!("NOT CHECKED: no {shell} is installed to read its completions"),
        }
    }
    run(here.path(), &["completions", "cmd"]).complains(2, &["cmd", "bash"]);
}

#[test]
fn manual_pages_know_every_option() {
    let here = folder(&[]);
    run(here.path(), &["man", "man1"]).quiet();
    let pages = [
        "completions", "dedup", "extract", "graph-add", "graph-backlinks", "graph-build", "graph-export", "graph-generate",
        "graph", "index", "man", "rank-compare", "rank-facets", "rank-pagerank", "rank-topics", "rank", "run", "search", "segment",
        "serve", "site", "stats-count", "stats-pages", "stats-report", "stats-walks", "stats",
    ]
    .map(|name| format!("webstrata-{name}.1"));
    assert_eq!(files(&here.path().join("man1")), [pages.as_slice(), &["webstrata.1".to_owned()]].concat());
    for command in ["extract", "segment"] {
        let page = fs::read_to_string(here.path().join(format!("man1/webstrata-{command}.1"))).unwrap().replace('\\', "");
        for option in options(here.path(), command) {
            assert!(page.contains(&option), "{option} on the page of {command}");
        }
        assert!(page.contains(".TH") && page.contains("Exit codes"), "{page}");
    }
    let one = run(here.path(), &["man"]).quiet().stdout;
    assert!(one.contains(".TH webstrata 1") && one.contains("extract"), "{one}");
}
