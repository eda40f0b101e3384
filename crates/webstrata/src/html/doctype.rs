//! Quirks mode from the doctype (HTML standard, 13.2.6.4.1): in quirks mode a `<table>` does not close a `<p>`.

/// Prefixes of the public identifiers that put a page into quirks mode.
const QUIRKY_PREFIXES: [&str; 55] = [
    "+//silmaril//dtd html pro v0r11 19970101//",
    "-//as//dtd html 3.0 aswedit + extensions//",
    "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
    "-//ietf//dtd html 2.0 level 1//",
    "-//ietf//dtd html 2.0 level 2//",
    "-//ietf//dtd html 2.0 strict level 1//",
    "-//ietf//dtd html 2.0 strict level 2//",
    "-//ietf//dtd html 2.0 strict//",
    "-//ietf//dtd html 2.0//",
    "-//ietf//dtd html 2.1e//",
    "-//ietf//dtd html 3.0//",
    "-//ietf//dtd html 3.2 final//",
    "-//ietf//dtd html 3.2//",
    "-//ietf//dtd html 3//",
    "-//ietf//dtd html level 0//",
    "-//ietf//dtd html level 1//",
    "-//ietf//dtd html level 2//",
    "-//ietf//dtd html level 3//",
    "-//ietf//dtd html strict level 0//",
    "-//ietf//dtd html strict level 1//",
    "-//ietf//dtd html strict level 2//",
    "-//ietf//dtd html strict level 3//",
    "-//ietf//dtd html strict//",
    "-//ietf//dtd html//",
    "-//metrius//dtd metrius presentational//",
    "-//microsoft//dtd internet explorer 2.0 html strict//",
    "-//microsoft//dtd internet explorer 2.0 html//",
    "-//microsoft//dtd internet explorer 2.0 tables//",
    "-//microsoft//dtd internet explorer 3.0 html strict//",
    "-//microsoft//dtd internet explorer 3.0 html//",
    "-//microsoft//dtd internet explorer 3.0 tables//",
    "-//netscape comm. corp.//dtd html//",
    "-//netscape comm. corp.//dtd strict html//",
    "-//o'reilly and associates//dtd html 2.0//",
    "-//o'reilly and associates//dtd html extended 1.0//",
    "-//o'reilly and associates//dtd html extended relaxed 1.0//",
    "-//sq//dtd html 2.0 hotmetal + extensions//",
    "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
    "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
    "-//spyglass//dtd html 2.0 extended//",
    "-//sun microsystems corp.//dtd hotjava html//",
    "-//sun microsystems corp.//dtd hotjava strict html//",
    "-//w3c//dtd html 3 1995-03-24//",
    "-//w3c//dtd html 3.2 draft//",
    "-//w3c//dtd html 3.2 final//",
    "-//w3c//dtd html 3.2//",
    "-//w3c//dtd html 3.2s draft//",
    "-//w3c//dtd html 4.0 frameset//",
    "-//w3c//dtd html 4.0 transitional//",
    "-//w3c//dtd html experimental 19960712//",
    "-//w3c//dtd html experimental 970421//",
    "-//w3c//dtd w3 html//",
    "-//w3o//dtd w3 html 3.0//",
    "-//webtechs//dtd mozilla html 2.0//",
    "-//webtechs//dtd mozilla html//",
];

/// Public identifiers that put a page into quirks mode only if they match in full.
const QUIRKY_IDS: [&str; 3] = ["-//w3o//dtd w3 html strict 3.0//en//", "-/w3c/dtd html 4.0 transitional/en", "html"];

/// Prefixes that put a page into quirks mode only if there is no system identifier.
const QUIRKY_WITHOUT_SYSTEM: [&str; 2] = ["-//w3c//dtd html 4.01 frameset//", "-//w3c//dtd html 4.01 transitional//"];

const QUIRKY_SYSTEM_ID: &str = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";

/// The parts of a doctype (HTML standard, 13.2.5.53 and following) as written: neither case nor NULs are normalised.
///
/// ```
/// use webstrata::html::token::Doctype;
/// let doctype = Doctype::parse(" html PUBLIC '-//W3C//DTD HTML 4.01//EN'", false);
/// assert_eq!((doctype.name, doctype.public, doctype.system), (Some("html"), Some("-//W3C//DTD HTML 4.01//EN"), None));
/// assert!(!doctype.is_quirky());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Doctype<'a> {
    /// Name of the root element.
    pub name: Option<&'a str>,
    /// Public identifier.
    pub public: Option<&'a str>,
    /// System identifier.
    pub system: Option<&'a str>,
    /// Whether it is so malformed that the page is in quirks mode regardless of the identifiers.
    pub force_quirks: bool,
}

impl<'a> Doctype<'a> {
    /// Parses the text between `<!doctype` and `>`; `cut` means that the input ended before the `>`.
    #[must_use]
    pub fn parse(text: &'a str, cut: bool) -> Self {
        let text = text.trim_start_matches(is_white);
        if text.is_empty() {
            return Doctype { force_quirks: true, ..Doctype::default() };
        }
        let (name, rest) = text.split_at(text.find(is_white).unwrap_or(text.len()));
        let mut doctype = Doctype { name: Some(name), force_quirks: cut, ..Doctype::default() };
        let rest = rest.trim_start_matches(is_white);
        if rest.is_empty() {
            return doctype;
        }
        doctype.force_quirks = true;
        let rest = if let Some(rest) = strip_word(rest, "public") {
            let Some((public, rest)) = quoted(rest) else { return doctype };
            doctype.public = Some(public);
            let Some(rest) = rest else { return doctype };
            if rest.trim_start_matches(is_white).is_empty() {
                doctype.force_quirks = cut;
                return doctype;
            }
            rest
        } else if let Some(rest) = strip_word(rest, "system") {
            rest
        } else {
            return doctype;
        };
        let Some((system, rest)) = quoted(rest) else { return doctype };
        doctype.system = Some(system);
        // Junk after the system identifier is ignored, unless the input ends right there.
        doctype.force_quirks = rest.is_none_or(|rest| cut && rest.trim_start_matches(is_white).is_empty());
        doctype
    }

    /// Whether it puts the page into quirks mode.
    #[must_use]
    pub fn is_quirky(self) -> bool {
        if self.force_quirks
            || !self.name.is_some_and(|name| name.eq_ignore_ascii_case("html"))
            || self.system.is_some_and(|system| system.eq_ignore_ascii_case(QUIRKY_SYSTEM_ID))
        {
            return true;
        }
        let Some(public) = self.public else { return false };
        let starts = |prefix: &&str| strip_word(public, prefix).is_some();
        QUIRKY_IDS.iter().any(|id| public.eq_ignore_ascii_case(id))
            || QUIRKY_PREFIXES.iter().any(starts)
            || (self.system.is_none() && QUIRKY_WITHOUT_SYSTEM.iter().any(starts))
    }
}

fn is_white(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\u{c}' | '\r' | ' ')
}

/// The rest of `text` after a leading `word` (case-insensitive).
fn strip_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.get(..word.len())?;
    start.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// The quoted string that `text` starts with (after white space), and the rest unless the closing quote is missing.
fn quoted(text: &str) -> Option<(&str, Option<&str>)> {
    let text = text.trim_start_matches(is_white);
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = &text[1..];
    Some(match inside.find(quote) {
        Some(end) => (&inside[..end], Some(&inside[end + 1..])),
        None => (inside, None),
    })
}

#[cfg(test)]
mod tests {
    use super::Doctype;

    #[test]
    fn doctypes_select_the_mode() {
        for (doctype, quirky) in [
            (" html", false),
            (" HTML ", false),
            ("", true),
            (" svg", true),
            (" html PUBLIC \"-//W3C//DTD HTML 4.01//EN\" \"http://www.w3.org/TR/html4/strict.dtd\"", false),
            (" html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"", true),
            (" html PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\"", false),
            (" html PUBLIC \"-//W3C//DTD HTML 4.0 Transitional//EN\"", true),
            (" html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd\"", false),
            (" html public", true),
            (" html SYSTEM 'about:legacy-compat'", false),
            (" html SYSTEM 'about:legacy-compat' junk", false),
            (" html SYSTEM 'about:legacy-compat", true),
            (" html junk", true),
            (" html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" junk", true),
        ] {
            assert_eq!(Doctype::parse(doctype, false).is_quirky(), quirky, "{doctype}");
        }
    }
}
