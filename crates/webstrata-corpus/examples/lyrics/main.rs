//! The LYRICS experiment (table 4.3 of C. Kohlschütter's thesis) on generated songs and sites: the same texts in
//! three templates, to measure which segmenter helps to find the duplicates.
//!
//!     cargo run --release -p webstrata-corpus --example lyrics
//!
//! 1,000 songs on each of three sites give 3,000 pairs of pages with the same song. Pairs of pages of one site with different songs,
//! 1,000 per site, are not duplicates. Pages are compared by the papers' rule: windows of 6 tokens, 8 smallest hashes, 4 in common.

#![allow(clippy::print_stdout, missing_docs, unreachable_pub, reason = "a program that prints its results")]

mod sites;
mod songs;

use sites::SITES;
use songs::Song;
use webstrata::Page;
use webstrata::segment::{Method, RuleSet};
use webstrata_corpus::dedup::{Signature, Signer, Similarity, TextSource, largest_segment};

const SONGS: usize = 1000;

/// Selects the text of a page that is compared.
type TextSelector = Box<dyn Fn(&Page<'_>) -> String>;

fn selectors() -> Vec<(String, TextSelector)> {
    let mut selectors: Vec<(String, TextSelector)> = vec![("full text".into(), Box::new(|page| TextSource::AllText.text(page).0))];
    for method in Method::ALL {
        let by = move |rules: fn() -> RuleSet| -> TextSelector {
            Box::new(move |page| largest_segment(&page.segments_by(&*method.segmenter(rules()))))
        };
        match method {
            Method::BfRulebased | Method::JustRules => {
                selectors.push((format!("{method}, rules of the paper"), by(RuleSet::paper)));
                selectors.push((format!("{method}, rules for HTML5"), by(RuleSet::html5)));
            }
            _ => selectors.push((method.to_string(), by(RuleSet::html5))),
        }
    }
    selectors.push(("strata, content".into(), Box::new(|page| TextSource::Content.text(page).0)));
    selectors
}

/// Results for a text selector, as shares of pairs.
struct Shares {
    duplicates: f64,
    apart: f64,
    /// As `apart`, for all pairs of different songs among every tenth page of all sites: a larger sample.
    all_apart: f64,
}

fn measure(pages: &[Vec<String>], select: &TextSelector) -> Shares {
    let similarity = Similarity::paper();
    let mut signer = Signer::new(similarity);
    let mut sign = |page: &String| signer.sign(&select(&Page::parse(page.as_bytes())));
    let signed: Vec<Vec<Signature>> = pages.iter().map(|pages| pages.iter().map(&mut sign).collect()).collect();
    let alike = |a: &Signature, b: &Signature| similarity.are_duplicates(a, b);
    let (mut duplicates, mut apart) = (0, 0);
    for song in 0..SONGS {
        duplicates += [(0, 1), (0, 2), (1, 2)].iter().filter(|&&(a, b)| alike(&signed[a][song], &signed[b][song])).count();
        apart += signed.iter().filter(|site| !alike(&site[song], &site[SONGS + song])).count();
    }
    let (mut all, mut joined) = (0u64, 0u64);
    for (number, site) in signed.iter().enumerate() {
        for other in &signed[number..] {
            for (i, one) in site.iter().enumerate().step_by(10) {
                for (_, two) in other.iter().enumerate().step_by(10).filter(|&(j, _)| i != j) {
                    all += 1;
                    joined += u64::from(alike(one, two));
                }
            }
        }
    }
    let share = |count: usize| 100.0 * count as f64 / (3 * SONGS) as f64;
    Shares { duplicates: share(duplicates), apart: share(apart), all_apart: 100.0 * (1.0 - joined as f64 / all as f64) }
}

fn main() {
    let songs: Vec<Song> = (0..2 * SONGS).map(Song::new).collect();
    let pages = |banners: bool| -> Vec<Vec<String>> {
        SITES.iter().map(|site| (0..2 * SONGS).map(|number| site.page(number, &songs, banners)).collect()).collect()
    };
    let (with, without) = (pages(true), pages(false));
    let words = |page: &String| TextSource::AllText.text(&Page::parse(page.as_bytes())).0.split_whitespace().count();
    let mean = with.iter().flatten().map(words).sum::<usize>() / (6 * SONGS);
    println!("{} pages of {mean} words\n", 6 * SONGS);
    println!(
        "| compared text | duplicate pairs found | non-duplicates kept apart | of all pairs | found without banners | kept apart |"
    );
    println!("|---|---|---|---|---|---|\n| pairs | {0} | {0} | | {0} | {0} |", 3 * SONGS);
    for (name, select) in selectors() {
        let (with, without) = (measure(&with, &select), measure(&without, &select));
        let Shares { duplicates, apart, all_apart } = with;
        println!(
            "| {name} | {duplicates:.1}% | {apart:.1}% | {all_apart:.3}% | {:.1}% | {:.1}% |",
            without.duplicates, without.apart
        );
    }
}
