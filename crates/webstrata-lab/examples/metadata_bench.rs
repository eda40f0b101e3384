//! Title, author and date of the pages of wcxb and l3s-gn1, ours and rivals', in one run with one scorer.
//!
//! `WEBSTRATA_DATA=<folder of the sets> cargo run --release -p webstrata-lab --example metadata_bench --
//! [--rival NAME=COMMAND]… [--check] [--failures FIELD]`
//!
//! A rival reads names of files on standard input, a line each, with a tab and the page's address behind the name where it is
//! known. For each it writes a line of JSON: `{"id": …, "title": …, "author": …, "date": …}`, the id being the
//! name of the file; what it does not know is null or left out.
//!
//! `--check` fails unless ours is ahead of each rival in recall and F1 of every measure on every set as a whole, and not behind
//! on its held-out part, which is small enough for ties.
//! `--failures` lists the pages where ours is not right, those of the held-out parts left out: they are not to be looked at.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that reports")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use webstrata::Page;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata_lab::extract::rival::Rival;
use webstrata_lab::gold::held_out::held_out;
use webstrata_lab::gold::set::{GoldPage, GoldSet};
use webstrata_lab::metadata::{Answer, MEASURES, Score};

type Failure = Box<dyn Error + Send + Sync>;

/// A page of a set: its file, its address, what gold says, and the parts that it is in.
struct Task {
    file: PathBuf,
    url: Option<String>,
    gold: Answer,
    parts: Vec<String>,
}

const ALL: &str = "all";
const HELD_OUT: &str = "held out";

/// The pages of a set. Where nobody wrote a title down, the labelled headline is it.
fn tasks(set: GoldSet) -> Vec<Task> {
    set.problems.iter().for_each(|problem| eprintln!("{}: {problem}", set.name));
    let held_out = held_out(&set.pages);
    let task = |(page, held_out): (GoldPage, bool)| {
        let parts = [ALL].into_iter().chain(held_out.then_some(HELD_OUT)).map(str::to_owned);
        // One kind of page is the whole set.
        let parts = parts.chain(page.page_type.filter(|_| page.split.is_some())).collect();
        let gold = Answer { id: page.id, title: page.title.or(page.gold_headline), author: page.author, date: page.date };
        Task { file: page.file, url: page.url.filter(|url| !url.is_empty()), gold, parts }
    };
    set.pages.into_iter().zip(held_out).map(task).collect()
}

/// Our answers.
fn ours(tasks: &[Task]) -> Result<Vec<(Answer, String)>, Failure> {
    tasks
        .iter()
        .map(|task| {
            let bytes = std::fs::read(&task.file)?;
            let page = Page::parse(&bytes);
            let found = Metadata::from_dom(page.dom(), &MetadataOptions::default().url(task.url.as_deref()));
            let names: Vec<&str> = found.authors.iter().map(|author| author.value.as_str()).collect();
            let sources =
                [found.title.as_ref().map(|v| v.source), found.authors.first().map(|v| v.source), found.date().map(|v| v.source)];
            let said = Answer {
                id: task.gold.id.clone(),
                author: Some(names.join("; ")),
                date: found.date().map(|date| date.value.to_day().to_string()),
                title: found.title.map(|title| title.value),
            };
            Ok((said, sources.map(|s| s.map_or("-".to_owned(), |s| s.to_string())).join(", ")))
        })
        .collect()
}

/// A rival's answers, by page.
fn rival(command: &str, tasks: &[Task]) -> Result<BTreeMap<String, Answer>, Failure> {
    let mut child = Command::new("sh").args(["-c", command]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let lines: String = tasks
        .iter()
        .map(|task| match &task.url {
            Some(url) => format!("{}\t{url}\n", task.file.display()),
            None => format!("{}\n", task.file.display()),
        })
        .collect();
    let mut input = child.stdin.take().ok_or("no standard input")?;
    let writer = std::thread::spawn(move || input.write_all(lines.as_bytes()));
    let mut answers = BTreeMap::new();
    for line in BufReader::new(child.stdout.take().ok_or("no standard output")?).lines() {
        let line = line?;
        let mut said: Answer = serde_json::from_str(&line).map_err(|e| format!("`{command}` wrote {line:?}: {e}"))?;
        if let Some(id) = Path::new(&said.id).file_stem().filter(|_| said.id.ends_with(".html")) {
            said.id = id.to_string_lossy().into_owned();
        }
        answers.insert(said.id.clone(), said);
    }
    let written = writer.join().map_err(|_| "the writer failed")?;
    let status = child.wait()?;
    if !status.success() || answers.len() < tasks.len() {
        return Err(format!("`{command}` answered for {} of {} pages ({status})", answers.len(), tasks.len()).into());
    }
    written?;
    Ok(answers)
}

fn table(set: &str, part: &str, names: &[&str], scores: &[Score], pages: usize) {
    println!("\n{set}, {part}: {pages} pages\n");
    print!("| field | measure | gold |");
    names.iter().for_each(|name| print!(" {name}: answers | without gold | precision | recall | F1 |"));
    print!("\n|---|---|---:|");
    names.iter().for_each(|_| print!("---:|---:|---:|---:|---:|"));
    println!();
    for (at, (field, measure, _)) in MEASURES.iter().enumerate() {
        let gold = scores[0].tallies[at].gold;
        if gold == 0 {
            continue;
        }
        print!("| {} | {measure} | {gold} |", field.name());
        for tally in scores.iter().map(|score| score.tallies[at]) {
            print!(
                " {} | {} | {:.3} | {:.3} | {:.3} |",
                tally.answered,
                tally.without_gold,
                tally.precision(),
                tally.recall(),
                tally.f1()
            );
        }
        println!();
    }
}

/// Where ours is not ahead.
fn behind(set: &str, part: &str, names: &[&str], scores: &[Score]) -> Vec<String> {
    let mut found = Vec::new();
    for (at, (field, measure, _)) in MEASURES.iter().enumerate().filter(|(at, _)| scores[0].tallies[*at].gold > 0) {
        for (name, score) in names.iter().zip(scores).skip(1) {
            let (our, other) = (scores[0].tallies[at], score.tallies[at]);
            for (what, our, other) in [("recall", our.recall(), other.recall()), ("F1", our.f1(), other.f1())] {
                if our < other || (our == other && part == ALL) {
                    found.push(format!("{set}, {part}: {} {measure}, {what}: {our:.3}, {name} {other:.3}", field.name()));
                }
            }
        }
    }
    found
}

struct Options {
    data: PathBuf,
    rivals: Vec<Rival>,
    check: bool,
    failures: Option<String>,
}

fn options() -> Result<Options, Failure> {
    let data = std::env::var_os("WEBSTRATA_DATA").ok_or("set WEBSTRATA_DATA to the folder that has wcxb and l3s-gn1")?;
    let mut options = Options { data: data.into(), rivals: Vec::new(), check: false, failures: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--check" => options.check = true,
            "--failures" => options.failures = Some(arguments.next().ok_or("--failures needs title, author or date")?),
            "--rival" => options.rivals.push(arguments.next().ok_or("--rival needs NAME=COMMAND")?.parse()?),
            _ => return Err(format!("{argument}: no such option").into()),
        }
    }
    Ok(options)
}

/// A set's tables; gives back where ours is not ahead.
fn run(set: &str, tasks: &[Task], options: &Options) -> Result<Vec<String>, Failure> {
    let ours = ours(tasks)?;
    let mut names = vec!["webstrata"];
    let mut answers: Vec<BTreeMap<String, Answer>> = vec![ours.iter().map(|(said, _)| (said.id.clone(), said.clone())).collect()];
    for Rival { name, command } in &options.rivals {
        names.push(name);
        answers.push(rival(command, tasks)?);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in tasks.iter().flat_map(|task| &task.parts) {
        if !parts.contains(&part.as_str()) {
            parts.push(part);
        }
    }
    parts.sort_by_key(|part| match *part {
        ALL => 0,
        HELD_OUT => 1,
        _ => 2,
    });
    let mut missed = Vec::new();
    for part in parts {
        let mut scores = vec![Score::default(); names.len()];
        let of_part: Vec<&Task> = tasks.iter().filter(|task| task.parts.iter().any(|p| p == part)).collect();
        for (score, answers) in scores.iter_mut().zip(&answers) {
            for task in &of_part {
                score.add(&task.gold, answers.get(&task.gold.id).unwrap_or(&Answer::default()));
            }
        }
        table(set, part, &names, &scores, of_part.len());
        if matches!(part, ALL | HELD_OUT) {
            missed.extend(behind(set, part, &names, &scores));
        }
    }
    if let Some(wanted) = &options.failures {
        println!();
        for (task, (said, sources)) in tasks.iter().zip(&ours).filter(|(task, _)| !task.parts.iter().any(|p| p == HELD_OUT)) {
            let Some((field, _, points)) = MEASURES.iter().find(|(field, ..)| field.name() == wanted) else { continue };
            let right = match task.gold.points(said, *field, *points) {
                Some(points) => points == 1.0,
                None => said.get(*field).is_none(),
            };
            if !right {
                println!("{} {} [{sources}]\n  gold: {:?}", task.gold.id, task.parts.join(", "), task.gold.get(*field));
                for (name, answers) in names.iter().zip(&answers) {
                    println!("  {name}: {:?}", answers.get(&task.gold.id).and_then(|said| said.get(*field)));
                }
            }
        }
    }
    Ok(missed)
}

fn main() -> Result<ExitCode, Failure> {
    let options = options()?;
    let mut missed = Vec::new();
    for name in ["wcxb", "l3s-gn1"] {
        missed.extend(run(name, &tasks(GoldSet::read(&options.data.join(name))?), &options)?);
    }
    for line in &missed {
        eprintln!("not ahead: {line}");
    }
    if options.check && options.rivals.is_empty() {
        return Err("--check needs a --rival".into());
    }
    Ok(if options.check && !missed.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}
