//! Small pages and their expected trees; `tests/it/fidelity.rs` and `tests/it/tokenizer_fuzz.rs` compare with a reference parser.

use super::{ParseOptions, Parser};
use crate::Limits;
use crate::html::token::Repair;
use crate::html::{Node, Tag};
use crate::limits::Problem;

/// The content of `body` as `p(one b(two))`.
fn outline(source: &str) -> String {
    outline_with(source, ParseOptions { repair: Repair::Off, ..ParseOptions::default() })
}

fn outline_with(source: &str, options: ParseOptions) -> String {
    fn write(node: Node<'_>, out: &mut String) {
        for child in node.children() {
            if !out.is_empty() && !out.ends_with('(') {
                out.push(' ');
            }
            if child.is_element() {
                out.push_str(child.name());
                out.push('(');
                write(child, out);
                out.push(')');
            } else {
                out.push_str(child.text().trim());
            }
        }
    }
    let mut parser = Parser::new(options);
    let dom = parser.parse(source);
    let mut out = String::new();
    if let Some(body) = dom.find(Tag::BODY) {
        write(body, &mut out);
    }
    out
}

#[test]
fn formatting_is_reopened_and_ended() {
    for (source, want) in [
        ("<p><b>one<p>two</b>three", "p(b(one)) p(b(two) three)"),
        ("<b>one<i>two</b>three</i>", "b(one i(two)) i(three)"),
        // No copy of the `a` is made inside the `div`; see `Node::formatting_end`.
        ("<a>one<div>two</a>three</div>four", "a(one) div(two three) four"),
        ("<a>one<div><span>two</a>three</span></div>", "a(one) div(span(two) three)"),
        ("<a>one<b><div>two</a>three", "a(one) b(div(two three))"),
        ("<a>one<a>two</a>three", "a(one) a(two) three"),
        ("<b><b><b><b>x<p>y", "b(b(b(b(x p(y)))))"),
        ("<p><b><b><b><b>x<p>y", "p(b(b(b(b(x))))) p(b(b(b(y))))"),
        ("<table><td><b>one<td>two</table>three", "table(tbody(tr(td(b(one)) td(two)))) three"),
    ] {
        assert_eq!(outline(source), want, "{source}");
    }
}

#[test]
fn scopes_and_implied_ends() {
    for (source, want) in [
        ("<ul><li>one<ul><li>two</ul><li>three", "ul(li(one ul(li(two))) li(three))"),
        ("<dl><dt>one<dd>two<dt>three", "dl(dt(one) dd(two) dt(three))"),
        ("<object><a>one</object>two", "object(a(one)) two"),
        ("<p><object></p>one</object>two", "p(object(p() one) two)"),
        ("<h1>one</h2>two", "h1(one) two"),
        ("<button>one<button>two", "button(one) button(two)"),
        ("<form><div></form>one</div>two", "form(div(one)) two"),
        ("<span><form><b></form>one</span>two", "span(form(b(one))) b(two)"),
        ("<select><option>one<optgroup><option>two<select>three", "select(option(one) optgroup(option(two))) three"),
        ("<a><select></a>one</select>two", "a(select(one) two)"),
        ("<!doctype html><p>one<table></table>", "p(one) table()"),
        ("<p>one<table></table>", "p(one table())"),
        ("<p>one<template><tbody><table>two", "p(one template(tbody(two)))"),
        ("<table><td>one<template><tr><table>two", "table(tbody(tr(td(one template(tr(two))))))"),
    ] {
        assert_eq!(outline(source), want, "{source}");
    }
}

#[test]
fn foreign_content() {
    for (source, want) in [
        ("<svg><g>one<p>two", "svg(g(one)) p(two)"),
        ("<svg><title>one<p>two</p></title>three</svg>", "svg(title(one p(two)) three)"),
        ("<math><title>one<b>two", "math(title(one)) b(two)"),
        ("<svg>one</br>two", "svg(one) br() two"),
        ("<svg><g>one</p>two", "svg(g(one)) p() two"),
        ("<div><svg><g>one</div>two", "div(svg(g(one))) two"),
        ("<svg><path/>one</svg>two", "svg(path() one) two"),
        ("<svg><foreignObject><div>one</svg>two", "svg(foreignobject(div(one two)))"),
        ("<math><mi><mglyph>one", "math(mi(mglyph(one)))"),
        ("<svg><![CDATA[<p>]]></svg>", "svg(<p>)"),
    ] {
        assert_eq!(outline(source), want, "{source}");
    }
}

#[test]
fn unclosed_raw_text_ends_where_markup_resumes() {
    for (source, want) in [
        ("<p>one<textarea>two<p>three", "p(one textarea(two)) p(three)"),
        ("<p>one<style>two<div>three</div>", "p(one style(two)) div(three)"),
        ("<p>one<script>two</body>three", "p(one script(two) three)"),
        ("<p>one<title>two", "p(one title(two))"),
        ("<p>one<xmp>two</xmp>three", "p(one) xmp(two) three"),
    ] {
        assert_eq!(outline_with(source, ParseOptions::default()), want, "{source}");
    }
}

#[test]
fn raw_text_beyond_the_depth_cap_is_closed() {
    let options = ParseOptions { limits: Limits { depth: 8, ..Limits::default() }, ..ParseOptions::default() };
    let source = format!("{}{}<p>end", "<div>".repeat(20), "<script>x</script><title>y</title>".repeat(20_000));
    let mut parser = Parser::new(options);
    let dom = parser.parse(&source);
    assert!(dom.nodes().all(|node| node.ancestors().count() <= 10));
    assert!(dom.problems().iter().any(|problem| matches!(problem, Problem::DepthCut { .. })));
}
