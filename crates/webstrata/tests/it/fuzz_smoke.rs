//! Checks the invariants of `fuzz/checks.rs` on mutated pages, random bytes and cut pages: a fuzz run of seconds on stable Rust.
//!
//! Seeded, so every run sees the same inputs, and bounded in number and time. For a longer run:
//! `WEBSTRATA_FUZZ_SECONDS=600 cargo test -p webstrata --test it fuzz_smoke -- --nocapture`
//! (which also takes a seed from the clock).

#[path = "../../../../fuzz/checks.rs"]
mod checks;

use crate::support::data;
use crate::support::random::{Bounds, Random};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

const DICTIONARY: &str = include_str!("../../../../fuzz/html.dict");

/// Maximum length of an input. Longer ones would gain little and take time from others.
const MAX_LENGTH: usize = 8 << 10;

/// Time limit for the search for a smaller input.
const MAX_SHRINKING: Duration = Duration::from_secs(20);

/// The entries of a libFuzzer dictionary without names.
fn dictionary() -> Vec<Vec<u8>> {
    let entry = |line: &str| {
        let mut bytes = Vec::new();
        let mut rest = line.strip_prefix('"').and_then(|l| l.strip_suffix('"')).expect("an entry is quoted").as_bytes();
        while let Some((&byte, tail)) = rest.split_first() {
            let (byte, tail) = match (byte, tail) {
                (b'\\', [b'x', high, low, tail @ ..]) => {
                    let digits = [*high, *low];
                    (u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap(), tail)
                }
                (b'\\', [escaped, tail @ ..]) => (*escaped, tail),
                _ => (byte, tail),
            };
            bytes.push(byte);
            rest = tail;
        }
        bytes
    };
    DICTIONARY.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(entry).collect()
}

/// Checks all invariants on one input.
fn check(bytes: &[u8], origin: impl Fn() -> String) {
    check_laws(&[checks::decode, checks::parse, checks::extract], bytes, origin);
}

/// Checks some invariants on one input. An input that violates them is shrunk, saved and reported.
fn check_laws(laws: &[fn(&[u8])], bytes: &[u8], origin: impl Fn() -> String) {
    let laws = |bytes: &[u8]| laws.iter().for_each(|law| law(bytes));
    let Err(panic) = catch_unwind(|| laws(bytes)) else { return };
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let small = shrink(bytes, |bytes| catch_unwind(AssertUnwindSafe(|| laws(bytes))).is_err());
    std::panic::set_hook(hook);
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-smoke-{}.html", origin().replace(' ', "-")));
    let saved = std::fs::write(&path, &small).map_or_else(|e| e.to_string(), |()| path.display().to_string());
    println!(
        "{}: a law is broken; the input, {} bytes, is in {saved}: {:?}",
        origin(),
        small.len(),
        String::from_utf8_lossy(&small)
    );
    std::panic::resume_unwind(panic);
}

/// Removes bytes that are not needed for `fails` to be true, long runs first.
fn shrink(bytes: &[u8], fails: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let until = Instant::now() + MAX_SHRINKING;
    let mut small = bytes.to_vec();
    let mut stretch = small.len().div_ceil(2);
    while stretch > 0 && Instant::now() < until {
        let mut at = 0;
        let before = small.len();
        while at < small.len() && Instant::now() < until {
            let end = (at + stretch).min(small.len());
            let without = [&small[..at], &small[end..]].concat();
            if fails(&without) {
                small = without;
            } else {
                at = end;
            }
        }
        if stretch > 1 || small.len() == before {
            stretch /= 2;
        }
    }
    small
}

/// A piece of a page, changed in a few places.
fn mutant(random: &mut Random, pages: &[(String, Vec<u8>)], dictionary: &[Vec<u8>]) -> Vec<u8> {
    let page = &pages[random.below(pages.len())].1;
    let mut bytes = if random.one_in(4) { page.clone() } else { random_slice(random, page, 1500).to_vec() };
    for _ in 0..1 + random.below(12) {
        let at = random.below(bytes.len() + 1);
        match random.below(10) {
            0 => bytes.truncate(at),
            1 => {
                let other = &pages[random.below(pages.len())].1;
                let piece = random_slice(random, other, 600).to_vec();
                bytes.splice(at..at, piece);
            }
            2 => {
                let piece = random_slice(random, &bytes, 300).to_vec();
                bytes.splice(at..at, piece);
            }
            3 => {
                let end = (at + random.below(200)).min(bytes.len());
                bytes.drain(at..end);
            }
            4 | 5 => {
                for _ in 0..1 + random.below(8) {
                    let flipped = random.below(bytes.len().max(1));
                    let bit = 1 << random.below(8);
                    if let Some(byte) = bytes.get_mut(flipped) {
                        *byte ^= bit;
                    }
                }
            }
            6 => {
                // One tag many times over: depth, or a long list.
                let piece = dictionary[random.below(dictionary.len())].repeat(1 + random.below(40));
                bytes.splice(at..at, piece);
            }
            _ => {
                let piece = dictionary[random.below(dictionary.len())].iter().copied();
                bytes.splice(at..at, piece);
            }
        }
    }
    bytes.truncate(MAX_LENGTH);
    bytes
}

/// A random slice of at most `max` bytes.
fn random_slice<'b>(random: &mut Random, bytes: &'b [u8], max: usize) -> &'b [u8] {
    let start = random.below(bytes.len() + 1);
    let end = (start + random.below(max)).min(bytes.len());
    &bytes[start..end]
}

#[test]
fn mutated_pages_uphold_the_invariants() {
    let bounds = Bounds::new(10_000, 8, 0x6d75_7461);
    let (pages, dictionary) = (data::bundled(), dictionary());
    let mut random = Random::new(bounds.seed);
    let mut count = 0;
    while !bounds.done(count) {
        count += 1;
        let bytes = mutant(&mut random, &pages, &dictionary);
        check(&bytes, || format!("mutant {count} of seed {}", bounds.seed));
    }
    println!("mutated pages: {count}");
}

#[test]
fn random_bytes_uphold_the_invariants() {
    let bounds = Bounds::new(10_000, 4, 0x6279_7465);
    let dictionary = dictionary();
    let mut random = Random::new(bounds.seed);
    let mut count = 0;
    while !bounds.done(count) {
        count += 1;
        let length = random.below(600);
        // Any bytes; those above ASCII; nothing but pieces of the dictionary.
        let bytes: Vec<u8> = match random.below(3) {
            0 => (0..length).map(|_| random.below(256) as u8).collect(),
            1 => (0..length).map(|_| if random.one_in(6) { b' ' } else { 0x80 + random.below(128) as u8 }).collect(),
            _ => (0..length / 8).flat_map(|_| dictionary[random.below(dictionary.len())].clone()).collect(),
        };
        check(&bytes, || format!("random bytes {count} of seed {}", bounds.seed));
    }
    println!("random bytes: {count}");
}

#[test]
fn every_prefix_upholds_the_invariants() {
    let bounds = Bounds::new(usize::MAX, 15, 0);
    let names = ["nul-and-control", "enc-shift-jis-undeclared", "misnested-formatting"];
    let pages: Vec<_> = data::bundled().into_iter().filter(|(name, _)| names.contains(&name.as_str())).collect();
    assert_eq!(pages.len(), names.len());
    let longest = pages.iter().map(|(_, bytes)| bytes.len()).max().unwrap_or(0);
    let mut count = 0;
    // Checks all invariants on every eighth prefix, then the fastest one (which also decodes) on the rest. If time runs out,
    // the prefixes checked are spread over the pages.
    for (first, step) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
        for length in (first..=longest).step_by(step) {
            for (name, bytes) in pages.iter().filter(|(_, bytes)| length <= bytes.len()) {
                if bounds.done(count) {
                    println!("prefixes: {count}, not all");
                    return;
                }
                count += 1;
                let laws: &[fn(&[u8])] =
                    if first == 0 { &[checks::decode, checks::parse, checks::extract] } else { &[checks::parse] };
                check_laws(laws, &bytes[..length], || format!("first {length} bytes of {name}"));
            }
        }
    }
    println!("prefixes: {count}, all");
}

#[test]
fn shrinking_leaves_what_is_needed() {
    let page = [b"<p>".as_slice(), &[b'x'; 300], b"\0y", &[b'z'; 100]].concat();
    assert_eq!(shrink(&page, |bytes| bytes.contains(&0) && bytes.contains(&b'y')), b"\0y");
}
