//! Rows, the fences around them, and tables.

use super::{MAX_DEPTH, Writer, children, core, is_named, is_stacked, is_true, name, single_char};
use crate::html::{Node, Tag};

/// Opening and closing fences, and the matrix environment for a table between them.
const FENCES: [(char, char, &str); 9] = [
    ('(', ')', "pmatrix"),
    ('[', ']', "bmatrix"),
    ('{', '}', "Bmatrix"),
    ('|', '|', "vmatrix"),
    ('‖', '‖', "Vmatrix"),
    ('∥', '∥', "Vmatrix"),
    ('⟨', '⟩', ""),
    ('⌈', '⌉', ""),
    ('⌊', '⌋', ""),
];

impl Writer {
    /// Appends the elements of a row.
    pub(super) fn row(&mut self, nodes: &[Node<'_>]) {
        if let [open, inner @ .., close] = nodes
            && let Some((left, right)) = stretching_fences(*open, *close, inner)
            && !(inner.len() == 1 && (is_matrix(inner[0]) || is_binomial(inner[0])))
        {
            if self.depth >= MAX_DEPTH {
                self.too_deep = true;
                return;
            }
            self.depth += 1;
            self.push("\\left");
            self.chars(&left.to_string());
            self.row(inner);
            self.push("\\right");
            self.chars(&right.to_string());
            self.depth -= 1;
            return;
        }
        let mut at = 0;
        while let Some(&node) = nodes.get(at) {
            at += match (nodes.get(at + 1), nodes.get(at + 2)) {
                (Some(&inner), close) if is_fence(node) && self.fenced_table(node, inner, close.copied()) => {
                    2 + usize::from(close.is_some_and(|&close| is_fence_pair(node, close)))
                }
                _ => {
                    self.element(node);
                    1
                }
            };
        }
    }

    /// Appends a matrix, a list of cases or a binomial coefficient together with its opening fence, and with its closing fence if
    /// they form a pair. Returns false if it is none of these.
    fn fenced_table(&mut self, open: Node<'_>, inner: Node<'_>, close: Option<Node<'_>>) -> bool {
        let pair = close.is_some_and(|close| is_fence_pair(open, close));
        let Some(sign) = single_char(open) else { return false };
        if is_matrix(inner) {
            let kind = FENCES.iter().find(|(left, _, kind)| *left == sign && !kind.is_empty()).map(|(_, _, kind)| *kind);
            match kind {
                Some(kind) if pair => self.table(core(inner), kind),
                _ if sign == '{' => self.table(core(inner), "cases"),
                _ => return false,
            }
            return true;
        }
        if pair && sign == '(' && is_binomial(inner) {
            let arguments = children(core(inner));
            self.push("\\binom");
            self.argument(&arguments, 0);
            self.argument(&arguments, 1);
            return true;
        }
        false
    }

    /// Appends a table as an environment of this kind.
    pub(super) fn table(&mut self, table: Node<'_>, kind: &str) {
        let align = table.attribute("columnalign").unwrap_or_default();
        let equations = kind == "matrix" && (align.starts_with("right left") || is_true(table, "displaystyle"));
        let kind = if equations { "aligned" } else { kind };
        self.push("\\begin{");
        self.out.push_str(kind);
        self.out.push_str("} ");
        for (at, row) in children(table).into_iter().enumerate() {
            if at > 0 {
                self.out.push_str(" \\\\ ");
            }
            self.table_row(row);
        }
        self.out.push_str(" \\end{");
        self.out.push_str(kind);
        self.out.push('}');
    }

    fn table_row(&mut self, row: Node<'_>) {
        let labelled = is_named(row, "mlabeledtr");
        if !labelled && !is_named(row, "mtr") {
            self.element(row);
            return;
        }
        let cells = children(row);
        for (at, &cell) in cells.iter().skip(usize::from(labelled)).enumerate() {
            if at > 0 {
                self.out.push_str(" & ");
            }
            self.element(cell);
        }
        if let Some(label) = cells.first().filter(|_| labelled) {
            self.text_tag(&label.text());
        }
    }

    fn text_tag(&mut self, label: &str) {
        let label = label.trim().trim_start_matches('(').trim_end_matches(')');
        if !label.is_empty() && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '\'' | '*')) {
            self.push(" \\tag{");
            self.out.push_str(label);
            self.out.push('}');
        }
    }

    /// Appends an `mfenced`, whose fences and separators are attributes.
    pub(super) fn fenced(&mut self, node: Node<'_>, inner: &[Node<'_>]) {
        let value = |name: &str, default: &str| node.attribute(name).map_or_else(|| default.to_owned(), |v| v.trim().to_owned());
        let (open, close) = (value("open", "("), value("close", ")"));
        if let [table] = inner
            && is_matrix(*table)
        {
            let kind = FENCES.iter().find(|(left, right, _)| open == left.to_string() && close == right.to_string());
            match kind.map(|(_, _, kind)| *kind).filter(|kind| !kind.is_empty()) {
                Some(kind) => return self.table(core(*table), kind),
                None if open == "{" && close.is_empty() => return self.table(core(*table), "cases"),
                None => {}
            }
        }
        let stretches = inner.iter().any(|&node| is_tall(node));
        let delimiter = |writer: &mut Writer, side: &str, sign: &str| {
            if stretches {
                writer.push(side);
                writer.chars(if sign.is_empty() { "." } else { sign });
            } else {
                writer.chars(sign);
            }
        };
        delimiter(self, "\\left", &open);
        let separators: Vec<char> = value("separators", ",").chars().filter(|c| !c.is_whitespace()).collect();
        for (at, &child) in inner.iter().enumerate() {
            if let Some(separator) = at.checked_sub(1).and_then(|at| separators.get(at).or(separators.last())) {
                self.chars(&separator.to_string());
            }
            self.element(child);
        }
        delimiter(self, "\\right", &close);
    }
}

fn is_matrix(node: Node<'_>) -> bool {
    is_named(core(node), "mtable")
}

fn is_binomial(node: Node<'_>) -> bool {
    let node = core(node);
    is_named(node, "mfrac") && is_stacked(node)
}

fn is_fence(node: Node<'_>) -> bool {
    core(node).tag() == Tag::MO && single_char(node).is_some_and(|c| FENCES.iter().any(|(open, _, _)| *open == c))
}

fn is_fence_pair(open: Node<'_>, close: Node<'_>) -> bool {
    let (Some(left), Some(right)) = (single_char(open), single_char(close)) else { return false };
    core(close).tag() == Tag::MO && FENCES.iter().any(|(open, close, _)| *open == left && *close == right)
}

/// The characters of fences that stretch to the height of their content. TeX also allows empty fences, but they do not occur here.
fn stretching_fences(open: Node<'_>, close: Node<'_>, inner: &[Node<'_>]) -> Option<(char, char)> {
    if !is_fence(open) || !is_fence_pair(open, close) {
        return None;
    }
    let says =
        |attribute: &str, value: &str| [open, close].iter().any(|n| n.attribute(attribute).is_some_and(|v| v.trim() == value));
    let stretches =
        !says("stretchy", "false") && (says("fence", "true") || says("stretchy", "true") || inner.iter().any(|&n| is_tall(n)));
    stretches.then(|| single_char(open).zip(single_char(close)))?
}

/// Whether an element is taller than a line: a fraction, a table, a sum with limits.
fn is_tall(node: Node<'_>) -> bool {
    let tall = |node: Node<'_>| matches!(&*name(node), "mfrac" | "mtable" | "munderover");
    tall(node) || node.descendants().take(200).any(|inner| inner.is_element() && tall(inner))
}
