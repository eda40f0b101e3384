//! A made-up shop (`testdata/site-lamps`): the text that all its product pages share is content, and must be kept despite the
//! evidence about the site.

use std::fs;
use std::path::Path;
use webstrata::content::TextOptions;
use webstrata::label::strata::StrataLabeller;
use webstrata::{ExtractOptions, Page};
use webstrata_corpus::site::digest::Digest;
use webstrata_corpus::site::facts::{FactsBuilder, Signals};

#[test]
fn a_shop_keeps_its_specifications() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/site-lamps");
    let mut pages: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "html"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap()))
        .collect();
    pages.sort();
    assert_eq!(pages.len(), 6);
    let mut builder = FactsBuilder::default();
    for (number, (name, bytes)) in (0..).zip(&pages) {
        builder.add(&Digest::new(&Page::parse(bytes), "lamps.example", number, name));
    }
    let known = builder.finish().judge(Signals::default()).evidence();
    let strata = StrataLabeller::shipped().unwrap();
    for (name, bytes) in &pages {
        let page = Page::parse(bytes);
        let text =
            |labeller: &StrataLabeller<'_>| page.extract_by(labeller, &ExtractOptions::default()).text_with(&TextOptions::BARE);
        let (alone, with_site) = (text(&strata), text(&strata.site(&known)));
        for part in ["lamp", "Colour of the shade", "Height", "Luminous flux", "Weight without packaging", "kg", "five years"] {
            assert!(with_site.contains(part), "{name}: {part:?} is lost:\n{with_site}\nand was:\n{alone}");
        }
        if name != "orrin-travel" {
            assert!(with_site.contains("The arm of this lamp") && with_site.contains("does not flicker"), "{name}: {with_site}");
        }
        assert!(!with_site.contains("Basket") && !with_site.contains("Privacy"), "{name}: {with_site}");
        let words = |text: &str| text.split_whitespace().count();
        assert!(words(&with_site) * 2 >= words(&alone), "{name}: {with_site}");
    }
}
