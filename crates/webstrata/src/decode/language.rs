//! Facts about languages: the letters of their alphabets and the region their pages come from.
//!
//! No standard covers this. It is the minimum needed to decide cases that the detector's statistics
//! leave open; a language missing here only loses that help.

/// At most one letter in this many may be foreign to a language, for example in a name.
const FOREIGN_SHARE: usize = 40;

/// The non-ASCII letters of languages in Latin script, to distinguish encodings whose
/// statistics are close. `chardetng` mistakes Hungarian for windows-1252 and short Lithuanian text for
/// windows-1250.
const ALPHABETS: [&str; 17] = [
    "àâæçèéêëîïôœùûüÿ",
    "äöüßé",
    "áéíñóúüªº",
    "ãõáâàçéêíóôúüªº",
    "àèéìòù",
    "àçèéíïòóúü",
    "äåæéöø",
    "áæéíðóöúýþ",
    "áčďéěíňóřšťúůýž",
    "áäčďéíĺľňóôŕšťúýž",
    "ąćęłńóśźż",
    "áéíóöőúüű",
    "ăâîşţ",
    "čćđšž",
    "çğıİöşüâîû",
    "ąčęėįšųūž",
    "āčēģīķļņšūžõ",
];

/// Whether practically all letters of a Latin text belong to the alphabet of one language.
pub(crate) fn is_one_language(text: &str) -> bool {
    let letters = || text.chars().filter(|c| !c.is_ascii() && c.is_alphabetic());
    let total = letters().count();
    ALPHABETS.into_iter().any(|alphabet| {
        let foreign = letters().filter(|&c| {
            let lower = c.to_lowercase().next().unwrap_or(c);
            !alphabet.contains(c) && !alphabet.contains(lower)
        });
        foreign.count() * FOREIGN_SHARE <= total
    })
}

/// The region, as the top-level domain `chardetng` expects, where a language's pages come from.
/// `en` is left out: templates declare it regardless of the page's language.
pub(crate) fn region(language: &[u8]) -> Option<&'static [u8]> {
    let language = language.to_ascii_lowercase();
    let mut subtags = language.split(|b| matches!(b, b'-' | b'_'));
    let region: &[u8] = match subtags.next()? {
        b"zh" => {
            if subtags.any(|tag| matches!(tag, b"tw" | b"hk" | b"mo" | b"hant")) {
                b"tw"
            } else {
                b"cn"
            }
        }
        b"ja" => b"jp",
        b"ko" => b"kr",
        b"ru" | b"be" | b"kk" => b"ru",
        b"uk" => b"ua",
        b"bg" => b"bg",
        b"mk" => b"mk",
        b"cs" => b"cz",
        b"sk" => b"sk",
        b"pl" => b"pl",
        b"hu" => b"hu",
        b"hr" => b"hr",
        b"sl" => b"si",
        b"ro" => b"ro",
        b"tr" | b"az" => b"tr",
        b"el" => b"gr",
        b"he" | b"iw" => b"il",
        b"ar" | b"fa" | b"ur" => b"ae",
        b"lt" => b"lt",
        b"lv" => b"lv",
        b"vi" => b"vn",
        b"th" => b"th",
        b"is" => b"is",
        b"de" | b"fr" | b"es" | b"it" | b"pt" | b"nl" | b"sv" | b"da" | b"no" | b"nb" | b"fi" => b"de",
        _ => return None,
    };
    Some(region)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alphabets() {
        assert!(is_one_language("ÇĞIİÖŞÜ") && is_one_language("Größe") && is_one_language(""));
        assert!(!is_one_language("řőğ"));
    }

    #[test]
    fn regions() {
        assert_eq!(region(b"zh-Hant-TW"), Some(&b"tw"[..]));
        assert_eq!(region(b"ZH"), Some(&b"cn"[..]));
        assert_eq!(region(b"pt_BR"), Some(&b"de"[..]));
        assert_eq!(region(b"en"), None);
        assert_eq!(region(b""), None);
    }
}
