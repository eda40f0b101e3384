//! The rules of `article` and their intermediate verdicts, which the learned method also uses.

use super::tree::ARTICLE_WORDS;
use super::unit::{Marks, Trail, Unit};
use super::{Input, Labels, Preset, Stage};

/// Verdicts on each block from one run of the rules.
#[derive(Debug, Default)]
pub(super) struct ArticleVerdicts {
    /// Whether it matches the page's title.
    pub(super) titles: Vec<bool>,
    /// Whether the NumWords tree classifies it as content.
    pub(super) by_words: Vec<bool>,
    /// Whether it is content after all stages.
    pub(super) content: Vec<bool>,
}

impl ArticleVerdicts {
    /// Runs the rules.
    pub(super) fn new(input: &Input<'_>) -> Self {
        let count = input.blocks.len();
        let mut trail = Trail::without_reasons(count);
        let mut units = Unit::for_blocks(input.blocks);
        let mut verdicts = ArticleVerdicts::default();
        for stage in &Preset::Article.pipeline().stages {
            units = stage.apply(input, units, &mut trail);
            // The tree looks at counts only, and up to this stage there is one unit per block.
            if stage.info() == (&ARTICLE_WORDS).info() {
                verdicts.titles = units.iter().map(|unit| unit.marks.has(Marks::TITLE)).collect();
                verdicts.by_words = units.iter().map(|unit| unit.content).collect();
            }
        }
        let labels = Labels::new(count, &units, &trail);
        verdicts.content = labels.iter().map(|verdict| verdict.content).collect();
        verdicts
    }
}

#[cfg(test)]
mod tests {
    use super::super::title::TitleMatch;
    use super::*;
    use crate::Page;
    use crate::label::Labeller;

    #[test]
    fn one_run_gives_the_verdicts_of_three() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/pages");
        for entry in std::fs::read_dir(folder).unwrap() {
            let Ok(bytes) = std::fs::read(entry.unwrap().path().join("page.html")) else { continue };
            let page = Page::parse(&bytes);
            let input = page.input();
            let content = |preset: Preset| preset.label(&input).iter().map(|verdict| verdict.content).collect::<Vec<_>>();
            let mut trail = Trail::without_reasons(input.blocks.len());
            let titled = TitleMatch.apply(&input, Unit::for_blocks(input.blocks), &mut trail);
            let verdicts = ArticleVerdicts::new(&input);
            assert_eq!(verdicts.content, content(Preset::Article));
            let by_words = (&ARTICLE_WORDS).apply(&input, Unit::for_blocks(input.blocks), &mut trail);
            assert_eq!(verdicts.by_words, by_words.iter().map(|unit| unit.content).collect::<Vec<_>>());
            assert_eq!(verdicts.titles, titled.iter().map(|unit| unit.marks.has(Marks::TITLE)).collect::<Vec<_>>());
        }
    }
}
