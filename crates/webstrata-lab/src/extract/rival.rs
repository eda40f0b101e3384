//! Other tools on the same pages, measured with the same scorer.
//!
//! A rival is a shell command. It reads file names on standard input, one per line, and writes one line of JSON
//! per page, in any order: `{"file": …, "text": …}`, or `{"file": …, "error": …}` for a page it could not read.
//! `id` is accepted for `file`, so that `webstrata extract --format jsonl --files-from -` works as a rival.

use super::run::Outcome;
use super::score::PageScore;
use crate::gold::set::{GoldPage, GoldSet};
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::str::FromStr;

/// A tool and its command.
///
/// ```
/// use webstrata_lab::extract::rival::Rival;
/// let rival: Rival = "cat=python3 cat.py".parse().unwrap();
/// assert_eq!((rival.name.as_str(), rival.command.as_str()), ("cat", "python3 cat.py"));
/// assert!("no command".parse::<Rival>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rival {
    /// Its name in tables.
    pub name: String,
    /// The command.
    pub command: String,
}

/// An argument that is not a rival.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a rival; write NAME=COMMAND, where COMMAND reads file names and writes JSON lines")]
pub struct InvalidRival(String);

impl FromStr for Rival {
    type Err = InvalidRival;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('=') {
            Some((name, command)) if !name.trim().is_empty() && !command.trim().is_empty() => {
                Ok(Rival { name: name.trim().to_owned(), command: command.trim().to_owned() })
            }
            _ => Err(InvalidRival(text.to_owned())),
        }
    }
}

/// A rival's answer for a page.
#[derive(Deserialize)]
struct Line {
    #[serde(alias = "id")]
    file: String,
    #[serde(default)]
    text: Option<String>,
    #[serde(default)]
    error: Option<String>,
}

/// The answers of a rival for the pages of a set.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    /// The text of each page; `None` if there was no answer, empty if the tool failed.
    pub texts: Vec<Option<String>>,
    /// Failures, with their reasons.
    pub failures: Vec<String>,
}

impl Rival {
    /// Runs the command over a set. Missing answers and unreadable lines are reported as failures.
    ///
    /// # Errors
    /// If the command cannot be started, or its output cannot be read.
    pub fn run(&self, set: &GoldSet) -> std::io::Result<Outcome> {
        self.run_watched(set, &|| ())
    }

    /// Like [`Rival::run`], but calls `done` for each answer.
    ///
    /// # Errors
    /// As for [`Rival::run`].
    pub fn run_watched(&self, set: &GoldSet, done: &(dyn Fn() + Sync)) -> std::io::Result<Outcome> {
        let Texts { texts, failures } = self.texts(set, done)?;
        let score = |(page, text): (&GoldPage, Option<String>)| text.map(|text| PageScore::new(page, &text));
        let scores = set.pages.iter().zip(texts).map(score).collect();
        Ok(Outcome { name: self.name.clone(), scores, failures })
    }

    /// The texts that the command returns for the pages of a set; calls `done` for each.
    ///
    /// # Errors
    /// As for [`Rival::run`].
    pub fn texts(&self, set: &GoldSet, done: &(dyn Fn() + Sync)) -> std::io::Result<Texts> {
        let names: Vec<String> = set.pages.iter().map(|page| page.file.to_string_lossy().into_owned()).collect();
        let numbers: HashMap<&str, usize> = names.iter().enumerate().map(|(at, name)| (name.as_str(), at)).collect();
        let mut found = Texts { texts: vec![None; set.pages.len()], failures: Vec::new() };
        let status = self.communicate(&names, |line| {
            answer(set, &numbers, line, &mut found);
            done();
        })?;
        if !status.success() {
            found.failures.push(format!("the command ended with {status}"));
        }
        for (page, _) in set.pages.iter().zip(&found.texts).filter(|(_, text)| text.is_none()) {
            found.failures.push(format!("{}: no answer", page.id));
        }
        Ok(found)
    }

    /// Starts the command, writes `names` to its standard input, one per line, and calls `each` with every line of its output.
    ///
    /// # Errors
    /// If the command cannot be started, or its output cannot be read.
    pub fn communicate(&self, names: &[String], mut each: impl FnMut(&[u8])) -> std::io::Result<ExitStatus> {
        let mut child = Command::new("sh").args(["-c", &self.command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        std::thread::scope(|scope| {
            // Written concurrently: a rival may answer before it has read all names.
            scope.spawn(|| {
                if let Some(mut stdin) = stdin {
                    // If a rival stops reading, its answers are missing, which is reported.
                    let _ = names.iter().try_for_each(|name| writeln!(stdin, "{name}"));
                }
            });
            for line in stdout.into_iter().flat_map(|stdout| BufReader::new(stdout).split(b'\n')) {
                each(&line?);
            }
            std::io::Result::Ok(())
        })?;
        child.wait()
    }
}

fn answer(set: &GoldSet, numbers: &HashMap<&str, usize>, line: &[u8], found: &mut Texts) {
    if line.trim_ascii().is_empty() {
        return;
    }
    let line: Line = match serde_json::from_slice(line) {
        Ok(line) => line,
        Err(error) => return found.failures.push(format!("a line that is not an answer: {error}")),
    };
    let Some(&at) = numbers.get(line.file.as_str()) else {
        return found.failures.push(format!("an answer for {}, which was not requested", line.file));
    };
    if let Some(error) = line.error {
        found.failures.push(format!("{}: {error}", set.pages[at].id));
    }
    // A failed page counts as an empty answer, so that skipping hard pages does not pay off.
    found.texts[at] = Some(line.text.unwrap_or_default());
}
