//! The lists: all segments of each method, one per line, with all details. They can be read without the script, which also reads
//! them. Fields are separated by tabs, so a list can be pasted into a spreadsheet.

use super::model::{Layer, Model};
use super::profile::percent;
use webstrata::Span;
use webstrata_corpus::markup::{Count, Html, Words};

/// Maximum number of byte ranges written per segment; the line says how many more there are.
const MAX_SPANS: usize = 4;

pub(super) fn write(html: &mut Html, model: &Model<'_>) {
    html.raw("<section class=\"lists\" aria-label=\"Segments of each method\">");
    for column in &model.columns {
        html.raw("<details><summary>").text(column.name).raw(" <small>");
        if let Some(rules) = column.rules {
            html.text(rules.name).raw(" rules, ");
        }
        html.show(Count(column.layers.len())).raw(" segments</small></summary><ol data-method=\"").text(column.name).raw("\">");
        for layer in &column.layers {
            line(html, layer);
        }
        html.raw("</ol></details>");
    }
    html.raw("</section>");
}

/// One element per segment instead of a row of cells: a page may have tens of thousands.
fn line(html: &mut Html, layer: &Layer<'_>) {
    let counts = layer.segment.counts();
    html.raw("\n<li class=\"")
        .raw(layer.class())
        .raw("\" data-p=\"")
        .show(layer.pieces.start)
        .raw("\" dir=\"ltr\">")
        .raw(layer.class());
    html.raw("\tscore ").show(format_args!("{:.2}", layer.verdict.score)).raw("\t").show(Words(counts.words as usize));
    html.raw("\t").show(percent(counts.link_words as usize, counts.words as usize)).raw(" linked\t");
    html.show(format_args!("{:.2}", counts.density().value())).raw(" words/line\t");
    spans(html, &layer.segment.spans());
    html.raw("\t").text(&layer.path).raw("\t").text(&layer.why);
}

fn spans(html: &mut Html, spans: &[Span]) {
    html.raw("bytes ");
    for (k, span) in spans.iter().take(MAX_SPANS).enumerate() {
        html.raw(if k > 0 { ", " } else { "" }).show(span);
    }
    if let Some((last, more)) = spans.last().zip(spans.len().checked_sub(MAX_SPANS).filter(|more| *more > 0)) {
        html.raw(", ").show(Count(more)).raw(" more up to ").show(last.end);
    }
}
