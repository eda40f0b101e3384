//! Work that was stopped anywhere and resumed ends with the same result.

use super::*;
use crate::site::evidence::EvidenceFile;
use webstrata::Page;

fn digest(number: u32) -> Digest {
    digest_with(number, &DigestOptions::default())
}

fn digest_with(number: u32, options: &DigestOptions) -> Digest {
    let site = format!("site{}.org", number % 5);
    let extra = if number.is_multiple_of(2) {
        "<table><tr><td><b>Prices</b></td><td>12</td></tr></table><form><label>Search</label></form>"
    } else {
        ""
    };
    let html = format!(
        "<div>Menu of {site}, news and sports</div>{extra}<h1>T{number}</h1><p>Text {} of it.",
        "z".repeat(number as usize)
    );
    Digest::with(&Page::parse(html.as_bytes()), &site, number, "name", options)
}

/// Runs and stops after this many steps; true if it reached the end.
fn run(folder: &Path, options: &WorkOptions, steps: usize) -> (bool, Vec<SiteReport>) {
    let mut left = steps;
    let mut work = SiteWork::open(&folder.join("work"), "x", options).unwrap();
    if !work.is_gathered() {
        while work.pages() < 60 {
            if left == 0 {
                return (false, Vec::new());
            }
            left -= 1;
            let number = work.pages();
            work.push(&digest(number)).unwrap();
            if number.is_multiple_of(7) {
                work.checkpoint((number + 1).into()).unwrap();
            }
        }
        work.gathered(60.into()).unwrap();
    }
    if left == 0 {
        return (false, Vec::new());
    }
    let mut reports = Vec::new();
    work.finish::<WorkError>(
        options,
        folder,
        |_| (),
        |report| {
            reports.push(report);
            Ok(())
        },
    )
    .unwrap();
    work.close().unwrap();
    (true, reports)
}

#[test]
fn work_stopped_anywhere_resumes_to_the_same_result() {
    for options in [WorkOptions::default(), WorkOptions { by_design: true, cache_savings: true, ..WorkOptions::default() }] {
        let whole = tempfile::tempdir().unwrap();
        let (_, expected) = run(whole.path(), &options, 1000);
        assert_eq!(expected.len(), 5);
        assert_eq!(expected.iter().map(|r| r.pages).sum::<u64>(), 60);
        assert!(expected.iter().all(|r| r.designs.len() == if options.by_design { 2 } else { 1 }), "{expected:?}");
        assert!(expected.iter().all(|r| r.cache.is_some_and(|c| c.content < c.whole) == options.cache_savings));
        let evidence = fs::read(whole.path().join("evidence")).unwrap();
        let stopped = tempfile::tempdir().unwrap();
        for steps in [0, 1, 9, 20, 3, 60] {
            if let (true, reports) = run(stopped.path(), &options, steps) {
                assert_eq!(reports, expected);
            }
        }
        assert_eq!(fs::read(stopped.path().join("evidence")).unwrap(), evidence);
        let file = EvidenceFile::open(&stopped.path().join("evidence")).unwrap();
        assert_eq!(file.site("site3.org").unwrap().unwrap().pages(), 12);
    }
}

/// Learns pages from `numbers`, continuing a folder if there is one.
fn learn(out: &Path, numbers: std::ops::Range<u32>, add_to: Option<&Path>) {
    let digest_options = DigestOptions { shingles: true, ..DigestOptions::default() };
    let options = WorkOptions { digest: digest_options, add_to: add_to.map(Path::to_owned), ..WorkOptions::default() };
    let mut work = SiteWork::open(&out.join("work"), "x", &options).unwrap();
    for number in numbers {
        let mut page = digest_with(number, &digest_options);
        page.number = work.next_number();
        work.push(&page).unwrap();
    }
    work.gathered(0.into()).unwrap();
    work.finish::<WorkError>(&options, out, |_| (), |_| Ok(())).unwrap();
    work.close().unwrap();
}

/// The SOM tree, the samples and the counts of fingerprints are those of all pages, whether they were learned at once or not.
#[test]
fn pages_added_later_count_like_the_others() {
    let [whole, one, two] = [(); 3].map(|()| tempfile::tempdir().unwrap());
    learn(whole.path(), 0..60, None);
    learn(one.path(), 0..37, None);
    learn(two.path(), 37..60, Some(one.path()));
    for name in ["samples", "fingerprints", "learned.json"] {
        assert_eq!(fs::read(whole.path().join(name)).unwrap(), fs::read(two.path().join(name)).unwrap(), "{name}");
    }
    let tree = |folder: &Path| {
        let facts = EvidenceFile::open(&folder.join("evidence")).unwrap().site("site2.org").unwrap().unwrap();
        (facts.pages(), facts.som().to_bytes().unwrap(), facts.template().to_bytes().unwrap())
    };
    assert_eq!(tree(whole.path()), tree(two.path()));
    // A site without new pages is kept.
    let third = tempfile::tempdir().unwrap();
    learn(third.path(), 0..0, Some(one.path()));
    assert_eq!(fs::read(third.path().join("evidence")).unwrap(), fs::read(one.path().join("evidence")).unwrap());
    let other = WorkOptions { add_to: Some(one.path().to_owned()), ..WorkOptions::default() };
    assert!(matches!(SiteWork::open(&third.path().join("x"), "x", &other), Err(WorkError::Continue { .. })));
}

#[test]
fn other_settings_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    drop(SiteWork::open(folder.path(), "one", &WorkOptions::default()).unwrap());
    assert!(matches!(SiteWork::open(folder.path(), "two", &WorkOptions::default()), Err(WorkError::Other(_))));
}
