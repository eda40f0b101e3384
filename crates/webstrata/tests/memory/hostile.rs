//! Hostile pages of full size, from bytes to text: no panic, and bounded memory.

use crate::allocator::{BASE, FACTOR, peak};
use crate::support::hostile::{BYTE_KINDS, KINDS};
use webstrata::label::Preset;
use webstrata::{ExtractOptions, Page};

fn extract(bytes: &[u8]) -> usize {
    let page = Page::parse(bytes);
    page.extract_with(&ExtractOptions::from(Preset::Strata)).text().len()
}

#[test]
fn extraction_is_bounded() {
    let texts = KINDS.iter().map(|kind| (kind.name, (kind.page)(2 * kind.n).into_bytes()));
    let bytes = BYTE_KINDS.iter().map(|kind| (kind.name, (kind.page)(2 * kind.n)));
    let mut bad = Vec::new();
    for (name, page) in texts.chain(bytes) {
        let memory = peak(|| extract(&page)) + page.len();
        let allowed = FACTOR * page.len() + BASE;
        println!("{name:<42} {:>5.1} times its {:.1} MB", memory as f64 / page.len() as f64, page.len() as f64 / 1e6);
        if memory > allowed {
            bad.push(format!("{name}: {} MB of {} MB", memory >> 20, allowed >> 20));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
