//! Punctuation that a browser or a style sheet adds around text: quotation marks of `q`, parentheses around ruby text, the colon
//! before a classifier.

use super::build::Walk;
use crate::html::{Node, Tag};

/// Maximum number of ancestors searched for a language.
const MAX_ANCESTORS: usize = 64;

/// An element whose text is enclosed in delimiters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enclosed {
    end: u32,
    /// Whether the opening delimiter has been written.
    opened: bool,
    signs: [&'static str; 2],
}

impl Walk<'_> {
    /// Records the delimiters of an element, to be written with its first text.
    pub(super) fn enclose(&mut self, id: u32, tag: Tag, parent: Option<Tag>) {
        let node = Node::new(self.dom, id);
        let signs = match tag {
            Tag::Q => quotation_marks(node, self.enclosed.len()),
            Tag::RT if !node.parent().is_some_and(|ruby| ruby.children().take(16).any(|n| n.tag() == Tag::RP)) => ["(", ")"],
            Tag::SPAN if parent == Some(Tag::DT) && node.attribute("class").is_some_and(|class| class == "classifier") => {
                [" : ", ""]
            }
            _ => return,
        };
        let end = self.dom.record(id).end;
        self.enclosed.push(Enclosed { end, opened: false, signs });
    }

    /// Writes the opening delimiters of the elements around a text.
    pub(super) fn open_enclosed(&mut self, run: u32) {
        // Elements are opened from the outermost to the innermost.
        let first = self.enclosed.iter().rposition(|enclosed| enclosed.opened).map_or(0, |opened| opened + 1);
        for at in first..self.enclosed.len() {
            let Enclosed { signs: [sign, _], .. } = self.enclosed[at];
            self.enclosed[at].opened = true;
            // The author wrote quotation marks already.
            if is_quotation_mark(sign) && self.dom.run_text(run).trim_start().starts_with(['"', '“', '„', '«', '»', '‘', '「', '”'])
            {
                self.enclosed[at].signs = ["", ""];
                continue;
            }
            self.out.space |= sign.starts_with(' ');
            self.out.sign(sign.trim_matches(' '));
            self.out.space |= sign.ends_with(' ');
        }
    }

    /// Writes the closing delimiters of the elements that end before `id`.
    pub(super) fn close_enclosed(&mut self, id: u32) {
        while let Some(Enclosed { opened, signs: [_, sign], .. }) = self.enclosed.pop_if(|enclosed| enclosed.end <= id) {
            if opened && !sign.is_empty() && self.out.leaf.is_some() && !self.out.fresh {
                let space = std::mem::take(&mut self.out.space);
                self.out.sign(sign);
                self.out.space = space;
            }
        }
    }
}

fn is_quotation_mark(sign: &str) -> bool {
    !matches!(sign, "(" | " : ")
}

/// The quotation marks for the language of the text; single marks inside another quotation.
fn quotation_marks(q: Node<'_>, depth: usize) -> [&'static str; 2] {
    let own = std::iter::once(q).chain(q.ancestors()).take(MAX_ANCESTORS).find_map(|n| n.attribute("lang"));
    let language = own.or_else(|| q.dom().root().attribute("lang")).unwrap_or_default().to_ascii_lowercase();
    let pairs = match language.split(['-', '_']).next().unwrap_or_default() {
        "de" | "cs" | "sk" | "sl" | "is" | "bg" | "ka" | "lt" => [["„", "“"], ["‚", "‘"]],
        "pl" | "ro" | "hu" | "hr" | "sr" | "bs" => [["„", "”"], ["»", "«"]],
        "nl" => [["‘", "’"], ["“", "”"]],
        "sv" | "fi" => [["”", "”"], ["’", "’"]],
        "da" | "nb" | "no" | "nn" | "es" | "it" | "pt" | "ca" | "el" | "ru" | "uk" | "be" | "fa" | "ar" | "hy" | "sq" | "eu"
        | "gl" => [["«", "»"], ["“", "”"]],
        "fr" => [["«\u{a0}", "\u{a0}»"], ["“", "”"]],
        "ja" | "zh" if !language.starts_with("zh-cn") && !language.starts_with("zh-hans") && language != "zh" => {
            [["「", "」"], ["『", "』"]]
        }
        _ => [["“", "”"], ["‘", "’"]],
    };
    pairs[depth.min(1)]
}
