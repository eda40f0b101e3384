//! The HTML report on a site: the merged tree with its segment classes, in one self-contained file.
//!
//! It has no script, and everything from pages is escaped (`markup.rs` accepts only literals as markup). A content security policy
//! forbids everything except the one style sheet.

use webstrata_corpus::markup::{Count, Html};
use webstrata_corpus::site::report::{ClassReport, DesignReport, SiteReport};

const STYLE: &str = include_str!("site.css");

/// Maximum number of rows per tree: a browser has to lay them out.
const MAX_ROWS: usize = 3000;

/// Levels of indentation, as classes of the style sheet.
const LEVELS: [&str; 13] = ["l0", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "l10", "l11", "l12"];

/// The report on a site.
pub(super) fn page(report: &SiteReport) -> String {
    let mut html = Html::with_capacity(1 << 16);
    html.raw("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    html.raw("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'\">");
    html.raw(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><meta name=\"referrer\" content=\"no-referrer\">",
    );
    html.raw("<meta name=\"color-scheme\" content=\"light dark\"><title>")
        .text(&report.site)
        .raw(" – strata of a site</title><style>");
    html.raw(STYLE)
        .raw("</style></head><body><header><p class=\"kind\">Strata of a site</p><h1>")
        .text(&report.site)
        .raw("</h1><p class=\"facts\">");
    fact(&mut html, report.pages, "page", "pages");
    let classes: usize = report.designs.iter().map(|design| design.classes.len()).sum();
    let template = report.designs.iter().flat_map(|design| &design.classes).filter(|class| class.template).count();
    fact(&mut html, classes as u64, "segment class", "segment classes");
    fact(&mut html, template as u64, "of them in the template", "of them in the template");
    fact(&mut html, report.template_blocks as u64, "recurring block", "recurring blocks");
    html.raw("</p>");
    if let Some(cache) = &report.cache {
        html.raw("<p class=\"facts\"><span>stored as they are: ")
            .show(Count(cache.whole as usize))
            .raw(" bytes</span><span>every block once: ");
        html.show(Count((cache.distinct + cache.references) as usize)).raw(" bytes</span><span>content blocks once: ");
        html.show(Count(cache.content as usize)).raw(" bytes</span></p>");
    }
    html.raw(LEGEND).raw("</header><main>");
    for (number, design) in report.designs.iter().enumerate() {
        if report.designs.len() > 1 {
            html.raw("<h2>Design ").show(number + 1).raw(" <small>").show(Count(design.pages as usize)).raw(" pages</small></h2>");
        }
        tree(&mut html, design);
    }
    html.raw("</main></body></html>\n");
    html.finish()
}

const LEGEND: &str = "<p class=\"legend\"><span><i class=\"content\"></i>text that differs from page to page</span>\
<span><i class=\"template\"></i>template: most pages have the same text here</span>\
<span><i class=\"links\"></i>mostly links</span></p>";

fn fact(html: &mut Html, number: u64, one: &'static str, many: &'static str) {
    html.raw("<span>").show(Count(number as usize)).raw(" ").raw(if number == 1 { one } else { many }).raw("</span>");
}

/// A visible node of the tree.
struct Row<'r> {
    level: usize,
    /// Parts of its label below its parent row.
    parts: Vec<&'r str>,
    class: Option<&'r ClassReport>,
}

/// The rows of a tree: classes, and elements at which branches diverge. Chains of elements in between become one label.
fn rows(classes: &[ClassReport]) -> Vec<Row<'_>> {
    struct Node<'r> {
        parent: usize,
        part: &'r str,
        class: Option<&'r ClassReport>,
        children: usize,
    }
    let mut nodes: Vec<Node<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for class in classes {
        let shared = open.iter().zip(&class.path).take_while(|&(&node, part)| nodes[node].part == part).count();
        open.truncate(shared);
        for part in &class.path[shared..] {
            let parent = open.last().copied().unwrap_or(0);
            if let Some(node) = nodes.get_mut(parent).filter(|_| !open.is_empty()) {
                node.children += 1;
            }
            open.push(nodes.len());
            nodes.push(Node { parent, part, class: None, children: 0 });
        }
        if let Some(&last) = open.last() {
            nodes[last].class = Some(class);
        }
    }
    // For each node: the level of the rows below it, and the label parts since the last row.
    let mut below: Vec<(usize, Vec<&str>)> = Vec::with_capacity(nodes.len());
    let mut rows = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let (level, mut parts) = if at == 0 { (0, Vec::new()) } else { below[node.parent].clone() };
        parts.push(node.part);
        if node.class.is_some() || node.children > 1 {
            rows.push(Row { level, parts, class: node.class });
            below.push((level + 1, Vec::new()));
        } else {
            below.push((level, parts));
        }
    }
    rows
}

fn tree(html: &mut Html, design: &DesignReport) {
    html.raw("<div class=\"tree\"><div class=\"row head\"><span>position</span><span>pages</span><span>same text</span><span>words</span><span>in links</span><span>text</span></div>");
    let rows = rows(&design.classes);
    for row in rows.iter().take(MAX_ROWS) {
        let kind = match row.class {
            None => "row inner ",
            Some(class) if class.template => "row template ",
            Some(class) if class.linked > 0.5 => "row links ",
            Some(_) => "row content ",
        };
        html.raw("<div class=\"").raw(kind).raw(LEVELS[row.level.min(LEVELS.len() - 1)]).raw("\"><span class=\"label\">");
        for (at, part) in row.parts.iter().enumerate() {
            html.raw(if at > 0 { " <s>›</s> " } else { "" }).raw("<code>").text(part).raw("</code>");
        }
        html.raw("</span>");
        let Some(class) = row.class else {
            html.raw("</div>");
            continue;
        };
        html.raw("<span class=\"number\">").show(Count(class.pages as usize));
        html.raw("<meter min=\"0\" max=\"1\" value=\"")
            .show(class.pages as f64 / design.pages.max(1) as f64)
            .raw("\"></meter></span>");
        html.raw("<span class=\"number\">").show(format!("{:.0}%", class.constancy * 100.0));
        html.raw("<meter min=\"0\" max=\"1\" value=\"").show(class.constancy).raw("\"></meter></span>");
        html.raw("<span class=\"number\">").show(format!("{:.0}", class.words)).raw("</span>");
        html.raw("<span class=\"number\">").show(format!("{:.0}%", class.linked * 100.0)).raw("</span><span class=\"texts\">");
        if class.template {
            html.raw("<b>template</b> ");
        }
        for text in &class.texts {
            html.raw("<q dir=\"auto\">").text(text).raw("</q> ");
        }
        html.raw("</span></div>");
    }
    html.raw("</div>");
    if rows.len() > MAX_ROWS {
        html.raw("<p class=\"more\">").show(Count(rows.len() - MAX_ROWS)).raw(" more rows are in the JSON file.</p>");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(path: &[&str], text: &str) -> ClassReport {
        ClassReport {
            label: String::new(),
            path: path.iter().map(|&part| part.to_owned()).collect(),
            within: None,
            pages: 7,
            words: 3.5,
            linked: 0.0,
            constancy: 0.25,
            template: false,
            texts: vec![text.to_owned()],
        }
    }

    fn report(classes: Vec<ClassReport>) -> SiteReport {
        let designs = vec![DesignReport { pages: 9, nodes: 5, classes }];
        SiteReport { site: "<b>x".into(), pages: 9, template_blocks: 0, designs, cache: None }
    }

    #[test]
    fn rows_are_classes_and_branching_elements() {
        let classes = [
            class(&["html", "body", "1/div"], ""),
            class(&["html", "body", "2/div", "a", "h1"], ""),
            class(&["html", "body", "2/div", "a", "p"], ""),
        ];
        let seen: Vec<(usize, String, bool)> =
            rows(&classes).iter().map(|row| (row.level, row.parts.join(" "), row.class.is_some())).collect();
        let row = |level, parts: &str, class| (level, parts.to_owned(), class);
        assert_eq!(
            seen,
            [row(0, "html body", false), row(1, "1/div", true), row(1, "2/div a", false), row(2, "h1", true), row(2, "p", true)]
        );
    }

    #[test]
    fn text_of_a_page_never_becomes_markup() {
        let evil = "</q><script>alert(1)</script><img src=x onerror=alert(1)>\u{1b}";
        let html = page(&report(vec![class(&["html", evil], evil)]));
        assert!(!html.contains("<script") && !html.contains("<img") && !html.contains('\u{1b}'));
        assert!(html.contains("&lt;script&gt;alert(1)") && html.contains("<h1>&lt;b&gt;x</h1>"));
        assert!(html.contains("default-src 'none'"));
    }

    #[test]
    fn indentation_is_limited() {
        let path: Vec<String> = (0..200).map(|n| format!("div{n}")).collect();
        let classes: Vec<ClassReport> = (1..200).map(|n| ClassReport { path: path[..n].to_vec(), ..class(&[], "x") }).collect();
        let html = page(&report(classes));
        assert!(html.contains("l12\"") && html.len() < 200_000);
    }
}
