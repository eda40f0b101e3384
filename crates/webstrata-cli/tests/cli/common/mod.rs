//! Runs the program under test, `crate::PROGRAM`, and inspects its output.

pub(crate) mod browser;
pub(crate) mod transcript;

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, in its own folder.
pub(crate) fn program(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(crate::PROGRAM);
    command.current_dir(folder).args(args).stdin(Stdio::null());
    // Independent of the user's environment.
    for name in ["WEBSTRATA_CONFIG", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS"] {
        command.env_remove(name);
    }
    command.env("XDG_CONFIG_HOME", folder.join("no-config"));
    command
}

/// The outcome of a command.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    fn new(output: Output) -> Self {
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("standard output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("standard error is UTF-8"),
        }
    }

    /// Each line of standard output as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        self.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
    }

    /// Asserts success and an empty standard error.
    #[track_caller]
    pub(crate) fn quiet(self) -> Self {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self
    }

    /// Asserts the exit code and that standard error contains all of `words`.
    #[track_caller]
    pub(crate) fn complains(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stderr, self.stdout);
        for word in words {
            assert!(self.stderr.contains(word), "'{word}' is not in: {}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked") && !self.stderr.contains("please report"), "{}", self.stderr);
        self
    }
}

/// Runs the program.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Ran {
    Ran::new(program(folder, args).output().expect("the program starts"))
}

/// Runs the program with something on its standard input.
pub(crate) fn run_with(folder: &Path, args: &[&str], input: &[u8]) -> Ran {
    let mut command = program(folder, args);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    // A program that ends without reading closes the pipe; the test judges that by its output.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the input is written");
    Ran::new(output)
}

/// The folder of the bundled pages.
pub(crate) fn testdata() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages")
}

/// Copies the bundled pages with labelled blocks into `to/labelled`.
pub(crate) fn copy_labelled(to: &Path) {
    let from = testdata().join("../labelled");
    for name in files(&from).iter().filter(|name| *name != "README.md") {
        let target = to.join("labelled").join(name);
        fs::create_dir_all(target.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::copy(from.join(name), target).expect("a file can be copied");
    }
}

/// Names of all bundled pages, relative to their folder.
pub(crate) fn bundled() -> Vec<String> {
    let folder = |entry: std::io::Result<fs::DirEntry>| entry.expect("the folder can be read").path();
    let mut names: Vec<String> = fs::read_dir(testdata())
        .expect("there are pages")
        .map(folder)
        .filter(|path| path.join("page.html").is_file())
        .map(|path| format!("{}/page.html", path.file_name().expect("a folder has a name").to_string_lossy()))
        .collect();
    names.sort();
    assert!(names.len() > 20);
    names
}

/// A page about `word` that is long enough to be content for any method.
pub(crate) fn article(word: &str) -> String {
    let sentence = format!("The {word} stood by the river, and for many years nobody in the village had asked who owned it. ");
    format!("<!DOCTYPE html><title>About the {word}</title><h1>About the {word}</h1><p>{0}</p><p>{0}</p>", sentence.repeat(4))
}

/// A folder with pages in it.
pub(crate) fn folder(pages: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    for (name, bytes) in pages {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder can be made");
        fs::write(path, bytes).expect("a file can be written");
    }
    folder
}

/// All files below a folder, by their names in it, sorted.
pub(crate) fn files(root: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root).expect("it is below").to_string_lossy().into_owned());
            }
        }
    }
    found.sort();
    found
}

/// The spans of a JSON value, which must be pairs within the file, ascending and without overlap.
#[track_caller]
pub(crate) fn spans(value: &Value, before: &mut usize, length: usize) -> Vec<std::ops::Range<usize>> {
    let number = |value: &Value| usize::try_from(value.as_u64().expect("an offset is a number")).expect("it fits");
    let pair = |value: &Value| {
        let pair = value.as_array().expect("a span is an array");
        assert_eq!(pair.len(), 2, "a span is a pair");
        let (start, end) = (number(&pair[0]), number(&pair[1]));
        assert!(*before <= start && start < end && end <= length, "span {start}..{end} after {before} of {length}");
        *before = end;
        start..end
    };
    value.as_array().expect("spans are an array").iter().map(pair).collect()
}

/// The letters of a text, without white space, soft hyphens, and the list and table markers that we add.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphabetic()).collect()
}

/// Asserts that the text of a JSON value is that of its bytes, as far as this can be checked without decoding.
#[track_caller]
pub(crate) fn assert_text_matches_bytes(value: &Value, spans: &[std::ops::Range<usize>], page: &[u8]) {
    let bytes: Vec<u8> = spans.iter().flat_map(|span| &page[span.clone()]).copied().collect();
    if !bytes.contains(&b'&') {
        let text = value["text"].as_str().expect("there is a text");
        assert_eq!(letters(text), letters(std::str::from_utf8(&bytes).expect("spans do not split characters")));
    }
}

/// `command` with its options and the names of all bundled pages.
pub(crate) fn over_all<'a>(options: &[&'a str], names: &'a [String]) -> Vec<&'a str> {
    options.iter().copied().chain(names.iter().map(String::as_str)).collect()
}

/// The signal that interrupts a command, and the exit code that follows. A shell starts background jobs with SIGINT ignored,
/// the tests inherit that, and the command respects it; in that case SIGTERM is used.
#[cfg(unix)]
pub(crate) fn interrupt() -> (&'static str, i32) {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    if mask.is_some_and(|mask| mask >> 1 & 1 == 1) { ("-TERM", 143) } else { ("-INT", 130) }
}
