//! Counts are the same for any number of threads, any memory, any format, and any way of merging parts.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use webstrata::segment::Method;
use webstrata_corpus::input::{Input as Pages, InputOptions, Sources};
use webstrata_corpus::run::{self, RunOptions};
use webstrata_corpus::store::Format;
use webstrata_stats::count::{Memory, Summary};
use webstrata_stats::read::{self, Input, Options};
use webstrata_stats::simulate::WriterModel;

/// A folder of simulated pages with links, a language and a date.
pub(crate) fn pages(folder: &Path, numbers: std::ops::Range<u64>) {
    std::fs::create_dir_all(folder).unwrap();
    for number in numbers {
        let page = WriterModel::thesis().page(number, 40);
        let language = ["en", "de", "fr"][number as usize % 3];
        let date = format!("<meta property=article:published_time content={}-05-01>", 1995 + number % 30);
        let menu = "<ul><li><a href=/>Home</a><li><a href=/news>Latest News</a><li><a href=http://other.org/>Contact Us</a></ul>";
        let page = page.replacen("<title>", &format!("<html lang={language}>{date}<title>"), 1).replacen(
            "</title>",
            &format!("</title>{menu}"),
            1,
        );
        std::fs::write(folder.join(format!("{number:05}.html")), page).unwrap();
    }
}

/// Runs a folder of pages and returns the path of its tables.
pub(crate) fn tables(pages: &Path, out: PathBuf, format: Format) -> PathBuf {
    let sources = Sources::new(vec![pages.to_owned()]).unwrap();
    let input = Pages::list(&sources, &InputOptions::default()).unwrap();
    let options = RunOptions { format, method: Method::TagGap, shard_pages: 17, threads: 2, ..RunOptions::default() };
    run::run(input, &out, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    out
}

pub(crate) fn counted(inputs: &[&Path], threads: usize, memory: Memory, temporary: &Path) -> Summary {
    let inputs: Vec<Input> = inputs.iter().map(|path| Input::detect(path)).collect();
    let options = Options { threads, memory, temporary: temporary.to_owned() };
    read::count(&inputs, &options, &mut |_| ControlFlow::Continue(())).unwrap().unwrap().finish().unwrap()
}

#[test]
fn any_threads_memory_format_and_order_give_the_same_counts() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    pages(&at("a"), 0..60);
    pages(&at("b"), 60..100);
    let [a, b] = ["a", "b"].map(|name| tables(&at(name), at(&format!("{name}-tables")), Format::Parquet));
    let lines = tables(&at("a"), at("a-lines"), Format::Jsonl);
    let large = Memory::default();
    let oracle = counted(&[&a, &b], 1, large, folder.path());
    assert_eq!(oracle.tallies.all.pages, 100);
    assert!(oracle.tallies.navigation.iter().flatten().sum::<u64>() > 0, "{:?}", oracle.tallies.navigation);
    assert_eq!(oracle.tallies.languages.keys().collect::<Vec<_>>(), ["de", "en", "fr"]);
    assert!(oracle.tallies.decades.len() == 4, "{:?}", oracle.tallies.decades);
    assert!(
        oracle.templates.frequent.iter().any(|(count, text)| *count >= 100 && text == "Latest News"),
        "{:?}",
        oracle.templates.frequent
    );
    // One item at a time: everything goes to temporary files.
    let tiny = Memory { terms: 40, fingerprints: 30, pages: 2 };
    for threads in [1, 2, 7] {
        for memory in [large, tiny] {
            assert_eq!(counted(&[&a, &b], threads, memory, folder.path()), oracle, "{threads} {memory:?}");
            assert_eq!(counted(&[&b, &a], threads, memory, folder.path()), oracle, "{threads} {memory:?}");
        }
    }
    assert_eq!(counted(&[&lines, &b], 3, large, folder.path()), oracle);
    // No temporary files are left.
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[test]
fn counts_are_those_of_the_rows() {
    let folder = tempfile::tempdir().unwrap();
    pages(&folder.path().join("a"), 0..30);
    let tables = tables(&folder.path().join("a"), folder.path().join("tables"), Format::Parquet);
    let found = counted(&[&tables], 2, Memory::default(), folder.path());
    // The naive way: all rows in memory.
    let segments: Vec<_> = webstrata_corpus::store::segments(&tables).unwrap().map(Result::unwrap).collect();
    let links = webstrata_corpus::store::links(&tables).unwrap().filter(|link| link.as_ref().unwrap().segment.is_some()).count();
    let words: u64 = segments.iter().map(|segment| u64::from(segment.words)).sum();
    assert_eq!(found.tallies.all.words.iter().sum::<u64>(), words);
    assert_eq!(found.tallies.lengths.sum(), segments.iter().filter(|segment| segment.words > 0).count() as u64);
    assert_eq!(found.tallies.navigation.iter().flatten().sum::<u64>(), links as u64);
    let mut quotients = 0;
    for pair in segments.windows(2).filter(|pair| pair[0].page == pair[1].page) {
        quotients += u64::from(pair[0].text_density != pair[1].text_density);
    }
    assert_eq!(found.tallies.quotients.sum(), quotients);
    let terms: std::collections::BTreeSet<String> = segments
        .iter()
        .flat_map(|segment| segment.text.split_whitespace())
        .map(|token| token.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|term| term.chars().any(char::is_alphabetic))
        .collect();
    assert_eq!(found.terms.frequencies.items(), terms.len() as u64);
}

#[test]
fn damaged_and_missing_tables_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    pages(&folder.path().join("a"), 0..3);
    let tables = tables(&folder.path().join("a"), folder.path().join("tables"), Format::Parquet);
    let file = std::fs::read_dir(tables.join("segments")).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, b"PAR1 this is no table PAR1").unwrap();
    let read = |path: &Path| {
        let options = Options { temporary: folder.path().to_owned(), ..Options::default() };
        read::count(&[Input::Tables(path.to_owned())], &options, &mut |_| ControlFlow::Continue(()))
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    assert!(read(&tables).contains("part-000000.parquet"), "{}", read(&tables));
    assert!(read(&folder.path().join("a")).contains("not a run"));
}
