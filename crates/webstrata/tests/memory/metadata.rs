//! Metadata of hostile pages: bounded in memory and in number. The tree is built beforehand: only the metadata is measured.

use crate::allocator::peak;
use crate::support::hostile_metadata::METADATA_KINDS;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::html::Dom;

/// Memory besides the tree: `FACTOR` times the page plus `BASE` bytes.
const FACTOR: usize = 12;
const BASE: usize = 32 << 20;

#[test]
fn metadata_of_hostile_pages_is_bounded() {
    let options = MetadataOptions::default().url("https://www.dailyrock.example/2024/05/13/rain");
    let mut bad = Vec::new();
    for kind in METADATA_KINDS {
        let page = (kind.page)(2 * kind.n);
        let dom = Dom::parse(&page);
        let found = Metadata::from_dom(&dom, &options);
        assert!(found.authors.len() <= 32 && found.tags.len() <= 64 && found.types.len() <= 16, "{}", kind.name);
        let memory = peak(|| usize::from(Metadata::from_dom(&dom, &options).title.is_some()));
        let allowed = FACTOR * page.len() + BASE;
        println!("{}: {} kB", kind.name, memory >> 10);
        if memory > allowed {
            bad.push(format!("{}: {memory} bytes of {allowed}", kind.name));
        }
    }
    assert!(bad.is_empty(), "{bad:#?}");
}
