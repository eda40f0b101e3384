//! Markup of our own as it is written: literals as they are, everything else escaped.

use std::fmt::{self, Display, Write};

/// HTML under construction.
///
/// Markup can only be a literal of this program, so nothing that a page or a file's name says can become markup: what
/// comes from there goes through [`Html::text`].
#[derive(Debug, Default)]
pub(crate) struct Html(String);

impl Html {
    /// With room for so many bytes.
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Html(String::with_capacity(bytes))
    }

    /// Markup of our own.
    pub(crate) fn raw(&mut self, markup: &'static str) -> &mut Self {
        self.0.push_str(markup);
        self
    }

    /// Text from anywhere, for the inside of an element or of an attribute in double quotes.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
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

    /// Something that is displayed, escaped.
    pub(crate) fn show(&mut self, value: impl Display) -> &mut Self {
        // A string takes everything: this cannot fail, and a value whose own display fails has shown what it could.
        let _ = write!(Escaping(self), "{value}");
        self
    }

    /// What was written.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Escapes what is displayed while it is displayed.
struct Escaping<'h>(&'h mut Html);

impl Write for Escaping<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.text(text);
        Ok(())
    }
}

/// Characters that mean something in markup, and those that no HTML file may hold.
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

/// So many words.
pub(crate) struct Words(pub(crate) usize);

impl Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Count(self.0), if self.0 == 1 { "word" } else { "words" })
    }
}

/// A count with its thousands apart: `12,345`.
pub(crate) struct Count(pub(crate) usize);

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
