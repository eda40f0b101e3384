//! Parsing with a warm [`Parser`] allocates nothing.

use crate::allocator::calls;
use crate::support::pages::{Markup, news};
use webstrata::html::token::Repair;
use webstrata::html::{ParseOptions, Parser};

/// Pages with attributes, misnesting, made-up tags, doctypes, late `html` and `body` tags, unclosed raw text.
fn pages() -> Vec<String> {
    let mut pages: Vec<String> = (0..40).map(|n| news(n, if n % 2 == 0 { Markup::Odd } else { Markup::Neat })).collect();
    let late = pages[0].replace("<article", "<html lang=en dir=ltr><body class=late id=b><article");
    pages.push(late.replacen("<body class=\"page", "<body><body class=\"page", 1));
    pages.push("<p>no doctype <b><i>x<div>y</b>z</i><table>a<tr>b<td>c</table>".repeat(200));
    pages.push(format!("<title>open {}", pages[1].replace("<title>", "").replace("</title>", "")));
    pages.push((0..600).map(|n| format!("<x-{n} a=b>w</x-{n}>")).collect());
    pages
}

#[test]
fn a_warm_parser_allocates_nothing() {
    let pages = pages();
    for repair in [Repair::On, Repair::Off] {
        let mut parser = Parser::new(ParseOptions::default().repair(repair));
        for round in 0..2 {
            for (n, page) in pages.iter().enumerate() {
                let before = calls();
                let dom = parser.parse(page);
                parser.recycle(dom);
                let made = calls() - before;
                assert!(round == 0 || made == 0, "page {n} made {made} allocations in round {round}");
            }
        }
    }
    println!("{} pages, second round: no allocation", pages.len());
}
