//! HTML generation: literals are written as they are, everything else is escaped.

use std::fmt::{self, Display, Write};

/// HTML under construction.
///
/// Markup can only be a literal in this program, so nothing from a page or a file name can become markup: such text goes through
/// [`Html::text`].
#[derive(Debug, Default)]
pub struct Html(String);

impl Html {
    /// Creates an empty value with room for this many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Html(String::with_capacity(bytes))
    }

    /// Appends literal markup.
    pub fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Appends untrusted text, escaped, inside an element or a double-quoted attribute.
    pub fn text(&mut self, text: &str) -> &mut Self {
        let mut rest = text;
        while let Some(at) = rest.find(is_special) {
            let (plain, special) = rest.split_at(at);
            self.0.push_str(plain);
            let mut characters = special.chars();
            if let Some(c) = characters.next() {
                self.0.push_str(replacement(c));
            }
            rest = characters.as_str();
        }
        self.0.push_str(rest);
        self
    }

    /// Appends a displayed value, escaped.
    pub fn show(&mut self, value: impl Display) -> &mut Self {
        // Writing to a string cannot fail; a value whose own display fails has written what it could.
        let _ = write!(Escaping(self), "{value}");
        self
    }

    /// Returns the HTML.
    pub fn finish(self) -> String {
        self.0
    }
}

/// A writer that escapes its input.
struct Escaping<'h>(&'h mut Html);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.text(text);
        Ok(())
    }
}

/// Characters with a meaning in markup, and those that HTML does not allow.
fn is_special(c: char) -> bool {
    matches!(c, '&' | '<' | '>' | '"' | '\'') || (c.is_control() && !matches!(c, '\n' | '\t'))
}

fn replacement(c: char) -> &'static str {
    match c {
        '&' => "&amp;",
        '<' => "&lt;",
        '>' => "&gt;",
        '"' => "&quot;",
        '\'' => "&#39;",
        _ => "\u{fffd}",
    }
}

/// A word count: `1 word`, `12,345 words`.
pub struct Words(pub usize);

impl Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Count(self.0), if self.0 == 1 { "word" } else { "words" })
    }
}

/// A number with thousands separators: `12,345`.
pub struct Count(pub usize);

impl Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (k, digit) in digits.chars().enumerate() {
            if k > 0 && (digits.len() - k).is_multiple_of(3) {
                f.write_char(',')?;
            }
            f.write_char(digit)?;
        }
        Ok(())
    }
}
