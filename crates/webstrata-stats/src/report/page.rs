//! The HTML page: sections with findings, figures, fits and links to the numbers.

use crate::analysis::{Figure, Section, describe, number};
use crate::error::StatsError;
use crate::fit::Fitted;
use crate::plot::panels;
use crate::table::{Table, share};
use webstrata_corpus::markup::Html;

const STYLE: &str = include_str!("report.css");
/// Rows of a table shown in the page; the CSV file has all.
const MAX_ROWS: usize = 60;

/// The whole page.
pub(super) fn page(sections: &[Section], title: &str) -> Result<String, StatsError> {
    let mut head = Html::default();
    head.raw("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n");
    head.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    head.text(title).raw("</title>\n<style>\n").raw(STYLE).raw("</style>\n<h1>").text(title).raw("</h1>\n<nav>\n");
    for section in sections {
        head.raw("<a href=\"#").text(section.id).raw("\">").text(short(section.title)).raw("</a>\n");
    }
    head.raw("</nav>\n");
    let mut page = head.finish();
    for section in sections {
        page.push_str(&self::section(section)?);
    }
    page.push_str("</html>\n");
    Ok(page)
}

/// A title, shortened for the list of sections.
fn short(title: &str) -> &str {
    title.split(": ").next().unwrap_or(title)
}

fn section(section: &Section) -> Result<String, StatsError> {
    let mut html = Html::default();
    html.raw("<section id=\"")
        .text(section.id)
        .raw("\">\n<h2>")
        .text(section.title)
        .raw("</h2>\n<p>")
        .text(&section.about)
        .raw("</p>\n");
    for table in &section.findings {
        self::table(&mut html, table);
    }
    if !section.findings.is_empty() {
        html.raw("<p class=\"files\"><a href=\"found-")
            .text(section.id)
            .raw(".csv\">found-")
            .text(section.id)
            .raw(".csv</a></p>\n");
    }
    let mut page = html.finish();
    for figure in &section.figures {
        page.push_str(&self::figure(figure)?);
    }
    let mut html = Html::default();
    if !section.fits.is_empty() {
        html.raw("<details open><summary>Fitted laws, best first</summary>\n");
        section.fits.iter().for_each(|fitted| fit(&mut html, fitted));
        html.raw("</details>\n");
    }
    for reason in &section.failed {
        html.raw("<p class=\"caveat\">").text(reason).raw("</p>\n");
    }
    html.raw("</section>\n");
    page.push_str(&html.finish());
    Ok(page)
}

fn figure(figure: &Figure) -> Result<String, StatsError> {
    let mut html = Html::default();
    html.raw("<figure>\n");
    let mut page = html.finish();
    let mut html = Html::default();
    if figure.charts.is_empty() {
        html.raw("<figcaption>").text(&figure.title).raw("</figcaption>\n");
        table(&mut html, &figure.numbers);
    } else {
        // The SVG is drawn by this program; its only texts are our own and names of languages.
        page.push_str(&panels(&figure.charts)?);
    }
    html.raw("<p class=\"files\"><a href=\"").text(figure.file).raw(".csv\">").text(figure.file).raw(".csv</a>");
    if !figure.charts.is_empty() {
        html.raw(" · <a href=\"").text(figure.file).raw(".svg\">").text(figure.file).raw(".svg</a>");
    }
    html.raw("</p>\n</figure>\n");
    page.push_str(&html.finish());
    Ok(page)
}

fn table(html: &mut Html, table: &Table) {
    html.raw("<div class=\"table\"><table>\n");
    for (at, line) in table.lines().enumerate().take(MAX_ROWS + 1) {
        html.raw("<tr>");
        for cell in line {
            if at == 0 {
                html.raw("<th>").text(cell).raw("</th>");
            } else {
                html.raw("<td>").text(cell).raw("</td>");
            }
        }
        html.raw("</tr>\n");
    }
    html.raw("</table></div>\n");
}

fn fit(html: &mut Html, fitted: &Fitted) {
    html.raw("<div class=\"fit\" title=\"")
        .text(&describe(fitted))
        .raw("\"><h3>")
        .text(&fitted.law)
        .raw("</h3>\n<p class=\"formula\">");
    html.text(&fitted.formula).raw("</p>\n<div class=\"table\"><table><tr>");
    for parameter in &fitted.parameters {
        html.raw("<th>").text(&parameter.name).raw("</th>");
    }
    html.raw("<th>R²</th><th>adjusted</th><th>RMSE</th>");
    if fitted.chi_squared.is_some() {
        html.raw("<th>chi²</th><th>freedom</th><th>P</th>");
    }
    html.raw("<th>starts</th></tr>\n<tr>");
    for parameter in &fitted.parameters {
        html.raw("<td>").show(number(parameter.value));
        if let Some(error) = parameter.error {
            html.raw(" <small>± ").show(number(error)).raw("</small>");
        }
        html.raw("</td>");
    }
    for value in [share(fitted.r_squared), share(fitted.r_squared_adjusted), number(fitted.rmse)] {
        html.raw("<td>").text(&value).raw("</td>");
    }
    if let Some(chi) = fitted.chi_squared {
        html.raw("<td>")
            .show(number(chi.value))
            .raw("</td><td>")
            .show(chi.freedom)
            .raw("</td><td>")
            .text(&share(chi.p))
            .raw("</td>");
    }
    html.raw("<td>").show(fitted.starts.1).raw(" of ").show(fitted.starts.0).raw("</td></tr></table></div>\n");
    for caveat in &fitted.caveats {
        html.raw("<p class=\"caveat\">").show(caveat);
        if caveat.is_fatal() {
            html.raw(": this fit is meaningless");
        }
        html.raw("</p>\n");
    }
    html.raw("</div>\n");
}
