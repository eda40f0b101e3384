//! Roles that are kept or dropped regardless of the method's verdict.
//!
//! By default captions and credits of pictures and bylines are dropped: they are about the text rather than part of it. A
//! caption stays with its picture where pictures are written (see [`Selection::keeps_with_pictures`]). Pages that are mostly
//! captions, such as galleries, keep them.

use super::{Change, ExtractOptions, PageTypeOf, Selection};
use crate::block::{Blocks, Context};
use crate::label::attribution::Attributions;
use crate::label::strata::PageType;
use crate::label::{Input, Labels, Preset, Role};
use std::cell::LazyCell;

/// Maximum share of the kept words that may be dropped; otherwise nothing is.
const MAX_SHARE: f32 = 0.4;

/// Elements that separate the text from the rest of the page. Inside them, the names and places of captions and bylines
/// are reliable. Elsewhere, on older pages, text with the same names is content to readers and annotators as often as not: dropping it
/// costs .019 on cleanportaleval and .003 on l3s-gn1, and gains less than .002 on any set.
const SEMANTIC: Context = Context::ARTICLE.union(Context::MAIN).union(Context::CAPTION);

/// Whether a preset keeps all text.
pub(super) fn keeps_everything(preset: Preset) -> bool {
    matches!(preset, Preset::KeepEverything | Preset::KeepEverythingWithMinKWords(_))
}

/// Drops the blocks whose role is not wanted.
pub(super) fn drop(
    input: &Input<'_>,
    labels: &Labels,
    page_type: &PageTypeOf<'_>,
    options: &ExtractOptions,
    selection: &mut Selection,
) {
    let blocks = input.blocks;
    if !options.drop_roles.is_empty() {
        for index in 0..blocks.len() {
            let Some(block) = blocks.get(index).filter(|_| selection.keeps(index)) else { continue };
            let role = labels.role_as(block, true);
            if options.drop_roles.contains(role) {
                selection.set(index, false, Some(Change::Role(role, None)));
            }
        }
    }
    if !options.refine || keeps_everything(options.preset) {
        return;
    }
    // On other page types, dates and names are the content: events, list entries, members.
    let bylines = LazyCell::new(|| matches!(page_type(), None | Some(PageType::Article)));
    let mut attributions = Attributions::new(blocks);
    let mut found = Vec::new();
    let (mut words, mut dropped) = (0.0, 0.0);
    for index in 0..blocks.len() {
        if !selection.keeps(index) {
            continue;
        }
        let of_block = blocks.records()[index].counts.words as f32;
        words += of_block;
        if labels.verdict(index).title || !blocks.records()[index].context.intersects(SEMANTIC) {
            continue;
        }
        let Some((role, evidence)) = attributions.role_of(index, true) else { continue };
        if options.keep_roles.contains(role) || (role == Role::Byline && !*bylines) {
            continue;
        }
        dropped += of_block;
        found.push((index, role, evidence));
    }
    if dropped > MAX_SHARE * words {
        return;
    }
    for (index, role, evidence) in found {
        selection.set(index, false, Some(Change::Role(role, Some(evidence))));
        if role != Role::Byline {
            selection.with_pictures.push(index as u32);
        }
    }
}

/// Keeps blocks of the wanted roles that are between the first and the last kept block or next to them.
pub(super) fn keep(input: &Input<'_>, labels: &Labels, options: &ExtractOptions, selection: &mut Selection) {
    if options.keep_roles.is_empty() {
        return;
    }
    let Some((first, last)) = selection.blocks().next().zip(selection.blocks().last()) else { return };
    let blocks = input.blocks;
    let wanted = |index: usize| {
        let role = role_if_wanted(labels, blocks, index)?;
        options.keep_roles.contains(role).then_some(role)
    };
    let before = (0..first).rev().map_while(|index| Some((index, wanted(index)?)));
    let inside = (first..last).filter_map(|index| Some((index, wanted(index)?)));
    let after = (last + 1..blocks.len()).map_while(|index| Some((index, wanted(index)?)));
    let added: Vec<(usize, Role)> = before.chain(inside).chain(after).filter(|(index, _)| !selection.keeps(*index)).collect();
    for (index, role) in added {
        selection.set(index, true, Some(Change::Role(role, None)));
    }
}

/// The role of a block that the method does not keep. Tables and code get their roles from markup alone.
fn role_if_wanted(labels: &Labels, blocks: Blocks<'_>, index: usize) -> Option<Role> {
    let block = blocks.get(index)?;
    let role = labels.role_as(block, false);
    let marked = block.context().intersects(Context::CELL.union(Context::PRE));
    if role == Role::Boilerplate && marked { Some(labels.role_as(block, true)) } else { Some(role) }
}

#[cfg(test)]
mod tests {
    use crate::content::RenderOptions;
    use crate::label::{Preset, Role};
    use crate::{ExtractOptions, Page};

    const LONG: &str = "It has been raining in the valley for three days, and nobody who lives there can remember when that last \
                        happened, not even the old miller, who has written down the weather of every day since he was a boy.";

    fn page() -> String {
        format!(
            "<article><h1>Rain</h1><div class=byline>Jo Ash</div><p>{LONG}</p>\
             <figure><img src=a.jpg alt=Bridge><figcaption>The bridge <span class=credit>Foto: Tal/AFP</span></figcaption></figure>\
             <p>{LONG} Yes.</p><table><caption>Rainfall</caption><tr><td>Monday<td>14<tr><td>Tuesday<td>9</table></article>"
        )
    }

    fn text(options: &ExtractOptions) -> String {
        Page::parse(page().as_bytes()).extract_with(options).text()
    }

    fn all() -> ExtractOptions {
        Preset::MinWords(1).into()
    }

    #[test]
    fn captions_credits_and_bylines_are_left_out() {
        let kept = text(&all());
        assert!(!kept.contains("bridge") && !kept.contains("Jo Ash") && !kept.contains("AFP"), "{kept}");
        assert!(kept.contains("Rainfall\n") && kept.contains("Monday | 14"), "{kept}");
        assert!(text(&Preset::KeepEverything.into()).contains("The bridge"));
        let html = page();
        let page = Page::parse(html.as_bytes());
        let content = page.extract_with(&all());
        let why = content.explain().why(1);
        assert!(why.ends_with("roles: not content: byline, by a class, id or property"), "{why}");
        assert_eq!(content.role(page.blocks().get(1).unwrap()), Role::Byline);
        // The labels are those of the method.
        assert!(content.labels().verdict(1).content);
    }

    #[test]
    fn they_can_be_kept_and_others_dropped() {
        assert!(text(&all().keep_roles([Role::Caption, Role::Byline])).contains("Jo Ash"));
        let short = ExtractOptions::from(Preset::MinWords(10)).keep_roles([Role::Byline]);
        assert!(text(&short).starts_with("Rain\nJo Ash\nIt has"), "{}", text(&short));
        let kept = text(&all().drop_roles([Role::Table, Role::Heading, Role::Title]));
        assert!(!kept.contains("Monday") && !kept.starts_with("Rain\n"), "{kept}");
        let everything = ExtractOptions::from(Preset::KeepEverything).drop_roles([Role::Caption]);
        assert!(!text(&everything).contains("The bridge"), "{}", text(&everything));
    }

    #[test]
    fn captions_stay_with_pictures() {
        let html = page();
        let page = Page::parse(html.as_bytes());
        let markdown =
            |options: &ExtractOptions, images: bool| page.extract_with(options).markdown(&RenderOptions::default().images(images));
        assert!(!markdown(&all(), false).contains("The bridge"));
        let with = markdown(&all(), true);
        assert!(with.contains("![Bridge](a.jpg)\n\nThe bridge"), "{with}");
        let without = markdown(&all().drop_roles([Role::Caption, Role::Credit]), true);
        assert!(!without.contains("The bridge"), "{without}");
    }

    #[test]
    fn galleries_keep_their_captions() {
        let figure = "<figure><img src=a><figcaption>The bridge over the river in the valley after the rain</figcaption></figure>";
        let html = format!("<article><p>Pictures of a rainy week.</p>{figure}{}</article>", figure.replace("bridge", "mill"));
        assert!(Page::parse(html.as_bytes()).extract_with(&all()).text().contains("The mill"));
    }
}
