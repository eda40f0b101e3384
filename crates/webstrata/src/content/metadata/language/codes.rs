//! Codes of languages in their BCP 47 form.

/// ISO 639-1.
const TWO_LETTERS: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz \
    ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg \
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny \
    oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn \
    to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Other language codes and names, with the code that BCP 47 prefers.
const OTHER: &[(&str, &str)] = &[
    ("iw", "he"),
    ("in", "id"),
    ("ji", "yi"),
    ("jw", "jv"),
    ("mo", "ro"),
    ("tl", "fil"),
    ("cn", "zh"),
    ("jp", "ja"),
    ("kr", "ko"),
    ("cz", "cs"),
    ("dk", "da"),
    ("gr", "el"),
    ("ua", "uk"),
    ("eng", "en"),
    ("deu", "de"),
    ("ger", "de"),
    ("fra", "fr"),
    ("fre", "fr"),
    ("spa", "es"),
    ("por", "pt"),
    ("ita", "it"),
    ("nld", "nl"),
    ("dut", "nl"),
    ("rus", "ru"),
    ("pol", "pl"),
    ("ces", "cs"),
    ("cze", "cs"),
    ("swe", "sv"),
    ("dan", "da"),
    ("nor", "no"),
    ("fin", "fi"),
    ("tur", "tr"),
    ("ara", "ar"),
    ("jpn", "ja"),
    ("kor", "ko"),
    ("zho", "zh"),
    ("chi", "zh"),
    ("cmn", "zh"),
    ("ukr", "uk"),
    ("heb", "he"),
    ("hin", "hi"),
    ("ind", "id"),
    ("vie", "vi"),
    ("ell", "el"),
    ("gre", "el"),
    ("hun", "hu"),
    ("ron", "ro"),
    ("rum", "ro"),
    ("isl", "is"),
    ("ice", "is"),
    ("cat", "ca"),
    ("lat", "la"),
    ("zul", "zu"),
    ("swa", "sw"),
    ("afr", "af"),
    ("english", "en"),
    ("deutsch", "de"),
    ("german", "de"),
    ("français", "fr"),
    ("french", "fr"),
    ("español", "es"),
    ("spanish", "es"),
    ("italiano", "it"),
    ("italian", "it"),
    ("português", "pt"),
    ("portuguese", "pt"),
    ("nederlands", "nl"),
    ("dutch", "nl"),
    ("russian", "ru"),
    ("polish", "pl"),
    ("swedish", "sv"),
    ("turkish", "tr"),
    ("arabic", "ar"),
    ("japanese", "ja"),
    ("chinese", "zh"),
    ("korean", "ko"),
];

/// Languages that pages declare interchangeably, or that frequent words cannot distinguish.
const RELATED: &[&[&str]] = &[
    &["no", "nb", "nn"],
    &["hr", "sr", "bs", "sh", "cnr"],
    &["id", "ms", "zsm"],
    &["zh", "yue", "wuu", "nan", "lzh", "hak"],
    &["zu", "xh", "ss", "nr", "nd"],
    &["st", "tn", "nso"],
    &["fa", "prs", "pes"],
    &["ku", "kmr"],
    &["de", "gsw", "bar"],
    &["tl", "fil"],
];

/// A declared language as a BCP 47 tag: `EN_us` is `en-US`. `None` if it is not a language.
pub(super) fn canonical(declared: &str) -> Option<String> {
    let tag = declared.split([',', ';', ' ', '.', '|', '/', '@']).next()?.trim().replace('_', "-");
    let mut parts = tag.split('-');
    let first = parts.next()?.to_lowercase();
    let other = OTHER.iter().find(|(name, _)| *name == first).map(|(_, code)| *code);
    let two = first.len() == 2 && TWO_LETTERS.split_ascii_whitespace().any(|code| code == first);
    // Three letters: ISO 639-3, without special codes such as "undetermined".
    let three = first.len() == 3
        && first.bytes().all(|b| b.is_ascii_lowercase())
        && !matches!(first.as_str(), "und" | "mul" | "zxx" | "mis" | "xxx" | "www" | "all" | "lng" | "iso");
    let mut out = match other {
        Some(code) => code.to_owned(),
        None if two || three => first,
        None => return None,
    };
    for part in parts.filter(|part| part.bytes().all(|b| b.is_ascii_alphanumeric())).take(3) {
        let part = part.to_ascii_lowercase();
        let part = match part.len() {
            2 => part.to_ascii_uppercase(),
            3 if part.bytes().all(|b| b.is_ascii_digit()) => part,
            4 if part.bytes().all(|b| b.is_ascii_alphabetic()) => part[..1].to_ascii_uppercase() + &part[1..],
            5..=8 => part,
            _ => break,
        };
        out.push('-');
        out.push_str(&part);
    }
    Some(out)
}

/// Whether a tag declares this language, or one that is easily mistaken for it.
pub(super) fn same_language(tag: &str, code: &str) -> bool {
    are_related(tag.split('-').next().unwrap_or_default(), code)
}

/// Whether these codes mean the same language, or languages that are hard to tell apart.
pub(super) fn are_related(a: &str, b: &str) -> bool {
    a == b || RELATED.iter().any(|group| group.contains(&a) && group.contains(&b))
}
