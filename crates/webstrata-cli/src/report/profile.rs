//! The profile: text density along the text, gaps as stripes, and each method's segments over it, as in the thesis
//! (figures 4.2 and 4.9 to 4.11).
//!
//! Grey bars are the blocks before fusion, coloured steps the segments after it, vertical lines their boundaries. The
//! bars are drawn once and shared by all methods. Shapes of the same colour are one path per stretch of the page: few
//! elements, and a browser that shows part of a long page can skip the rest.

use super::model::{Column, Layer, Model};
use webstrata_corpus::markup::{Count, Html};

/// Height of the drawing in its own units; it is stretched to the window.
const HEIGHT: f64 = 100.0;

/// With at least this many segments, the lines between them are thinner when all are visible.
const CROWDED: usize = 400;

/// Blocks or segments per path.
const STRETCH: usize = 256;

/// With at least this many methods, their strips are lower.
const MANY: usize = 5;

pub(super) fn write(html: &mut Html, model: &Model<'_>) {
    html.raw("<section class=\"profile").raw(if model.columns.len() >= MANY { " many" } else { "" });
    html.raw("\" id=\"profile\" aria-label=\"Text density along the text\" data-x=\"");
    for piece in &model.pieces {
        html.show(piece.x.0).raw(" ");
    }
    html.show(model.length).raw("\">");
    shared_bars(html, model);
    html.raw("<div role=\"radiogroup\" aria-label=\"Method shown in the text\">");
    for (k, column) in model.columns.iter().enumerate() {
        strip(html, model, k, column);
    }
    html.raw("</div>");
    if model.columns.len() > 1 {
        agreement(html, model);
    }
    whole(html, model);
    html.raw("</section>");
}

/// Densities of the blocks, and within them the share of linked words, shared by all strips.
fn shared_bars(html: &mut Html, model: &Model<'_>) {
    let (mut bars, mut linked) = (Html::default(), Html::default());
    let mut pieces = model.pieces.iter().peekable();
    let mut number = 0;
    html.raw("<svg class=\"defs\" aria-hidden=\"true\" focusable=\"false\"><defs><g id=\"bars\">");
    while let Some(first) = pieces.next() {
        let mut end = first.x.1;
        while let Some(next) = pieces.next_if(|next| !next.starts_block) {
            end = next.x.1;
        }
        let Some(block) = model.blocks.get(first.block) else { continue };
        let density = block.density().value();
        bar(&mut bars, model, (first.x.0, end), density);
        if block.counts().link_words > 0 {
            bar(&mut linked, model, (first.x.0, end), density * block.link_density());
        }
        number += 1;
        if number % STRETCH == 0 || pieces.peek().is_none() {
            for (class, drawn) in [("<path class=\"bars\" d=\"", &mut bars), ("<path class=\"linked\" d=\"", &mut linked)] {
                html.raw(class).text(&std::mem::take(drawn).finish()).raw("\"/>");
            }
        }
    }
    html.raw("</g></defs></svg>");
}

fn bar(html: &mut Html, model: &Model<'_>, (from, to): (usize, usize), density: f64) {
    let top = HEIGHT - HEIGHT * (density / model.densest).min(1.0);
    html.raw("M").show(from).raw(" 100V").show(format_args!("{top:.0}")).raw("H").show(to).raw("V100z");
}

fn open(html: &mut Html, model: &Model<'_>, class: &'static str) {
    html.raw("<svg class=\"").raw(class).raw("\" viewBox=\"0 0 ").show(model.length);
    html.raw(" 100\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"");
}

/// One method: its name, as a choice, and the drawing.
fn strip(html: &mut Html, model: &Model<'_>, number: usize, column: &Column<'_>) {
    let words = |content: bool| -> usize {
        let counted = column.layers.iter().filter(|layer| layer.verdict.content || !content);
        counted.map(|layer| layer.segment.counts().words as usize).sum()
    };
    html.raw("<div class=\"strip\"><label class=\"name\"><input type=\"radio\" name=\"method\" value=\"").show(number).raw("\"");
    html.raw(if number == 0 { " checked><span><b>" } else { "><span><b>" }).text(column.name).raw("</b>");
    html.raw("<small>").show(Count(column.layers.len())).raw(" segments · content ").show(percent(words(true), words(false)));
    html.raw("</small></span></label><div class=\"plot\">");
    if number == 0 {
        html.raw("<span class=\"scale\" aria-hidden=\"true\">").show(model.densest).raw(" words/line</span>");
    }
    open(html, model, if column.layers.len() >= CROWDED { "far crowded" } else { "far" });
    html.text(column.name).raw(": ").show(Count(column.layers.len())).raw(" segments along the text, listed below\">");
    html.raw("<use href=\"#bars\"/>");
    let density = |layer: &Layer<'_>| layer.segment.counts().density().value();
    for layers in column.layers.chunks(STRETCH) {
        by_role(html, model, layers, "<path class=\"after ", density);
        html.raw("<path class=\"cuts\" d=\"");
        for layer in layers.iter().filter(|layer| layer.pieces.start > 0) {
            html.raw("M").show(model.ends(layer).0).raw(" 0V100");
        }
        html.raw("\"/>");
    }
    html.raw("<rect class=\"here\" y=\"0\" width=\"0\" height=\"100\"/></svg></div></div>");
}

/// Segments as bars of equal height, one path per role.
fn by_role(html: &mut Html, model: &Model<'_>, layers: &[Layer<'_>], path: &'static str, height: impl Fn(&Layer<'_>) -> f64) {
    let mut classes: Vec<&'static str> = layers.iter().map(Layer::class).collect();
    classes.sort_unstable();
    classes.dedup();
    for class in classes {
        html.raw(path).raw(class).raw("\" d=\"");
        for layer in layers.iter().filter(|layer| layer.class() == class) {
            bar(html, model, model.ends(layer), height(layer));
        }
        html.raw("\"/>");
    }
}

/// Starts of segments: the more methods agree, the higher the tick.
fn agreement(html: &mut Html, model: &Model<'_>) {
    let starts = model.agreement();
    let all = starts.iter().skip(1).filter(|&&n| n == model.columns.len()).count();
    let any = starts.iter().skip(1).filter(|&&n| n > 0).count();
    html.raw("<div class=\"strip shared\"><div class=\"name\"><span><b>agreement</b><small>").show(Count(all)).raw(" of ");
    html.show(Count(any)).raw(" by all</small></span></div><div class=\"plot\">");
    open(html, model, "far");
    html.raw("Boundaries; the more methods share one, the higher its tick\">");
    for (path, wanted) in [("<path class=\"some\" d=\"", false), ("<path class=\"every\" d=\"", true)] {
        html.raw(path);
        for (piece, &methods) in model.pieces.iter().zip(&starts).skip(1) {
            if methods > 0 && (methods == model.columns.len()) == wanted {
                html.raw("M").show(piece.x.0).raw(" 100V").show(100 - 100 * methods / model.columns.len());
            }
        }
        html.raw("\"/>");
    }
    html.raw("</svg></div></div>");
}

/// The whole page as a band on which the script marks the visible part.
fn whole(html: &mut Html, model: &Model<'_>) {
    let Some(column) = model.columns.first() else { return };
    html.raw("<div class=\"strip shared band\"><div class=\"name\"><span><b>whole page</b></span></div><div class=\"plot\">");
    open(html, model, "band");
    html.raw("The whole page, with the visible part marked\">");
    by_role(html, model, &column.layers, "<path class=\"whole ", |_| model.densest);
    html.raw("<rect class=\"view\" y=\"0\" width=\"0\" height=\"100\"/></svg></div></div>");
}

pub(super) fn percent(part: usize, whole: usize) -> impl std::fmt::Display {
    let share = if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    format!("{share:.0}\u{202f}%")
}
