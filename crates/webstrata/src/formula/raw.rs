//! TeX between delimiters in running text.

use super::evidence::Dollars;
use super::tex::{clean, environment};
use memchr::{memchr2, memmem};
use std::ops::Range;

/// Environments that are formulas without delimiters around them.
const ENVIRONMENTS: [&str; 10] =
    ["align", "alignat", "displaymath", "eqnarray", "equation", "flalign", "gather", "math", "multline", "subequations"];

/// A formula in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// Its range in the text, including delimiters.
    pub(super) at: Range<usize>,
    pub(super) tex: String,
    pub(super) display: bool,
}

/// Caches the last closing delimiter found of each kind, so that none is searched for twice.
struct Closing<'t> {
    text: &'t str,
    next: [Option<usize>; 3],
}

/// Delimiters other than environments and single dollar signs.
const DELIMITERS: [(&str, &str, bool); 3] = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true)];

impl Closing<'_> {
    /// Position of the first closing delimiter of this kind at or after `from`.
    fn after(&mut self, kind: usize, from: usize) -> Option<usize> {
        if self.next[kind].is_none_or(|at| at < from) {
            let close = DELIMITERS[kind].1.as_bytes();
            let found = self.text.as_bytes().get(from..).and_then(|rest| memmem::find(rest, close));
            self.next[kind] = Some(found.map_or(usize::MAX, |at| at + from));
        }
        self.next[kind].filter(|&at| at != usize::MAX)
    }
}

/// The formulas of a text, in order.
pub(super) fn scan(text: &str, dollars: Dollars, found: &mut Vec<Found>) {
    let bytes = text.as_bytes();
    let mut closing = Closing { text, next: [None; 3] };
    let mut ended_environments = 0u32; // environments whose end was not found, one bit each
    let mut at = 0;
    while let Some(start) = memchr2(b'\\', b'$', &bytes[at..]).map(|k| k + at) {
        let rest = &text[start..];
        let kind = DELIMITERS.iter().position(|(open, _, _)| rest.starts_with(open));
        let range = if let Some(kind) = kind {
            let inside = start + 2;
            closing.after(kind, inside).map(|end| (start..end + 2, inside..end, DELIMITERS[kind].2))
        } else if let Some(name) = environment(rest) {
            let letters = name.trim_end_matches('*');
            let known = ENVIRONMENTS.iter().position(|known| *known == letters).filter(|k| ended_environments & (1 << k) == 0);
            let end = known.and_then(|_| memmem::find(rest.as_bytes(), format!("\\end{{{name}}}").as_bytes()));
            if let (Some(known), None) = (known, end) {
                ended_environments |= 1 << known;
            }
            end.map(|end| start + end + "\\end{}".len() + name.len()).map(|end| (start..end, start..end, true))
        } else if rest.starts_with('$') {
            dollar_end(text, start, dollars).map(|end| (start..end + 1, start + 1..end, false))
        } else {
            None
        };
        match range {
            Some((whole, inside, display)) => {
                // Text that cannot be a formula is skipped as a whole, so that nothing is read twice.
                at = whole.end;
                let tex = clean(&text[inside]);
                found.extend(tex.map(|tex| Found { at: whole, tex: tex.tex, display: display || tex.display }));
            }
            // An escaped dollar sign or backslash is not a delimiter.
            None if rest.starts_with("\\\\") || rest.starts_with("\\$") || rest.starts_with("$$") => at = start + 2,
            None => at = start + 1,
        }
    }
}

/// End of the formula opened by the dollar sign at `start`.
fn dollar_end(text: &str, start: usize, dollars: Dollars) -> Option<usize> {
    if dollars == Dollars::Never {
        return None;
    }
    let bytes = text.as_bytes();
    let mut from = start + 1;
    let end = loop {
        let at = from + memchr2(b'$', b'\\', &bytes[from..])?;
        match bytes[at] {
            b'$' => break at,
            _ => from = (at + 2).min(bytes.len()),
        }
    };
    let inside = &text[start + 1..end];
    let after = text[end + 1..].chars().next();
    is_formula(inside, after, dollars).then_some(end)
}

/// Whether a text between dollar signs is a formula rather than an amount of money and the words after it.
fn is_formula(inside: &str, after: Option<char>, dollars: Dollars) -> bool {
    let (Some(first), Some(last)) = (inside.chars().next(), inside.chars().next_back()) else { return false };
    let has_tex = inside.contains(['\\', '^', '_', '{']);
    let configured = dollars == Dollars::Configured;
    if (first.is_whitespace() || last.is_whitespace()) && !(configured && has_tex) {
        return false;
    }
    // "$5-$6", "$HOME/$USER"; but "$n$th".
    if after.is_some_and(|c| c.is_ascii_digit() || c.is_ascii_uppercase())
        || (!configured && after.is_some_and(char::is_alphabetic))
    {
        return false;
    }
    if has_tex {
        return true;
    }
    let mut words = inside.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().nth(1).is_some());
    let spaced = inside.contains(char::is_whitespace);
    let money = first.is_ascii_digit() && words.clone().next().is_some();
    !money && (!spaced || words.all(|word| word.chars().nth(2).is_none()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn formulas(text: &str, dollars: Dollars) -> Vec<String> {
        let mut found = Vec::new();
        scan(text, dollars, &mut found);
        found.iter().map(|f| format!("{}{}", if f.display { "!" } else { "" }, f.tex)).collect()
    }

    #[test]
    fn delimiters() {
        for (text, want) in [
            ("let \\(x^2\\) and \\[ y \\] be", &["x^2", "!y"][..]),
            ("so $$a=b$$ and $c$, $n$-th", &["!a=b", "c", "n"]),
            ("\\begin{align*} a &= b \\\\ c &= d \\end{align*} done", &["!\\begin{align*} a &= b \\\\ c &= d \\end{align*}"]),
            ("\\begin{equation} e \\end{equation}", &["!e"]),
            ("\\begin{itemize} e \\end{itemize}", &[]),
            ("\\(open and \\(closed\\)", &["open and \\(closed"]),
            ("\\\\(no\\\\)", &[]),
            ("\\$5 and \\$6", &[]),
            ("\\text{a $b$}", &["b"]),
            ("\\(a}\\) and \\(b\\)", &["b"]),
        ] {
            assert_eq!(formulas(text, Dollars::Doubtful), want, "{text}");
        }
    }

    #[test]
    fn money_is_not_a_formula() {
        for text in [
            "$5 and $6",
            "$5-$6 million",
            "from $5 to $6, or $7",
            "it costs $20 (US$) today",
            "US$5/C$6",
            "$HOME/$USER and $PATH",
            "$100 million a year for $3",
            "$5,000.00 or $6,000.00",
            "$ 5 $ 6",
            "$1.5bn$",
        ] {
            assert_eq!(formulas(text, Dollars::Doubtful), [""; 0], "{text}");
            assert_eq!(formulas(text, Dollars::Configured), [""; 0], "{text}");
        }
        assert_eq!(formulas("$a$ and $b$", Dollars::Never), [""; 0]);
        assert_eq!(formulas("$ x^2 $ costs $5", Dollars::Configured), ["x^2"]);
    }
}
