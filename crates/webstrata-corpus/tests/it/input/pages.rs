//! Every hostile page of the page library, as a record of an archive.

use super::support::*;
use crate::hostile::KINDS;
use webstrata_corpus::input::{InputOptions, Item};

#[test]
fn hostile_pages_are_read_unchanged() {
    let options = InputOptions::default();
    let pages: Vec<(String, Vec<u8>)> = KINDS
        .iter()
        .map(|kind| (format!("https://example.org/{}", kind.name.replace(' ', "-")), (kind.page)(kind.n / 10).into_bytes()))
        .collect();
    assert!(pages.len() > 50);
    for form in Form::ALL {
        let (bytes, _) = pack(&some_records(&pages), form);
        let items = read_bytes(form.name(), &bytes, &options);
        assert_eq!(items.len(), pages.len(), "{form:?}: {:?}", messages(&items));
        for (item, (url, page)) in items.iter().zip(&pages) {
            let Item::Document(document) = item else { panic!("{form:?}, {url}: {item:?}") };
            assert!(document.url.as_deref() == Some(url) && &document.bytes == page, "{form:?}: {url}");
        }
    }
}
