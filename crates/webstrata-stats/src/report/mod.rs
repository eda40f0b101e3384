//! The report: one HTML page with all figures, and a CSV file with the numbers of each.
//!
//! The page loads no external resources. Figures are inline SVG; the style maps their colours, so that they are readable on a dark screen.

mod page;

use crate::analysis::{Section, sections};
use crate::count::Summary;
use crate::error::StatsError;
use crate::fit::Fitted;
use crate::table::Table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use webstrata_corpus::io::write_atomically;

/// The laws of a corpus: the contents of `laws.json`, which simulators read.
#[derive(Clone, Debug, Serialize)]
pub struct Laws<'a> {
    /// Name and version of the file.
    pub schema: &'static str,
    /// Pages, segments and words.
    pub pages: u64,
    /// Fits by section.
    pub fits: BTreeMap<&'static str, &'a [Fitted]>,
}

/// Name and version of `laws.json`.
pub const SCHEMA: &str = "webstrata.laws/1";

/// Writes the report to a folder: `index.html`, a CSV and an SVG file per figure, `laws.json`, `deviations.csv` and `deviations.txt`.
///
/// # Errors
/// If a file cannot be written or a chart cannot be drawn.
pub fn write(summary: &Summary, title: &str, folder: &Path) -> Result<Vec<Section>, StatsError> {
    if summary.tallies.all.words == [0, 0] {
        return Err(StatsError::Empty);
    }
    let sections = sections(summary);
    for figure in sections.iter().flat_map(|section| &section.figures) {
        write_atomically(&folder.join(format!("{}.csv", figure.file)), figure.numbers.csv().as_bytes())?;
        if !figure.charts.is_empty() {
            let svg = crate::plot::panels(&figure.charts)?;
            write_atomically(&folder.join(format!("{}.svg", figure.file)), svg.as_bytes())?;
        }
    }
    for section in sections.iter().filter(|section| !section.findings.is_empty()) {
        let csv: String = section.findings.iter().map(Table::csv).collect();
        write_atomically(&folder.join(format!("found-{}.csv", section.id)), csv.as_bytes())?;
    }
    let fits = sections.iter().filter(|section| !section.fits.is_empty()).map(|section| (section.id, &*section.fits)).collect();
    let laws = Laws { schema: SCHEMA, pages: summary.tallies.all.pages, fits };
    let json = serde_json::to_vec_pretty(&laws).map_err(|error| StatsError::damaged(&folder.join("laws.json"), error))?;
    write_atomically(&folder.join("laws.json"), &json)?;
    write_deviations(summary, folder)?;
    write_atomically(&folder.join("index.html"), page::page(&sections, title)?.as_bytes())?;
    Ok(sections)
}

/// Writes all pages that deviate, as a table and as a list of ids.
fn write_deviations(summary: &Summary, folder: &Path) -> Result<(), StatsError> {
    let mut table = Table::new(&["page", "bits", "segments", "words", "reason"]);
    let mut list = String::new();
    for page in &summary.deviating {
        let cells = [format!("{:.4}", page.bits), page.segments.to_string(), page.words.to_string(), page.reason.clone()];
        table.row([vec![page.page.clone()], cells.to_vec()].concat());
        if !page.page.contains(['\n', '\r']) {
            list.push_str(&page.page);
            list.push('\n');
        }
    }
    write_atomically(&folder.join("deviations.csv"), table.csv().as_bytes())?;
    write_atomically(&folder.join("deviations.txt"), list.as_bytes())?;
    Ok(())
}
