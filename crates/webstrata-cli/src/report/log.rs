//! The log: the text in reading order, one row per line of the page, and beside it, as in a geologist's borehole log,
//! the tags of the gap, the densities of its blocks, and one lane per method.

use super::model::{Column, Layer, Model, Piece};
use super::profile::percent;
use webstrata::block::WordBoundary;
use webstrata_corpus::markup::{Html, Words};

/// Rows per chunk: a browser lays out a chunk together, or not at all while it is out of sight.
const ROWS_PER_CHUNK: usize = 32;

/// Width of the density track in pixels.
const TRACK: f64 = 72.0;

/// The segments of a column, piece by piece.
struct Lane<'m, 'p> {
    column: &'m Column<'p>,
    at: usize,
}

impl<'m, 'p> Lane<'m, 'p> {
    /// The segment of a piece, and whether it starts there. Pieces must come in order.
    fn at_piece(&mut self, piece: usize) -> Option<(&'m Layer<'p>, bool)> {
        while self.column.layers.get(self.at).is_some_and(|layer| layer.pieces.end <= piece) {
            self.at += 1;
        }
        self.column.layers.get(self.at).map(|layer| (layer, layer.pieces.start == piece))
    }
}

pub(super) fn write(html: &mut Html, model: &Model<'_>) {
    html.raw("<section class=\"log scale").show(model.densest).raw("\" id=\"log\" aria-label=\"The text in reading order\">");
    html.raw("<div class=\"r head\" aria-hidden=\"true\">");
    html.raw("<span class=\"g\">gap</span><span class=\"ds\"><span>0</span><span>")
        .show(model.densest)
        .raw("</span></span><span class=\"ls\">");
    for number in 1..=model.columns.len() {
        html.raw("<i>").show(number).raw("</i>");
    }
    html.raw("</span><span class=\"t\">text</span></div>");
    let mut lanes: Vec<Lane<'_, '_>> = model.columns.iter().map(|column| Lane { column, at: 0 }).collect();
    let mut text = model.columns.first().map(|column| Lane { column, at: 0 });
    let (mut start, mut rows) = (0, 0);
    while start < model.pieces.len() {
        let continues_row = |piece: &&Piece<'_>| !starts_row(model, piece);
        let end = start + 1 + model.pieces[start + 1..].iter().take_while(continues_row).count();
        if rows % ROWS_PER_CHUNK == 0 {
            html.raw(if rows > 0 { "</div><div class=\"chunk\">" } else { "<div class=\"chunk\">" });
        }
        row(html, model, start..end, &mut lanes, text.as_mut());
        (start, rows) = (end, rows + 1);
    }
    html.raw(if rows > 0 { "</div></section>" } else { "<p class=\"none\">There is no text on this page.</p></section>" });
}

fn starts_row(model: &Model<'_>, piece: &Piece<'_>) -> bool {
    piece.starts_block && model.blocks.get(piece.block).is_some_and(|block| block.boundary() == WordBoundary::Line)
}

fn row(
    html: &mut Html,
    model: &Model<'_>,
    numbers: std::ops::Range<usize>,
    lanes: &mut [Lane<'_, '_>],
    text: Option<&mut Lane<'_, '_>>,
) {
    let pieces = &model.pieces[numbers.clone()];
    let rules = model.columns.iter().find_map(|column| column.rules).unwrap_or_default();
    let gap = pieces.first().and_then(|piece| model.blocks.get(piece.block)).map(|block| block.gap()).unwrap_or_default();
    let open = gap.difference(rules.force);
    html.raw("<div class=\"r\"><span class=\"g\"><b>").show(gap.difference(open)).raw("</b> ").show(open);
    html.raw("</span><span class=\"ds\" aria-hidden=\"true\">");
    for block in pieces.iter().filter(|piece| piece.starts_block).filter_map(|piece| model.blocks.get(piece.block)) {
        let width = (TRACK * block.density().value() / model.densest).clamp(1.0, TRACK);
        html.raw("<svg class=\"d\" width=\"").show(format_args!("{width:.0}")).raw("\" height=\"7\">");
        if block.counts().link_words > 0 {
            html.raw("<rect width=\"")
                .show(format_args!("{:.0}", (width * block.link_density()).max(1.0)))
                .raw("\" height=\"7\"/>");
        }
        html.raw("</svg>");
    }
    html.raw("</span><span class=\"ls\" aria-hidden=\"true\">");
    for lane in lanes {
        let parts: Vec<_> =
            numbers.clone().enumerate().filter_map(|(k, n)| lane.at_piece(n).filter(|(_, begins)| k == 0 || *begins)).collect();
        html.raw(if parts.len() > 1 { "<span>" } else { "" });
        for (layer, begins) in &parts {
            html.raw("<i class=\"").raw(layer.class()).raw(if *begins { " s\"></i>" } else { "\"></i>" });
        }
        html.raw(if parts.len() > 1 { "</span>" } else { "" });
    }
    html.raw("</span>");
    if let Some(lane) = text {
        // A row of one segment has its colour; in a row of several each piece has its own.
        let whole = lane.at_piece(numbers.start).filter(|(layer, _)| layer.pieces.end >= numbers.end);
        html.raw("<p class=\"t ").raw(whole.map_or("mixed", |(layer, _)| layer.class())).raw("\" dir=\"auto\">");
        for (number, piece) in numbers.zip(pieces) {
            piece_text(html, model, piece, number, lane);
        }
        html.raw("</p>");
    }
    html.raw("</div>");
}

/// The text of a piece, with the heading of the first method's segment if one starts there.
fn piece_text(html: &mut Html, model: &Model<'_>, piece: &Piece<'_>, number: usize, lane: &mut Lane<'_, '_>) {
    let first_of_row = starts_row(model, piece) || number == 0;
    let block = model.blocks.get(piece.block).filter(|_| piece.starts_block);
    let spaced = !first_of_row && block.is_none_or(|block| block.boundary() != WordBoundary::None);
    let Some((layer, begins)) = lane.at_piece(number) else { return };
    if begins {
        heading(html, layer, first_of_row);
    }
    html.raw("<span class=\"p ").raw(layer.class()).raw(if piece.starts_block { " b\"" } else { "\"" });
    if let Some(block) = block.filter(|_| !first_of_row) {
        html.raw(" data-g=\"").show(block.gap()).raw("\"");
    }
    html.raw(if spaced { "> " } else { ">" }).text(&piece.segment.text()).raw("</span>");
}

/// The heading of a segment, above its first row, or inside the row if it starts there. The script creates the same for other
/// methods.
fn heading(html: &mut Html, layer: &Layer<'_>, first_of_row: bool) {
    let counts = layer.segment.counts();
    html.raw("<button type=\"button\" dir=\"ltr\" class=\"h ").raw(layer.class()).raw(if first_of_row { "\">" } else { " in\">" });
    html.raw("<b>").raw(layer.class()).raw("</b> <span>").show(Words(counts.words as usize)).raw(" · ");
    html.show(format_args!("{:.1}", counts.density().value())).raw("/line · ");
    html.show(percent(counts.link_words as usize, counts.words as usize)).raw(" linked");
    html.raw("</span> <span class=\"y\">").text(&layer.why).raw("</span></button>");
}
