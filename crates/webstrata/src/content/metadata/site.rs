//! Site names in titles: finds the points where a title can be split, and the part that is the site's name.

use super::candidates::key;

/// Characters that separate a site name from a title, surrounded by spaces.
const SEPARATORS: [char; 15] = ['|', '-', '–', '—', '»', '«', '·', '•', ':', '/', '›', '>', '~', '⋆', '\u{2003}'];

/// Labels that software puts before a title.
const LABELS: [&str; 8] = ["thread", "topic", "view topic", "viewing topic", "collection", "category", "tag", "tag archives"];

/// A title without a leading or trailing site name. `sites` are keys of the site's names. On a home page a leading name
/// is kept, since the page is about the site.
pub(super) fn without_site(title: &str, sites: &[String], home: bool) -> String {
    let mut title = title.trim();
    // The name may occur twice, or with a section: "Rain - Weather | The Daily Rock".
    for _ in 0..2 {
        let cut = separators(title).into_iter().find_map(|(at, len)| {
            let (front, back) = (title[..at].trim(), title[at + len..].trim());
            // A counter may follow a trailing name; after a leading name it makes the name a title.
            let counted = back.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
            match (is_site(front, sites), is_site(counted, sites)) {
                (false, true) if !front.is_empty() => Some(front),
                (true, false) if !back.is_empty() && !home => Some(back),
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

/// A title without the additions of site software: leading labels, and everything after a vertical bar.
pub(super) fn without_furniture(title: &str, home: bool) -> String {
    let mut title = title.trim();
    if let Some((label, rest)) = title.split_once(": ").or_else(|| title.split_once(" - "))
        && LABELS.iter().any(|l| l.eq_ignore_ascii_case(label.trim()))
        && !rest.trim().is_empty()
    {
        title = rest.trim();
    }
    // Authors rarely use the bar; software puts the names of sections and sites, and slogans, after it. A long text after only two
    // words is the title, though.
    while let Some((front, back)) = title.rsplit_once('|')
        && !home
        && front.ends_with(' ')
        && back.starts_with(' ')
        && front.split_whitespace().take(3).count() >= if back.split_whitespace().nth(3).is_none() { 2 } else { 3 }
    {
        title = front.trim();
    }
    title.to_owned()
}

/// Positions and lengths of a title's last few separators, in reverse order.
fn separators(title: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = title
        .char_indices()
        .filter(|(at, c)| {
            let (before, after) = (title[..*at].ends_with(' '), title[at + c.len_utf8()..].starts_with(' '));
            SEPARATORS.contains(c) && ((before && after) || (matches!(c, ':' | '|' | '»' | '—') && (before || after)))
        })
        .map(|(at, c)| (at, c.len_utf8()))
        .collect();
    found.reverse();
    found.truncate(8);
    found
}

/// The runs of parts of a title, longest first: the text between any two separators, here with or without spaces.
pub(super) fn runs(title: &str) -> Vec<&str> {
    const MAX_PARTS: usize = 12;
    let separates = |c: char| SEPARATORS.contains(&c) || matches!(c, '_' | '(' | ')' | '[' | ']' | '@');
    let mut starts = vec![0];
    let mut ends = Vec::new();
    for (at, c) in title.char_indices().filter(|(_, c)| separates(*c)) {
        if ends.len() < MAX_PARTS {
            ends.push(at);
            starts.push(at + c.len_utf8());
        }
    }
    ends.push(title.len());
    let mut runs: Vec<&str> = Vec::new();
    for (first, start) in starts.iter().enumerate() {
        runs.extend(ends[first..].iter().filter_map(|end| title.get(*start..*end)).map(str::trim).filter(|run| !run.is_empty()));
    }
    runs.sort_by_key(|run| std::cmp::Reverse(run.len()));
    runs
}

/// Whether a part of a title is a name of the site.
pub(super) fn is_site(part: &str, sites: &[String]) -> bool {
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
                        matches!(
                            rest,
                            "com" | "org" | "net" | "blog" | "inc" | "docs" | "documentation" | "news" | "io" | "online" | "s"
                        )
                    }))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn site_names_are_removed() {
        let sites = ["thedailyrock".to_owned(), "rockexample".to_owned()];
        let table = [
            ("Rain | The Daily Rock", "Rain"),
            ("Rain - Daily Rock", "Rain"),
            ("The Daily Rock: Rain", "Rain"),
            ("Rain – in the valley – The Daily Rock", "Rain – in the valley"),
            ("Rain - The Daily Rock 12", "Rain"),
            ("Rain - Snow", "Rain - Snow"),
            ("The Daily Rock", "The Daily Rock"),
            ("Rain-The Daily Rock", "Rain-The Daily Rock"),
            ("", ""),
        ];
        for (title, expected) in table {
            assert_eq!(without_site(title, &sites, false), expected, "{title}");
        }
        assert_eq!(without_site("The Daily Rock: All weather", &sites, true), "The Daily Rock: All weather");
        assert_eq!(without_site("All weather | The Daily Rock", &sites, true), "All weather");
    }

    #[test]
    fn furniture_is_removed() {
        let table = [
            ("Rain at last | Weather | Rock Press", "Rain at last"),
            ("Rain | Weather in the valley", "Rain | Weather in the valley"),
            ("Rain falls | rock.example", "Rain falls"),
            ("BUDGET 3.0 | Rain tax for roofs", "BUDGET 3.0 | Rain tax for roofs"),
            ("f(x) = a|b", "f(x) = a|b"),
            ("Thread: How to mend a roof", "How to mend a roof"),
            ("View topic - Roofs", "Roofs"),
            ("Rain: a study", "Rain: a study"),
        ];
        for (title, expected) in table {
            assert_eq!(without_furniture(title, false), expected, "{title}");
        }
        assert_eq!(without_furniture("Rain and snow | Rock", true), "Rain and snow | Rock");
    }

    #[test]
    fn runs_of_parts() {
        assert_eq!(runs("Rain_English_Rock"), ["Rain_English_Rock", "Rain_English", "English_Rock", "English", "Rain", "Rock"]);
        assert_eq!(runs(&"a|".repeat(1000)).len(), 91);
    }
}
