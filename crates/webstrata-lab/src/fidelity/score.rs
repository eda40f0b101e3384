//! Scores the Markdown of a page.
//!
//! A measure is defined for a page only if its gold has the element:
//!
//! - *code edit*, *formula edit*, *table edit*: [similarity] of all elements of the page, joined by line
//!   breaks, so that splitting a block costs little, and surplus elements cost. Ignored are spaces at line ends and empty lines around
//!   code, and in formulas white space, `\displaystyle` and braces around the whole. A row of a table is a
//!   line, its cells separated by bars.
//! - *code exact*: share of gold blocks that the answer reproduces exactly, in order.
//! - *language tag*: share of gold blocks with a language whose counterpart has the same language.
//! - *TEDS*: mean [similarity](tree_similarity) of gold tables to their counterparts; 0 without a counterpart.
//! - *headings F1*, *items F1*: 2c / (g + a) for g in gold, a in the answer and c in both, in order. Headings match if they are equal,
//!   items if their similarity is at least .9.
//!
//! Elements of an answer that gold lists as neutral are ignored.
//!
//! Counterparts are found by [align]: in order, with the largest sum of similarities; elements below [`COUNTERPART`] have none.

use super::language::canonical;
use super::markdown::{Elements, collapsed};
use crate::gold::structure::Structure;
use crate::metrics::edit::{align, is_similar, similarity};
use crate::metrics::grid::{Cell, Covered, Grid, tree_similarity};

/// Names of the measures.
pub const MEASURES: [&str; 8] =
    ["code edit", "code exact", "language tag", "formula edit", "table edit", "TEDS", "headings F1", "items F1"];

/// Minimum similarity of counterparts.
pub const COUNTERPART: f64 = 0.5;
/// Minimum similarity of matching items.
pub const SAME_ITEM: f64 = 0.9;

/// The measures of a page, between 0 and 1, in the order of [`MEASURES`]; `None` if gold has no such element.
pub type PageScore = [Option<f64>; MEASURES.len()];

/// Scores an answer.
///
/// ```
/// use webstrata_lab::fidelity::{markdown::Elements, score::score};
/// let gold = serde_json::from_str(r#"{"headings": [{"level": 1, "text": "Piers"}], "items": ["oars", "sails"]}"#).unwrap();
/// let scores = score(&gold, &Elements::read("# Piers\n\n- oars\n- sails\n"));
/// assert_eq!(scores[6..], [Some(1.0), Some(1.0)]);
/// assert_eq!(scores[0], None);
/// ```
#[must_use]
pub fn score(gold: &Structure, answer: &Elements) -> PageScore {
    let gold = &normal(gold);
    let answer = &counted(gold, answer);
    let blocks: Vec<String> = gold.blocks().map(|code| code_text(&code.text)).collect();
    let answered: Vec<String> = answer.code.iter().map(|(text, _)| code_text(text)).collect();
    let tagged = gold.blocks().filter(|code| code.language.is_some()).count();
    let formulas: Vec<String> = gold.math.iter().map(|formula| formula_text(&formula.tex)).collect();
    let answered_formulas: Vec<String> = answer.math.iter().map(|tex| formula_text(tex)).collect();
    let some = |is: bool, value: &dyn Fn() -> f64| is.then(value);
    [
        some(!blocks.is_empty(), &|| similarity(&blocks.join("\n"), &answered.join("\n"))),
        some(!blocks.is_empty(), &|| {
            let same = |i: usize, j: usize| f64::from(u8::from(blocks[i] == answered[j]));
            align(blocks.len(), answered.len(), same).len() as f64 / blocks.len() as f64
        }),
        some(tagged > 0, &|| languages(gold, answer, &blocks, &answered) as f64 / tagged as f64),
        some(!formulas.is_empty(), &|| similarity(&formulas.join("\n"), &answered_formulas.join("\n"))),
        some(!gold.tables.is_empty(), &|| table_edit(&gold.tables, &answer.tables)),
        some(!gold.tables.is_empty(), &|| {
            let pairs = table_pairs(&gold.tables, &answer.tables);
            // Starts from 0.0, because an empty sum is -0.0.
            let sum = pairs.iter().fold(0.0, |sum, &(i, j)| sum + table_similarity(&gold.tables[i], &answer.tables[j]));
            sum / gold.tables.len() as f64
        }),
        some(!gold.headings.is_empty(), &|| headings(gold, answer)),
        some(!gold.items.is_empty(), &|| items(gold, answer)),
    ]
}

/// Gold with all texts normalised for comparison.
pub(super) fn normal(gold: &Structure) -> Structure {
    let mut gold = gold.clone();
    let texts = gold.headings.iter_mut().map(|heading| &mut heading.text).chain(&mut gold.items).chain(&mut gold.neutral);
    let cells = gold.tables.iter_mut().flatten().flatten().map(|cell| &mut cell.text);
    texts.chain(cells).for_each(|text| *text = collapsed(text));
    gold
}

/// An answer without the elements that gold lists as neutral and does not have.
pub(super) fn counted(gold: &Structure, answer: &Elements) -> Elements {
    let mut answer = answer.clone();
    let is_neutral = |text: &str| gold.neutral.iter().any(|neutral| is_similar(neutral, text, SAME_ITEM));
    let has = |text: &str| gold.headings.iter().any(|heading| heading.text == text);
    answer.headings.retain(|text| has(text) || !is_neutral(text));
    let has = |text: &str| gold.items.iter().any(|item| is_similar(item, text, SAME_ITEM));
    answer.items.retain(|text| has(text) || !is_neutral(text));
    answer.code.retain(|(text, _)| !is_neutral_code(gold, text));
    let has = |table: &Vec<Vec<Cell>>| gold.tables.iter().any(|gold| at_least(table_similarity(gold, table)) > 0.0);
    answer.tables.retain(|table| has(table) || !is_neutral(&table_text(table)));
    answer
}

/// Whether code is neutral: it matches a neutral text, and no gold block is as similar to it. Examples on a page are often variants of
/// each other, and gold may have some of them.
fn is_neutral_code(gold: &Structure, text: &str) -> bool {
    let text = collapsed(text);
    let neutral = gold.neutral.iter().filter(|neutral| is_similar(neutral, &text, SAME_ITEM));
    let Some(nearest) = neutral.map(|neutral| similarity(neutral, &text)).reduce(f64::max) else { return false };
    !gold.blocks().any(|code| is_similar(&collapsed(&code.text), &text, nearest))
}

/// The text of a table.
fn table_text(table: &[Vec<Cell>]) -> String {
    table.iter().flatten().map(|cell| cell.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// Normalises code for comparison.
pub(super) fn code_text(text: &str) -> String {
    let text = text.replace('\u{a0}', " ");
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let start = lines.iter().position(|line| !line.is_empty()).unwrap_or(0);
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines[start..end.max(start)].join("\n")
}

/// Normalises a formula for comparison.
pub(super) fn formula_text(tex: &str) -> String {
    // LaTeXML breaks lines after a comment sign.
    let mut text: String = tex.replace("%\n", "").replace("\\displaystyle", "").replace("\\textstyle", "");
    text.retain(|c| !c.is_whitespace());
    while let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).filter(|inner| is_balanced(inner)) {
        text = inner.to_owned();
    }
    text
}

/// Whether braces are balanced.
fn is_balanced(tex: &str) -> bool {
    let mut depth = 0i64;
    tex.chars().all(|c| {
        depth += i64::from(c == '{') - i64::from(c == '}');
        depth >= 0
    }) && depth == 0
}

/// Counterparts of code blocks.
pub(super) fn code_pairs(gold: &[String], answer: &[String]) -> Vec<(usize, usize)> {
    align(gold.len(), answer.len(), |i, j| at_least(similarity(&gold[i], &answer[j])))
}

/// A similarity, or 0 if it is too low for a counterpart.
fn at_least(similarity: f64) -> f64 {
    if similarity >= COUNTERPART { similarity } else { 0.0 }
}

fn languages(gold: &Structure, answer: &Elements, blocks: &[String], answered: &[String]) -> usize {
    let names: Vec<Option<String>> = gold.blocks().map(|code| code.language.as_deref().map(canonical)).collect();
    let is_same = |&(i, j): &(usize, usize)| names[i].is_some() && answer.code[j].1.as_deref().map(canonical) == names[i];
    code_pairs(blocks, answered).iter().filter(|pair| is_same(pair)).count()
}

/// A table with its spans in both forms that Markdown can show.
fn forms(table: &[Vec<Cell>]) -> [Grid; 2] {
    [Covered::Repeated, Covered::Empty].map(|covered| Grid::expand(table, covered))
}

/// The similarity of two tables, using the better of both forms of spans.
pub(super) fn table_similarity(gold: &[Vec<Cell>], answer: &[Vec<Cell>]) -> f64 {
    let ([a, b], [c, d]) = (forms(gold), forms(answer));
    let first = tree_similarity(&a, &c);
    if a == b && c == d { first } else { first.max(tree_similarity(&b, &d)) }
}

/// Counterparts of tables.
pub(super) fn table_pairs(gold: &[Vec<Vec<Cell>>], answer: &[Vec<Vec<Cell>>]) -> Vec<(usize, usize)> {
    align(gold.len(), answer.len(), |i, j| at_least(table_similarity(&gold[i], &answer[j])))
}

fn table_edit(gold: &[Vec<Vec<Cell>>], answer: &[Vec<Vec<Cell>>]) -> f64 {
    let text = |tables: &[Vec<Vec<Cell>>], form: usize| {
        tables.iter().map(|table| forms(table)[form].text()).collect::<Vec<_>>().join("\n")
    };
    let of = |form: usize| similarity(&text(gold, form), &text(answer, form));
    of(0).max(of(1))
}

fn headings(gold: &Structure, answer: &Elements) -> f64 {
    let same = |i: usize, j: usize| f64::from(u8::from(gold.headings[i].text == answer.headings[j]));
    let common = align(gold.headings.len(), answer.headings.len(), same).len();
    2.0 * common as f64 / (gold.headings.len() + answer.headings.len()) as f64
}

/// Pairs of matching items.
pub(super) fn item_pairs(gold: &Structure, answer: &Elements) -> Vec<(usize, usize)> {
    let same = |i: usize, j: usize| f64::from(u8::from(is_similar(&gold.items[i], &answer.items[j], SAME_ITEM)));
    align(gold.items.len(), answer.items.len(), same)
}

fn items(gold: &Structure, answer: &Elements) -> f64 {
    2.0 * item_pairs(gold, answer).len() as f64 / (gold.items.len() + answer.items.len()) as f64
}

/// Means over the pages that have each measure, and the numbers of those pages.
#[must_use]
pub fn means<'s>(scores: impl IntoIterator<Item = &'s PageScore>) -> [(f64, usize); MEASURES.len()] {
    let mut sums = [(0.0, 0); MEASURES.len()];
    for score in scores {
        for (sum, value) in sums.iter_mut().zip(score) {
            if let Some(value) = value {
                *sum = (sum.0 + value, sum.1 + 1);
            }
        }
    }
    sums.map(|(sum, pages)| (if pages == 0 { f64::NAN } else { sum / pages as f64 }, pages))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOLD: &str = r##"{
        "code": [{"text": "let x = 1;\nlet y = 2;", "language": "rust"}, {"text": "ls", "language": "bash"}, {"text": "x", "inline": true}],
        "math": [{"tex": "x^2 + y"}, {"tex": "{\\displaystyle z}"}],
        "tables": [[["a", "b"], ["c", "d"], ["e", "f"], ["g", "h"]]],
        "headings": [{"level": 1, "text": "Piers"}, {"level": 2, "text": "Oars"}],
        "items": ["one", "two", "three"], "neutral": ["Contents"]}"##;

    const RIGHT: &str = "# Piers\n\n```rust\nlet x = 1;\nlet y = 2;\n```\n\n```sh\nls\n```\n\n$x^2+y$ and $z$\n\n\
        | a | b |\n|---|---|\n| c | d |\n| e | f |\n| g | h |\n\n## Oars\n\n- one\n- two\n- three\n- Contents\n";

    fn of(markdown: &str) -> PageScore {
        score(&serde_json::from_str(GOLD).unwrap(), &Elements::read(markdown))
    }

    #[test]
    fn identical_scores_one_and_empty_scores_zero() {
        assert_eq!(of(RIGHT), [Some(1.0); 8]);
        assert_eq!(of(""), [Some(0.0); 8]);
        assert_eq!(score(&Structure::default(), &Elements::read(RIGHT)), [None; 8]);
    }

    #[test]
    fn another_order_costs() {
        let scores =
            of(&RIGHT.replace("# Piers\n", "").replace("## Oars", "## Oars\n\n# Piers").replace("- one\n- two", "- two\n- one"));
        assert_eq!((scores[6], scores[7]), (Some(0.5), Some(2.0 / 3.0)));
        let code = of("```\nls\n```\n\n```\nlet x = 1;\nlet y = 2;\n```\n");
        assert_eq!((code[1], code[2]), (Some(0.5), Some(0.0)));
    }

    #[test]
    fn merged_code_costs_exactness_but_not_its_text() {
        let scores = of("```rust\nlet x = 1;\nlet y = 2;\nls\n```\n");
        assert_eq!((scores[0], scores[1], scores[2]), (Some(1.0), Some(0.0), Some(0.5)));
        let cut = of("```rust\nlet x = 1;\n```\n\n```rust\nlet y = 2;\n```\n\n```bash\nls\n```\n");
        assert_eq!((cut[0], cut[1]), (Some(1.0), Some(0.5)));
    }

    #[test]
    fn a_split_table_counts_once() {
        let scores = of("| a | b |\n|---|---|\n| c | d |\n\n| e | f |\n|---|---|\n| g | h |\n");
        // Two rows of two cells are missing: 6 of 13 nodes.
        assert_eq!((scores[4], scores[5]), (Some(1.0), Some(1.0 - 6.0 / 13.0)));
    }

    #[test]
    fn surplus_costs() {
        let scores = of(&format!("{RIGHT}\n# More\n\n- four\n\n`````\nmore code\n`````\n"));
        assert_eq!((scores[6], scores[7], scores[1]), (Some(0.8), Some(6.0 / 7.0), Some(1.0)));
        assert!(scores[0] < Some(1.0));
    }

    #[test]
    fn a_variant_that_gold_leaves_out_does_not_count() {
        let gold = serde_json::from_str(
            r#"{"code": [{"text": "let boats = 1;\nsail(boats);"}], "neutral": ["let boats = 2; sail(boats);"]}"#,
        );
        let gold: Structure = gold.unwrap();
        let both = "```\nlet boats = 1;\nsail(boats);\n```\n\n```\nlet boats = 2;\nsail(boats);\n```\n";
        assert_eq!(score(&gold, &Elements::read(both))[..2], [Some(1.0); 2]);
        // Gold's own block counts, and so does a variant that is neither gold nor neutral.
        let other = both.replace("= 2", "= 34567");
        assert!(score(&gold, &Elements::read(&other))[0] < Some(1.0));
        assert_eq!(score(&gold, &Elements::read("```\nlet boats = 2;\nsail(boats);\n```\n"))[0], Some(0.0));
    }

    #[test]
    fn spans_repeated_or_empty_are_both_right() {
        let gold = serde_json::from_str(r#"{"tables": [[[{"text": "a", "cols": 2}, "b"], ["c", "d", "e"]]]}"#).unwrap();
        for markdown in [
            "| a | a | b |\n|---|---|---|\n| c | d | e |\n",
            "| a |  | b |\n|---|---|---|\n| c | d | e |\n",
            "<table><tr><th colspan=2>a</th><th>b</th></tr><tr><td>c</td><td>d</td><td>e</td></tr></table>\n",
        ] {
            assert_eq!(score(&gold, &Elements::read(markdown))[4..6], [Some(1.0); 2], "{markdown}");
        }
    }

    #[test]
    fn formulas_compare_without_white_space_and_style() {
        assert_eq!(formula_text("{\\displaystyle a %\n b}"), "ab");
        assert_eq!(formula_text("{a}+{b}"), "{a}+{b}");
    }

    #[test]
    fn code_compares_without_its_margins() {
        assert_eq!(code_text("\n\n  a  \n\n b\n\n"), "  a\n\n b");
        assert_eq!(code_text(" \n"), "");
    }
}
