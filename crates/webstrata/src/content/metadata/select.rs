//! Selects and cleans the best candidate of each field.

use super::address;
use super::authors;
use super::candidates::{Candidate, Candidates, Field, key};
use super::date::Date;
use super::language;
use super::markup::Walk;
use super::schema::{Syntax, add_items};
use super::source::{Source, Value};
use super::title::{self, TitleContext};
use super::{Metadata, MetadataOptions};
use crate::html::{Dom, Tag};

/// Maximum number of feeds or types.
const MAX_OTHERS: usize = 16;

/// Reads the metadata of a page.
pub(super) fn metadata(dom: &Dom<'_>, options: &MetadataOptions<'_>) -> Metadata {
    let mut candidates = Candidates::default();
    if dom.is_empty() {
        return Metadata::default();
    }
    let mut walk = Walk::new(dom, &mut candidates);
    walk.run();
    let (json, micro, rdfa, headings) = (walk.json, walk.microdata.items, walk.rdfa.items, walk.headings);
    let sample = walk.sample;
    let base = base(dom, options.url);
    let mut titles: Vec<String> = candidates.all(Field::Title).iter().map(|c| key(&c.value.value)).collect();
    titles.extend(headings.iter().filter(|h| !h.aside).map(|h| key(&h.text)));
    titles.truncate(40);
    let mut addresses: Vec<String> = options.url.map(str::to_owned).into_iter().collect();
    addresses
        .extend(candidates.all(Field::Canonical).iter().filter_map(|c| address::resolve(base.as_deref(), &c.value.value)).take(4));
    add_items(&json, Syntax::JsonLd, &titles, &addresses, &mut candidates);
    if !micro.is_empty() {
        add_items(&micro, Syntax::Microdata, &titles, &addresses, &mut candidates);
    }
    if !rdfa.is_empty() {
        add_items(&rdfa, Syntax::Rdfa, &titles, &addresses, &mut candidates);
    }
    let title_context = title_context(&candidates, options.url);
    let kind = |part: &str| candidates.all(Field::Kind).iter().any(|c| c.value.value.contains(part));
    let (news, product) = (kind("NewsArticle"), kind("Product") && !title_context.article);
    let sections =
        candidates.all(Field::Tag).iter().filter(|c| c.value.value.len() <= 60).take(64).map(|c| key(&c.value.value)).collect();
    let selector = FieldSelector { sites: title_context.sites.clone(), sections, news, product, base, candidates };
    let language = language::select(&selector.candidates.ranked(Field::Language), &sample);
    let language_tag = language.as_ref().map(|l| l.value.clone());
    let published = selector.published(language_tag.as_deref(), options.url);
    Metadata {
        title: title::select(dom, &selector.candidates.ranked(Field::Title), &headings, &title_context),
        authors: selector.authors(),
        modified: selector.date(Field::Modified, language_tag.as_deref(), u8::MAX),
        published,
        language,
        direction: selector
            .candidates
            .best(Field::Direction)
            .map(|d| d.with(d.value.to_ascii_lowercase()))
            .filter(|d| matches!(d.value.as_str(), "ltr" | "rtl" | "auto")),
        site_name: selector.candidates.best(Field::Site),
        description: selector.candidates.best(Field::Description),
        canonical: selector.address(Field::Canonical),
        image: selector.address(Field::Image),
        tags: selector.tags(),
        license: selector.license(),
        feeds: selector.addresses(Field::Feed),
        amp: selector.address(Field::Amp),
        types: selector.types(),
    }
}

/// The base URL for references: the page's `base` element, else its own URL.
fn base(dom: &Dom<'_>, url: Option<&str>) -> Option<String> {
    let href = dom.find(Tag::BASE).and_then(|node| node.attribute("href"));
    match href.and_then(|href| address::resolve(url, &href)) {
        Some(base) if base.contains("://") => Some(base),
        _ => url.map(str::to_owned),
    }
}

/// Keys of all names of the site: those declared, and its host.
fn sites(candidates: &Candidates, url: Option<&str>) -> Vec<String> {
    // "The Daily Rock (dailyrock.example)"
    let spellings = |name: &str| [key(name), key(name.split(" (").next().unwrap_or(name))];
    let mut sites: Vec<String> = candidates.all(Field::Site).iter().take(12).flat_map(|c| spellings(&c.value.value)).collect();
    // Some pages declare their title as the name of the site.
    let long = |c: &&Candidate| c.value.value.split(' ').nth(4).is_some();
    let titles: Vec<String> = candidates.all(Field::Title).iter().filter(long).take(24).map(|c| key(&c.value.value)).collect();
    sites.retain(|site| !titles.contains(site));
    let canonical = candidates.best(Field::Canonical).map(|c| c.value);
    for host in [url, canonical.as_deref()].into_iter().flatten().filter_map(address::host) {
        sites.push(key(host));
        // The label before the public suffix, for which the longest label is a good guess.
        sites.extend(host.split('.').rev().skip(1).max_by_key(|label| label.len()).map(key));
    }
    sites.retain(|site| site.len() > 1);
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// The context for choosing among the titles of the page.
fn title_context(candidates: &Candidates, url: Option<&str>) -> TitleContext {
    let address = url.map(str::to_owned).or_else(|| candidates.best(Field::Canonical).map(|c| c.value));
    let address = address.filter(|a| a.contains("://"));
    let plain = address.as_deref().map(|a| &a[..a.find(['?', '#']).unwrap_or(a.len())]);
    let kind = |ending: &str| candidates.all(Field::Kind).iter().any(|c| c.value.value.ends_with(ending));
    // Blog software calls every page an article; real ones have an author or a publication date.
    let posted = candidates.all(Field::Published).iter().any(|c| matches!(c.value.source, Source::Meta(_)));
    let signed = candidates.all(Field::Author).iter().any(|c| c.rank < authors::VISIBLE + 7);
    let article = kind("Article") || kind("Posting") || (kind("article") && (posted || signed));
    TitleContext {
        sites: sites(candidates, url),
        path: address.as_deref().map(title::path_words).unwrap_or_default(),
        home: plain.is_some_and(|a| a.trim_end_matches('/').matches('/').count() == 2) && !address.is_some_and(|a| a.contains('?')),
        article,
    }
}

/// The input from which the fields are selected.
pub(super) struct FieldSelector {
    pub(super) candidates: Candidates,
    /// Keys of the site's names.
    pub(super) sites: Vec<String>,
    /// Keys of the page's tags, which often share a line with the authors.
    pub(super) sections: Vec<String>,
    /// Whether the page declares itself a news article or a product.
    pub(super) news: bool,
    pub(super) product: bool,
    base: Option<String>,
}

impl FieldSelector {
    /// The best candidate up to rank `worst` that parses as a date.
    fn date(&self, field: Field, language: Option<&str>, worst: u8) -> Option<Value<Date>> {
        let candidates = self.candidates.ranked(field).into_iter().take_while(|c| c.rank <= worst);
        candidates.into_iter().find_map(|c| Date::parse(&c.value.value, language).map(|date| c.value.with(date)))
    }

    fn published(&self, language: Option<&str>, url: Option<&str>) -> Option<Value<Date>> {
        let from_url = || url.and_then(address::date).map(|value| Value { value, source: Source::Url, span: None });
        self.date(Field::Published, language, 49).or_else(from_url).or_else(|| self.date(Field::Published, language, u8::MAX))
    }

    fn address(&self, field: Field) -> Option<Value<String>> {
        self.candidates
            .ranked(field)
            .into_iter()
            .find_map(|c| Some(c.value.with(address::resolve(self.base.as_deref(), &c.value.value)?)))
    }

    fn addresses(&self, field: Field) -> Vec<Value<String>> {
        let mut found: Vec<Value<String>> = Vec::new();
        for c in self.candidates.all(field) {
            let Some(url) = address::resolve(self.base.as_deref(), &c.value.value) else { continue };
            if found.len() < MAX_OTHERS && !found.iter().any(|f| f.value == url) {
                found.push(c.value.with(url));
            }
        }
        found
    }

    fn license(&self) -> Option<Value<String>> {
        let best = self.candidates.best(Field::License)?;
        let relative = matches!(best.source, Source::Link(_) | Source::Markup(_));
        let resolved = address::resolve(self.base.as_deref(), &best.value).filter(|_| relative);
        Some(resolved.map_or_else(|| best.clone(), |url| best.with(url)))
    }

    fn types(&self) -> Vec<Value<String>> {
        let mut found: Vec<Value<String>> = Vec::new();
        for c in self.candidates.ranked(Field::Kind) {
            if found.len() < MAX_OTHERS && !found.iter().any(|f| f.value == c.value.value) {
                found.push(c.value.clone());
            }
        }
        found
    }
}
