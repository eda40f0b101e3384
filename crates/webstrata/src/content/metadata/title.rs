//! The title: what the page's several titles agree on, without the name of the site.

use super::gather::{Candidate, key};
use super::markup::Heading;
use super::source::{Source, Value};
use std::collections::BTreeSet;

/// What separates the name of a site from a title, with spaces round it.
const SEPARATORS: [char; 14] = ['|', '-', '–', '—', '»', '«', '·', '•', ':', '/', '›', '~', '⋆', '\u{2003}'];

/// A title without the site's name in front of it or behind it. `sites` are keys of the site's names.
pub(super) fn without_site(title: &str, sites: &[String]) -> String {
    let mut title = title.trim();
    // The name may be there twice, or with a section: "Rain - Weather | The Daily Rock".
    for _ in 0..2 {
        let cut = cuts(title).into_iter().find_map(|(at, len)| {
            let (front, back) = (title[..at].trim(), title[at + len..].trim());
            match (is_site(front, sites), is_site(back, sites)) {
                (false, true) if !front.is_empty() => Some(front),
                (true, false) if !back.is_empty() => Some(back),
                _ => None,
            }
        });
        match cut {
            Some(rest) => title = rest,
            None => break,
        }
    }
    title.to_owned()
}

/// Places where a title can be cut: the last separators first, at most a few.
fn cuts(title: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = title
        .char_indices()
        .filter(|(at, c)| {
            let (before, behind) = (title[..*at].ends_with(' '), title[at + c.len_utf8()..].starts_with(' '));
            SEPARATORS.contains(c) && ((before && behind) || (matches!(c, ':' | '|' | '»' | '—') && (before || behind)))
        })
        .map(|(at, c)| (at, c.len_utf8()))
        .collect();
    found.reverse();
    found.truncate(8);
    found
}

fn is_site(part: &str, sites: &[String]) -> bool {
    let part = key(part);
    // "rock.example.com", "The Daily Rock", "Daily Rock", "The Daily Rock Blog"
    !part.is_empty()
        && sites.iter().any(|site| {
            let (a, b) = (part.trim_start_matches("the"), site.trim_start_matches("the"));
            // The host of "Koia" is drinkkoia.com.
            let in_host = a.len() >= 4 && a.len() * 2 >= b.len() && (b.starts_with(a) || b.ends_with(a));
            a == b
                || in_host
                || (b.len() >= 4
                    && a.strip_prefix(b).is_some_and(|rest| {
                        matches!(rest, "com" | "org" | "net" | "blog" | "inc" | "docs" | "documentation" | "news" | "io")
                    }))
        })
}

/// Do two titles say the same, one perhaps with something more?
fn agree(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short == long || (short.len() >= 8 && long.contains(short))
}

/// How many of the words of the shorter title are in the other, in percent.
fn common(a: &str, b: &str) -> usize {
    let words = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).map(str::to_lowercase).collect::<BTreeSet<_>>()
    };
    let (a, b) = (words(a), words(b));
    100 * a.intersection(&b).count() / a.len().min(b.len()).max(1)
}

/// The title out of the candidates, best first.
pub(super) fn choose(candidates: &[&Candidate], headings: &[Heading], sites: &[String]) -> Option<Value<String>> {
    let cleaned: Vec<(String, Value<String>)> = candidates
        .iter()
        .take(24)
        .map(|c| c.value.with(without_site(&c.value.value, sites)))
        .filter(|v| !v.value.is_empty())
        .map(|v| (key(&v.value), v))
        .collect();
    let shown: Vec<(String, &Heading)> = headings
        .iter()
        .filter(|h| h.text.len() < 400)
        .map(|h| (key(&h.text), h))
        .filter(|(text, _)| !text.is_empty() && !sites.contains(text))
        .collect();
    let value = |h: &Heading| {
        let text = h.text.trim_end_matches(['¶', '#', ' ']);
        Value { value: without_site(text, sites), source: Source::Element("h1"), span: Some(h.span) }
    };
    // A heading that some other title repeats is the title as readers see it.
    let agreed = shown.iter().find(|(text, _)| cleaned.iter().any(|(other, _)| agree(text, other)));
    if let Some((text, heading)) = agreed {
        // "Thread: How to …": the heading has something in front that is not the title's.
        let inner = cleaned.iter().find(|(other, v)| {
            matches!(v.source, Source::JsonLd("headline") | Source::Meta("og:title" | "citation_title"))
                && text.len() > other.len()
                && text.ends_with(other)
                && other.len() * 2 > text.len()
        });
        return Some(inner.map_or_else(|| value(heading), |(_, v)| v.clone()));
    }
    let main: Vec<&Heading> = shown.iter().map(|(_, h)| *h).filter(|h| !h.aside).collect();
    if let [only] = main.as_slice()
        && only.text.chars().count() >= 4
    {
        // A heading that shares no words with the title that the page gives to others is a slogan.
        let slogan =
            cleaned.first().is_some_and(|(_, v)| v.source != Source::Element("title") && common(&only.text, &v.value) < 40);
        if !slogan {
            return Some(value(only));
        }
    }
    cleaned.into_iter().map(|(_, v)| v).next().or_else(|| main.first().map(|h| value(h)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sites_are_cut() {
        let sites = ["thedailyrock".to_owned(), "rockexample".to_owned()];
        let table = [
            ("Rain | The Daily Rock", "Rain"),
            ("Rain - Daily Rock", "Rain"),
            ("The Daily Rock: Rain", "Rain"),
            ("Rain – in the valley – The Daily Rock", "Rain – in the valley"),
            ("Rain - Snow", "Rain - Snow"),
            ("The Daily Rock", "The Daily Rock"),
            ("Rain-The Daily Rock", "Rain-The Daily Rock"),
            ("", ""),
        ];
        for (title, expected) in table {
            assert_eq!(without_site(title, &sites), expected, "{title}");
        }
    }
}
