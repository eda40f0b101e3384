//! What is kept: modes, rules, comments, tables and code; text, spans, verdicts and reasons agree on it.

use crate::support::data;
use webstrata::content::{Content, TextOptions};
use webstrata::label::Preset;
use webstrata::select::{Mode, Rules};
use webstrata::{ExtractOptions, Page};

const LONG: &str =
    "It has been raining in the valley for three days, and nobody who lives there can remember when that last happened.";

fn text(html: &str, options: &ExtractOptions) -> String {
    let page = Page::parse(html.as_bytes());
    let content = page.extract_with(options);
    check_agreement(&content);
    content.text()
}

/// Checks that text agrees with spans, and verdicts with reasons.
fn check_agreement(content: &Content<'_>) {
    let source = content.blocks().dom().source();
    let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).collect::<String>();
    let spans: String = content.spans().iter().map(|span| span.slice(source)).collect();
    if !spans.contains('&') && source.is_ascii() {
        assert_eq!(letters(&spans), letters(&content.text_with(&TextOptions::BARE)));
    }
    let explanation = content.explain();
    assert_eq!(explanation.labels(), content.labels());
    for block in content.blocks().iter().filter(|block| !content.is_content(block.index())) {
        let why = explanation.why(block.index());
        assert!(!why.rsplit("; ").next().unwrap().contains(": content"), "{why}");
    }
}

fn rules(only: &[&str], include: &[&str], exclude: &[&str]) -> ExtractOptions {
    ExtractOptions::from(Preset::Article).rules(Rules::parse(only, include, exclude).unwrap())
}

#[test]
fn rules_overrule_the_method() {
    let html =
        format!("<p class=tags>weather</p><div id=menu><a href=/>Home</a></div><p>{LONG} <i class=ad>Buy boots!</i> {LONG}</p>");
    let text = |options: &ExtractOptions| text(&html, options);
    assert!(!text(&rules(&[], &[], &[])).contains("weather"));
    assert!(text(&rules(&[], &[".tags"], &[])).starts_with("weather\n"));
    assert_eq!(text(&rules(&[], &[], &[".ad"])), format!("{LONG} {LONG}"));
    assert_eq!(text(&rules(&["#menu", ".tags"], &[], &[])), "weather\nHome");
    assert_eq!(text(&rules(&["#menu"], &[".tags"], &["a"])), "weather");
    assert_eq!(text(&rules(&[".nothing"], &[], &[])), "");
    assert_eq!(text(&rules(&[], &["body"], &["p", "div"])), "");
}

#[test]
fn a_rule_may_cut_a_word() {
    let html = "<p>snow<b>ball</b>fight</p><p>x</p>";
    let options = ExtractOptions::from(Preset::KeepEverything).rules(Rules::parse(&[], &[], &["b"]).unwrap());
    assert_eq!(text(html, &options), "snow fight\nx");
}

#[test]
fn comments_and_tables_can_be_left_out() {
    let html = format!(
        "<article><h1>Rain</h1><p>{LONG}</p><table><tr><th>day<th>mm<tr><td>Monday<td>14</table></article>\
         <section id=comments><p class=comment-body>{LONG} Indeed.</p></section>"
    );
    let all = ExtractOptions::from(Preset::KeepEverything).duplicates(true);
    let kept = text(&html, &all);
    assert!(kept.contains("day | mm\nMonday | 14") && kept.contains("Indeed"), "{kept}");
    assert!(!text(&html, &all.clone().comments(false)).contains("Indeed"));
    assert!(!text(&html, &all.tables(false)).contains("Monday"));
}

#[test]
fn code_stays_whole() {
    let line = "let rain = measure(gauge, valley, monday, tuesday, wednesday);";
    let html = format!("<p>{LONG}</p><pre><div>{line}</div><div>ok</div><div>{line} // {LONG}</div></pre><p>{LONG} Again.</p>");
    let kept = text(&html, &Preset::MinWords(6).into());
    assert!(kept.contains(&format!("{line}\nok\n{line}")), "{kept}");
    let few = format!("<p>{LONG}</p><pre><div>ok</div><div>yes no yes no yes</div></pre>");
    assert_eq!(text(&few, &Preset::MinWords(6).into()), LONG);
}

#[test]
fn tables_stay_whole() {
    let row = "<tr><td>Monday<td>fourteen millimetres of rain in the night and three more before noon, then sun";
    let html = format!("<p>{LONG}</p><table><tr><th>day<th>rain{row}{row}</table>");
    let kept = text(&html, &Preset::MinWords(6).into());
    assert!(kept.contains("day | rain\nMonday | fourteen"), "{kept}");
    let table = format!("<p>{LONG}</p><table><tr><td>a b c<td>d e f<tr><td>g h i j<td>one two three four five six</table>");
    assert_eq!(text(&table, &Preset::MinWords(6).into()), LONG);
}

#[test]
fn modes_narrow_and_widen() {
    let (mut narrower, mut wider) = (0, 0);
    for (_, bytes) in data::bundled() {
        let page = Page::parse(&bytes);
        let kept = |mode: Mode| {
            let content = page.extract_with(&ExtractOptions::from(Preset::Article).mode(mode).duplicates(true));
            check_agreement(&content);
            content.selection().blocks().collect::<Vec<usize>>()
        };
        let [balanced, precise, recalled] = Mode::ALL.map(kept);
        assert!(precise.iter().all(|block| balanced.contains(block)));
        assert!(balanced.iter().all(|block| recalled.contains(block)));
        narrower += usize::from(precise.len() < balanced.len());
        wider += usize::from(recalled.len() > balanced.len());
    }
    assert!(narrower > 5 && wider > 5, "{narrower} {wider}");
}
