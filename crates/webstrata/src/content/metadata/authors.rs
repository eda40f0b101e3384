//! Selects the authors from the candidates.
//!
//! Software often records the site, a company or an account as the author of a page whose byline names a person. People name sites
//! after themselves, so a site's name may be an author's, but a person named in a byline is preferred. On news pages the site
//! or an agency is the author if the page declares it and names nobody else.

use super::author;
use super::candidates::{Candidate, Field, key};
use super::select::FieldSelector;
use super::site::is_site;
use super::source::{Source, Value};

/// Lowest rank of candidates from visible text.
pub(super) const VISIBLE: u8 = 50;

const MAX_AUTHORS: usize = 32;

/// The names to accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// Names of people other than the site's.
    People,
    /// Names that may belong to people.
    Names,
    /// Any declared name.
    Any,
}

/// Whether a name looks like that of an account.
fn is_account_name(name: &str) -> bool {
    !name.contains(' ') && (name.starts_with(char::is_lowercase) || name.chars().any(|c| matches!(c, '.' | '_' | '0'..='9')))
}

impl FieldSelector {
    pub(super) fn authors(&self) -> Vec<Value<String>> {
        let mut ranked = self.candidates.ranked(Field::Author);
        if self.product {
            // Visible names on product pages are those of reviewers and brands.
            ranked.retain(|c| c.rank < VISIBLE);
        }
        let best = self.first_authors(&ranked, Wanted::Names);
        // Prefer a person to the site.
        if let [only] = best.as_slice()
            && is_site(&only.value, &self.sites)
        {
            let people = self.first_authors(&ranked, Wanted::People);
            let repeated = people.iter().any(|a| key(&a.value).contains(&key(&only.value)));
            if !people.is_empty() && !repeated {
                return people;
            }
        }
        if best.is_empty() && self.news {
            ranked.retain(|c| !matches!(c.value.source, Source::Markup(_) | Source::Text(_)));
            return self.first_authors(&ranked, Wanted::Any);
        }
        // Prefer the visible name to an account name.
        if let [only] = best.as_slice()
            && is_account_name(&only.value)
        {
            ranked.retain(|c| (VISIBLE..VISIBLE + 6).contains(&c.rank));
            let seen = self.first_authors(&ranked, Wanted::Names);
            if seen.first().is_some_and(|a| a.value.contains(' ')) {
                return seen;
            }
        }
        self.more_authors(&ranked, &best).unwrap_or(best)
    }

    /// A visible byline that names all of these authors and more: software often records only the first author.
    fn more_authors(&self, ranked: &[&Candidate], declared: &[Value<String>]) -> Option<Vec<Value<String>>> {
        let hidden = declared.first().is_some_and(|a| !matches!(a.source, Source::Markup(_) | Source::Text(_)));
        let visible = ranked.iter().filter(|c| hidden && (VISIBLE..VISIBLE + 6).contains(&c.rank)).take(16);
        visible.into_iter().find_map(|c| {
            let names = self.names(c, Wanted::Names);
            let has = |author: &Value<String>| names.iter().any(|name| key(name).ends_with(&key(&author.value)));
            let more = names.len() > declared.len() && names.len() <= 8 && declared.iter().all(has);
            more.then(|| names.into_iter().map(|name| c.value.with(name)).collect())
        })
    }

    /// The authors from the best source that names any.
    fn first_authors(&self, ranked: &[&Candidate], wanted: Wanted) -> Vec<Value<String>> {
        for (at, first) in ranked.iter().enumerate() {
            if self.names(first, wanted).is_empty() {
                continue;
            }
            let mut found: Vec<Value<String>> = Vec::new();
            let mut last_end = first.value.span.map_or(0, |s| s.end);
            for c in ranked[at..].iter().take_while(|c| c.rank == first.rank).filter(|c| c.value.source == first.value.source) {
                // In markup, co-authors are close together; a distant one belongs to another article.
                if matches!(c.value.source, Source::Markup(_) | Source::Text(_) | Source::Microdata(_) | Source::Rdfa(_)) {
                    let start = c.value.span.map_or(0, |s| s.start);
                    if start > last_end.saturating_add(300) || (c.rank > 50 && !found.is_empty()) {
                        break;
                    }
                    last_end = c.value.span.map_or(0, |s| s.end);
                }
                for name in self.names(c, wanted) {
                    if found.len() < MAX_AUTHORS && !found.iter().any(|f| key(&f.value) == key(&name)) {
                        found.push(c.value.with(name));
                    }
                }
            }
            if !found.is_empty() {
                return found;
            }
        }
        Vec::new()
    }

    fn names(&self, c: &Candidate, wanted: Wanted) -> Vec<String> {
        let text: String = c.value.value.chars().take(600).collect();
        let visible = matches!(c.value.source, Source::Markup(_) | Source::Text(_));
        // A visible byline may name the site itself as author.
        let sites: &[String] = if visible || wanted == Wanted::Any { &[] } else { &self.sites };
        let mut names = match c.value.source {
            Source::Meta("citation_author" | "dc.creator" | "dcterms.creator") => {
                author::names(&author::given_name_first(&text), sites)
            }
            _ => author::names(&text, sites),
        };
        match c.value.source {
            // Text that happens to start with "by" must look like a name.
            Source::Text(_) => names.retain(|name| name.contains(' ') || !name.is_ascii()),
            // Sections are often in the same line.
            Source::Markup(_) => names.retain(|name| author::is_person(name) || !self.sections.contains(&key(name))),
            _ => {}
        }
        if wanted == Wanted::People {
            names.retain(|name| author::is_person(name) && !is_site(name, &self.sites));
        }
        names
    }
}
