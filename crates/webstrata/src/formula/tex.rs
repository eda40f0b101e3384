//! TeX as pages write it, reduced to one line that is safe between dollar signs.

/// Maximum length of a formula; longer ones remain text.
const MAX_TEX_BYTES: usize = 20_000;

/// Delimiters and groups that may enclose a formula, and whether they make it a display formula.
const WRAPPERS: [(&str, &str, bool); 10] = [
    ("$$", "$$", true),
    ("$", "$", false),
    ("\\(", "\\)", false),
    ("\\[", "\\]", true),
    ("\\begin{equation}", "\\end{equation}", true),
    ("\\begin{equation*}", "\\end{equation*}", true),
    ("\\begin{displaymath}", "\\end{displaymath}", true),
    ("\\begin{math}", "\\end{math}", false),
    ("{\\displaystyle ", "}", false),
    ("{\\textstyle ", "}", false),
];

/// Commands whose argument is text, in which dollar signs switch back to mathematics.
const TEXT_COMMANDS: [&str; 8] = ["text", "textrm", "textit", "textbf", "textnormal", "mbox", "hbox", "intertext"];

/// A formula in TeX.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Tex {
    /// One line without delimiters, with balanced braces and without unescaped dollar signs and backticks.
    pub(super) tex: String,
    /// Whether the delimiters are those of a display formula.
    pub(super) display: bool,
}

/// Cleans a source; `None` if it cannot be written between dollar signs.
pub(super) fn clean(source: &str) -> Option<Tex> {
    if source.len() > MAX_TEX_BYTES {
        return None;
    }
    let line = one_line(source);
    let mut display = false;
    let mut bare = &*line;
    // Pages nest wrappers: dollar signs around `\displaystyle`.
    for _ in 0..3 {
        let inner = WRAPPERS.iter().find_map(|&(open, close, displays)| {
            let inner = bare.strip_prefix(open)?.strip_suffix(close)?;
            written(inner).map(|_| (inner, displays))
        });
        let Some((inner, displays)) = inner else { break };
        display |= displays;
        bare = trimmed(inner);
    }
    let tex = written(trimmed(bare))?;
    let shows = tex.chars().any(|c| !c.is_whitespace() && !matches!(c, '{' | '}' | '\\' | '&'));
    shows.then_some(Tex { tex, display })
}

/// Removes comments as TeX does and folds white space.
fn one_line(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut commented = false; // the previous line ended in a comment, so no space separates it from this one
    for line in source.split(['\n', '\r']) {
        let end = comment_start(line).unwrap_or(line.len());
        let mut words = line[..end].split_whitespace().peekable();
        if !out.is_empty() && !commented && words.peek().is_some() {
            out.push(' ');
        }
        let mut first = true;
        for word in words {
            if !first {
                out.push(' ');
            }
            out.push_str(word);
            first = false;
        }
        let spaced = line[..end].ends_with(char::is_whitespace);
        if end < line.len() && spaced && !first {
            out.push(' ');
        }
        commented = end < line.len() || (commented && first);
    }
    out.retain(|c| !matches!(c, '\u{ad}' | '\u{200b}' | '\u{2060}' | '\u{feff}'));
    out.truncate(trimmed(&out).len());
    out
}

/// Trims white space at both ends and a control space at the end.
fn trimmed(text: &str) -> &str {
    let text = text.trim();
    if !trailing_backslashes(text).is_multiple_of(2) { text[..text.len() - 1].trim_end() } else { text }
}

/// Where the comment of a line starts.
fn comment_start(line: &str) -> Option<usize> {
    line.match_indices('%').map(|(at, _)| at).find(|&at| trailing_backslashes(&line[..at]).is_multiple_of(2))
}

fn trailing_backslashes(text: &str) -> usize {
    text.bytes().rev().take_while(|&b| b == b'\\').count()
}

/// The formula as it is written to the output: nothing in it ends it early, and renderers without support for formulas find no
/// markup in it.
///
/// A space is inserted after `<`, and between `]` and `(`. TeX ignores these spaces, and Markdown sees neither a tag nor a link.
fn written(tex: &str) -> Option<String> {
    let mut out = String::with_capacity(tex.len() + 8);
    // For each open brace, the command if its argument is text; and the position of an open dollar sign.
    let mut groups: Vec<Option<&str>> = Vec::new();
    let mut dollar: Option<usize> = None;
    let mut rest = tex;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        match c {
            '\\' => {
                let next = after.chars().next()?;
                let name = after.len() - after.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
                let len = name.max(next.len_utf8());
                if next.is_control() {
                    return None;
                }
                if next == '`' {
                    out.push_str(if after.len() == len { "\\grave{}" } else { "\\grave " });
                } else {
                    out.push('\\');
                    out.push_str(&after[..len]);
                }
                rest = &after[len..];
                continue;
            }
            '{' => {
                let command = TEXT_COMMANDS.into_iter().find(|name| out.strip_suffix(name).is_some_and(|out| out.ends_with('\\')));
                groups.push(command);
                out.push(c);
            }
            '}' => {
                groups.pop()?;
                if dollar.is_some_and(|level| level > groups.len()) {
                    return None;
                }
                out.push(c);
            }
            '$' => {
                let command = (*groups.last()?)?;
                if dollar.take().is_some() {
                    out.push('\\');
                    out.push_str(command);
                    out.push('{');
                } else {
                    out.push('}');
                    dollar = Some(groups.len());
                }
            }
            '`' => out.push('‘'),
            '<' => {
                out.push('<');
                if !after.starts_with(' ') && !after.is_empty() {
                    out.push(' ');
                }
            }
            ']' if after.starts_with('(') => out.push_str("] "),
            c if c.is_control() => return None,
            c => out.push(c),
        }
        rest = after;
    }
    (groups.is_empty() && dollar.is_none()).then_some(out)
}

/// Whether a text is TeX rather than a description for screen readers.
pub(super) fn looks_like_tex(text: &str) -> bool {
    if text.contains(['\\', '^', '_', '{']) {
        return true;
    }
    // One word may be a name in a formula, several are a description.
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().nth(2).is_some());
    words.count() <= usize::from(!text.trim().contains(char::is_whitespace))
}

/// Splits an environment's name off a text that starts with `\begin{`.
pub(super) fn environment(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("\\begin{")?;
    let name = &rest[..rest.bytes().take(20).position(|b| b == b'}')?];
    let letters = name.strip_suffix('*').unwrap_or(name);
    (!letters.is_empty() && letters.bytes().all(|b| b.is_ascii_alphabetic())).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tex(source: &str) -> Option<String> {
        clean(source).map(|found| found.tex)
    }

    #[test]
    fn delimiters_and_comments_are_removed() {
        for (source, want) in [
            ("x", "x"),
            (" $x$ ", "x"),
            ("$${\\displaystyle x}$$", "x"),
            ("\\(x\\)", "x"),
            ("{\\displaystyle x^{2}}", "x^{2}"),
            ("{\\displaystyle x}{y}", "{\\displaystyle x}{y}"),
            ("\\begin{equation*}\nx\n\\end{equation*}", "x"),
            ("\\begin{align}a&=b\\\\c&=d\\end{align}", "\\begin{align}a&=b\\\\c&=d\\end{align}"),
            ("a_{%\ni}", "a_{i}"),
            ("a % comment\n  b", "a b"),
            ("a\\%\nb", "a\\% b"),
            ("50\\%", "50\\%"),
            ("a\\\\%\nb", "a\\\\b"),
            ("a\n\n  b", "a b"),
            ("x\\ ", "x"),
            ("$x\\ $", "x"),
        ] {
            assert_eq!(tex(source).as_deref(), Some(want), "{source}");
        }
        assert!(clean("\\[x\\]").is_some_and(|found| found.display));
        assert!(clean("$x$").is_some_and(|found| !found.display));
    }

    #[test]
    fn nothing_leaves_the_formula() {
        for (source, want) in [
            ("a<b", "a< b"),
            ("a < b", "a < b"),
            ("[x](javascript:y)", "[x] (javascript:y)"),
            ("\\text{if $x$ is `odd'}", "\\text{if }x\\text{ is ‘odd'}"),
            ("\\text{5\\$}", "\\text{5\\$}"),
            ("\\`", "\\grave{}"),
        ] {
            assert_eq!(tex(source).as_deref(), Some(want), "{source}");
        }
        for source in ["", " ", "a}", "{a", "a$b", "\\text{a $b} c$", "\\", "{}", "a\u{1}b", "$", "%", "\\text{$}"] {
            assert_eq!(tex(source), None, "{source}");
        }
        assert_eq!(tex(&"x".repeat(MAX_TEX_BYTES + 1)), None);
    }

    #[test]
    fn words_are_not_tex() {
        for source in ["x", "x+y=3", "\\alpha", "a_1", "x squared \\cdot", "gcd(a,b)", "a + b"] {
            assert!(looks_like_tex(source), "{source}");
        }
        for source in ["x squared", "the integral", "two words", "Diagram of a bridge"] {
            assert!(!looks_like_tex(source), "{source}");
        }
    }

    proptest! {
        #[test]
        fn what_is_written_once_stays_as_it_is(source in "[a${}\\\\<`%() \n\\]\\[]{0,24}") {
            if let Some(once) = clean(&source) {
                prop_assert!(!once.tex.contains(['`', '\n']), "{}", once.tex);
                prop_assert_eq!(written(&once.tex), Some(once.tex.clone()));
            }
        }
    }
}
