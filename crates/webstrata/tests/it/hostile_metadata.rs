//! Metadata of hostile pages in linear time. The tree is built beforehand: only the metadata is measured.

use crate::support::clock::{assert_all_linear, check_linear};
use crate::support::hostile_metadata::METADATA_KINDS;
use webstrata::content::metadata::{Metadata, MetadataOptions};
use webstrata::html::Dom;

#[test]
fn metadata_of_hostile_pages_is_linear() {
    let options = MetadataOptions::default().url("https://www.dailyrock.example/2024/05/13/rain");
    assert_all_linear(METADATA_KINDS.iter().map(|kind| {
        check_linear(kind.name, kind.n, kind.page, |bytes, timer| {
            let dom = Dom::parse(std::str::from_utf8(bytes).unwrap());
            timer.time(|| usize::from(Metadata::from_dom(&dom, &options).title.is_some()));
        })
    }));
}
