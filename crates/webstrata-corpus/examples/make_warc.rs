//! Builds a WARC file from folders of pages:
//! `cargo run --release -p webstrata-corpus --example make_warc -- OUT.warc.gz --repeat 20 FOLDER…`
//!
//! The extension selects the compression: `.warc`, `.warc.gz` or `.warc.zst`. Repeated pages get different addresses.

#![allow(clippy::print_stdout, reason = "a program that prints its results")]

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use webstrata_corpus::archive::{Packing, WarcWriter};
use webstrata_corpus::input::{Input, InputOptions, Item};

const USAGE: &str = "usage: make_warc OUT.warc[.gz|.zst] [--repeat N] FOLDER…";
const DATE: &str = "2024-01-01T00:00:00Z";

fn main() -> Result<(), Box<dyn Error>> {
    let (mut out, mut repeat, mut folders) = (None, 1u32, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--repeat" {
            repeat = arguments.next().ok_or(USAGE)?.parse()?;
        } else if out.is_none() {
            out = Some(PathBuf::from(argument));
        } else {
            folders.push(PathBuf::from(argument));
        }
    }
    let out = out.filter(|_| !folders.is_empty()).ok_or(USAGE)?;
    let mut archive = WarcWriter::new(BufWriter::new(File::create(&out)?), packing(&out))?;
    let (mut pages, mut bytes) = (0u64, 0u64);
    for round in 0..repeat {
        for item in Input::open(&folders, &InputOptions::default())? {
            let Item::Document(page) = item? else { continue };
            let name = page.url.unwrap_or_else(|| address(&page.origin.file, &folders));
            let url = if round == 0 { name } else { format!("{name}?round={round}") };
            let kind = page.charset.map_or("text/html".to_owned(), |charset| format!("text/html; charset={charset}"));
            archive.page(&url, page.date.as_deref().unwrap_or(DATE), &kind, &page.bytes)?;
            pages += 1;
            bytes += page.bytes.len() as u64;
        }
    }
    archive.into_inner().flush()?;
    println!("{}: {pages} pages, {bytes} bytes of HTML, {} bytes stored", out.display(), std::fs::metadata(&out)?.len());
    Ok(())
}

fn packing(out: &Path) -> Packing {
    match out.extension().and_then(|ending| ending.to_str()) {
        Some("gz") => Packing::Gzip,
        Some("zst") => Packing::Zstd,
        _ => Packing::Plain,
    }
}

/// An address for a file of a folder: one host per folder.
fn address(file: &str, folders: &[PathBuf]) -> String {
    let inside = |(number, folder): (usize, &PathBuf)| {
        let rest = Path::new(file).strip_prefix(folder).ok()?;
        let path: String =
            rest.to_string_lossy().chars().map(|c| if c.is_whitespace() || c == '?' || c == '#' { '_' } else { c }).collect();
        Some(format!("https://folder{number}.example/{path}"))
    };
    folders.iter().enumerate().find_map(inside).unwrap_or_else(|| format!("https://folder.example/{file}"))
}
