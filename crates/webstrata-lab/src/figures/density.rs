//! Figure 4.24: words by the text density of their block and by class; and table 4.8, the classes themselves.

use super::Figure;
use crate::gold::l3s_blocks::Label;
use crate::learn::column::Column;
use crate::learn::dataset::{Classes, LabelledBlocks};
use crate::learn::tables::{class_table, table_4_8};
use crate::plot::{Chart, ChartKind, Legend, Series};
use crate::table::Table;
use webstrata::block::{Feature, Neighbour};

/// Minimum density, or number of words, of the blocks whose words the thesis counts (4.4.4).
const MIN_COUNTED: u32 = 11;
/// Share of words in blocks of at least that density, and of at least that many words: 345,175 and 358,428 of 520,483. The thesis has
/// the two numbers swapped. That cannot be right: a block has at least as many words as any of its lines, so dense blocks are
/// a subset of long ones.
const THESIS: [f64; 2] = [345_175.0 / 520_483.0, 358_428.0 / 520_483.0];
/// Largest density drawn; larger ones are included in it.
const MAX_DENSITY: usize = 20;
/// Classes with so few words that they get a chart of their own.
const SMALL: [Label; 4] = [Label::Headline, Label::Supplemental, Label::Related, Label::Comments];

/// Table 4.8 with a chart of its shares.
#[must_use]
pub fn classes(blocks: &LabelledBlocks) -> Vec<Figure> {
    let rows = table_4_8(blocks);
    let parts: Vec<_> = rows.iter().filter(|row| row.thesis.is_some() && row.name != "any content").collect();
    let series = |name: &str, value: &dyn Fn(usize) -> f64| Series {
        name: name.into(),
        points: (0..parts.len()).map(|at| (at as f64, value(at) * 100.0)).collect(),
    };
    let thesis = |at: usize| parts[at].thesis.unwrap_or_default();
    let series = vec![
        series("blocks", &|at| parts[at].block_share),
        series("blocks, thesis", &|at| thesis(at).0),
        series("words", &|at| parts[at].word_share),
        series("words, thesis", &|at| thesis(at).1),
    ];
    let title = "Table 4.8: classes of text in news";
    let chart = Chart {
        title: title.into(),
        x: String::new(),
        y: "share, %".into(),
        names: parts.iter().map(|row| row.name.to_owned()).collect(),
        ..Chart::new(ChartKind::Bars, series)
    };
    let table = class_table(&rows);
    vec![Figure { file: "table-4.8".into(), title: title.into(), charts: vec![chart], numbers: table.clone(), summary: table }]
}

/// A block: label, words, density, link density.
type Row = (Label, f64, f64, f64);

/// The words of a class, or of linked text, by density.
#[derive(Clone, Debug)]
struct Counted {
    name: &'static str,
    words: Vec<f64>,
}

/// Draws the figure.
#[must_use]
pub fn figures(blocks: &LabelledBlocks) -> Vec<Figure> {
    let current = |feature| Column::Local(feature, Neighbour::Current);
    let data = blocks.dataset(&[current(Feature::TextDensity), current(Feature::LinkDensity)], Classes::Two);
    let rows: Vec<Row> = blocks
        .blocks()
        .filter(|(_, words)| *words > 0)
        .enumerate()
        .map(|(row, (label, words))| (label, f64::from(words), f64::from(data.column(0)[row]), f64::from(data.column(1)[row])))
        .collect();
    vec![figure(&rows)]
}

fn figure(rows: &[Row]) -> Figure {
    let mut counted: Vec<Counted> =
        Label::ALL.iter().map(|label| Counted { name: label.name(), words: vec![0.0; MAX_DENSITY + 1] }).collect();
    let mut linked = Counted { name: "linked, of any class", words: vec![0.0; MAX_DENSITY + 1] };
    for (label, words, density, links) in rows {
        let at = (density.round() as usize).min(MAX_DENSITY);
        counted[*label as usize].words[at] += words;
        linked.words[at] += words * links;
    }
    counted.push(linked);
    let title = "Words by text density of their block, by class (news)";
    let is_small = |counted: &Counted| SMALL.iter().any(|label| label.name() == counted.name);
    let chart = |title: &str, small: bool| {
        let points = |counted: &Counted| counted.words.iter().enumerate().map(|(x, y)| (x as f64, *y)).collect();
        let drawn = counted.iter().filter(|counted| is_small(counted) == small);
        let series = drawn.map(|counted| Series { name: counted.name.into(), points: points(counted) }).collect();
        Chart {
            title: title.into(),
            x: "text density of the block, words per line, rounded".into(),
            y: "words".into(),
            legend: Legend::Beside,
            ..Chart::new(ChartKind::Line, series)
        }
    };
    let charts = vec![chart(title, false), chart("", true)];
    let mut heading = vec!["density"];
    heading.extend(counted.iter().map(|c| c.name));
    let mut numbers = Table::new(&heading);
    for density in 0..=MAX_DENSITY {
        let mut row = vec![density.to_string()];
        row.extend(counted.iter().map(|c| format!("{}", c.words[density].round())));
        numbers.row(row);
    }
    Figure { file: "figure-4.24".into(), title: title.into(), charts, numbers, summary: summary(rows) }
}

fn summary(rows: &[Row]) -> Table {
    let percent = |share: f64| format!("{:.1}%", share * 100.0);
    let all: f64 = rows.iter().map(|row| row.1).sum();
    let part = |inside: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| inside(row)).map(|row| row.1).sum::<f64>();
    let dense = part(&|row| row.2 >= f64::from(MIN_COUNTED));
    let long = part(&|row| row.1 >= f64::from(MIN_COUNTED));
    let mut table = Table::new(&["words in", "share", "thesis"]);
    table.row(vec![format!("blocks of density {MIN_COUNTED} and more"), percent(dense / all), percent(THESIS[0])]);
    table.row(vec![format!("blocks of {MIN_COUNTED} words and more"), percent(long / all), percent(THESIS[1])]);
    table.row(vec![
        "excess of the second over the first".into(),
        percent(long / dense - 1.0),
        percent(THESIS[1] / THESIS[0] - 1.0),
    ]);
    for label in Label::ALL {
        let own = |row: &Row| row.0 == label;
        let share = part(&|row| own(row) && row.2 >= 10.0) / part(&own);
        table.row(vec![format!("{}: blocks of density 10 and more", label.name()), percent(share), "–".into()]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gold::l3s_blocks::{AnnotatedPage, L3sBlocks, LabelledPage};
    use crate::gold::set::GoldPage;
    use webstrata::block::GapModel;

    #[test]
    fn words_by_density_and_class() {
        let html = "<p><a href=x>Home page</a></p><p><span class=x-nc-sel2>It rained again in the whole valley, and all of the \
            night.</span></p><p><span class=x-nc-sel1>It rained</span></p>";
        let page = LabelledPage { gold: GoldPage { id: "1".into(), ..GoldPage::default() }, page: AnnotatedPage::new(html) };
        let blocks = LabelledBlocks::new(&L3sBlocks { pages: vec![page], problems: Vec::new() }, GapModel::Tags);
        let figure = figures(&blocks).remove(0);
        let csv = figure.numbers.csv();
        assert!(csv.starts_with("density,not content,headline,full text,supplemental,related,comments,\"linked, of any class\"\n"));
        assert!(csv.contains("\n2,2,2,0,0,0,0,2\n") && csv.contains("\n12,0,0,12,0,0,0,0\n"), "{csv}");
        // 12 of 16 words are in blocks of 11 and more.
        assert!(
            figure.summary.csv().contains("\nblocks of density 11 and more,75.0%,66.3%\nblocks of 11 words and more,75.0%,68.9%\n")
        );
        assert!(figure.svg().is_ok_and(|svg| svg.is_some()));
        let table = classes(&blocks).remove(0);
        assert!(table.numbers.csv().contains("\nboilerplate,1,33.3%,79.0%,2,12.5%,35.0%\n"), "{}", table.numbers.csv());
        assert!(table.svg().is_ok_and(|svg| svg.is_some()));
    }
}
