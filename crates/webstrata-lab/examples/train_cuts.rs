//! Learns the model of the segmenter `strata`: `train_cuts SET MODEL`, with SET the folder of marked pages.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::error::Error;
use std::path::Path;
use webstrata_lab::gold::seg_popular::MarkedPage;
use webstrata_lab::strata::cuts::{CutOptions, CutReport, Lesson, train_cuts};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, file] = arguments.as_slice() else {
        return Err("train_cuts SET MODEL: the folder of the marked pages, and the file to write".into());
    };
    let lessons: Vec<Lesson> = MarkedPage::read_all(Path::new(set))?.iter().map(Lesson::new).collect();
    let trained = train_cuts(&lessons, &CutOptions::default(), &|step| eprintln!("{step}"))?;
    let bytes = trained.model.write();
    std::fs::write(file, &bytes)?;
    println!("{file}: {} bytes, {} pages\n", bytes.len(), lessons.len());
    println!("{}", CutReport::of(&lessons, &trained.opinions, &trained.model));
    println!("With class names, ids and the tags of HTML5 hidden:\n");
    println!("{}", CutReport::of(&lessons, &trained.masked, &trained.model));
    Ok(())
}
