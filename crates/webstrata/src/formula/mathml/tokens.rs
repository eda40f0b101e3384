//! Letters, numbers, operators, text and spaces.

use super::symbols::{function, plain_letter, symbol};
use super::{Writer, is_named};
use crate::html::Node;

impl Writer {
    /// Appends the characters of an identifier, number or operator.
    pub(super) fn chars(&mut self, text: &str) {
        for c in text.chars() {
            match plain_letter(c) {
                Some((letter, "")) => self.char(letter),
                Some((letter, alphabet)) => {
                    self.push("\\");
                    self.out.push_str(alphabet);
                    self.push("{");
                    self.char(letter);
                    self.push("}");
                }
                None => self.char(c),
            }
        }
    }

    fn char(&mut self, c: char) {
        match symbol(c) {
            Some(tex) => self.push(tex),
            None => self.push(c.encode_utf8(&mut [0; 4])),
        }
    }

    /// Appends ordinary text inside a formula.
    pub(super) fn text(&mut self, text: &str) {
        self.text_in("text", text);
    }

    fn text_in(&mut self, command: &str, text: &str) {
        self.push("\\");
        self.out.push_str(command);
        self.push("{");
        for c in text.chars() {
            match c {
                '\\' => self.out.push_str("\\backslash "),
                '{' | '}' | '$' | '&' | '#' | '_' | '%' => {
                    self.out.push('\\');
                    self.out.push(c);
                }
                '^' => self.out.push_str("\\^{}"),
                '~' => self.out.push_str("\\~{}"),
                c if c.is_whitespace() => self.out.push(' '),
                c => self.out.push(c),
            }
        }
        self.out.push('}');
    }

    pub(super) fn identifier(&mut self, node: Node<'_>) {
        let text = node.text();
        let variant = node.attribute("mathvariant").unwrap_or_default();
        let alphabet = alphabet(variant.trim());
        if text.chars().nth(1).is_none() {
            let letter = text.chars().all(char::is_alphanumeric);
            let command = match alphabet {
                // Only Latin letters have a `\mathbf` form.
                Some("mathbf") if !text.is_ascii() => Some("boldsymbol"),
                Some("boldsymbol") => Some("boldsymbol"),
                other => other.filter(|_| text.is_ascii()),
            };
            self.in_alphabet(command.filter(|_| letter), &text);
            return;
        }
        if let Some(name) = function(&text) {
            self.push(name);
        } else if text.chars().all(|c| c.is_ascii_alphanumeric()) {
            let applied = node.next_sibling().is_some_and(|next| is_named(next, "mo") && next.text() == "\u{2061}");
            let upright = if applied { "operatorname" } else { "mathrm" };
            let italic = Some("mathit").filter(|_| variant.trim() == "italic");
            self.in_alphabet(alphabet.or(italic).or(Some(upright)), &text);
        } else {
            self.in_alphabet(alphabet.filter(|_| text.chars().all(char::is_alphanumeric)), &text);
        }
    }

    pub(super) fn number(&mut self, node: Node<'_>) {
        let variant = node.attribute("mathvariant").unwrap_or_default();
        let alphabet = alphabet(variant.trim()).filter(|alphabet| *alphabet != "mathrm");
        self.in_alphabet(alphabet, &node.text());
    }

    fn in_alphabet(&mut self, alphabet: Option<&str>, text: &str) {
        let Some(alphabet) = alphabet else {
            self.chars(text);
            return;
        };
        self.push("\\");
        self.out.push_str(alphabet);
        self.push("{");
        self.chars(text);
        self.push("}");
    }

    pub(super) fn operator(&mut self, node: Node<'_>) {
        let text = node.text();
        if let Some(name) = function(&text) {
            self.push(name);
            return;
        }
        match &*text {
            "||" => self.push("\\|"),
            "->" => self.push("\\to"),
            _ if text.chars().filter(char::is_ascii_alphabetic).count() > 1 && text.chars().all(|c| c.is_ascii_alphanumeric()) => {
                self.in_alphabet(Some("operatorname"), &text);
            }
            _ => self.chars(&text),
        }
    }

    pub(super) fn text_element(&mut self, node: Node<'_>) {
        let text = raw_text(node);
        if text.trim().is_empty() {
            self.push(if text.is_empty() { "" } else { "\\ " });
            return;
        }
        let variant = node.attribute("mathvariant").unwrap_or_default();
        let command = match variant.trim() {
            "bold" => "textbf",
            "italic" => "textit",
            "monospace" => "texttt",
            "sans-serif" => "textsf",
            _ => "text",
        };
        self.text_in(command, &text);
    }

    pub(super) fn string(&mut self, node: Node<'_>) {
        let quote = |name: &str| node.attribute(name).map_or_else(|| "\"".to_owned(), |quote| quote.into_owned());
        let text = format!("{}{}{}", quote("lquote"), node.text(), quote("rquote"));
        self.text(&text);
    }

    pub(super) fn space(&mut self, node: Node<'_>) {
        let width = node.attribute("width").unwrap_or_default();
        let width = width.trim();
        let unit = width.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+'));
        let number = width[..width.len() - unit.len()].parse::<f32>().unwrap_or(0.0);
        let em = match unit {
            "ex" => number / 2.0,
            "px" | "pt" => number / 12.0,
            "in" => number * 6.0,
            "cm" => number * 2.4,
            _ => number,
        };
        self.push(match em {
            em if em >= 1.9 => "\\qquad",
            em if em >= 0.9 => "\\quad",
            em if em >= 0.3 => "\\ ",
            em if em >= 0.25 => "\\;",
            em if em >= 0.2 => "\\:",
            em if em >= 0.1 => "\\,",
            em if em <= -0.1 => "\\!",
            _ => "",
        });
    }
}

/// The text of an element, including no-break spaces, which MathML uses where white space would be dropped.
fn raw_text(node: Node<'_>) -> String {
    let mut text = String::new();
    let dom = node.dom();
    for part in node.descendants().filter(|part| !part.is_element()) {
        text.push_str(&dom.run_text(part.number()));
    }
    let is_white = |c: char| c.is_ascii_whitespace();
    let words: Vec<&str> = text.split(is_white).filter(|word| !word.is_empty()).collect();
    words.join(" ").replace('\u{a0}', " ")
}

/// The command for an alphabet; `None` for italic letters, the default in TeX.
fn alphabet(variant: &str) -> Option<&'static str> {
    Some(match variant {
        "normal" => "mathrm",
        "bold" => "mathbf",
        "bold-italic" => "boldsymbol",
        "double-struck" => "mathbb",
        "script" | "bold-script" => "mathcal",
        "fraktur" | "bold-fraktur" => "mathfrak",
        "sans-serif" | "bold-sans-serif" | "sans-serif-italic" | "sans-serif-bold-italic" => "mathsf",
        "monospace" => "mathtt",
        _ => return None,
    })
}
