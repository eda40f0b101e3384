//! Reading resumes at any position as if it had never stopped.

use super::support::*;
use std::path::{Path, PathBuf};
use webstrata_corpus::input::{Input, InputOptions, Item, Position};

/// A folder with every kind of file, some of them damaged.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let pages = some_pages(15);
    let records = some_records(&pages);
    let mut random = Random(3);
    for (number, form) in Form::ALL.into_iter().enumerate() {
        let (mut bytes, _) = pack(&records, form);
        std::fs::write(folder.path().join(format!("{number}-{}", form.name())), &bytes).unwrap();
        for _ in 0..4 {
            let at = 600 + random.below(bytes.len() - 600);
            bytes[at] ^= 0x41;
        }
        std::fs::write(folder.path().join(format!("{number}-damaged-{}", form.name())), &bytes).unwrap();
    }
    let lines: String = (0..20).map(|number| format!("{{\"html\": \"<p>line {number}\"}}\n")).collect();
    std::fs::write(folder.path().join("lines.jsonl"), &lines).unwrap();
    std::fs::write(folder.path().join("lines.jsonl.gz"), gzip(lines.as_bytes())).unwrap();
    std::fs::write(folder.path().join("lines.jsonl.zst"), zstd(lines.as_bytes())).unwrap();
    super::columns::write(&folder.path().join("rows.parquet"), 25, 10);
    for name in ["a.html", "b/c.htm", "z.html"] {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("<p>{name}")).unwrap();
    }
    folder
}

fn open(path: &Path) -> Input {
    Input::open(&[path.to_owned()], &InputOptions::default()).unwrap()
}

#[test]
fn reading_resumes_at_every_position() {
    let folder = folder();
    let mut input = open(folder.path());
    let mut items: Vec<Item> = Vec::new();
    let mut positions: Vec<Position> = vec![input.position()];
    while let Some(item) = input.next() {
        items.push(item.unwrap());
        positions.push(input.position());
        assert!(input.read_bytes() <= input.total_bytes());
    }
    assert_eq!(input.read_bytes(), input.total_bytes());
    assert!(items.len() > 250, "{}", items.len());
    assert!(items.iter().any(|item| matches!(item, Item::Broken(_))));
    for (number, position) in positions.iter().enumerate() {
        // Positions are saved as JSON.
        let saved: Position = serde_json::from_str(&serde_json::to_string(position).unwrap()).unwrap();
        let mut again = open(folder.path());
        again.seek(&saved).unwrap();
        let rest: Vec<Item> = again.map(Result::unwrap).collect();
        assert!(rest == items[number..], "after item {number}: {position:?}");
    }
    // Back and forth within one input.
    let mut random = Random(5);
    let mut input = open(folder.path());
    for _ in 0..200 {
        let number = random.below(items.len());
        input.seek(&positions[number]).unwrap();
        assert_eq!(input.next().unwrap().unwrap(), items[number]);
    }
}

#[test]
fn the_fingerprint_notices_changes() {
    let folder = folder();
    let before = open(folder.path()).fingerprint();
    assert_eq!(before, open(folder.path()).fingerprint());
    std::fs::write(folder.path().join("a.html"), "<p>another length").unwrap();
    let longer = open(folder.path()).fingerprint();
    assert_ne!(before, longer);
    std::fs::rename(folder.path().join("a.html"), folder.path().join("a2.html")).unwrap();
    assert_ne!(longer, open(folder.path()).fingerprint());
}

#[test]
fn positions_of_other_inputs_are_refused_or_harmless() {
    let folder = folder();
    let mut input = open(folder.path());
    let files = input.fingerprint().files as u32;
    assert!(input.seek(&Position { file: files + 1, ..Position::default() }).is_err());
    assert!(input.seek(&Position { file: files, offset: 1, ..Position::default() }).is_err());
    for file in 0..files {
        for (offset, inside) in [(1, 0), (77, 0), (u64::MAX, 0), (u64::MAX, u64::MAX), (0, 3), (0, u64::MAX), (500, 1 << 40)] {
            if input.seek(&Position { file, offset, inside, ..Position::default() }).is_ok() {
                let count = input.by_ref().take(1000).count();
                assert!(count <= 1000);
            }
        }
    }
}

#[cfg(unix)]
#[test]
fn folders_are_sorted_and_links_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, format!("<p>{name}")).unwrap();
    };
    for name in ["b.html", "a/z.html", "a/b/c.html", "a.html", "a-b.html", "B.HTM", "notes.txt"] {
        write(name);
    }
    std::os::unix::fs::symlink(folder.path(), folder.path().join("a/circle")).unwrap();
    std::os::unix::fs::symlink(folder.path().join("b.html"), folder.path().join("c.html")).unwrap();
    let names: Vec<String> = open(folder.path())
        .map(|item| PathBuf::from(&*item.unwrap().origin().file).strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(names, ["B.HTM", "a-b.html", "a.html", "a/b/c.html", "a/z.html", "b.html"]);
    assert!(Input::open(&[folder.path().join("missing")], &InputOptions::default()).is_err());
}
