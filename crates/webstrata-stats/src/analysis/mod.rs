//! The analyses of the thesis. Each turns counts into a section of the report, with figures, fits and goodness-of-fit measures.

mod density;
mod lengths;
mod links;
mod ranks;
mod strata;
mod templates;
mod terms;

use crate::count::Summary;
use crate::fit::{FitError, Fitted};
use crate::plot::{Chart, Series};
use crate::table::{Table, share};
use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A figure: stacked charts and their numbers.
#[derive(Clone, Debug)]
pub struct Figure {
    /// File name without extension.
    pub file: &'static str,
    /// Title.
    pub title: String,
    /// The charts; none for a table.
    pub charts: Vec<Chart>,
    /// The numbers.
    pub numbers: Table,
}

/// A part of the report.
#[derive(Clone, Debug, Default)]
pub struct Section {
    /// Its anchor in links.
    pub id: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it shows, in the thesis' terms.
    pub about: String,
    /// Results next to those of the thesis.
    pub findings: Vec<Table>,
    /// Fits, best first.
    pub fits: Vec<Fitted>,
    /// Fits that failed, and why.
    pub failed: Vec<String>,
    /// Figures.
    pub figures: Vec<Figure>,
}

impl Section {
    /// Adds a fit, or the reason it failed.
    fn fit(&mut self, fitted: Result<Fitted, FitError>) -> Option<Fitted> {
        match fitted {
            Ok(fitted) => {
                self.fits.push(fitted.clone());
                Some(fitted)
            }
            Err(error) => {
                self.failed.push(error.to_string());
                None
            }
        }
    }
}

/// Builds all sections. Each is built by one thread; the result does not depend on the number of threads.
#[must_use]
pub fn sections(summary: &Summary) -> Vec<Section> {
    const MAKERS: [fn(&Summary) -> Section; 16] = [
        strata::overview,
        density::mixture,
        density::full_stop,
        density::token_lengths,
        lengths::writers,
        lengths::quotients,
        lengths::sentences,
        ranks::segments,
        ranks::pages,
        terms::frequencies,
        terms::typicality,
        templates::templates,
        links::links,
        strata::languages,
        strata::decades,
        strata::deviations,
    ];
    let next = AtomicUsize::new(0);
    let work = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(make) = MAKERS.get(at) else { return made };
            made.push((at, make(summary)));
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAKERS.len());
    let mut made: Vec<(usize, Section)> = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut made = work();
        for other in others {
            match other.join() {
                Ok(others) => made.extend(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        made
    });
    made.sort_by_key(|(at, _)| *at);
    let mut sections: Vec<Section> = made.into_iter().map(|(_, section)| section).collect();
    sections.retain(|section| !section.figures.is_empty() || !section.findings.is_empty() || !section.failed.is_empty());
    sections
}

/// A table of our results next to those of the thesis.
fn beside() -> Table {
    Table::new(&["", "this corpus", "thesis"])
}

fn row(table: &mut Table, name: &str, ours: impl ToString, thesis: &str) {
    table.row(vec![name.to_owned(), ours.to_string(), thesis.to_owned()]);
}

/// Adds R² and RMSE of a fit to a table.
fn quality(table: &mut Table, name: &str, fitted: Option<&Fitted>, thesis: [&str; 2]) {
    let Some(fitted) = fitted else { return };
    row(table, &format!("R² of {name}"), format!("{:.4}", fitted.r_squared), thesis[0]);
    row(table, &format!("RMSE of {name}"), number(fitted.rmse), thesis[1]);
}

/// A number with four significant digits.
pub(crate) fn number(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    if !(1e-5..1e7).contains(&value.abs()) { format!("{value:.3e}") } else { format!("{value:.digits$}") }
}

/// A share in percent.
fn percent(value: f64) -> String {
    if value.is_finite() { format!("{:.1}%", value * 100.0) } else { "–".to_owned() }
}

/// A quotient; NaN if the whole is 0.
fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { f64::NAN } else { part as f64 / whole as f64 }
}

fn series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series { name: name.to_owned(), points: points.into_iter().collect() }
}

/// Formats a fit as text: parameters with errors, measures, caveats.
#[must_use]
pub fn describe(fitted: &Fitted) -> String {
    let mut text = fitted.law.clone();
    let mut mark = ": ";
    for parameter in &fitted.parameters {
        let _ = write!(text, "{mark}{} = {}", parameter.name, number(parameter.value));
        if let Some(error) = parameter.error {
            let _ = write!(text, " ± {}", number(error));
        }
        mark = ", ";
    }
    let _ = write!(text, "; R² {}, adjusted {}", share(fitted.r_squared), share(fitted.r_squared_adjusted));
    let _ = write!(text, ", RMSE {}", number(fitted.rmse));
    if let Some(chi) = fitted.chi_squared {
        let _ = write!(text, ", chi² {} with {} degrees of freedom, P = {}", number(chi.value), chi.freedom, share(chi.p));
    }
    text
}
