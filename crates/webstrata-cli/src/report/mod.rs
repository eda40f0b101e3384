//! The report on a page (`segment --report`), one self-contained HTML file.
//!
//! It has three linked views of the page: the profile of text density along the text, with the segments of each method over it
//! (`profile.rs`); the text in reading order, next to its densities, gaps and segments (`log.rs`); and lists with everything
//! known about each segment (`lists.rs`). All of it is HTML that can be read without scripts; `report.js` links the views.
//!
//! Nothing from the page can run: everything is escaped (`markup.rs` accepts only literals as markup), and a content security
//! policy names the one script and the one style sheet by their hashes and forbids everything else, including the network.

mod lists;
mod log;
mod model;
mod profile;
#[cfg(test)]
mod tests;

pub(crate) use model::Division;
use model::Model;
use webstrata::Page;
use webstrata::content::Content;
use webstrata::label::Role;
use webstrata_corpus::markup::{Count, Html};

const STYLE: &str = include_str!("report.css");
const SCRIPT: &str = include_str!("report.js");

/// Hashes of the style sheet and the script as browsers compute them (with line feeds as line endings). A test checks them.
const STYLE_HASH: &str = "sha256-XbID2Ou9Ri0uYSrGK+1cpMLsPeaLruBa8HnR2cRIu0E=";
const SCRIPT_HASH: &str = "sha256-vI0R/kU6xSkhTPdfOgrL3lWOiFPNFnCyHjxSR5wfOPM=";

/// The report on a page: the segments of several methods. The text shows the first of them when the report is opened.
/// `content` has the verdicts, with reasons; `picture` is the address of a screenshot with the segments of the first method.
pub(crate) fn html<'p>(
    name: &str,
    page: &'p Page<'_>,
    divisions: &[Division<'p>],
    content: &Content<'_>,
    picture: Option<&str>,
) -> String {
    let model = Model::new(page, divisions, content);
    let pictured = picture.map_or(0, str::len);
    let mut html = Html::with_capacity(STYLE.len() + SCRIPT.len() + 4 * page.dom().source().len() + pictured);
    head(&mut html, name, page, picture.is_some());
    title(&mut html, name, page, &model);
    profile::write(&mut html, &model);
    if let Some(picture) = picture {
        screenshot(&mut html, picture, &model);
    }
    html.raw("<div class=\"work\">");
    log::write(&mut html, &model);
    html.raw(PANEL).raw("</div>");
    lists::write(&mut html, &model);
    html.raw("</main>").raw(HELP).raw("<script>").raw(SCRIPT).raw("</script></body></html>\n");
    html.finish()
}

/// The page as a browser shows it.
fn screenshot(html: &mut Html, picture: &str, model: &Model<'_>) {
    let method = model.columns.first().map_or("", |column| column.name);
    html.raw("<details class=\"rendered\" open><summary>The page in a browser, with the segments of ").text(method);
    html.raw("</summary><div><img src=\"").text(picture).raw(
        "\" alt=\"Screenshot of the page with numbered frames around its segments, \
which are listed below\"></div></details>",
    );
}

fn head(html: &mut Html, name: &str, page: &Page<'_>, has_picture: bool) {
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '").raw(STYLE_HASH);
    html.raw("'; script-src '").raw(SCRIPT_HASH);
    html.raw(if has_picture { "'; img-src data:; require-" } else { "'; require-" });
    html.raw("trusted-types-for 'script'; base-uri 'none'; form-action 'none'\">");
    html.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" content=\"no-referrer\">",
    );
    html.raw("<meta name=\"color-scheme\" content=\"light dark\"><title>").text(page.title().unwrap_or(name));
    html.raw(" – strata</title><style>").raw(STYLE).raw("</style></head><body>");
}

/// The page's title, its file, size and encoding, and the legend.
fn title(html: &mut Html, name: &str, page: &Page<'_>, model: &Model<'_>) {
    html.raw(
        "<a class=\"skip\" href=\"#log\">Skip to the text</a><header><div class=\"top\"><div><p class=\"kind\">Strata of a page</p>",
    );
    html.raw("<h1 dir=\"auto\">").text(page.title().unwrap_or("Page without a title")).raw("</h1></div>").raw(TOOLS);
    html.raw("</div><p class=\"facts\"><bdi class=\"file\">").text(name).raw("</bdi>");
    let words: usize = model.blocks.iter().map(|block| block.counts().words as usize).sum();
    for (count, unit) in [(page.dom().source().len(), " bytes"), (model.blocks.len(), " blocks"), (words, " words")] {
        html.raw("<span>").show(Count(count)).raw(unit).raw("</span>");
    }
    html.raw("<span>").text(page.encoding().name()).raw(": ").show(page.evidence());
    html.raw(if page.is_transcoded() { "; byte offsets are those of its UTF-8</span></p>" } else { "</span></p>" });
    if !page.problems().is_empty() {
        html.raw("<ul class=\"problems\">");
        for problem in page.problems() {
            html.raw("<li>").show(problem);
        }
        html.raw("</ul>");
    }
    legend(html, model);
    html.raw("</header><main>");
}

/// The roles that occur, and the other marks.
fn legend(html: &mut Html, model: &Model<'_>) {
    let mut roles: Vec<Role> = model.columns.iter().flat_map(|column| &column.layers).map(|layer| layer.verdict.role).collect();
    roles.sort_unstable_by_key(|role| *role as u8);
    roles.dedup();
    html.raw("<ul class=\"legend\" aria-label=\"Legend\">");
    for class in roles.into_iter().map(Role::name) {
        html.raw("<li><i class=\"").raw(class).raw("\"></i>").raw(class);
    }
    html.raw("<li><i class=\"key bars\"></i>a block’s density<li><i class=\"key linked\"></i>its share in links<li><i class=\"key cut\"></i>boundary\
<li><code>tag</code>tag that forces one</ul>");
}

const TOOLS: &str = "<div class=\"tools\"><button type=\"button\" id=\"theme\" aria-label=\"Switch between light and dark\">◐</button>\
<button type=\"button\" id=\"ask\" aria-label=\"Keyboard shortcuts\">?</button></div>";

/// The panel in which the script shows the segment under the pointer.
const PANEL: &str = "<aside id=\"panel\" aria-label=\"The segment\"><p class=\"hint\">Point at the text or the profile, \
or press <kbd>j</kbd>. Press <kbd>?</kbd> for all keys.</p></aside>";

const HELP: &str = "<dialog id=\"help\" aria-labelledby=\"keys\"><h2 id=\"keys\">Keys</h2><dl>\
<dt><kbd>j</kbd> <kbd>↓</kbd><dd>next segment<dt><kbd>k</kbd> <kbd>↑</kbd><dd>previous segment\
<dt><kbd>n</kbd><dd>next boundary on which methods disagree<dt><kbd>Enter</kbd><dd>pin or release the segment\
<dt><kbd>m</kbd> <kbd>1</kbd>…<kbd>9</kbd><dd>next method, or method by number<dt><kbd>Home</kbd> <kbd>End</kbd><dd>first and last segment\
<dt><kbd>z</kbd><dd>show the whole page in the profile, or a part\
<dt><kbd>d</kbd><dd>switch between light and dark<dt><kbd>?</kbd><dd>this list<dt><kbd>Esc</kbd><dd>close or release</dl>\
<button type=\"button\" id=\"close\">Close</button></dialog>";
