//! Measures of single metadata values, between 0 and 1.
//!
//! Titles are compared as words: runs of letters and digits in lower case; every ideograph or kana is a word of
//! its own. Case, white space and punctuation do not matter.
//!
//! - [`title_exact`]: the same words in the same order.
//! - [`title_f1`]: 2·c / (a + g), where a and g are the words of the answer and the gold title and c those in common, as bags.
//! - [`title_contained`]: the words of one occur in the other, contiguously. Answering too much is not penalised.
//!
//! Authors are compared as sets of names ([`names`]): texts are split at commas, semicolons, `&` and "and"; academic
//! degrees are not names.
//!
//! - [`authors_f1`]: 2·c / (a + g), where a and g are the names in the answer and in gold and c those in common.
//! - [`authors_exact`]: the same names. [`authors_found`]: all gold names are in the answer.
//!
//! Dates are right if they name the same day ([`same_day`]), languages if they have the same primary code ([`same_language`]).
//! Tags are compared as sets, in lower case ([`tags_f1`]).

use std::collections::{BTreeMap, BTreeSet};

/// The words of a text, ignoring case, white space and punctuation.
///
/// ```
/// use webstrata_lab::metrics::metadata::words;
/// assert_eq!(words("It’s “Rain”—again"), ["it", "s", "rain", "again"]);
/// assert_eq!(words("雨が"), ["雨", "が"]);
/// ```
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let alone = matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}');
        // Soft hyphens are invisible.
        if c == '\u{ad}' {
            continue;
        }
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        match words.last_mut().filter(|_| open && !alone) {
            Some(word) => word.extend(c.to_lowercase()),
            None => words.push(c.to_lowercase().collect()),
        }
        open = !alone;
    }
    words
}

/// Same words, same order.
///
/// ```
/// use webstrata_lab::metrics::metadata::title_exact;
/// assert_eq!(title_exact("It's  RAIN", "It’s rain!"), 1.0);
/// assert_eq!(title_exact("Rain | The Daily Rock", "Rain"), 0.0);
/// ```
#[must_use]
pub fn title_exact(answer: &str, gold: &str) -> f64 {
    f64::from(u8::from(words(answer) == words(gold)))
}

/// Word F1 of two titles, as bags of words.
///
/// ```
/// use webstrata_lab::metrics::metadata::title_f1;
/// // 2 words in both, 3 and 5 words: 2·2 / (3 + 5)
/// assert_eq!(title_f1("Rain and rain", "More rain and more snow"), 0.5);
/// ```
#[must_use]
pub fn title_f1(answer: &str, gold: &str) -> f64 {
    let (answer, gold) = (words(answer), words(gold));
    let mut bag: BTreeMap<&str, usize> = BTreeMap::new();
    gold.iter().for_each(|word| *bag.entry(word).or_default() += 1);
    let mut common = 0;
    for word in &answer {
        if let Some(left) = bag.get_mut(word.as_str()).filter(|left| **left > 0) {
            *left -= 1;
            common += 1;
        }
    }
    dice(common, answer.len(), gold.len())
}

/// Whether the words of one title occur in the other, contiguously. Titles with fewer than four letters are too short to compare.
///
/// ```
/// use webstrata_lab::metrics::metadata::title_contained;
/// assert_eq!(title_contained("Rain | The Daily Rock", "Rain"), 1.0);
/// assert_eq!(title_contained("Rain", "Rain in the valley"), 1.0);
/// assert_eq!(title_contained("Rain in valleys", "Rain in the valley"), 0.0);
/// assert_eq!(title_contained("in", "Rain in the valley"), 0.0);
/// ```
#[must_use]
pub fn title_contained(answer: &str, gold: &str) -> f64 {
    let (answer, gold) = (words(answer), words(gold));
    if answer == gold {
        return 1.0;
    }
    let (short, long) = if answer.len() < gold.len() { (answer, gold) } else { (gold, answer) };
    let enough = short.iter().map(|word| word.chars().count()).sum::<usize>() >= 4;
    f64::from(u8::from(enough && long.windows(short.len()).any(|run| *run == *short)))
}

/// The names in a text, as normalised words.
///
/// ```
/// use webstrata_lab::metrics::metadata::names;
/// let found: Vec<String> = names("Maren Tolliver, MD, Jo O’Ash & Kim Li").into_iter().collect();
/// assert_eq!(found, ["jo o ash", "kim li", "maren tolliver"]);
/// ```
#[must_use]
pub fn names(text: &str) -> BTreeSet<String> {
    let pieces = || {
        text.split([',', ';', '&', '\n'])
            .flat_map(|part| part.split(" and "))
            .map(|piece| piece.trim().trim_start_matches("and ").trim_start_matches("By ").trim_start_matches("by "))
    };
    let fold = |piece: &str| words(piece).join(" ");
    let people: BTreeSet<String> = pieces().filter(|piece| !is_degree(piece)).map(fold).filter(|name| !name.is_empty()).collect();
    if people.is_empty() { pieces().map(fold).filter(|name| !name.is_empty()).collect() } else { people }
}

/// MD, Ph.D., DVM: at most six letters, most of them capitals, no space.
fn is_degree(piece: &str) -> bool {
    let letters: Vec<char> = piece.chars().filter(|c| c.is_alphabetic()).collect();
    let capitals = letters.iter().filter(|c| c.is_uppercase()).count();
    (2..=6).contains(&letters.len()) && capitals >= 2 && capitals * 2 > letters.len() && !piece.contains(' ')
}

/// F1 of the names of both sides.
///
/// ```
/// use webstrata_lab::metrics::metadata::authors_f1;
/// // 1 name in both, 1 and 2 names: 2·1 / (1 + 2)
/// assert_eq!(authors_f1("Jo Ash", "Jo Ash and Kim Li"), 2.0 / 3.0);
/// ```
#[must_use]
pub fn authors_f1(answer: &str, gold: &str) -> f64 {
    let (answer, gold) = (names(answer), names(gold));
    dice(answer.intersection(&gold).count(), answer.len(), gold.len())
}

/// Whether the names are the same.
#[must_use]
pub fn authors_exact(answer: &str, gold: &str) -> f64 {
    f64::from(u8::from(names(answer) == names(gold)))
}

/// Whether all gold names are in the answer, possibly among others.
///
/// ```
/// use webstrata_lab::metrics::metadata::authors_found;
/// assert_eq!(authors_found("Kim Li; Jo Ash", "Jo Ash"), 1.0);
/// assert_eq!(authors_found("Jo Ash", "Jo Ash and Kim Li"), 0.0);
/// ```
#[must_use]
pub fn authors_found(answer: &str, gold: &str) -> f64 {
    f64::from(u8::from(names(gold).is_subset(&names(answer))))
}

/// Whether both are ISO dates of the same day; if gold has only a month or a year, of the same month or year.
///
/// ```
/// use webstrata_lab::metrics::metadata::same_day;
/// assert_eq!(same_day("2024-05-13T23:10:00-05:00", "2024-05-13"), 1.0);
/// assert_eq!(same_day("2024-05-13", "2024-05"), 1.0);
/// assert_eq!(same_day("2024-05", "2024-05-13"), 0.0);
/// ```
#[must_use]
pub fn same_day(answer: &str, gold: &str) -> f64 {
    let day = |text: &str| text.trim().chars().take(10).collect::<String>();
    let (answer, gold) = (day(answer), day(gold));
    f64::from(u8::from(gold.len() >= 4 && answer.starts_with(&gold)))
}

/// F1 of the tags of both sides. Tags are separated by semicolons.
///
/// ```
/// use webstrata_lab::metrics::metadata::tags_f1;
/// // 1 tag in both, 1 and 2 tags: 2·1 / (1 + 2)
/// assert_eq!(tags_f1("Rain", "rain; snow"), 2.0 / 3.0);
/// ```
#[must_use]
pub fn tags_f1(answer: &str, gold: &str) -> f64 {
    let set = |text: &str| -> BTreeSet<String> {
        text.split(';').map(|tag| tag.trim().to_lowercase()).filter(|tag| !tag.is_empty()).collect()
    };
    let (answer, gold) = (set(answer), set(gold));
    dice(answer.intersection(&gold).count(), answer.len(), gold.len())
}

/// Whether both tags have the same primary language.
///
/// ```
/// use webstrata_lab::metrics::metadata::same_language;
/// assert_eq!(same_language("pt-BR", "PT"), 1.0);
/// assert_eq!(same_language("en", "zu"), 0.0);
/// ```
#[must_use]
pub fn same_language(answer: &str, gold: &str) -> f64 {
    let primary = |tag: &str| tag.split(['-', '_']).next().unwrap_or_default().to_lowercase();
    f64::from(u8::from(primary(answer) == primary(gold)))
}

fn dice(common: usize, a: usize, b: usize) -> f64 {
    if a + b == 0 { 1.0 } else { 2.0 * common as f64 / (a + b) as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_values_computed_by_hand() {
        // "a b b c" and "b b d": two words in common, 4 and 3 words: 4/7.
        assert_eq!(title_f1("a b b c", "b b d"), 4.0 / 7.0);
        assert_eq!(title_f1("", ""), 1.0);
        assert_eq!(title_f1("", "x"), 0.0);
        assert_eq!(title_exact("Rain – again", "rain: again"), 1.0);
        assert_eq!(title_exact("so\u{ad}ft", "soft"), 1.0);
        assert_eq!(title_contained("", "x"), 0.0);
        assert_eq!(title_contained("", ""), 1.0);
        // Two of three and two of four names: 2·2 / (3 + 4).
        assert_eq!(authors_f1("A Ash; B Bee; C Cee", "A Ash, B Bee, D Dee and E Eff"), 4.0 / 7.0);
        assert_eq!(authors_exact("B Bee & A Ash", "A Ash and B Bee, PhD"), 1.0);
        assert_eq!(authors_exact("A Ash", "A Ash and B Bee"), 0.0);
        assert_eq!(same_day("", ""), 0.0);
        assert_eq!(same_day("2024-05-14", "2024-05-13"), 0.0);
    }

    #[test]
    fn capitals_are_a_name_if_they_are_the_only_one() {
        assert_eq!(names("SMT").into_iter().collect::<Vec<_>>(), ["smt"]);
        assert_eq!(names("By Jo Ash, and Kim Li,").into_iter().collect::<Vec<_>>(), ["jo ash", "kim li"]);
        assert!(names(" ,; ").is_empty());
    }
}
