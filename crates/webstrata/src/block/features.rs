//! The 67 shallow features of a block (Kohlschütter's thesis, 4.4.2).
//!
//! Twenty-one features are computed for the current, the previous and the next block (63); two
//! positions and two quotients exist for the current block only: 67. Neighbours beyond the first and last
//! block have 0 for every feature. The thesis counts 23 features of the current block (21 and the two
//! positions) and 25 with the quotients (table 4.9), which this list reproduces. Its totals of 64 and
//! 67 with the three *corpus* frequencies do not follow from its own list; one feature is never named.
//! Corpus frequency is not a feature of one page: it is passed in as [`Frequencies`], in addition to these 67.

use super::{Blocks, Context, Counts};
use crate::html::{Folded, is_white};

/// A feature of one block.
///
/// ```
/// use webstrata::block::{FEATURES, Feature};
/// assert_eq!(FEATURES.iter().filter(|(feature, _)| *feature == Feature::Words).count(), 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Feature {
    /// Number of words.
    Words,
    /// Text density (eq. 4.6).
    TextDensity,
    /// Share of words inside links.
    LinkDensity,
    /// Average length of words in characters.
    WordLength,
    /// Average length of sentences in words; sentences end at `. ? ! ;`.
    SentenceLength,
    /// Enclosed by `h1`.
    InH1,
    /// Enclosed by `h2`.
    InH2,
    /// Enclosed by `h3`.
    InH3,
    /// Enclosed by `h4`.
    InH4,
    /// Enclosed by `h5`.
    InH5,
    /// Enclosed by `h6`.
    InH6,
    /// Enclosed by `p`.
    InP,
    /// Enclosed by `div`.
    InDiv,
    /// Enclosed by `a`.
    InA,
    /// Words that start with an upper-case letter.
    Capitalised,
    /// Share of words that start with an upper-case letter.
    CapitalisedRatio,
    /// Words all in upper case.
    UpperCase,
    /// Share of words all in upper case.
    UpperCaseRatio,
    /// Full stops per word.
    FullStops,
    /// Tokens that look like a date or a time of day.
    Dates,
    /// Vertical bars.
    Bars,
    /// Index of the block. Current block only.
    Position,
    /// Position as a share of all blocks. Current block only.
    RelativePosition,
    /// Density of the current block divided by that of the previous one.
    DensityQuotient,
    /// Words of the current block divided by those of the previous one.
    WordsQuotient,
}

/// The block a feature is computed for.
///
/// ```
/// use webstrata::block::{FEATURES, Neighbour};
/// assert_eq!(FEATURES.iter().filter(|(_, of)| *of == Neighbour::Previous).count(), 21);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Neighbour {
    /// The previous block.
    Previous,
    /// The block itself.
    Current,
    /// The next block.
    Next,
}

/// Number of features computed for every block.
const NUM_LOCAL: usize = 21;

/// Features of the current block only.
const CURRENT_ONLY: [Feature; 4] = [Feature::Position, Feature::RelativePosition, Feature::DensityQuotient, Feature::WordsQuotient];

const LOCAL_FEATURES: [Feature; NUM_LOCAL] = [
    Feature::Words,
    Feature::TextDensity,
    Feature::LinkDensity,
    Feature::WordLength,
    Feature::SentenceLength,
    Feature::InH1,
    Feature::InH2,
    Feature::InH3,
    Feature::InH4,
    Feature::InH5,
    Feature::InH6,
    Feature::InP,
    Feature::InDiv,
    Feature::InA,
    Feature::Capitalised,
    Feature::CapitalisedRatio,
    Feature::UpperCase,
    Feature::UpperCaseRatio,
    Feature::FullStops,
    Feature::Dates,
    Feature::Bars,
];

/// All 67 features, in the order of [`Features::row`].
///
/// ```
/// use webstrata::{Page, block::{FEATURES, Feature, Features, Neighbour}};
/// let page = Page::parse(b"<p>one two three");
/// let row = Features::new(page.blocks()).row(0);
/// let words = FEATURES.iter().position(|column| *column == (Feature::Words, Neighbour::Current));
/// assert_eq!(words.map(|column| row[column]), Some(3.0));
/// ```
pub const FEATURES: [(Feature, Neighbour); 3 * NUM_LOCAL + CURRENT_ONLY.len()] = {
    let mut list = [(Feature::Words, Neighbour::Current); 3 * NUM_LOCAL + CURRENT_ONLY.len()];
    let mut i = 0;
    while i < NUM_LOCAL {
        list[i] = (LOCAL_FEATURES[i], Neighbour::Current);
        list[NUM_LOCAL + i] = (LOCAL_FEATURES[i], Neighbour::Previous);
        list[2 * NUM_LOCAL + i] = (LOCAL_FEATURES[i], Neighbour::Next);
        i += 1;
    }
    while i - NUM_LOCAL < CURRENT_ONLY.len() {
        list[3 * NUM_LOCAL + i - NUM_LOCAL] = (CURRENT_ONLY[i - NUM_LOCAL], Neighbour::Current);
        i += 1;
    }
    list
};

/// How often each block's text occurs in a corpus, indexed by block; counted elsewhere, by fingerprint.
///
/// ```
/// use webstrata::block::Frequencies;
/// assert_eq!((Frequencies(&[3, 800]).get(1), Frequencies(&[3, 800]).get(9)), (800, 0));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Frequencies<'f>(pub &'f [u32]);

impl Frequencies<'_> {
    /// Frequency of block `index`; 0 if unknown.
    #[must_use]
    pub fn get(self, index: usize) -> u32 {
        self.0.get(index).copied().unwrap_or(0)
    }
}

/// Feature values of all blocks of a page: a flat side table with a row of 21 per block.
///
/// ```
/// use webstrata::{Page, block::{FEATURES, Feature, Features, Neighbour}};
/// let page = Page::parse(b"<h1>News | Today</h1><p>It rained on 3 May. Nobody minded.</p>");
/// let features = Features::new(page.blocks());
/// assert_eq!(FEATURES.len(), 67);
/// assert_eq!(features.get(0, Feature::Bars, Neighbour::Current), 1.0);
/// assert_eq!(features.get(1, Feature::InH1, Neighbour::Previous), 1.0);
/// assert_eq!(features.get(1, Feature::SentenceLength, Neighbour::Current), 3.5);
/// assert_eq!(features.get(1, Feature::Words, Neighbour::Next), 0.0);
/// assert_eq!(features.row(1).len(), 67);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    values: Vec<f32>,
}

impl Features {
    /// Computes the features of all blocks in one pass over their text.
    #[must_use]
    pub fn new(blocks: Blocks<'_>) -> Self {
        let mut values = Vec::with_capacity(blocks.len() * NUM_LOCAL);
        for (index, record) in blocks.records().iter().enumerate() {
            let mut folded = Folded::default();
            blocks.fold_into(index, &mut folded);
            values.extend(local(record.counts, record.context, &TextCounts::new(&folded.text)));
        }
        Features { values }
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len() / NUM_LOCAL
    }

    /// Whether there are no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// A feature of block `index` or of its neighbour; 0 outside the page.
    #[must_use]
    pub fn get(&self, index: usize, feature: Feature, of: Neighbour) -> f32 {
        let local = |at: Option<usize>, feature: Feature| match at {
            Some(at) => self.values.get(at * NUM_LOCAL + feature as usize).copied().unwrap_or(0.0),
            None => 0.0,
        };
        if index >= self.len() {
            return 0.0;
        }
        let (previous, current) = (index.checked_sub(1), Some(index));
        let quotient = |feature| {
            let before = local(previous, feature);
            if before == 0.0 { 0.0 } else { local(current, feature) / before }
        };
        match feature {
            Feature::Position => index as f32,
            Feature::RelativePosition => index as f32 / self.len() as f32,
            Feature::DensityQuotient => quotient(Feature::TextDensity),
            Feature::WordsQuotient => quotient(Feature::Words),
            _ => match of {
                Neighbour::Previous => local(previous, feature),
                Neighbour::Current => local(current, feature),
                Neighbour::Next => local(Some(index + 1), feature),
            },
        }
    }

    /// All 67 features of block `index`, in the order of [`FEATURES`].
    #[must_use]
    pub fn row(&self, index: usize) -> Vec<f32> {
        FEATURES.iter().map(|&(feature, of)| self.get(index, feature, of)).collect()
    }
}

fn local(counts: Counts, context: Context, text: &TextCounts) -> [f32; NUM_LOCAL] {
    let words = counts.words as f32;
    let ratio = |n: u32| if counts.words == 0 { 0.0 } else { n as f32 / words };
    let flag = |bit: Context| f32::from(u8::from(context.intersects(bit)));
    [
        words,
        counts.density().value() as f32,
        counts.link_density() as f32,
        counts.word_length() as f32,
        words / text.sentences.max(1) as f32,
        flag(Context::heading(1)),
        flag(Context::heading(2)),
        flag(Context::heading(3)),
        flag(Context::heading(4)),
        flag(Context::heading(5)),
        flag(Context::heading(6)),
        flag(Context::P),
        flag(Context::DIV),
        flag(Context::A),
        text.capitalised as f32,
        ratio(text.capitalised),
        text.upper_case as f32,
        ratio(text.upper_case),
        ratio(text.full_stops),
        text.dates as f32,
        text.bars as f32,
    ]
}

/// Text counts needed only by the features.
#[derive(Debug, Default, PartialEq, Eq)]
struct TextCounts {
    sentences: u32,
    capitalised: u32,
    upper_case: u32,
    full_stops: u32,
    dates: u32,
    bars: u32,
}

impl TextCounts {
    fn new(text: &str) -> Self {
        let mut counts = TextCounts::default();
        let mut open_sentence = false;
        for word in text.split(is_white).filter(|w| !w.is_empty()) {
            counts.bars += word.matches('|').count() as u32;
            let letters = word.trim_matches(|c: char| !c.is_alphanumeric());
            if letters.is_empty() {
                continue;
            }
            if letters.chars().next().is_some_and(char::is_uppercase) {
                counts.capitalised += 1;
                // A single capital may be a word at the start of a sentence ("I", "A"), not upper-case text.
                let mut cased = letters.chars().filter(|c| c.is_alphabetic());
                if letters.chars().count() > 1 && cased.all(|c| !c.is_lowercase()) {
                    counts.upper_case += 1;
                }
            }
            counts.dates += u32::from(is_date_or_time(letters));
            counts.full_stops += word.chars().filter(|&c| matches!(c, '.' | '。')).count() as u32;
            open_sentence = true;
            // Ideographic text has no spaces, so a sentence may end inside a white-space delimited string.
            let inner = word.chars().filter(|&c| matches!(c, '。' | '？' | '！' | '；')).count() as u32;
            let ends = word.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '」']).ends_with(['.', '?', '!', ';']);
            if inner > 0 || ends {
                counts.sentences += inner.max(u32::from(ends));
                open_sentence = false;
            }
        }
        counts.sentences += u32::from(open_sentence);
        counts
    }
}

const MONTHS_AND_DAYS: [&str; 33] = [
    "january", "february", "march", "april", "june", "july", "august", "september", "october", "november", "december", "jan",
    "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "monday", "tuesday", "wednesday", "thursday",
    "friday", "saturday", "sunday", "gmt", "utc", "est",
];

/// Whether a word looks like (part of) a date or time: `12:30`, `2008-11-15`, `15/11/2008`, `2008`, `November`, `3pm`.
fn is_date_or_time(word: &str) -> bool {
    let lower = word.to_lowercase();
    if MONTHS_AND_DAYS.contains(&lower.as_str()) {
        return true;
    }
    let hour = lower.strip_suffix("am").or_else(|| lower.strip_suffix("pm"));
    if hour.is_some_and(|h| !h.is_empty() && h.bytes().all(|c| c.is_ascii_digit() || c == b':' || c == b'.')) {
        return true;
    }
    if lower.len() == 4 && lower.bytes().all(|c| c.is_ascii_digit()) {
        return lower.starts_with("19") || lower.starts_with("20");
    }
    let parts: Vec<&str> = lower.split([':', '-', '/', '.']).collect();
    (2..=3).contains(&parts.len())
        && parts.iter().all(|part| matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|c| c.is_ascii_digit()))
        && (parts.len() == 3 || lower.contains(':'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_67_distinct_features() {
        let mut all = FEATURES.to_vec();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 67);
    }

    #[test]
    fn text_counts() {
        let counts = TextCounts::new("BBC News | 12:30 GMT. The Mayor said: \"No.\" I agree | A B 2008-11-15; end");
        assert_eq!(counts, TextCounts { sentences: 4, capitalised: 9, upper_case: 2, full_stops: 2, dates: 3, bars: 2 });
        assert_eq!(TextCounts::new("今日は雨です。明日は晴れ。").sentences, 2);
        assert_eq!(TextCounts::new("").sentences, 0);
    }

    #[test]
    fn dates_and_times() {
        for yes in ["12:30", "2008-11-15", "15/11/2008", "15.11.08", "1999", "2026", "november", "3pm", "11:30am", "Sept"] {
            assert!(is_date_or_time(yes), "{yes}");
        }
        for no in ["12", "1.5", "3000", "may", "am", "10-12", "a:b", "1:2:3:4", "abc"] {
            assert!(!is_date_or_time(no), "{no}");
        }
    }
}
