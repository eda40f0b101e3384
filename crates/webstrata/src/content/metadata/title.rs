//! The title: the one that a page's titles agree on, without the name of the site.
//!
//! A page declares titles for machines (`title`, `og:title`, a headline in JSON-LD) and shows one to its readers. The
//! visible title is preferred if it can be found: it has no site name and is not truncated. The declared titles identify
//! the heading that is the title; if they disagree with the only heading, the words of the page's address decide.

use super::candidates::{Candidate, collapse, key, key_chars};
use super::site::{is_site, runs, without_furniture, without_site};
use super::source::{Source, Value};
use super::visible::{Crumb, Heading, Level};
use crate::html::{Dom, Tag};
use std::collections::{BTreeMap, BTreeSet};

/// Minimum length of a truncated headline: software cuts headlines for search engines at 110 characters, sometimes at 60.
const MIN_TRUNCATED: usize = 50;

/// Context for choosing among titles.
#[derive(Debug, Default)]
pub(super) struct TitleContext {
    /// Keys of the site's names.
    pub(super) sites: Vec<String>,
    /// Words of the page's address, without the host.
    pub(super) path: BTreeSet<String>,
    /// Whether this is the home page of the site.
    pub(super) home: bool,
    /// Whether the page declares itself an article.
    pub(super) article: bool,
}

impl TitleContext {
    fn clean(&self, title: &str) -> String {
        without_furniture(&without_site(title, &self.sites, self.home), self.home)
    }

    fn value(&self, heading: &Heading) -> Value<String> {
        let text = heading.text.trim_end_matches(['¶', '#', ' ']);
        let source = match heading.level {
            Level::First => Source::Element("h1"),
            Level::Second => Source::Element("h2"),
            Level::Marked => Source::Markup("title"),
        };
        Value { value: self.clean(text), source, span: Some(heading.span) }
    }

    /// Number of words that a title shares with the URL.
    fn words_in_path(&self, title: &str) -> usize {
        words(title).intersection(&self.path).count()
    }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect()
}

/// Words in the path of an address, without long numbers.
pub(super) fn path_words(url: &str) -> BTreeSet<String> {
    let path = url.split_once("://").and_then(|(_, rest)| rest.split_once('/')).map_or("", |(_, path)| path);
    let end = path.char_indices().map(|(at, _)| at).nth(400).unwrap_or(path.len());
    let mut words = words(&path[..end]);
    words.retain(|word| !(word.len() > 4 && word.bytes().all(|b| b.is_ascii_digit())) && word != "html");
    words
}

/// Whether a heading and another title agree, one of them possibly longer. A heading that merely
/// contains the `name` of an item does not count, since another title may match better.
fn agrees(heading: &str, other: &str, source: Source) -> bool {
    let (short, long) = if heading.len() < other.len() { (heading, other) } else { (other, heading) };
    let name = matches!(source, Source::JsonLd("name") | Source::Microdata("name") | Source::Rdfa("name"));
    short == long || (short.len() >= 8 && long.contains(short) && !(name && short == other))
}

/// Percentage of the shorter title's words that are in the other.
fn word_overlap(a: &str, b: &str) -> usize {
    let (a, b) = (words(a), words(b));
    100 * a.intersection(&b).count() / a.len().min(b.len()).max(1)
}

/// Selects the title from the candidates, which are ordered best first.
pub(super) fn select(
    dom: &Dom<'_>,
    candidates: &[&Candidate],
    headings: &[Heading],
    context: &TitleContext,
) -> Option<Value<String>> {
    let mut cleaned: Vec<(String, Value<String>)> = candidates
        .iter()
        .take(24)
        .map(|c| c.value.with(context.clean(&c.value.value)))
        .filter(|v| !v.value.is_empty())
        .map(|v| (key(&v.value), v))
        .collect();
    restore_truncated(&mut cleaned);
    // If a page declares only the name of its site, its own title is among the headings.
    if !context.home {
        let (names, titles): (Vec<_>, Vec<_>) = cleaned.into_iter().partition(|(_, v)| is_site(&v.value, &context.sites));
        cleaned = titles;
        if cleaned.is_empty() {
            let visible = fallback(headings, context);
            return visible.or_else(|| names.into_iter().map(|(_, v)| v).next());
        }
    }
    let (crumbs, visible): (Vec<_>, Vec<_>) = headings
        .iter()
        .filter(|h| h.level == Level::First && h.text.len() < 400)
        .map(|h| (key(&h.text), h))
        .filter(|(text, h)| !text.is_empty() && !is_site(&h.text, &context.sites))
        .partition(|(_, h)| h.crumb == Some(Crumb::Certain));
    // A heading repeated by a declared title is the visible title.
    let repeated = |(text, _): &&(String, &Heading)| cleaned.iter().any(|(other, v)| agrees(text, other, v.source));
    let found: Option<&(String, &Heading)> = visible.iter().find(repeated);
    let found = found.or_else(|| crumbs.iter().find(repeated));
    let trail = found.filter(|(_, h)| h.crumb.is_some());
    if let Some((text, heading)) = trail
        && let Some(title) = headline_besides(text, heading, headings, &cleaned, context)
    {
        return Some(title);
    }
    if let Some((text, heading)) = found {
        return Some(title_inside(text, heading, &cleaned).unwrap_or_else(|| context.value(heading)));
    }
    let main: Vec<&Heading> = visible.iter().map(|(_, h)| *h).filter(|h| !h.aside).collect();
    if let ([only], Some((_, best))) = (main.as_slice(), cleaned.first())
        && only.text.chars().count() >= 4
        && is_better(only, best, context)
    {
        return Some(context.value(only));
    }
    if let Some(line) = visible_line(dom, candidates, context)
        && cleaned.first().is_none_or(|(best, _)| *best != key(&line.value))
    {
        return Some(line);
    }
    cleaned.into_iter().map(|(_, v)| v).next().or_else(|| fallback(headings, context))
}

/// The title of a page whose `h1` ends a breadcrumb trail, if the page declares a different one: the heading that repeats the
/// declared title, or that title itself if the `h1` is certainly not a headline.
fn headline_besides(
    crumb: &str,
    heading: &Heading,
    headings: &[Heading],
    cleaned: &[(String, Value<String>)],
    context: &TitleContext,
) -> Option<Value<String>> {
    let differs = |(other, v): &&(String, Value<String>)| {
        matches!(v.source, Source::JsonLd("headline") | Source::Meta("og:title" | "twitter:title"))
            && !agrees(crumb, other, v.source)
    };
    let declared: Vec<(String, Value<String>)> = cleaned.iter().filter(differs).cloned().collect();
    let others = headings.iter().filter(|h| h.level != Level::First && !h.aside && h.text.len() < 400);
    let shown = others
        .map(|h| (key(&h.text), h))
        .find(|(text, _)| text.len() >= 12 && declared.iter().any(|(other, v)| agrees(text, other, v.source)));
    if let Some((text, heading)) = shown {
        return Some(title_inside(&text, heading, &declared).unwrap_or_else(|| context.value(heading)));
    }
    declared.into_iter().map(|(_, v)| v).next().filter(|_| heading.crumb == Some(Crumb::Certain))
}

/// Whether the only heading is a better title than the best declared one, although they differ.
fn is_better(heading: &Heading, best: &Value<String>, context: &TitleContext) -> bool {
    let (ours, theirs) = (context.words_in_path(&heading.text), context.words_in_path(&best.value));
    let only_title = best.source == Source::Element("title");
    // A heading that shares no words with the declared title is a slogan.
    let slogan = !only_title && word_overlap(&heading.text, &best.value) < 20;
    ours > theirs || (ours == theirs && !slogan && !context.home && (context.article || only_title))
}

/// The title inside a longer heading: "Thread: How to mend a roof", "Rain at last (14 comments)".
fn title_inside(text: &str, heading: &Heading, cleaned: &[(String, Value<String>)]) -> Option<Value<String>> {
    let found = cleaned.iter().find(|(other, v)| {
        let more = text.len() > other.len() && other.len() * 2 > text.len();
        let labelled = text.ends_with(other.as_str())
            && matches!(v.source, Source::JsonLd("headline") | Source::Meta("og:title" | "citation_title"));
        let counted = heading.text.get(v.value.len()..).is_some_and(|rest| rest.trim_start().starts_with('('))
            && text.starts_with(other.as_str());
        more && (labelled || counted)
    });
    found.map(|(_, v)| v.clone())
}

/// Replaces truncated titles with complete ones.
fn restore_truncated(cleaned: &mut [(String, Value<String>)]) {
    for at in 0..cleaned.len() {
        let (key, value) = &cleaned[at];
        let marked = value.value.ends_with('…') || value.value.ends_with("...");
        let long = value.source == Source::JsonLd("headline") && value.value.chars().count() >= MIN_TRUNCATED;
        if !marked && !long {
            continue;
        }
        let whole = cleaned.iter().find(|(other, v)| {
            let same = value.value.trim_end_matches(['…', '.', ' ']);
            let rest = v.value.get(same.len()..).filter(|_| v.value.starts_with(same)).unwrap_or("");
            // After a separator comes the name of the site.
            let continues = !rest.trim_start().starts_with(['|', '-', '–', '—', '»', '·', '•', ':', '…', '.']);
            other.len() > key.len() && !rest.is_empty() && continues
        });
        if let Some(whole) = whole.cloned() {
            cleaned[at] = whole;
        }
    }
}

/// A line of the page that equals a run of parts of a title, for pages without an `h1`. The longest line wins. Lines that
/// are links anywhere on the page, or are above or below the content, are names of sections and sites.
fn visible_line(dom: &Dom<'_>, candidates: &[&Candidate], context: &TitleContext) -> Option<Value<String>> {
    let runs = candidates.iter().take(4).flat_map(|c| runs(&c.value.value));
    let mut wanted: BTreeMap<String, Option<Value<String>>> = runs
        .filter(|run| run.split_whitespace().take(2).count() == 2 && run.len() >= 10 && !is_site(run, &context.sites))
        .map(|run| (key(run), None))
        .collect();
    let longest = wanted.keys().map(String::len).max()?;
    let first_letters: BTreeSet<Option<char>> = wanted.keys().map(|key| key.chars().next()).collect();
    // Headlines are longer than names of sites and sections.
    let named = |run: &str| run.split_whitespace().take(5).count() < 5;
    let (mut outside_end, mut linked) = (0, BTreeSet::new());
    for node in dom.find(Tag::BODY)?.descendants() {
        if matches!(node.tag(), Tag::A | Tag::HEADER | Tag::FOOTER | Tag::NAV | Tag::OPTION) {
            // The header of an article contains its title.
            let own = node.tag() == Tag::HEADER && node.ancestors().take(8).any(|n| matches!(n.tag(), Tag::ARTICLE | Tag::MAIN));
            outside_end = if own { outside_end } else { outside_end.max(dom.record(node.number()).end) };
        }
        let length = node.span().len() as usize;
        if node.tag() != Tag::TEXT || length < 10 || length > 4 * longest {
            continue;
        }
        let text = dom.run_text(node.number());
        if !first_letters.contains(&key_chars(&text).next()) {
            continue;
        }
        let line = key(&text);
        let Some(visible) = wanted.get_mut(&line) else { continue };
        if node.number() < outside_end {
            if named(&text) {
                linked.insert(line);
            }
        } else if visible.is_none() && node.parent().is_some_and(|p| !matches!(p.tag(), Tag::SCRIPT | Tag::STYLE | Tag::TITLE)) {
            *visible = Some(Value { value: collapse(&text), source: Source::Text("title"), span: Some(node.span()) });
        }
    }
    wanted
        .into_iter()
        .filter(|(line, _)| !linked.contains(line))
        .filter_map(|(line, v)| Some((line.len(), v?)))
        .max_by_key(|v| v.0)
        .map(|v| v.1)
}

/// The first heading of the highest level that can be a title.
fn fallback(headings: &[Heading], context: &TitleContext) -> Option<Value<String>> {
    [Level::First, Level::Marked, Level::Second].into_iter().find_map(|level| {
        let mut same = headings.iter().filter(|h| h.level == level && !h.aside && !is_site(&h.text, &context.sites));
        // Lower-level headings must look like a title.
        same.find(|h| h.text.len() < 400 && (level == Level::First || h.text.split_whitespace().take(3).count() == 3))
            .map(|h| context.value(h))
    })
}
