//! Scores of metadata against gold.
//!
//! For each field and measure ([`crate::metrics::metadata`]) the points of all pages are added up. With n answers, on
//! pages with and without gold, and g pages with gold, precision is points / n and recall is points / g;
//! F1 is their harmonic mean. An answer without gold costs precision, a missing answer costs recall.

use crate::metrics::metadata as measures;
use serde::{Deserialize, Serialize};

/// Metadata of a page, as gold or as a tool's answer.
///
/// As JSON: `{"id": "…", "title": "…", "author": "…", "date": "2024-05-13", "tags": "…", "language": "en"}`. Null, empty and
/// missing fields are equivalent; several authors or tags are separated by semicolons.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Id of the page, or its file name.
    #[serde(alias = "file")]
    pub id: String,
    /// The title. Gold may have several alternatives, one per line.
    #[serde(default)]
    pub title: Option<String>,
    /// The authors.
    #[serde(default)]
    pub author: Option<String>,
    /// Date of publication.
    #[serde(default)]
    pub date: Option<String>,
    /// The tags.
    #[serde(default)]
    pub tags: Option<String>,
    /// The language, as a BCP 47 tag.
    #[serde(default)]
    pub language: Option<String>,
}

/// A field of the metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Field {
    /// The title.
    Title,
    /// The authors.
    Author,
    /// The date.
    Date,
    /// The tags.
    Tags,
    /// The language.
    Language,
}

impl Field {
    /// The name of the field.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Field::Title => "title",
            Field::Author => "author",
            Field::Date => "date",
            Field::Tags => "tags",
            Field::Language => "language",
        }
    }
}

/// A measure: points of an answer given the gold value.
type Points = fn(&str, &str) -> f64;

/// All measures: field, name, and points. The first measure of a field is its strictest.
pub const MEASURES: [(Field, &str, Points); 9] = [
    (Field::Title, "exact", measures::title_exact),
    (Field::Title, "word F1", measures::title_f1),
    (Field::Title, "contained", measures::title_contained),
    (Field::Author, "same names", measures::authors_exact),
    (Field::Author, "name F1", measures::authors_f1),
    (Field::Author, "all found", measures::authors_found),
    (Field::Date, "same day", measures::same_day),
    (Field::Tags, "tag F1", measures::tags_f1),
    (Field::Language, "same language", measures::same_language),
];

impl Answer {
    /// The value of a field, if there is one.
    #[must_use]
    pub fn get(&self, field: Field) -> Option<&str> {
        let value = match field {
            Field::Title => &self.title,
            Field::Author => &self.author,
            Field::Date => &self.date,
            Field::Tags => &self.tags,
            Field::Language => &self.language,
        };
        value.as_deref().map(str::trim).filter(|text| !text.is_empty())
    }

    /// Points of an answer with this as gold; `None` if gold has no value. For a multi-line gold title, the best line counts, or all lines
    /// together.
    #[must_use]
    pub fn points(&self, answer: &Answer, field: Field, points: Points) -> Option<f64> {
        let gold = self.get(field)?;
        let Some(answer) = answer.get(field) else { return Some(0.0) };
        let lines = gold.lines().filter(|_| field == Field::Title).map(str::trim).filter(|line| !line.is_empty());
        Some(lines.map(|line| points(answer, line)).fold(points(answer, gold), f64::max))
    }
}

/// Totals of one measure over pages.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pages with gold.
    pub gold: usize,
    /// Pages with an answer.
    pub answered: usize,
    /// Answers on pages without gold.
    pub without_gold: usize,
    /// Points.
    pub points: f64,
}

impl Tally {
    /// Points per answer.
    #[must_use]
    pub fn precision(&self) -> f64 {
        if self.answered == 0 { 0.0 } else { self.points / self.answered as f64 }
    }

    /// Points per page with gold.
    #[must_use]
    pub fn recall(&self) -> f64 {
        if self.gold == 0 { 0.0 } else { self.points / self.gold as f64 }
    }

    /// Harmonic mean of precision and recall.
    #[must_use]
    pub fn f1(&self) -> f64 {
        if self.points == 0.0 { 0.0 } else { 2.0 * self.points / (self.answered + self.gold) as f64 }
    }
}

/// The score of a tool: totals for each of [`MEASURES`].
///
/// ```
/// use webstrata_lab::metadata::{Answer, Score};
/// let answer = |id: &str, title: &str, date: &str| Answer { id: id.into(), title: Some(title.into()), date: Some(date.into()), ..Answer::default() };
/// let mut score = Score::default();
/// score.add(&answer("1", "Rain", "2024-05-13"), &answer("1", "Rain | Rock", "2024-05-13"));
/// score.add(&answer("2", "Snow", ""), &answer("2", "Snow", "2024-05-14"));
/// let [exact, words, contained, _, _, _, date, ..] = score.tallies;
/// assert_eq!((exact.recall(), words.recall(), contained.recall()), (0.5, (2.0 / 3.0 + 1.0) / 2.0, 1.0));
/// assert_eq!((date.precision(), date.recall(), date.f1()), (0.5, 1.0, 2.0 / 3.0));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    /// In the order of [`MEASURES`].
    pub tallies: [Tally; MEASURES.len()],
}

impl Score {
    /// Adds the answer for a page.
    pub fn add(&mut self, gold: &Answer, answer: &Answer) {
        for (tally, (field, _, points)) in self.tallies.iter_mut().zip(MEASURES) {
            let answered = answer.get(field).is_some();
            let earned = gold.points(answer, field, points);
            tally.gold += usize::from(earned.is_some());
            tally.answered += usize::from(answered);
            tally.without_gold += usize::from(answered && earned.is_none());
            tally.points += earned.unwrap_or(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(title: &str, author: &str, date: &str) -> Answer {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Answer { title: text(title), author: text(author), date: text(date), ..Answer::default() }
    }

    /// Four pages: right, wrong, unanswered, and answered without gold.
    #[test]
    fn missing_and_surplus_answers_cost() {
        let mut score = Score::default();
        score.add(&page("", "Jo Ash", ""), &page("", "Jo Ash", ""));
        score.add(&page("", "Jo Ash", ""), &page("", "Kim Li", ""));
        score.add(&page("", "Jo Ash and Kim Li", ""), &page("", "", ""));
        score.add(&page("", "", ""), &page("", "Kim Li", ""));
        let author = score.tallies[3];
        assert_eq!(author, Tally { gold: 3, answered: 3, without_gold: 1, points: 1.0 });
        assert_eq!((author.precision(), author.recall(), author.f1()), (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0));
        assert_eq!(score.tallies[0], Tally::default());
        assert_eq!((score.tallies[0].precision(), score.tallies[0].recall(), score.tallies[0].f1()), (0.0, 0.0, 0.0));
    }

    #[test]
    fn any_line_of_a_gold_title_matches() {
        let gold = page("Rain\nSun later", "", "");
        for (answer, points) in [("Rain", 1.0), ("Sun later", 1.0), ("Rain. Sun later", 1.0), ("Sun", 0.0)] {
            assert_eq!(gold.points(&page(answer, "", ""), Field::Title, measures::title_exact), Some(points), "{answer}");
        }
    }

    #[test]
    fn answers_parse_from_json() {
        let read = |line: &str| serde_json::from_str::<Answer>(line).ok();
        assert_eq!(read(r#"{"id":"","title":"Rain","date":null,"sitename":"x"}"#), Some(page("Rain", "", "")));
        assert_eq!(read(r#"{"title":"Rain"}"#), None);
        assert_eq!(page("  ", "", "").get(Field::Title), None);
    }
}
