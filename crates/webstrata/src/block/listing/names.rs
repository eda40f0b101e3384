//! Class names that identify the parts of a listing, as written by syntax highlighters and site generators.

use crate::html::{Node, Tag};

/// Maximum length of the text of a control, in bytes.
const MAX_CONTROL_BYTES: usize = 40;

/// Maximum number of nodes inside a control.
const MAX_CONTROL_NODES: u32 = 24;

/// Whether any class name of an element satisfies `is`.
pub(crate) fn has(node: Node<'_>, is: impl Fn(&str) -> bool) -> bool {
    node.attribute("class").is_some_and(|class| class.split_ascii_whitespace().any(is))
}

/// Whether a class name marks one line of code.
pub(crate) fn is_line(name: &str) -> bool {
    matches!(
        name,
        "line" | "code-line" | "codeline" | "crayon-line" | "ace_line" | "view-line" | "cm-line" | "CodeMirror-line" | "blob-code"
    )
}

/// Whether a class name marks a line number or a column of them. Some of these names also have other uses; see [`is_numbering`].
pub(crate) fn is_line_number(name: &str) -> bool {
    matches!(
        name,
        "gutter"
            | "rouge-gutter"
            | "lineno"
            | "linenos"
            | "linenodiv"
            | "linenumber"
            | "linenumbers"
            | "line-number"
            | "line-numbers"
            | "line-numbers-rows"
            | "line_number"
            | "line_numbers"
            | "lineNumber"
            | "line-num"
            | "linenum"
            | "LineNr"
            | "ln"
            | "lnt"
            | "lnum"
            | "blob-num"
            | "hljs-ln-numbers"
            | "hljs-ln-n"
            | "crayon-nums"
            | "crayon-num"
            | "pre-numbering"
            | "react-syntax-highlighter-line-number"
            | "code-line-number"
            | "CodeMirror-linenumber"
            | "ace_gutter-cell"
    )
}

/// Whether an element is a line number or a column of them: it has such a name and contains no letters.
pub(crate) fn is_numbering(node: Node<'_>) -> bool {
    let named = has(node, is_line_number) || (matches!(node.tag(), Tag::TD | Tag::TH) && node.has_attribute("data-line-number"));
    named && has_no_letters(node)
}

/// Whether a cell of a listing laid out as a table is left of the code and contains line numbers or prompts.
pub(crate) fn is_gutter(node: Node<'_>) -> bool {
    matches!(node.tag(), Tag::TD | Tag::TH) && node.next_sibling().is_some() && has_no_letters(node)
}

/// Whether an element contains only digits and punctuation, and no table.
pub(super) fn has_no_letters(node: Node<'_>) -> bool {
    node.descendants()
        .all(|n| if n.is_element() { n.tag() != Tag::TABLE } else { !n.dom().run_text(n.number()).contains(char::is_alphabetic) })
}

/// Whether a class name marks the element around a listing and its controls.
pub(crate) fn is_wrapper(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(&*lower, "highlight" | "hljs" | "shiki" | "chroma" | "gist" | "snippet" | "src" | "example")
        || ["code", "highlight", "language-", "lang-", "snippet", "syntax", "prism", "listing"]
            .iter()
            .any(|part| lower.contains(part))
}

/// Whether an element inside a listing is not part of the code: line numbers, buttons, a toolbar, the name of the language,
/// or text that is initially hidden.
pub(crate) fn is_decoration(node: Node<'_>) -> bool {
    if node.tag() == Tag::BUTTON {
        return true;
    }
    let Some(class) = node.attribute("class") else { return is_numbering(node) };
    // Most elements are highlighted tokens with a one-letter class.
    let mut names = class.split_ascii_whitespace();
    names.any(|name| {
        name.len() > 1
            && ((is_line_number(name) && has_no_letters(node))
                || ((is_tool(name) || name == "language-id") && is_small(node))
                || is_hidden(name))
    }) || is_numbering(node)
}

/// Whether an element is a button, a toolbar or the name of the language. Valid only inside the wrapper of a listing.
pub(crate) fn is_control(node: Node<'_>) -> bool {
    if matches!(node.tag(), Tag::PRE | Tag::CODE | Tag::FIGCAPTION | Tag::TABLE) {
        return false;
    }
    node.tag() == Tag::BUTTON || (has(node, |name| is_tool(name) || is_language(name)) && is_small(node))
}

fn is_small(node: Node<'_>) -> bool {
    let end = node.dom().record(node.number()).end;
    let texts = node.descendants().filter(|n| !n.is_element()).map(|n| n.span().len() as usize);
    end <= node.number() + MAX_CONTROL_NODES && texts.sum::<usize>() <= MAX_CONTROL_BYTES
}

/// Whether a class name marks text that is shown only on request: lines that mdBook hides, and tooltips of doxygen and rustdoc.
fn is_hidden(name: &str) -> bool {
    matches!(name, "boring" | "ttc" | "notable-traits" | "notable-traits-tooltip")
}

/// Whether a class name marks a button or a group of them.
fn is_tool(name: &str) -> bool {
    matches!(
        name,
        "toolbar" | "toolbar-item" | "crayon-toolbar" | "crayon-info" | "crayon-plain-wrap" | "tools" | "bar" | "playground-link"
    ) || (name.len() > 3
        && (name.contains("copy") || name.contains("Copy") || name.contains("clipboard"))
        && !name.contains("copyr"))
}

/// Whether a class name marks the name of the language, shown above the code.
fn is_language(name: &str) -> bool {
    matches!(
        name,
        "lang"
            | "language"
            | "code-lang"
            | "code-language"
            | "lang-name"
            | "lang-label"
            | "language-name"
            | "language-label"
            | "language-badge"
            | "codeblock-lang"
            | "code-block-lang"
            | "language-id"
    )
}
