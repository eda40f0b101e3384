//! Authors: extracting names from bylines and lists, and rejecting what is not a name.

use super::candidates::{collapse, key};
use super::date::Date;

/// Phrases that precede a name.
const PREFIXES: [&str; 33] = [
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
];

/// Words that end a name: a date, a role, or somebody else follows.
const TERMINATORS: [&str; 32] = [
    "published", "updated", "last update", "read time", "view all", "sponsored", "posted", "last updated", "reviewed by",
    "medically reviewed", "fact checked", "edited by", "on", "in", "at", "min read", "view bio", "see full bio", "read more",
    "view profile", "follow", "is a", "is the", "from", "for", "with", "photos by", "photography by", "image", "more by", "share",
    "joined",
];

/// Placeholders that pages use instead of an author.
const PLACEHOLDERS: [&str; 35] = [
    "admin", "administrator", "author", "authors", "editor", "webmaster", "guest", "unknown", "anonymous", "null", "undefined",
    "user", "none", "na", "updated", "published", "posted", "date", "writeareview", "root", "wordpress", "by", "staff", "profile",
    "name", "about", "login", "signin", "objectobject", "aboutthe", "abouttheauthor", "home", "get", "readmore", "follow",
];

/// The names in a text that names authors. `sites` are keys of the site's names, which is not an author unless it looks
/// like a person: people name sites after themselves.
pub(super) fn names(text: &str, sites: &[String]) -> Vec<String> {
    if text.trim_start().starts_with("http") {
        return Vec::new();
    }
    let text = strip(text);
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
        // A lower-case phrase after a capitalised name is no name either: "Jo Ash, retired teacher".
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
            // Roles and the like: another name may follow, but more often does not.
            continue;
        }
    }
    found.truncate(32);
    found
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

/// Removes what precedes and follows the names.
fn strip(text: &str) -> String {
    let mut text = collapse(text);
    for _ in 0..3 {
        let lower = text.to_lowercase();
        let Some(start) = PREFIXES.iter().find_map(|word| {
            let rest = lower.strip_prefix(word)?;
            // Some letters are longer in lower case.
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
    let spaced = text.find(" - ").or_else(|| text.find(": ")).or_else(|| text.find(". ").filter(|at| *at > 20));
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

/// Whether these words start a date such as "May 13, 2024" or "Monday, May 13".
fn starts_with_month(words: &[&str]) -> bool {
    let few = words[..words.len().min(4)].join(" ");
    words.first().is_some_and(|w| super::months::month(&w.to_lowercase().replace(['.', ','], "")).is_some())
        && Date::parse(&few, None).is_some()
}

/// Splits a list of names.
fn split(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for part in text.split([',', ';', '、', '，']) {
        // "Home and Security Expert" is one role.
        if has_role(part) {
            pieces.push(part.to_owned());
            continue;
        }
        let mut rest = part;
        // "Jane Doe and John Roe" are two names; "Research and Development" is rejected later.
        while let Some((at, len)) =
            [" and ", " & ", " + ", " und ", " et ", " y "].iter().find_map(|and| rest.find(and).map(|at| (at, and.len())))
        {
            pieces.push(rest[..at].to_owned());
            rest = &rest[at + len..];
        }
        pieces.push(rest.trim().strip_prefix("and ").unwrap_or(rest).to_owned());
    }
    pieces
}

fn trim_name(piece: &str) -> String {
    let piece = piece.trim().strip_suffix(" and").unwrap_or(piece);
    piece.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | '-' | '*' | '_' | '\'' | '~')).to_owned()
}

/// Removes the repetition of a name that also occurs as the text of a picture.
fn without_repetition(name: &str) -> String {
    let words: Vec<&str> = name.split(' ').collect();
    let half = words.len() / 2;
    if words.len() > 1 && words[..half] == words[half..] { words[..half].join(" ") } else { name.to_owned() }
}

/// Whether it looks like a person's name: two or three capitalised words.
fn is_personal(words: &[&str]) -> bool {
    let company = |w: &&str| {
        matches!(
            key(w).as_str(),
            "the" | "inc" | "llc" | "team" | "blog" | "news" | "group" | "ltd" | "co" | "university" | "company"
        )
    };
    (2..=3).contains(&words.len()) && words.iter().all(|w| w.starts_with(char::is_uppercase)) && !words.iter().any(company)
}

/// Whether it is a credential: MD, PhD, CFP®, M.D.
fn is_credential(piece: &str) -> bool {
    let letters: String = piece.chars().filter(|c| c.is_alphabetic()).collect();
    let upper = letters.chars().filter(|c| c.is_uppercase()).count();
    (2..=6).contains(&letters.len()) && upper >= 2 && upper * 2 > letters.len() && !piece.contains(' ')
}

/// Words that occur in roles.
const ROLES: [&str; 26] = [
    "writer", "editor", "reporter", "correspondent", "contributor", "columnist", "director", "manager", "founder", "ceo",
    "journalist", "expert", "specialist", "staff", "producer", "analyst", "assistant", "senior", "president", "officer",
    "professor", "chief", "editorial", "newsroom", "author", "head",
];

/// "Jane Doe Senior Writer" without the role.
fn without_role(piece: &str) -> String {
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

fn has_role(piece: &str) -> bool {
    piece.split(' ').any(|word| ROLES.contains(&word.to_lowercase().as_str()))
}

/// Whether it is a day or month, left over from a date.
fn is_day_or_month(key: &str) -> bool {
    const DAYS: [&str; 14] = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
        "sunday",
    ];
    const MONTHS: [&str; 16] = [
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "january", "february", "november",
        "december",
    ];
    DAYS.contains(&key) || MONTHS.contains(&key)
}

fn is_name(piece: &str, sites: &[String]) -> bool {
    let key = key(piece);
    let words: Vec<&str> = piece.split(' ').collect();
    let role = |word: &&str| ROLES.contains(&word.to_lowercase().as_str());
    let lower = words.iter().filter(|w| w.starts_with(char::is_lowercase)).count();
    (2..=60).contains(&piece.len())
        && words.len() <= 6
        && key.chars().any(char::is_alphabetic)
        && !piece.contains(['$', '%', '€', '£'])
        && !(words.len() > 2 && lower * 2 > words.len())
        && !PLACEHOLDERS.contains(&key.as_str())
        && !(words.len() == 1 && is_day_or_month(&key))
        && !words.iter().all(role)
        && (!sites.contains(&key) || is_personal(&words))
        && !(piece.contains('.') && piece.rsplit('.').next().is_some_and(|end| matches!(end, "com" | "org" | "net")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_bylines() {
        let table: [(&str, &[&str]); 20] = [
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
        ];
        for (text, expected) in table {
            assert_eq!(names(text, &["thedailyrock".to_owned()]), expected, "{text}");
        }
        assert_eq!(given_name_first("Doe, Jane A."), "Jane A. Doe");
        assert_eq!(given_name_first("Jane Doe"), "Jane Doe");
    }
}
