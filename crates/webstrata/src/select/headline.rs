//! The headline: the heading that the page shows above its content.
//!
//! Methods judge blocks by their length and surroundings, and a headline is short and often far above the text. It is the
//! only `h1` above the content, or the heading or line that repeats the page's title (`label/title.rs`, which also splits off the
//! name of the site). The name of the site is not a headline, nor is a link to the home page, a heading of another
//! article, or anything below the start of the content.

use super::{Change, ExtractOptions, Selection, furniture};
use crate::block::{Block, Blocks, Context};
use crate::html::{Dom, Facts, Node, Tag, address};
use crate::label::title::{head_property, longest_part, matches_title, normalised, site_parts, size, title_candidates};
use crate::label::{Input, Role};
use std::ops::Range;

/// Words of running text that may be kept above the headline: a lead, a section name, a line about cookies.
const MAX_WORDS_ABOVE: u32 = 40;

/// Maximum words of a headline.
const MAX_WORDS: u32 = 40;

/// Maximum words of a link to the home page that is examined.
const MAX_LOGO_WORDS: u32 = 8;

/// Text that readers do not see.
const UNSEEN: Facts = Facts::HIDDEN.union(Facts::DISPLAY_NONE).union(Facts::TEMPLATE);

/// Keeps the headline if the page has content, or drops it if the caller does not want it.
pub(super) fn apply(input: &Input<'_>, options: &ExtractOptions, selection: &mut Selection) {
    let blocks = input.blocks;
    let Some(end) = start_of_content(blocks, selection) else { return };
    let kept_already = |range: &Range<usize>, selection: &Selection| range.clone().all(|index| selection.keeps(index));
    let above = groups(blocks, end);
    if options.title && above.iter().any(|group| group.level == 1 && kept_already(&group.blocks, selection)) {
        return;
    }
    let Some(headline) = find(input, &above) else { return };
    if !options.title {
        let text = normalised(&text_of(blocks, &headline));
        for group in &above {
            if group.blocks == headline || (group.level > 0 && normalised(&text_of(blocks, &group.blocks)) == text) {
                for index in group.blocks.clone().filter(|&index| selection.keeps(index)).collect::<Vec<_>>() {
                    selection.set(index, false, Some(Change::NoTitle));
                }
            }
        }
        return;
    }
    if options.drop_roles.contains(Role::Title)
        || kept_already(&headline, selection)
        || repeats_kept(blocks, &headline, end, selection)
    {
        return;
    }
    for index in headline.filter(|&index| !selection.keeps(index)).collect::<Vec<_>>() {
        selection.set(index, true, Some(Change::Headline));
    }
}

/// The block by which the content has clearly started: headlines are above it. `None` if nothing is kept.
fn start_of_content(blocks: Blocks<'_>, selection: &Selection) -> Option<usize> {
    let mut words = 0;
    let mut last = None;
    for index in selection.blocks() {
        last = Some(index);
        let record = &blocks.records()[index];
        if !record.context.intersects(Context::HEADING) {
            words += record.counts.words;
        }
        if words > MAX_WORDS_ABOVE {
            break;
        }
    }
    last
}

/// A heading, of one or more blocks, or a line of text.
#[derive(Debug)]
struct Group {
    blocks: Range<usize>,
    /// 1 for `h1`, 2 for other headings, 0 for lines.
    level: u8,
}

/// The headings and short lines up to block `end` that may be headlines.
fn groups(blocks: Blocks<'_>, end: usize) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    // The heading element of the last group, and where it ends.
    let mut open = 0;
    for (index, record) in blocks.records().iter().enumerate().take(end + 1) {
        let Some(run) = blocks.runs_of(index).first().map(|&run| Blocks::run_node(run)) else { continue };
        let heading = record.context.intersects(Context::HEADING);
        if heading && run < open {
            if let Some(last) = groups.last_mut().filter(|last| last.blocks.end == index) {
                last.blocks.end = index + 1;
            }
            continue;
        }
        let outside = record.context.intersects(Context::NAV) || record.context.intersects(Context::FOOTER);
        if record.counts.words > MAX_WORDS || outside || record.facts.intersects(UNSEEN) {
            continue;
        }
        let level = if record.context.intersects(Context::H1) { 1 } else { 2 * u8::from(heading) };
        if level == 0 && record.counts.words < 2 {
            continue;
        }
        if heading {
            open = heading_end(blocks.dom(), run);
        }
        groups.push(Group { blocks: index..index + 1, level });
    }
    groups
}

/// The end of the heading around a text node.
fn heading_end(dom: &Dom<'_>, run: u32) -> u32 {
    let heading = Node::new(dom, run)
        .ancestors()
        .find(|node| matches!(node.tag(), Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6));
    heading.map_or(0, |node| dom.record(node.number()).end)
}

fn text_of(blocks: Blocks<'_>, range: &Range<usize>) -> String {
    let texts: Vec<String> = range.clone().filter_map(|index| blocks.get(index)).map(Block::text).collect();
    texts.join(" ")
}

/// Selects the headline among the groups above the content.
fn find(input: &Input<'_>, above: &[Group]) -> Option<Range<usize>> {
    let blocks = input.blocks;
    let (og_title, site) = (head_property(blocks.dom(), "og:title"), head_property(blocks.dom(), "og:site_name"));
    let titles: Vec<&str> = input.title.into_iter().chain(og_title.as_deref()).collect();
    let candidates = title_candidates(&titles);
    let names = names_of_site(blocks, &titles, site.as_deref(), above);
    let is_headline =
        |group: &Group| !links_home(blocks, group.blocks.start) && !names.contains(&normalised(&text_of(blocks, &group.blocks)));
    let sizes: Vec<(u32, u32)> = candidates.iter().map(|text| size(text, input)).collect();
    let may_match = |group: &Group| {
        let counts = blocks.records()[group.blocks.start].counts;
        group.level > 0 || sizes.contains(&(counts.words, counts.chars))
    };
    let matches = |group: &Group| {
        may_match(group) && matches_title(&candidates, &normalised(&text_of(blocks, &group.blocks)), group.level > 0)
    };
    let first: Vec<&Group> = above.iter().filter(|group| group.level == 1 && is_headline(group)).collect();
    let only = |groups: &[&Group]| if let [only] = groups { Some(only.blocks.clone()) } else { None };
    let mut buffer = String::new();
    let matching_first = first.iter().rev().find(|group| matches(group)).map(|group| group.blocks.clone());
    matching_first.or_else(|| only(&first).filter(|range| !furniture::is_furniture(blocks, range.start, &mut buffer))).or_else(
        || {
            let other = |level: u8| {
                let groups = above.iter().rev().filter(move |group| group.level == level);
                groups
                    .filter(|group| matches(group) && is_headline(group) && !is_linked(blocks, group))
                    .map(|group| group.blocks.clone())
                    .next()
            };
            other(2).or_else(|| other(0))
        },
    )
}

/// Possible names of the site. The longest part of a title is usually the headline and the others are names, unless the page shows
/// that the longest is the name: in its metadata, or as a link to the home page.
fn names_of_site(blocks: Blocks<'_>, titles: &[&str], site: Option<&str>, above: &[Group]) -> Vec<String> {
    let parts = site_parts(titles);
    let mut shown: Vec<String> = site.map(normalised).into_iter().collect();
    let refused = |group: &Group| group.level == 1 && parts.contains(&normalised(&text_of(blocks, &group.blocks)));
    // Links are examined only if the result depends on them.
    if !above.iter().any(refused) {
        shown.extend(parts);
        return shown;
    }
    let end = above.last().map_or(0, |group| group.blocks.end);
    let is_logo = |index: &usize| blocks.records()[*index].counts.words <= MAX_LOGO_WORDS && links_home(blocks, *index);
    shown.extend((0..end).filter(is_logo).map(|index| normalised(&text_of(blocks, &(index..index + 1)))));
    let is_name = |part: &str| shown.iter().any(|name| name == part);
    let longest_is_name = titles.iter().all(|title| longest_part(title).is_none_or(|part| is_name(&part)));
    if !longest_is_name {
        shown.extend(parts);
    }
    shown
}

/// Whether a group is a linked line. Such lines lead elsewhere: to the section, or to the page whose title they repeat.
fn is_linked(blocks: Blocks<'_>, group: &Group) -> bool {
    let counts = blocks.records()[group.blocks.start].counts;
    group.level == 0 && counts.link_words * 2 > counts.words
}

/// Whether a block is a link to the home page, as logos are.
fn links_home(blocks: Blocks<'_>, index: usize) -> bool {
    let Some(block) = blocks.get(index).filter(|block| block.counts().link_words > 0) else { return false };
    let mut links =
        block.runs().filter_map(|run| blocks.dom().node(run)).filter_map(|run| run.ancestors().take(6).find(|n| n.tag() == Tag::A));
    links.any(|link| link.attribute("href").is_some_and(|href| address::is_home(&href)))
}

/// Whether a block that is kept near the start has the text of the headline.
fn repeats_kept(blocks: Blocks<'_>, headline: &Range<usize>, end: usize, selection: &Selection) -> bool {
    let text = normalised(&text_of(blocks, headline));
    let mut kept = (0..=end).filter(|&index| selection.keeps(index)).filter_map(|index| blocks.get(index));
    kept.any(|block| block.counts().words <= MAX_WORDS && normalised(&block.text()) == text)
}

#[cfg(test)]
mod tests {
    use crate::label::Preset;
    use crate::{ExtractOptions, Page};

    const LONG: &str = "It has been raining in the valley for three days, and nobody who lives there can remember when that last \
                        happened, not even the old miller, who has written down the weather of every day since he was a boy.";

    fn options() -> ExtractOptions {
        // Headlines are too short for this method.
        Preset::MinWords(10).into()
    }

    fn text(html: &str, options: &ExtractOptions) -> String {
        Page::parse(html.as_bytes()).extract_with(options).text()
    }

    fn first_line(html: &str) -> String {
        text(&html.replace("TEXT", LONG), &options()).lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn text_begins_with_the_headline() {
        for (html, wanted) in [
            ("<h1>Rain</h1><p>By Jo</p><p>TEXT</p>", "Rain"),
            ("<title>Rain at last | Rock</title><h1>Rock</h1><h1>Rain at last</h1><p>TEXT</p>", "Rain at last"),
            ("<title>Rain at last | Rock</title><h1><a href=/>Rock</a></h1><h2>Rain at last</h2><p>TEXT</p>", "Rain at last"),
            ("<title>Regen im Tal – Der Fels</title><div class=kopf>Regen im Tal</div><p>TEXT</p>", "Regen im Tal"),
            ("<meta property=og:title content='Дождь в долине'><div>Дождь в долине</div><p>TEXT</p>", "Дождь в долине"),
            ("<title>谷に雨が降る | 岩日報</title><h1>谷に雨が降る</h1><p>TEXT</p>", "谷に雨が降る"),
            ("<h1><span>Rain</span><br>in the valley</h1><p>TEXT</p>", "Rain"),
            ("<title>Rain – Notes from the valley</title><a href=/>Notes from the valley</a><h1>Rain</h1><p>TEXT</p>", "Rain"),
            (
                "<title>Rain – Notes from the valley</title><meta property=og:site_name content='Notes from the valley'><h1>Rain</h1><p>TEXT</p>",
                "Rain",
            ),
        ] {
            assert_eq!(first_line(html), wanted, "{html}");
        }
    }

    #[test]
    fn other_headings_are_not_headlines() {
        for html in [
            "<title>Rain at last | Rock</title><h1>Rock</h1><p>TEXT</p>",
            "<meta property=og:site_name content='The Daily Rock'><h1>The Daily Rock</h1><p>TEXT</p>",
            "<h1><a href=https://rock.example/>Rock and more</a></h1><p>TEXT</p>",
            "<h1>Snow in the hills</h1><h1>Wind on the moor</h1><p>TEXT</p>",
            "<p>TEXT</p><p>TEXT TEXT</p><h1>More rain</h1>",
            "<h1 hidden>Rain</h1><p>TEXT</p>",
            "<title>Rain at last</title><p><a href=/rain>Rain at last</a></p><p>TEXT</p>",
            "<h1>Share this article</h1><p>TEXT</p>",
        ] {
            assert!(first_line(html).starts_with("It has been raining"), "{html}: {}", first_line(html));
        }
    }

    #[test]
    fn it_is_kept_once_and_can_be_left_out() {
        let html = format!("<title>Rain</title><h1>Rain in the valley</h1><p>{LONG}</p>");
        let page = Page::parse(html.as_bytes());
        let content = page.extract_with(&options());
        assert!(content.explain().why(0).ends_with("title: content: the page's headline"));
        assert_eq!(text(&html, &options().title(false)), LONG);
        let all = ExtractOptions::from(Preset::MinWords(1));
        assert_eq!(text(&html, &all), format!("Rain in the valley\n{LONG}"));
        assert_eq!(text(&html, &all.clone().title(false)), LONG);
        let twice = format!("<title>Rain in May</title><div>Rain in May</div><h1>Rain in May</h1><p>{LONG}</p>");
        assert_eq!(text(&twice, &options()).matches("Rain in May").count(), 1);
        let why = Page::parse(html.as_bytes()).extract_with(&all.title(false)).explain().why(0);
        assert!(why.ends_with("no title: not content: the page's headline"), "{why}");
    }

    #[test]
    fn pages_without_content_stay_empty() {
        assert_eq!(text("<title>404</title><h1>Page not found</h1><p>Sorry.</p>", &options()), "");
    }
}
