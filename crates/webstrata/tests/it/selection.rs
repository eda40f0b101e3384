//! Selection by modes, rules, comments, tables and code: text, spans, verdicts and reasons agree.

use crate::support::data;
use std::collections::BTreeMap;
use webstrata::content::{Content, TextOptions};
use webstrata::html::{NodeId, Tag};
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
fn repeated_text_is_dropped_but_no_part_of_an_element() {
    let table = "<table><tr><th>Old name<th>New name<tr><td>current page<td>page<tr><td>page title<td>the title of the page in its own words</table>";
    let code = "<pre>let rain = measure(gauge, valley, monday, tuesday, wednesday, thursday, friday, saturday, sunday, all, of, the, days, in, it);</pre>";
    let list = "<ul><li>bring boots<li>bring a coat<li>leave the car at home and walk</ul>";
    let longer = "<ul><li>bring boots<li>bring a coat<li>ask the neighbours</ul>";
    let everything = ExtractOptions::from(Preset::KeepEverything).duplicates(false);
    let count = |html: &str, part: &str| text(html, &everything).matches(part).count();
    // On their own, repeated tables and code are kept; with repeated text around them, they are dropped.
    let notes = format!("<p>One. {LONG}</p>{table}{code}<p>Two. {LONG} Again.</p>{table}{code}<p>Three.</p>");
    assert_eq!((count(&notes, "current page | page"), count(&notes, "let rain")), (2, 2));
    let copy = format!("<div><p>{LONG}</p>{table}{code}</div>");
    let copies = format!("{copy}<p>In between.</p>{copy}<p>At last.</p>");
    assert_eq!((count(&copies, "current page | page"), count(&copies, "let rain"), count(&copies, LONG)), (1, 1, 1));
    // A list is dropped whole or not at all.
    let lists = format!("<p>One.</p>{list}<p>Two.</p>{longer}<p>Three.</p>{list}");
    assert_eq!((count(&lists, "bring boots"), count(&lists, "car at home")), (2, 1), "{}", text(&lists, &everything));
    // References repeat short lines for a reason.
    let reference = "<p>Returns:</p><ul><li>the length<li>nothing</ul>";
    let entries = format!("<h2>rain</h2>{reference}<h2>snow</h2>{reference}<p>Last.</p>");
    assert_eq!((count(&entries, "Returns:"), count(&entries, "the length")), (2, 2));
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

#[test]
fn what_is_inside_the_text_belongs_to_it() {
    let table = "<table><tr><th>Day<th>Rain<tr><td>Monday<td>14 mm<tr><td>Tuesday<td>9 mm</table>";
    let list = "<ul><li>bring boots<li>coat<li>leave the car at home and walk</ul>";
    let code = "<div class=box><pre>rain --days 3\nexit</pre></div>";
    let quote = "<blockquote><p>Never again.</blockquote>";
    for (inside, wanted) in [(table, "Tuesday | 9 mm"), (list, "- coat\n"), (code, "rain --days 3\nexit"), (quote, "Never again.")]
    {
        let html = format!("<article><h1>Rain</h1><p>{LONG}</p>{inside}<p>{LONG} Again, say the older ones.</p></article>");
        let kept = text(&html, &ExtractOptions::default());
        assert!(kept.contains(wanted), "{kept}");
    }
}

#[test]
fn a_list_keeps_its_middle() {
    let items = format!("<li>{LONG}<li>Two<li>{LONG} Three<li>Four");
    let list = |rest: &str| text(&format!("<p>{LONG} So it is.</p><ol>{items}</ol>{rest}"), &Preset::MinWords(6).into());
    assert!(list("").contains("\n2. Two\n"), "{}", list(""));
    // Nor does one item bring back the others.
    let few =
        format!("<p>{LONG}</p><ul><li>one<li>two boots<li>three of them<li>a coat or two<li>four five six seven eight nine</ul>");
    assert!(!text(&few, &Preset::MinWords(6).into()).contains("boots"));
}

/// The outermost element around a block that has to be kept whole, found from the tree alone: `pre`, a list with a line of text
/// per item, a table with a line of text per cell.
fn whole_element(block: webstrata::block::Block<'_>, lines: impl Fn(NodeId) -> usize) -> Option<NodeId> {
    let is_whole = |node: &webstrata::html::Node<'_>| {
        let count = |tags: &[Tag]| node.descendants().filter(|inner| tags.contains(&inner.tag())).count();
        match node.tag() {
            Tag::PRE => true,
            Tag::UL | Tag::OL => {
                let cards = [Tag::IMG, Tag::PICTURE, Tag::SVG, Tag::BUTTON, Tag::FORM];
                count(&[Tag::LI]) >= 2 && lines(node.id()) <= count(&[Tag::LI]) && count(&cards) == 0
            }
            _ => false,
        }
    };
    block.node().ancestors().filter(is_whole).last().map(|node| node.id())
}

#[test]
fn elements_are_kept_whole() {
    let (mut whole, mut dropped) = (0, 0);
    for (name, bytes) in data::bundled() {
        let page = Page::parse(&bytes);
        let lines = |id: NodeId| page.blocks().iter().filter(|block| block.node().ancestors().any(|node| node.id() == id)).count();
        for preset in [Preset::Strata, Preset::Article] {
            let content = page.extract_with(&ExtractOptions::from(preset));
            let mut verdicts: BTreeMap<NodeId, Vec<bool>> = BTreeMap::new();
            for block in page.blocks() {
                if let Some(element) = whole_element(block, lines) {
                    verdicts.entry(element).or_default().push(content.is_content(block.index()));
                }
            }
            for kept in verdicts.into_values() {
                let first = kept[0];
                assert!(kept.iter().all(|kept| *kept == first), "{name}: {kept:?}");
                *(if first { &mut whole } else { &mut dropped }) += 1;
            }
        }
    }
    assert!(whole > 10 && dropped > 100, "{whole} {dropped}");
}

#[test]
fn without_refinement_the_selection_is_the_verdicts() {
    let mut refined = 0;
    for (name, bytes) in data::bundled() {
        let page = Page::parse(&bytes);
        for preset in Preset::ALL {
            let content = page.extract_with(&ExtractOptions::paper(preset));
            let verdicts: Vec<usize> = content.labels().content().collect();
            assert_eq!(content.selection().blocks().collect::<Vec<_>>(), verdicts, "{name}: {preset}");
            let default = page.extract_with(&preset.into());
            refined += usize::from(!default.selection().blocks().eq(verdicts));
        }
    }
    assert!(refined > 10, "{refined}");
}
