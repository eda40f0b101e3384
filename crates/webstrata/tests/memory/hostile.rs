//! Hostile pages of full size, from bytes to text: no panic, and bounded memory.

use crate::allocator::{BASE, FACTOR, peak};
use crate::support::hostile::{BYTE_KINDS, KINDS};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

fn extract(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    page.extract_with(&ExtractOptions::from(Preset::Strata)).text().len()
}

/// Extracts one kind of page; a message if it takes too much memory.
fn check(kind: usize) -> Option<String> {
    let (name, page) = match KINDS.get(kind) {
        Some(kind) => (kind.name, (kind.page)(2 * kind.n).into_bytes()),
        None => {
            let kind = &BYTE_KINDS[kind - KINDS.len()];
            (kind.name, (kind.page)(2 * kind.n))
        }
    };
    let memory = peak(|| extract(&page)) + page.len();
    let allowed = FACTOR * page.len() + BASE;
    println!("{name:<42} {:>5.1} times its {:.1} MB", memory as f64 / page.len() as f64, page.len() as f64 / 1e6);
    (memory > allowed).then(|| format!("{name}: {} MB of {} MB", memory >> 20, allowed >> 20))
}

/// The allocator counts per thread, so kinds are checked on all cores.
#[test]
fn extraction_is_bounded() {
    let (next, kinds) = (AtomicUsize::new(0), KINDS.len() + BYTE_KINDS.len());
    let work = || {
        let taken = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed)).take_while(|&kind| kind < kinds);
        taken.filter_map(check).collect::<Vec<String>>()
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let bad: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert_eq!(next.into_inner(), kinds + threads, "every kind is checked");
    assert!(bad.is_empty(), "{bad:#?}");
}
