//! Authors: extracts names from bylines and lists, and rejects everything else.

mod checks;

pub(super) use checks::is_person;

use super::candidates::{collapse, key};
use super::date::Date;
use checks::{PARTICLES, ROLES, has_role, is_credential, is_name, is_personal};

/// Phrases that precede a name.
const PREFIXES: [&str; 47] = [
    "this article was written by",
    "this post was written by",
    "article by",
    "authored by",
    "guide by",
    "review by",
    "contributors",
    "contributor",
    "via",
    "written by",
    "posted by",
    "published by",
    "story by",
    "words by",
    "reported by",
    "created by",
    "submitted by",
    "started by",
    "thread starter",
    "post author",
    "by",
    "author",
    "authors",
    "von",
    "par",
    "por",
    "di",
    "автор",
    "от",
    "作者",
    "文",
    "door",
    "text",
    "tekst",
    "texte",
    "texto",
    "autorin/autor",
    "autorin",
    "autoren",
    "autor",
    "autores",
    "auteur",
    "autore",
    "skrevet av",
    "penulis",
    "oleh",
    "記者",
];

/// Words that end a name, because a date, a role or somebody else follows.
const TERMINATORS: [&str; 32] = [
    "published", "updated", "last update", "read time", "view all", "sponsored", "posted", "last updated", "reviewed by",
    "medically reviewed", "fact checked", "edited by", "on", "in", "at", "min read", "view bio", "see full bio", "read more",
    "view profile", "follow", "is a", "is the", "from", "for", "with", "photos by", "photography by", "image", "more by", "share",
    "joined",
];

/// Extracts the names from a text that names authors. `sites` are keys of the site's names. The site is not an author, unless
/// its name looks like a person's: people name sites after themselves.
pub(super) fn names(text: &str, sites: &[String]) -> Vec<String> {
    if text.trim_start().starts_with("http") {
        return Vec::new();
    }
    let text = family_name_last(&strip(text));
    let mut found: Vec<String> = Vec::new();
    for piece in split(&text) {
        let whole = without_repetition(&trim_name(&piece));
        let piece = without_role(&whole);
        // "Jo Ash, Home and Garden Expert": the rest of a role is not a name, unless it looks like a person's.
        if piece != whole && !found.is_empty() && !is_personal(&piece.split(' ').collect::<Vec<_>>()) {
            continue;
        }
        // A single word after a full name is a place, a newspaper or a topic.
        let unlikely = found.first().is_some_and(|f| f.contains(' ')) && !piece.contains(' ') && piece.is_ascii();
        // Nor is a lower-case phrase after a capitalised name: "Jo Ash, retired teacher".
        let small = |name: &str| name.starts_with(char::is_lowercase) && name.contains(' ');
        let unlikely = unlikely || (small(&piece) && found.first().is_some_and(|f| f.starts_with(char::is_uppercase)));
        if is_credential(&piece)
            && let Some(last) = found.last_mut()
        {
            // "Jane Doe, MD"
            last.push_str(", ");
            last.push_str(&piece);
        } else if is_name(&piece, sites)
            && !(!found.is_empty() && (unlikely || has_role(&piece)))
            && !found.iter().any(|f| key(f) == key(&piece))
        {
            found.push(piece);
        } else if !found.is_empty() {
            // Probably a role: another name may follow, but more often does not.
            continue;
        }
    }
    found.truncate(32);
    found
}

/// Turns "Doe, Jane" into "Jane Doe" if that is unambiguous: two single words, neither of which is a role or a credential.
fn family_name_last(text: &str) -> String {
    let single = |word: &str| {
        word.starts_with(char::is_uppercase)
            && !word.contains([' ', ';'])
            && !is_credential(word)
            && !has_role(word)
            && is_name(word, &[])
    };
    match text.split_once(", ") {
        Some((family, given)) if single(family) && single(given.trim()) => format!("{} {family}", given.trim()),
        _ => text.to_owned(),
    }
}

/// Turns "Doe, Jane", as in bibliographies, into "Jane Doe".
pub(super) fn given_name_first(name: &str) -> String {
    match name.split_once(',') {
        Some((family, given)) if !given.contains(',') && !family.trim().contains(' ') => {
            format!("{} {}", given.trim(), family.trim())
        }
        _ => name.to_owned(),
    }
}

/// Removes the text before and after the names.
fn strip(text: &str) -> String {
    let mut text = collapse(text);
    for _ in 0..3 {
        let lower = text.to_lowercase();
        let Some(start) = PREFIXES.iter().find_map(|word| {
            let rest = lower.strip_prefix(word)?;
            // Some letters take more bytes in lower case.
            let same = text.len() == lower.len();
            // "byMaren Tolliver": the word was in an element of its own.
            let glued = word.ends_with("by") && same && text[word.len()..].starts_with(char::is_uppercase);
            let bounded = rest.is_empty() || rest.starts_with([' ', ':', '：', '|', '/', '-']) || !word.is_ascii() || glued;
            (same && bounded).then_some(word.len())
        }) else {
            break;
        };
        text = text[start..].trim_start_matches([' ', ':', '：', '|', '/', '-', '–']).to_owned();
    }
    // "Post by", "Originally published by"
    let words: Vec<&str> = text.split(' ').take(5).collect();
    let verb = |at: usize| {
        matches!(words[at].to_lowercase().as_str(), "written" | "posted" | "published" | "post" | "article" | "story" | "reported")
    };
    let by = words.iter().position(|w| w.trim_end_matches(':').eq_ignore_ascii_case("by"));
    if let Some(by) = by.filter(|at| *at > 0 && verb(at - 1)) {
        text = text.split(' ').skip(by + 1).collect::<Vec<_>>().join(" ");
    }
    // "capital von Jo Ash": a name does not begin like this.
    if let Some(at) = [" von ", " by ", " par ", " por "].iter().find_map(|by| Some(text.find(by)? + by.len()))
        && text.starts_with(char::is_lowercase)
        && text[at..].starts_with(char::is_uppercase)
        && text[..at].split(' ').filter(|word| !word.is_empty()).count() == 2
        && !PARTICLES.iter().any(|particle| text.starts_with(&format!("{particle} ")))
    {
        text.drain(..at);
    }
    // A leading date.
    if text.starts_with(|c: char| c.is_ascii_digit()) || starts_with_month(&text.split(' ').collect::<Vec<_>>()) {
        text = text.split_once(['|', '·', '•', '—']).map_or_else(String::new, |(_, rest)| rest.trim().to_owned());
    }
    let cut = text
        .find(['|', '·', '•', '(', '[', '<', '>', '/', '—', '»', '\u{2013}', '\u{2022}', '“', '"', '…', '!', '?', '{', '=', '#']);
    if let Some(at) = cut {
        text.truncate(at);
    }
    // "كتبت: …": one word and a colon introduce the name.
    if let Some((label, rest)) = text.split_once(": ")
        && !label.trim().contains(' ')
        && !rest.trim().is_empty()
    {
        text = rest.trim().to_owned();
    }
    let spaced = text.find(" - ").or_else(|| text.find(": ")).or_else(|| sentence_end(&text));
    if let Some(at) = spaced {
        text.truncate(at);
    }
    let mut words: Vec<&str> = text.split(' ').collect();
    let ends = (1..words.len()).find(|at| {
        // "Stand On": at the end it is part of the name.
        if at + 1 == words.len() && matches!(words[*at].to_lowercase().as_str(), "on" | "in" | "at" | "for" | "with" | "from") {
            return false;
        }
        let rest = words[*at..words.len().min(at + 4)].join(" ").to_lowercase();
        let ended = TERMINATORS
            .iter()
            .any(|end| rest.strip_prefix(end).is_some_and(|r| r.is_empty() || r.starts_with([' ', ':', ',', '.'])));
        ended || (words[*at].starts_with(|c: char| c.is_ascii_digit())) || starts_with_month(&words[*at..])
    });
    if let Some(at) = ends {
        words.truncate(at);
    }
    words.retain(|w| !w.contains('@') && !w.contains("://") && !w.starts_with("www."));
    words.join(" ")
}

/// The end of the sentence that contains the names. An initial or an abbreviated title does not end it: "William K. Rashbaum".
fn sentence_end(text: &str) -> Option<usize> {
    let ends = text.match_indices(". ").map(|(at, _)| at);
    ends.filter(|at| *at > 20).find(|at| {
        let word = text[..*at].rsplit([' ', '.', ',']).next().unwrap_or_default();
        word.chars().count() > 2 && !matches!(word.to_lowercase().as_str(), "prof" | "mag" | "ing" | "rev" | "med")
    })
}

/// Whether these words start a date such as "May 13, 2024" or "Monday, May 13".
fn starts_with_month(words: &[&str]) -> bool {
    let few = words[..words.len().min(4)].join(" ");
    words.first().is_some_and(|w| super::months::month(&w.to_lowercase().replace(['.', ','], "")).is_some())
        && Date::parse(&few, None).is_some()
}

/// Splits a list of names.
fn split(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for part in text.split([',', ';', '、', '，', '・']) {
        // "Home and Security Expert" is one role.
        if has_role(part) {
            pieces.push(part.to_owned());
            continue;
        }
        let mut rest = part;
        // "Jane Doe and John Roe" are two names; "Research and Development" is rejected later.
        while let Some((at, len)) = conjunction(rest) {
            pieces.push(rest[..at].to_owned());
            rest = &rest[at + len..];
        }
        pieces.push(rest.trim().strip_prefix("and ").unwrap_or(rest).to_owned());
    }
    pieces
}

/// Position and length of the first conjunction between two names. Short words also occur inside names, so they count only
/// between two personal names.
fn conjunction(text: &str) -> Option<(usize, usize)> {
    const CERTAIN: [&str; 7] = [" and ", " & ", " + ", " und ", " et ", " y ", " och "];
    const BETWEEN_NAMES: [&str; 10] = [" og ", " en ", " e ", " i ", " ja ", " ve ", " dan ", " và ", " и ", " та "];
    let personal = |name: &str| is_personal(&name.split_whitespace().collect::<Vec<_>>());
    let certain = CERTAIN.iter().filter_map(|and| text.find(and).map(|at| (at, and.len())));
    let between = BETWEEN_NAMES.iter().filter_map(|and| {
        let at = text.find(and)?;
        let rest = &text[at + and.len()..];
        let next = BETWEEN_NAMES.iter().filter_map(|and| rest.find(and)).min().unwrap_or(rest.len());
        (personal(&text[..at]) && personal(&rest[..next])).then_some((at, and.len()))
    });
    certain.chain(between).min()
}

fn trim_name(piece: &str) -> String {
    let piece = piece.trim().strip_suffix(" and").unwrap_or(piece);
    piece.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '*' | '_' | '\'' | '~')).to_owned()
}

/// Removes the repetition of a name that is also the alternative text of a picture.
fn without_repetition(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let half = words.len() / 2;
    if words.len() > 1 && words[..half] == words[half..] { words[..half].join(" ") } else { name.to_owned() }
}

/// Words for a reporter that follow the name in East Asian bylines.
const SUFFIXES: [&str; 8] = ["기자", "특파원", "선임기자", "논설위원", "記者", "记者", "編集委員", "通讯员"];

/// "Jane Doe Senior Writer" without the role.
fn without_role(piece: &str) -> String {
    // "신현주 기자", "박준석 기자 외 1명"
    let piece = piece.split(" 외 ").next().unwrap_or(piece).trim_end_matches(" 외").trim();
    if let Some(name) = SUFFIXES.iter().find_map(|suffix| piece.strip_suffix(suffix)).map(str::trim)
        && name.chars().count() >= 2
    {
        return name.to_owned();
    }
    const ROLE_MODIFIERS: [&str; 14] = [
        "senior", "former", "deputy", "tech", "associate", "managing", "staff", "contributing", "executive", "lead", "freelance",
        "news", "guest", "content",
    ];
    let words: Vec<&str> = piece.split(' ').collect();
    let lower: Vec<String> = words.iter().map(|w| w.to_lowercase()).collect();
    if words.len() < 3 || !lower.last().is_some_and(|w| ROLES.contains(&w.as_str())) {
        return piece.to_owned();
    }
    let from =
        lower.iter().position(|w| ROLES.contains(&w.as_str()) || ROLE_MODIFIERS.contains(&w.as_str())).unwrap_or(words.len());
    if from >= 2 { words[..from].join(" ") } else { piece.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_bylines() {
        let table: [(&str, &[&str]); 39] = [
            ("By Maren Tolliver", &["Maren Tolliver"]),
            ("Written by: Maren Tolliver | 13 May 2024", &["Maren Tolliver"]),
            ("By Maren Tolliver and Jo Ash", &["Maren Tolliver", "Jo Ash"]),
            ("Maren Tolliver, Jo Ash, and Kim Li", &["Maren Tolliver", "Jo Ash", "Kim Li"]),
            ("Maren Tolliver, Staff Writer", &["Maren Tolliver"]),
            ("Maren Tolliver, MD, PhD", &["Maren Tolliver, MD, PhD"]),
            ("Maren Tolliver Updated May 13, 2024", &["Maren Tolliver"]),
            ("Maren Tolliver May 13, 2024", &["Maren Tolliver"]),
            ("Maren Tolliver 3 min read", &["Maren Tolliver"]),
            ("Maren Tolliver maren@example.com", &["Maren Tolliver"]),
            ("Von Maren Tolliver", &["Maren Tolliver"]),
            ("作者：王小明", &["王小明"]),
            ("https://www.facebook.com/example", &[]),
            ("admin", &[]),
            ("The Daily Rock", &[]),
            ("Staff", &[]),
            ("", &[]),
            ("By", &[]),
            ("jsteinhardt", &["jsteinhardt"]),
            ("Byron May", &["Byron May"]),
            ("By Ben Oakhurst and William K. Rushbrook", &["Ben Oakhurst", "William K. Rushbrook"]),
            ("Maren Tolliver and Jo Ash. It rained", &["Maren Tolliver", "Jo Ash"]),
            ("Tolliver, Maren", &["Maren Tolliver"]),
            ("Tolliver, MD", &["Tolliver, MD"]),
            ("Maren Tolliver og Jo Ash", &["Maren Tolliver", "Jo Ash"]),
            ("Maren Tolliver e Jo Ash e Kim Li", &["Maren Tolliver", "Jo Ash", "Kim Li"]),
            ("Jan en Alleman", &["Jan en Alleman"]),
            ("Maren Tolliver och Jo Ash", &["Maren Tolliver", "Jo Ash"]),
            ("신현주 기자", &["신현주"]),
            ("박준석 기자 외 1명", &["박준석"]),
            ("Von unserer Redaktion", &[]),
            ("capital von Maren Tolliver", &["Maren Tolliver"]),
            ("von Maren von Tolliver", &["Maren von Tolliver"]),
            ("13 May 2024", &[]),
            ("May 13th, 2024", &[]),
            ("Autor: Maren Tolliver", &["Maren Tolliver"]),
            ("Staff Reporter", &[]),
            ("reset-author", &[]),
            ("Maren Tolliver Staff Writer", &["Maren Tolliver"]),
        ];
        for (text, expected) in table {
            assert_eq!(names(text, &["thedailyrock".to_owned()]), expected, "{text}");
        }
        assert_eq!(given_name_first("Doe, Jane A."), "Jane A. Doe");
        assert_eq!(given_name_first("Jane Doe"), "Jane Doe");
    }
}
