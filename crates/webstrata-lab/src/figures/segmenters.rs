//! Table 4.1: agreement of all segmenters with annotators, at both levels and for both readings of unmarked text.
//!
//! The table also shows where the error comes from. The row "cuts as marked" cuts exactly where the annotation changes: the best that a
//! sequence of segments can reach. One column has the score after joining neighbouring segments with the same annotation: the remaining
//! error comes from wrong cuts, the rest from too many cuts. A second table groups the pages by atoms per annotation: the fewer, the
//! closer they are to the thesis' pages.

use super::Figure;
use super::marked::View;
use crate::gold::seg_popular::{Level, MarkedPage};
use crate::segmentation::{Reading, Score};
use crate::table::{Table, share};
use webstrata::segment::{Method, RuleSet, TagGap};

/// AdjRand, NMI and segments per page in table 4.1.
const THESIS: [(Method, [f64; 3]); 6] = [
    (Method::WordWrap, [0.25, 0.59, 25.0]),
    (Method::TagGap, [0.43, 0.65, 69.43]),
    (Method::BfPlain, [0.60, 0.75, 27.72]),
    (Method::BfSmoothed, [0.62, 0.76, 19.77]),
    (Method::BfRulebased, [0.79, 0.87, 21.24]),
    (Method::JustRules, [0.78, 0.84, 17.64]),
];

/// Upper bounds of the groups of pages, in atoms per annotation. The thesis' pages have 69.4 atoms, and its best methods divide them into
/// 18 to 21 segments: 3.3 to 3.9 atoms per segment.
const ATOMS: [f64; 4] = [6.0, 12.0, 24.0, f64::INFINITY];

/// Draws the tables.
#[must_use]
pub fn figures(pages: &[MarkedPage]) -> Vec<Figure> {
    vec![all(pages), by_atoms(pages)]
}

/// Methods with rule sets; methods without rules are measured once.
fn candidates() -> Vec<(Method, RuleSet)> {
    let with_rules = [Method::BfRulebased, Method::JustRules, Method::GetBlockSet];
    Method::PAPERS
        .into_iter()
        .flat_map(|method| {
            let sets = if with_rules.contains(&method) { vec![RuleSet::paper(), RuleSet::html5()] } else { vec![RuleSet::paper()] };
            sets.into_iter().map(move |rules| (method, rules))
        })
        .collect()
}

fn name((method, rules): &(Method, RuleSet)) -> String {
    if *rules == RuleSet::html5() { format!("{method}, html5") } else { method.to_string() }
}

fn level_name(level: Level) -> &'static str {
    match level {
        Level::Top => "1",
        Level::Sub => "2",
    }
}

/// A row of the table.
struct Row {
    name: String,
    thesis: Option<[f64; 3]>,
    /// For each view: the mean, and the mean after joining segments.
    means: Vec<(Score, Score)>,
}

fn all(pages: &[MarkedPage]) -> Figure {
    let candidates = candidates();
    let heading = [
        "level",
        "text",
        "method",
        "pages",
        "adjusted_rand",
        "nmi",
        "bcubed_p",
        "bcubed_r",
        "bcubed_f",
        "segments",
        "gold_segments",
        "joined_adjusted_rand",
    ];
    let mut numbers = Table::new(&heading);
    let columns =
        ["method", "AdjRand", "thesis", "NMI", "thesis", "segments", "thesis", "joined", "AdjRand, all", "level 1", "level 1, all"];
    let thesis = |method: Method| THESIS.iter().find(|(name, _)| *name == method).map(|(_, printed)| *printed);
    let row = |candidate: &(Method, RuleSet)| Row { name: name(candidate), thesis: thesis(candidate.0), means: Vec::new() };
    let mut rows: Vec<Row> = candidates.iter().map(row).collect();
    rows.push(Row { name: "cuts as marked".into(), thesis: None, means: Vec::new() });
    for (level, reading) in [
        (Level::Sub, Reading::Marked),
        (Level::Sub, Reading::AllText),
        (Level::Top, Reading::Marked),
        (Level::Top, Reading::AllText),
    ] {
        let view = View { level, reading, ..View::default() };
        let mut scores = view.scores(pages, &candidates, |(method, rules)| method.segmenter(*rules));
        let mut joined = view.measured(pages, &candidates, |task, (method, rules)| task.joined(&*method.segmenter(*rules)));
        for last in [&mut scores, &mut joined] {
            last.push(view.map(pages, |task| task.perfect_cuts()));
        }
        let gold = view.map(pages, |task| task.gold_segments());
        let gold = gold.iter().sum::<usize>() as f64 / gold.len().max(1) as f64;
        for (row, (scores, joined)) in rows.iter_mut().zip(scores.iter().zip(&joined)) {
            let (mean, joined) = (Score::mean(scores), Score::mean(joined));
            row.means.push((mean, joined));
            let mut cells =
                vec![level_name(level).to_owned(), reading.name().to_owned(), row.name.clone(), scores.len().to_string()];
            let bcubed = mean.bcubed;
            let figures = [mean.adjusted_rand, mean.nmi, bcubed.precision, bcubed.recall, bcubed.f, mean.segments, gold];
            cells.extend(figures.map(|value| format!("{value:.6}")));
            cells.push(format!("{:.6}", joined.adjusted_rand));
            numbers.row(cells);
        }
    }
    let mut summary = Table::new(&columns);
    for Row { name, thesis, means } in rows {
        let printed =
            |at: usize| thesis.map_or_else(|| "–".to_owned(), |t| if at == 2 { format!("{:.1}", t[at]) } else { share(t[at]) });
        summary.row(vec![
            name,
            share(means[0].0.adjusted_rand),
            printed(0),
            share(means[0].0.nmi),
            printed(1),
            format!("{:.1}", means[0].0.segments),
            printed(2),
            share(means[0].1.adjusted_rand),
            share(means[1].0.adjusted_rand),
            share(means[2].0.adjusted_rand),
            share(means[3].0.adjusted_rand),
        ]);
    }
    let title = "Table 4.1: segmenters against annotations (level 2 and marked text only, unless noted)".into();
    Figure { file: "table-4.1".into(), title, charts: Vec::new(), numbers, summary }
}

/// The same table, grouped by atoms per annotation.
fn by_atoms(pages: &[MarkedPage]) -> Figure {
    let view = View::default();
    let atoms: Vec<f64> = view.map(pages, |task| task.score(&TagGap).segments);
    let gold: Vec<f64> = view.map(pages, |task| task.gold_segments() as f64);
    let scores = view.scores(pages, &Method::PAPERS, |method| method.segmenter(RuleSet::paper()));
    let mut heading: Vec<String> = vec!["atoms per mark".into(), "pages".into(), "atoms per page".into(), "marks per page".into()];
    heading.extend(Method::PAPERS.iter().map(Method::to_string));
    let mut table = Table::new(&heading.iter().map(String::as_str).collect::<Vec<_>>());
    let mut low = 0.0;
    for high in ATOMS {
        let is_inside = |at: &usize| (low..high).contains(&(atoms[*at] / gold[*at].max(1.0)));
        let inside: Vec<usize> = (0..atoms.len()).filter(is_inside).collect();
        let mean = |values: &[f64]| inside.iter().map(|&at| values[at]).sum::<f64>() / inside.len().max(1) as f64;
        let size = if high.is_finite() { format!("{low} to {high}") } else { format!("{low} and more") };
        let mut row = vec![size, inside.len().to_string(), format!("{:.1}", mean(&atoms)), format!("{:.1}", mean(&gold))];
        let rand = |pages: &Vec<Score>| Score::mean(&inside.iter().map(|&at| pages[at]).collect::<Vec<_>>()).adjusted_rand;
        row.extend(scores.iter().map(|pages| share(rand(pages))));
        table.row(row);
        low = high;
    }
    let title = "Table 4.1 by atoms per mark: AdjRand, level 2, marked text only".into();
    Figure { file: "table-4.1-by-atoms".into(), title, charts: Vec::new(), numbers: table.clone(), summary: table }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::marked::tests::pages;

    #[test]
    fn both_levels_and_both_readings() {
        let figures = figures(&pages());
        let csv = figures[0].numbers.csv();
        assert_eq!(csv.lines().count(), 1 + 4 * (Method::PAPERS.len() + 3 + 1));
        // All annotations are at level 1, so both levels are the same. Two segments and, with all text, two or four: mean 3.
        assert!(
            csv.contains(
                "\n2,marked text only,just-rules,2,1.000000,1.000000,1.000000,1.000000,1.000000,3.000000,2.000000,1.000000\n"
            ),
            "{csv}"
        );
        assert!(
            csv.contains("\n1,all text,just-rules,2,1.000000,1.000000,1.000000,1.000000,1.000000,3.000000,3.000000,1.000000\n"),
            "{csv}"
        );
        // Page 1 under TagGap: cells 1 1 1 1 10; pairs shared 45, gold 6 + 45, answer 45, all 91. Page 2 is the same.
        let expected = 51.0 * 45.0 / 91.0;
        let rand = (45.0 - expected) / (48.0 - expected);
        assert!(csv.contains(&format!("\n2,marked text only,taggap,2,{rand:.6},")), "{csv}");
        assert!(csv.contains("\n1,all text,cuts as marked,2,1.000000,"), "{csv}");
        assert!(figures[0].summary.csv().contains("\njust-rules,1.000,.780,1.000,.840,3.0,17.6,1.000,1.000,1.000,1.000\n"));
    }

    #[test]
    fn pages_are_grouped_by_atoms() {
        // Five atoms and seven, two annotations each: 2.5 and 3.5 atoms per annotation.
        let csv = figures(&pages())[1].numbers.csv();
        let rows: Vec<&str> = csv.lines().collect();
        assert!(rows[1].starts_with("0 to 6,2,6.0,2.0,") && rows[2].starts_with("6 to 12,0,"), "{csv}");
        assert!(rows[4].starts_with("24 and more,0,"), "{csv}");
    }
}
