//! Correlation of navigational links with short text (thesis, 5.3).

use super::{Figure, Section, percent, ratio, series};
use crate::count::Summary;
use crate::plot::{Chart, ChartKind};
use crate::table::Table;

pub(super) fn links(summary: &Summary) -> Section {
    let tallies = &summary.tallies;
    let all: u64 = tallies.navigation.iter().flatten().sum();
    if all == 0 {
        return Section::default();
    }
    let mut section = Section {
        id: "links",
        title: "Do navigational links sit in short text?",
        about: "The thesis asks (5.3) to what extent links within a site correlate with short text. Phi is the correlation of the two answers, \
                from -1 to 1; the odds ratio says how many times likelier the link is in short text than in long."
            .into(),
        ..Section::default()
    };
    let mut table = Table::new(&["links", "in short text", "in long text", "share in short text", "phi", "odds ratio"]);
    for (names, counts) in
        [(["to other sites", "within the site"], tallies.links), (["of other roles", "of navigation"], tallies.navigation)]
    {
        if counts.iter().flatten().sum::<u64>() == 0 {
            continue;
        }
        for (at, name) in names.into_iter().enumerate() {
            let (short, long) = (counts[0][at], counts[1][at]);
            let last = if at == 1 { association(counts) } else { [String::new(), String::new()] };
            let [phi, odds] = last;
            table.row(vec![name.into(), short.to_string(), long.to_string(), percent(ratio(short, short + long)), phi, odds]);
        }
    }
    let title = "Share of linked words by text density";
    let mut numbers = Table::new(&["density", "words", "linked words", "share"]);
    let mut points = Vec::new();
    for class in 1..=40 {
        let words = tallies.density_words[0].get(class) + tallies.density_words[1].get(class);
        let linked = tallies.density_linked.get(class);
        if words >= 50 {
            points.push((class as f64, linked as f64 / words as f64));
            numbers.row(vec![
                class.to_string(),
                words.to_string(),
                linked.to_string(),
                format!("{:.4}", linked as f64 / words as f64),
            ]);
        }
    }
    if !points.is_empty() {
        let axes = ("text density", "share of words in links");
        let chart = Chart {
            title: title.into(),
            x: axes.0.into(),
            y: axes.1.into(),
            ..Chart::new(ChartKind::Bars, vec![series("linked", points)])
        };
        section.figures = vec![Figure { file: "links", title: title.into(), charts: vec![chart], numbers }];
    }
    section.findings = vec![table];
    section
}

/// Phi and the odds ratio of a 2 × 2 table: rows short and long, columns no and yes.
fn association(counts: [[u64; 2]; 2]) -> [String; 2] {
    let [[a, b], [c, d]] = counts.map(|row| row.map(|count| count as f64));
    let below = ((a + b) * (c + d) * (a + c) * (b + d)).sqrt();
    let phi = if below == 0.0 { "–".into() } else { format!("{:.3}", (b * c - a * d) / below) };
    // Adding half an observation to each cell avoids division by zero.
    let odds = ((b + 0.5) / (a + 0.5)) / ((d + 0.5) / (c + 0.5));
    [phi, format!("{odds:.2}")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_association() {
        // All links within the site in short text, all others in long text.
        assert_eq!(association([[0, 50], [50, 0]])[0], "1.000");
        assert_eq!(association([[50, 0], [0, 50]])[0], "-1.000");
        assert_eq!(association([[25, 25], [25, 25]]), ["0.000", "1.00"]);
    }
}
