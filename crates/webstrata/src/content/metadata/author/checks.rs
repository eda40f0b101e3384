//! Checks of single names, with the word lists behind them: whether a string is a name, and whether it is a person's.

use crate::content::metadata::candidates::key;
use crate::content::metadata::date::Date;

/// Placeholders that pages use instead of an author.
const PLACEHOLDERS: [&str; 41] = [
    "admin", "administrator", "author", "authors", "editor", "webmaster", "guest", "unknown", "anonymous", "null", "undefined",
    "user", "none", "na", "updated", "published", "posted", "date", "writeareview", "root", "wordpress", "by", "staff", "profile",
    "name", "about", "login", "signin", "objectobject", "aboutthe", "abouttheauthor", "home", "get", "readmore", "follow",
    "redaktion", "redaktionen", "resetauthor", "staffreporter", "staffwriter", "byline",
];

/// Words that occur in names of organisations.
const ORGANISATIONS: [&str; 46] = [
    "the", "inc", "llc", "team", "blog", "news", "group", "ltd", "co", "university", "company", "gmbh", "agency", "association",
    "institute", "clinic", "times", "post", "press", "magazine", "media", "online", "redaktion", "rédaction", "redaction",
    "redacción", "redazione", "redakcja", "redaksi", "redaktionen", "network", "foundation", "society", "corporation", "center",
    "centre", "services", "solutions", "editors", "desk", "newsroom", "zeitung", "daily", "journal", "staff", "editorial",
];

/// Whether a name contains a word typical of organisations.
fn is_organisation(name: &str) -> bool {
    name.split(' ').any(|word| ORGANISATIONS.contains(&word.trim_end_matches(['.', ',']).to_lowercase().as_str()))
}

/// Whether the words look like a person's name: two or three capitalised words.
pub(super) fn is_personal(words: &[&str]) -> bool {
    let company = |w: &&str| {
        matches!(
            key(w).as_str(),
            "the" | "inc" | "llc" | "team" | "blog" | "news" | "group" | "ltd" | "co" | "university" | "company"
        )
    };
    (2..=3).contains(&words.len()) && words.iter().all(|w| w.starts_with(char::is_uppercase)) && !words.iter().any(company)
}

/// Whether a name is a person's full name.
pub(in crate::content::metadata) fn is_person(name: &str) -> bool {
    let words: Vec<&str> = name.split(' ').filter(|word| !PARTICLES.contains(word)).collect();
    let full =
        is_personal(&words) || (words.len() == 4 && is_personal(&words[1..]) && is_personal(&words[..3])) || !name.is_ascii();
    full && !is_organisation(name)
}

/// Whether a word is the label of a button next to a name.
fn is_button(word: &str) -> bool {
    const BUTTONS: [&str; 14] = [
        "twitter", "facebook", "instagram", "linkedin", "youtube", "email", "whatsapp", "rss", "website", "share", "follow",
        "full", "bio", "more",
    ];
    BUTTONS.iter().any(|button| word.eq_ignore_ascii_case(button))
}

/// Lower-case words that may begin a name.
pub(super) const PARTICLES: [&str; 25] = [
    "von", "van", "de", "di", "da", "del", "della", "dos", "du", "la", "le", "al", "el", "bin", "ibn", "ben", "ter", "ten", "zu",
    "den", "der", "af", "av", "und", "the",
];

/// Whether a lower-case word other than a particle precedes capitalised ones: "unserer Redaktion", "capital von Jo Ash".
fn starts_small(words: &[&str]) -> bool {
    let small = |word: &&str| word.starts_with(char::is_lowercase);
    words.first().is_some_and(|word| small(word) && !PARTICLES.contains(word) && !word.contains(['\'', '’', '-']))
        && words.iter().skip(1).any(|word| word.starts_with(char::is_uppercase))
}

/// Whether a piece of a byline is a credential: MD, PhD, CFP®, M.D.
pub(super) fn is_credential(piece: &str) -> bool {
    let letters: String = piece.chars().filter(|c| c.is_alphabetic()).collect();
    let upper = letters.chars().filter(|c| c.is_uppercase()).count();
    (2..=6).contains(&letters.len()) && upper >= 2 && upper * 2 > letters.len() && !piece.contains(' ')
}

/// Words that occur in roles.
pub(super) const ROLES: [&str; 26] = [
    "writer", "editor", "reporter", "correspondent", "contributor", "columnist", "director", "manager", "founder", "ceo",
    "journalist", "expert", "specialist", "staff", "producer", "analyst", "assistant", "senior", "president", "officer",
    "professor", "chief", "editorial", "newsroom", "author", "head",
];

pub(super) fn has_role(piece: &str) -> bool {
    piece.split(' ').any(|word| ROLES.contains(&word.to_lowercase().as_str()))
}

/// Whether a word is a day or month left over from a date.
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

pub(super) fn is_name(piece: &str, sites: &[String]) -> bool {
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
        && !starts_small(&words)
        && !words.iter().all(|word| is_button(word))
        && Date::parse(piece, None).is_none()
        && (!sites.contains(&key) || is_personal(&words))
        && !(piece.contains('.') && piece.rsplit('.').next().is_some_and(|end| matches!(end, "com" | "org" | "net")))
}
