//! Transcripts and console examples: commands with their expected output.
//!
//! A transcript has blocks of a command (`$ webstrata …`), its standard output, its standard error (each line prefixed with `! `),
//! and its exit code if that is not 0 (`? 2`). The `console` blocks of the documentation have the same form, where a line `…`
//! stands for any lines, and `…` within a line for any text.

use super::{Ran, run, run_with};
use std::fs;
use std::path::Path;

/// Name of the program, as commands begin with it.
fn name() -> &'static str {
    Path::new(crate::PROGRAM).file_stem().and_then(|name| name.to_str()).expect("the program has a name")
}

/// Splits a command into words; quotes group.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(q)) if c == q => quote = None,
            (' ', None) => words.extend(word.take()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs a command line, with `< FILE` for standard input.
pub(crate) fn run_line(here: &Path, line: &str) -> Ran {
    let (line, input) = line.split_once(" < ").map_or((line, None), |(line, file)| (line, Some(file)));
    let words = words(line);
    assert_eq!(words[0], name(), "{line}");
    let args: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    match input {
        Some(file) => run_with(here, &args, &fs::read(here.join(file)).expect("the input can be read")),
        None => run(here, &args),
    }
}

/// The outcome of a command as transcripts show it.
fn outcome(ran: &Ran) -> String {
    let mut out = ran.stdout.clone();
    if !out.is_empty() && !out.ends_with('\n') {
        out.push_str("\\\n");
    }
    for line in ran.stderr.lines() {
        out.push_str(format!("! {line}").trim_end());
        out.push('\n');
    }
    match ran.code {
        Some(0) => out,
        code => out + &format!("? {}\n", code.unwrap_or(-1)),
    }
}

/// Runs the commands of a transcript in the folder `here` and compares the outcome. Returns the first difference, if any.
/// WEBSTRATA_BLESS=1 rewrites the file instead; review the changes.
pub(crate) fn check(path: &Path, here: &Path) -> Option<String> {
    let prompt = format!("$ {} ", name());
    let expected = fs::read_to_string(path).expect("the transcript can be read");
    let mut actual = String::new();
    for line in expected.lines().take_while(|line| !line.starts_with(&prompt)) {
        actual.push_str(&format!("{line}\n"));
    }
    for line in expected.lines().filter(|line| line.starts_with(&prompt)) {
        actual.push_str(&format!("{line}\n{}", outcome(&run_line(here, &line[2..]))));
    }
    if std::env::var_os("WEBSTRATA_BLESS").is_some() {
        fs::write(path, &actual).expect("the transcript can be written");
        return None;
    }
    let equal_lines = actual.lines().zip(expected.lines()).take_while(|(actual, expected)| actual == expected).count();
    let command = expected.lines().take(equal_lines + 1).filter(|line| line.starts_with(&prompt)).last().unwrap_or_default();
    let line = |text: &str| text.lines().nth(equal_lines).map(str::to_owned);
    (actual != expected).then(|| {
        format!(
            "{}, line {}: {command}\n  expected {:?}\n  actual   {:?}\nWEBSTRATA_BLESS=1 rewrites the transcripts",
            path.display(),
            equal_lines + 1,
            line(&expected),
            line(&actual)
        )
    })
}

/// Runs the `console` blocks of a document in the folder `here` and compares their outcome. Returns the number of commands.
#[track_caller]
pub(crate) fn check_console(document: &str, here: &Path) -> usize {
    let mut commands = 0;
    for block in code_blocks(document, "console") {
        let mut lines = block.iter().copied().peekable();
        while let Some(line) = lines.next() {
            let command = line.strip_prefix("$ ").expect("a console block begins with a command");
            let mut expected = Vec::new();
            while let Some(line) = lines.next_if(|line| !line.starts_with("$ ")) {
                expected.push(line);
            }
            let ran = run_line(here, command);
            let mut actual: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
            actual.extend(ran.stderr.lines().map(|line| format!("! {line}")));
            actual.extend(ran.code.filter(|code| *code != 0).map(|code| format!("? {code}")));
            let actual: Vec<&str> = actual.iter().map(String::as_str).collect();
            assert!(all_match(&expected, &actual), "{command}\n{}\n--- expected\n{}", actual.join("\n"), expected.join("\n"));
            commands += 1;
        }
    }
    commands
}

/// Whether a line matches a pattern, in which `…` stands for any text.
fn matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split('…');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
        last = Some(part);
    }
    last.map_or(rest.is_empty(), |last| last.is_empty() || rest.is_empty() || line.ends_with(last))
}

/// Whether lines match patterns; a pattern `…` stands for any number of lines.
fn all_match(patterns: &[&str], lines: &[&str]) -> bool {
    match (patterns.split_first(), lines.split_first()) {
        (None, None) => true,
        (Some((&"…", patterns)), _) => (0..=lines.len()).any(|skipped| all_match(patterns, &lines[skipped..])),
        (Some((pattern, patterns)), Some((line, lines))) => matches(pattern, line) && all_match(patterns, lines),
        _ => false,
    }
}

/// The fenced code blocks of a language.
pub(crate) fn code_blocks<'t>(text: &'t str, language: &str) -> Vec<Vec<&'t str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    let mut inside = None;
    for line in text.lines() {
        match (line.strip_prefix("```"), inside) {
            (Some(name), None) => {
                inside = Some(name);
                if name == language {
                    blocks.push(Vec::new());
                }
            }
            (Some(_), Some(_)) => inside = None,
            (None, Some(name)) if name == language => blocks.last_mut().expect("a block has begun").push(line),
            _ => {}
        }
    }
    blocks
}

#[test]
fn patterns_match_lines() {
    assert!(matches("a…c", "abc") && matches("a…", "abc") && matches("…", "") && matches("abc", "abc"));
    assert!(!matches("a…d", "abc") && !matches("ab", "abc") && !matches("b", "abc"));
    assert!(all_match(&["a", "…", "c"], &["a", "b", "b", "c"]) && all_match(&["…"], &[]));
    assert!(!all_match(&["a"], &["a", "b"]) && !all_match(&["…", "x"], &["a"]));
}
