//! Names of months in the most common languages on the Web, and names of time zones.

/// Prefixes of the names of each month, in lower case. A word names a month if it starts with one of these and is not too
/// long; entries with a `$` must match in full.
const MONTHS: [&[&str]; 12] = [
    &["jan", "jän", "ene", "янв", "gen$", "gennaio", "sty", "led", "oca"],
    &["feb", "fev", "fév", "фев", "lut", "şub", "úno"],
    &["mar", "mär", "mrz", "мар", "maart", "mrt", "bře"],
    &["apr", "avr", "abr", "апр", "kwi", "nis", "dub$", "dubna"],
    &["may", "mai", "mei", "maj", "mag$", "maggio", "май", "мая", "kvě"],
    &["jun", "juin", "giu", "июн", "cze", "haz"],
    &["jul", "juil", "lug", "июл", "lip", "tem$", "temmuz"],
    &["aug", "aoû", "aou", "ago$", "agosto", "авг", "sie", "ağu", "srp"],
    &["sep", "set$", "setembro", "settembre", "сен", "wrz", "eyl", "září"],
    &["oct", "okt", "out$", "outubro", "ott", "окт", "paź", "eki"],
    &["nov", "ноя", "lis$", "listopad", "kas"],
    &["dec", "déc", "dez", "dic", "дек", "gru", "ara$", "aralık", "pro$", "prosin"],
];

/// Other words that start like months.
const NOT_MONTHS: [&str; 9] = ["mark", "market", "marketing", "maybe", "major", "junior", "decide", "second", "general"];

/// The month named by a word in lower case.
pub(super) fn month(word: &str) -> Option<u8> {
    if word.chars().count() > 10 || NOT_MONTHS.contains(&word) {
        return None;
    }
    let found = MONTHS.iter().position(|names| {
        names.iter().any(|name| match name.strip_suffix('$') {
            Some(whole) => word == whole,
            None => word.starts_with(name),
        })
    })?;
    u8::try_from(found + 1).ok()
}

/// Offset of a zone in minutes east of UTC; `word` is in lower case. Ambiguous names are left out, except those of North
/// America, which pages use most.
pub(super) fn zone(word: &str) -> Option<i16> {
    Some(match word {
        "z" | "utc" | "gmt" | "ut" | "wet" => 0,
        "cet" | "bst" | "mez" | "west" => 60,
        "cest" | "eet" | "mesz" | "sast" => 120,
        "eest" | "msk" | "мск" => 180,
        "ist" => 330,
        "sgt" | "hkt" | "awst" => 480,
        "jst" | "kst" => 540,
        "aest" => 600,
        "aedt" => 660,
        "nzst" => 720,
        "nzdt" => 780,
        "adt" | "brt" => -180,
        "ast" | "edt" => -240,
        "est" | "cdt" => -300,
        "cst" | "mdt" => -360,
        "mst" | "pdt" => -420,
        "pst" => -480,
        "akst" => -540,
        "hst" => -600,
        _ => return None,
    })
}
