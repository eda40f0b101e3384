//! `webstrata-lab eval metadata`: title, author, date, tags and language of pages, ours and those of rivals, with the same scorer.

use crate::Summary;
use crate::args::EvalMetadataArgs;
use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use webstrata::Page;
use webstrata::content::metadata::{MetadataOptions, Value};
use webstrata_corpus::progress::error;
use webstrata_lab::extract::rival::Rival;
use webstrata_lab::gold::held_out::held_out;
use webstrata_lab::gold::set::{GoldPage, GoldSet};
use webstrata_lab::metadata::{Answer, MEASURES, Score};

/// A page: its file, its address, its gold, and the parts of the set it belongs to.
struct Task {
    file: PathBuf,
    url: Option<String>,
    gold: Answer,
    parts: Vec<String>,
}

const ALL: &str = "all";
const HELD_OUT: &str = "held out";

pub(super) fn run(args: &EvalMetadataArgs) -> Result<Summary> {
    let mut summary = Summary::default();
    let mut out = String::new();
    let mut missed = Vec::new();
    for folder in &args.sets {
        let set = GoldSet::read(folder)?;
        for problem in &set.problems {
            error(&format!("{}: {problem}; skipped", set.name));
        }
        summary.done += set.pages.len() as u64;
        summary.failed += set.problems.len() as u64;
        let name = set.name.clone();
        missed.extend(measure(&name, &tasks(set), args, &mut out)?);
    }
    std::io::stdout().lock().write_all(out.as_bytes()).context("cannot write to standard output")?;
    for line in &missed {
        error(&format!("not ahead: {line}"));
    }
    summary.failed += if args.check { missed.len() as u64 } else { 0 };
    Ok(summary)
}

/// The pages of a set. If there is no title, a labelled headline serves as one.
fn tasks(set: GoldSet) -> Vec<Task> {
    let held_out = held_out(&set.pages);
    let task = |(page, held_out): (GoldPage, bool)| {
        let parts = [ALL].into_iter().chain(held_out.then_some(HELD_OUT)).map(str::to_owned);
        // A set without splits has one page type, which is the whole set.
        let parts = parts.chain(page.page_type.filter(|_| page.split.is_some())).collect();
        let gold = Answer {
            id: page.id,
            title: page.title.or(page.gold_headline),
            author: page.author,
            date: page.date,
            tags: page.tags,
            language: page.language,
        };
        Task { file: page.file, url: page.url.filter(|url| !url.is_empty()), gold, parts }
    };
    set.pages.into_iter().zip(held_out).map(task).collect()
}

/// Our answers, each with the sources of its fields.
fn ours(tasks: &[Task]) -> Result<Vec<(Answer, String)>> {
    tasks
        .iter()
        .map(|task| {
            let bytes = std::fs::read(&task.file).with_context(|| format!("cannot read {}", task.file.display()))?;
            let page = Page::parse(&bytes);
            let found = page.metadata_with(&MetadataOptions::default().url(task.url.as_deref()));
            let list = |values: &[Value<String>]| values.iter().map(|value| value.value.as_str()).collect::<Vec<_>>().join("; ");
            let sources =
                [found.title.as_ref().map(|v| v.source), found.authors.first().map(|v| v.source), found.date().map(|v| v.source)];
            let answer = Answer {
                id: task.gold.id.clone(),
                author: Some(list(&found.authors)),
                tags: Some(list(&found.tags)),
                language: found.language.as_ref().map(|language| language.value.clone()),
                date: found.date().map(|date| date.value.to_day().to_string()),
                title: found.title.map(|title| title.value),
            };
            Ok((answer, sources.map(|s| s.map_or("-".to_owned(), |s| s.to_string())).join(", ")))
        })
        .collect()
}

/// A rival's answers, by page.
fn rival_answers(rival: &Rival, tasks: &[Task]) -> Result<BTreeMap<String, Answer>> {
    let names: Vec<String> = tasks
        .iter()
        .map(|task| match &task.url {
            Some(url) => format!("{}\t{url}", task.file.display()),
            None => task.file.display().to_string(),
        })
        .collect();
    let mut answers = BTreeMap::new();
    let mut unreadable = None;
    let status = rival
        .communicate(&names, |line| match serde_json::from_slice::<Answer>(line) {
            Ok(mut answer) => {
                if let Some(id) = Path::new(&answer.id).file_stem().filter(|_| answer.id.ends_with(".html")) {
                    answer.id = id.to_string_lossy().into_owned();
                }
                answers.insert(answer.id.clone(), answer);
            }
            Err(error) => unreadable = unreadable.take().or(Some(error)),
        })
        .with_context(|| format!("cannot run the rival {}", rival.name))?;
    if let Some(error) = unreadable {
        bail!("the rival {} wrote a line that is not an answer: {error}", rival.name);
    }
    if !status.success() || answers.len() < tasks.len() {
        bail!("the rival {} answered for {} of {} pages ({status})", rival.name, answers.len(), tasks.len());
    }
    Ok(answers)
}

/// Appends the tables of a set. Returns the measures in which ours is not ahead.
fn measure(set: &str, tasks: &[Task], args: &EvalMetadataArgs, out: &mut String) -> Result<Vec<String>> {
    let ours = ours(tasks)?;
    let mut names = vec!["webstrata"];
    let mut answers: Vec<BTreeMap<String, Answer>> =
        vec![ours.iter().map(|(answer, _)| (answer.id.clone(), answer.clone())).collect()];
    for rival in &args.rival {
        names.push(&rival.name);
        answers.push(rival_answers(rival, tasks)?);
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
        let members: Vec<&Task> = tasks.iter().filter(|task| task.parts.iter().any(|p| p == part)).collect();
        for (score, answers) in scores.iter_mut().zip(&answers) {
            for task in &members {
                score.add(&task.gold, answers.get(&task.gold.id).unwrap_or(&Answer::default()));
            }
        }
        writeln!(out, "\n{set}, {part}: {} pages\n", members.len())?;
        table(out, &names, &scores)?;
        if matches!(part, ALL | HELD_OUT) {
            missed.extend(not_ahead(set, part, &names, &scores));
        }
    }
    if let Some(field) = &args.failures {
        failures(out, field, tasks, &ours, &names, &answers)?;
    }
    Ok(missed)
}

fn table(out: &mut String, names: &[&str], scores: &[Score]) -> std::fmt::Result {
    write!(out, "| field | measure | gold |")?;
    for name in names {
        write!(out, " {name}: answers | without gold | precision | recall | F1 |")?;
    }
    writeln!(out, "\n|---|---|---:|{}", "---:|---:|---:|---:|---:|".repeat(names.len()))?;
    for (at, (field, measure, _)) in MEASURES.iter().enumerate() {
        let gold = scores[0].tallies[at].gold;
        if gold == 0 {
            continue;
        }
        write!(out, "| {} | {measure} | {gold} |", field.name())?;
        for tally in scores.iter().map(|score| score.tallies[at]) {
            let (precision, recall, f1) = (tally.precision(), tally.recall(), tally.f1());
            write!(out, " {} | {} | {precision:.3} | {recall:.3} | {f1:.3} |", tally.answered, tally.without_gold)?;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Measures in which ours is not ahead of a rival. On the whole set, a tie counts; held-out parts are so small that ties occur there.
fn not_ahead(set: &str, part: &str, names: &[&str], scores: &[Score]) -> Vec<String> {
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

/// Lists the pages where our answer is wrong, except held-out pages, which must not be inspected.
fn failures(
    out: &mut String,
    wanted: &str,
    tasks: &[Task],
    ours: &[(Answer, String)],
    names: &[&str],
    answers: &[BTreeMap<String, Answer>],
) -> std::fmt::Result {
    let Some((field, _, points)) = MEASURES.iter().find(|(field, ..)| field.name() == wanted) else { return Ok(()) };
    writeln!(out)?;
    for (task, (answer, sources)) in tasks.iter().zip(ours).filter(|(task, _)| !task.parts.iter().any(|p| p == HELD_OUT)) {
        let right = match task.gold.points(answer, *field, *points) {
            Some(points) => points == 1.0,
            None => answer.get(*field).is_none(),
        };
        if right {
            continue;
        }
        writeln!(out, "{} {} [{sources}]\n  gold: {:?}", task.gold.id, task.parts.join(", "), task.gold.get(*field))?;
        for (name, answers) in names.iter().zip(answers) {
            writeln!(out, "  {name}: {:?}", answers.get(&task.gold.id).and_then(|answer| answer.get(*field)))?;
        }
    }
    Ok(())
}
