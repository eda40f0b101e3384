//! The configuration file: finding, reading, checking and overriding it.

use crate::common::{Ran, article, folder, program, run};
use std::fs;
use std::path::Path;

fn here() -> tempfile::TempDir {
    folder(&[("a.html", article("mill").as_bytes()), ("xdg/webstrata/config.toml", b"[extract]\nformat = \"markdown\"\n")])
}

fn with(here: &Path, config: &str, args: &[&str]) -> Ran {
    fs::write(here.join("c.toml"), config).unwrap();
    run(here, &[&args[..1], &["--config", "c.toml"], &args[1..]].concat())
}

#[test]
fn the_file_sets_options_that_are_not_given() {
    let here = here();
    let config = "[extract]\nformat = \"jsonl\"\npreset = \"keep-everything\"\nmax-bytes = 300\nnoscript = false\n[segment]\nformat = \"text\"\n";
    let line = with(here.path(), config, &["extract", "a.html"]).quiet().lines().remove(0);
    assert_eq!(
        (line["preset"].as_str(), line["problems"][0]["message"].as_str()),
        (Some("keep-everything"), Some("page cut at byte 300: longer than the byte limit"))
    );
    assert!(with(here.path(), config, &["segment", "a.html"]).quiet().stdout.starts_with("a.html: "));
    let given =
        with(here.path(), config, &["extract", "--preset", "article", "--max-bytes=1M", "a.html"]).quiet().lines().remove(0);
    assert_eq!((given["preset"].as_str(), given["problems"].to_string().as_str()), (Some("article"), "[]"));
    // Options from the file that do not apply to the format are ignored.
    let config = "[extract]\nimages = true\nexplain = true\n";
    assert!(with(here.path(), config, &["extract", "a.html"]).quiet().stdout.starts_with("About the mill"));
    assert!(with(here.path(), "", &["extract", "a.html"]).quiet().stdout.starts_with("About the mill"));
}

#[test]
fn a_given_option_overrides_one_that_conflicts_with_it() {
    let here = here();
    let config = "[extract]\nwith-metadata = true\nexplain = true\n";
    let ran = with(here.path(), config, &["extract", "--only", "title", "a.html"]).quiet();
    assert_eq!(ran.stdout, "title: About the mill\n");
}

#[test]
fn mistakes_are_reported_with_line_and_column() {
    let here = here();
    for (config, words) in [
        ("[extract]\n\n  formt = \"text\"\n", ["c.toml:3:3: unknown option 'formt' of `extract`", "max-bytes"]),
        ("[extract]\nformat = \"docx\"\n", ["c.toml:2:10: ", "possible values: text"]),
        ("[extract]\nthreads = \"many\"\n", ["c.toml:2:11: ", "many"]),
        ("[extract]\nquiet = \"yes\"\n", ["c.toml:2:9: ", "true or false"]),
        ("[extract]\nthreads = [1, 2]\n", ["c.toml:2:11: ", "a string or a number"]),
        ("[extract]\nout = \"x\"\n", ["c.toml:2:1: ", "belongs on the command line"]),
        ("[segment]\nmethod = \"vips\"\n", ["c.toml:2:10: ", "bf-plain"]),
        ("[extrakt]\n", ["c.toml:1:2: unknown table 'extrakt'", "[extract] and [segment]"]),
        ("format = \"text\"\n", ["c.toml:1:1: unknown table 'format'", "[extract]"]),
        ("extract = 3\n", ["c.toml:1:11: ", "write [extract]"]),
        ("[extract\n", ["c.toml:1:", "unclosed table"]),
        ("[extract]\npreset = \"article\"\npreset = \"canola\"\n", ["c.toml:3:1: ", "duplicate key"]),
    ] {
        with(here.path(), config, &["extract", "a.html"]).complains(2, &words);
    }
    run(here.path(), &["extract", "--config", "missing.toml", "a.html"]).complains(2, &["configuration file missing.toml"]);
    run(here.path(), &["extract", "--config", "c.toml", "--no-config", "a.html"]).complains(2, &["--no-config"]);
}

#[test]
fn the_file_is_searched_in_the_documented_places() {
    let here = here();
    fs::write(here.path().join("webstrata.toml"), "[extract]\nformat = \"jsonl\"\n").unwrap();
    fs::write(here.path().join("mine.toml"), "[extract]\nformat = \"jsonl\"\n").unwrap();
    let starts = |args: &[&str], variable: Option<&str>, xdg: &str| {
        let mut command = program(here.path(), args);
        command.env("XDG_CONFIG_HOME", here.path().join(xdg));
        if let Some(value) = variable {
            command.env("WEBSTRATA_CONFIG", value);
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap().chars().next().unwrap()
    };
    let plain = ["extract", "a.html"];
    assert_eq!(starts(&plain, None, "nowhere"), 'A', "not in the current folder");
    assert_eq!(starts(&plain, None, "xdg"), '#', "the user's own");
    assert_eq!(starts(&plain, Some("mine.toml"), "xdg"), '{', "the variable takes precedence");
    assert_eq!(starts(&plain, Some(""), "xdg"), '#', "an empty variable does not count");
    assert_eq!(starts(&["extract", "--no-config", "a.html"], Some("mine.toml"), "xdg"), 'A');
    assert_eq!(starts(&["extract", "--config", "mine.toml", "a.html"], None, "xdg"), '{');
}
