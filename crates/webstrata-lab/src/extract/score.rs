//! Scores an answer for one page.

use crate::gold::set::GoldPage;
use crate::metrics::words::{Prf, Vocabulary, bag, sequence};

/// The scores of one answer.
///
/// ```
/// use webstrata_lab::{extract::score::PageScore, gold::set::GoldPage};
/// let page = GoldPage { gold_text: Some("It rained again".into()), without: vec!["Home".into()], ..GoldPage::default() };
/// let score = PageScore::new(&page, "Home It rained again");
/// assert_eq!(score.words.unwrap().bag.recall, 1.0);
/// assert_eq!(score.words.unwrap().bag.precision, 0.75);
/// assert_eq!((score.snippets_right, score.snippets), (0, 1));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PageScore {
    /// Scores by words; `None` if the page has no gold text.
    pub words: Option<WordScore>,
    /// Number of snippets that were correctly found or left out.
    pub snippets_right: u32,
    /// Number of snippets.
    pub snippets: u32,
    /// Number of words in the answer.
    pub answered: usize,
}

/// Word scores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WordScore {
    /// Bag of words, regardless of order.
    pub bag: Prf,
    /// Order-aware.
    pub sequence: Prf,
}

impl PageScore {
    /// Scores an answer.
    #[must_use]
    pub fn new(page: &GoldPage, answer: &str) -> PageScore {
        let mut vocabulary = Vocabulary::default();
        let words = vocabulary.read(answer);
        let score = page.gold_text.as_deref().map(|gold| {
            let gold = vocabulary.read(gold);
            WordScore { bag: bag(&gold, &words), sequence: sequence(&gold, &words) }
        });
        let folded = fold(answer);
        let contains = |snippet: &String| folded.contains(fold(snippet).trim());
        let right = page.with.iter().filter(|s| contains(s)).count() + page.without.iter().filter(|s| !contains(s)).count();
        PageScore {
            words: score,
            snippets_right: right as u32,
            snippets: (page.with.len() + page.without.len()) as u32,
            answered: words.len(),
        }
    }
}

/// Collapses white space.
fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
