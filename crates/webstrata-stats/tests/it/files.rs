//! Files of counts: parts add up to the whole, and hostile input is an error at worst.

use super::counts::{pages, tables};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use webstrata_corpus::io::{Random, TempDir};
use webstrata_corpus::store::Format;
use webstrata_stats::count::{Counts, Memory};
use webstrata_stats::read::{self, Input, Options};
use xxhash_rust::xxh3::xxh3_64;

const TINY: Memory = Memory { terms: 40, fingerprints: 30, pages: 2 };

fn count(inputs: &[&Path], threads: usize, memory: Memory, temporary: &Path) -> Counts {
    let inputs: Vec<Input> = inputs.iter().map(|path| Input::detect(path)).collect();
    let options = Options { threads, memory, temporary: temporary.to_owned() };
    read::count(&inputs, &options, &mut |_| ControlFlow::Continue(())).unwrap().unwrap()
}

/// Three runs, and files of their counts.
fn parts(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut runs, mut files) = (Vec::new(), Vec::new());
    for (number, range) in [0..30, 30..31, 31..60].into_iter().enumerate() {
        pages(&folder.join(format!("{number}")), range);
        runs.push(tables(&folder.join(format!("{number}")), folder.join(format!("{number}-tables")), Format::Parquet));
        files.push(folder.join(format!("{number}.counts")));
        count(&[&runs[number]], 2, Memory::default(), folder).write(&files[number]).unwrap();
    }
    (runs, files)
}

#[test]
fn any_parts_make_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (runs, files) = parts(at);
    let whole = at.join("whole.counts");
    count(&[&runs[0], &runs[1], &runs[2]], 1, Memory::default(), at).write(&whole).unwrap();
    let bytes = std::fs::read(&whole).unwrap();
    let summary = count(&[&runs[2], &runs[1], &runs[0]], 2, Memory::default(), at).finish().unwrap();
    let merged = at.join("merged.counts");
    for (threads, memory) in [(1, Memory::default()), (3, Memory::default()), (1, TINY), (2, TINY)] {
        for inputs in [[&files[0], &files[1], &files[2]], [&files[2], &files[0], &files[1]], [&files[1], &runs[2], &files[0]]] {
            let inputs = inputs.map(PathBuf::as_path);
            assert_eq!(count(&inputs, threads, memory, at).finish().unwrap(), summary, "{threads} {memory:?}");
            count(&inputs, threads, memory, at).write(&merged).unwrap();
            assert!(std::fs::read(&merged).unwrap() == bytes, "{threads} {memory:?}");
        }
    }
    // Counting a file of counts gives the same file.
    count(&[&whole], 1, TINY, at).write(&merged).unwrap();
    assert!(std::fs::read(&merged).unwrap() == bytes);
}

fn reread(bytes: &[u8], folder: &Path) -> Result<(), String> {
    let path = folder.join("hostile.counts");
    std::fs::write(&path, bytes).unwrap();
    let mut counts = Counts::new(TINY, &TempDir::new(folder));
    counts.read(&path).map_err(|error| error.to_string())?;
    // What is accepted can be analysed.
    counts.finish().map(|_| ()).map_err(|error| error.to_string())
}

/// Appends the right checksum, so that the checks after it are reached.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let body = &bytes[..bytes.len().saturating_sub(8)];
    [body, &xxh3_64(body).to_le_bytes()].concat()
}

#[test]
fn hostile_files_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let (_, files) = parts(at);
    let bytes = std::fs::read(&files[1]).unwrap();
    reread(&bytes, at).unwrap();
    let says = |bytes: &[u8], words: &str| {
        let error = reread(bytes, at).unwrap_err();
        assert!(error.contains("hostile.counts") && error.contains(words), "{error}");
    };
    says(b"", "its end is missing");
    says(b"PAR1 is another kind of file", "it has no counts");
    says(&[b"webstrata.counts/9\n", &bytes[19..]].concat(), "of a different version");
    says(&[&bytes[..], b"x"].concat(), "data after its end");
    // An impossible record length in place of that of the small counts.
    says(&[&bytes[..19], &u32::MAX.to_le_bytes(), &bytes[23..]].concat(), "too long");
    for cut in (0..bytes.len()).step_by(bytes.len() / 97) {
        says(&bytes[..cut], "hostile.counts");
    }
    // A flipped bit is always detected, at the latest by the checksum.
    let mut random = Random::new(11);
    for _ in 0..300 {
        let mut bytes = bytes.clone();
        let place = random.scaled(bytes.len() as u32) as usize;
        bytes[place] ^= 1 << random.scaled(8);
        says(&bytes, "hostile.counts");
    }
    // With the right checksum, changed bytes give an error or other counts, but never a panic.
    let mut accepted = 0;
    for _ in 0..2000 {
        let mut bytes = bytes.clone();
        for _ in 0..=random.scaled(3) {
            let place = 19 + random.scaled(bytes.len() as u32 - 27) as usize;
            bytes[place] = random.scaled(256) as u8;
        }
        accepted += u32::from(reread(&sealed(&bytes), at).is_ok());
    }
    assert!(accepted < 1000, "most such changes contradict other counts: {accepted}");
}

/// Reading the same file many times multiplies the counts; too many are an error, not an overflow.
#[test]
fn files_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let (_, files) = parts(folder.path());
    let one = count(&[&files[0]], 1, TINY, folder.path()).tallies;
    let three = count(&[&files[0], &files[0], &files[0]], 2, TINY, folder.path()).tallies;
    assert_eq!((three.all.pages, three.all.words[1]), (one.all.pages * 3, one.all.words[1] * 3));
}
