//! Fingerprints of text, which stay the same when only the dates, numbers and addresses in a template change (Kohlschütter: Exploiting Links
//! and Text Structure on the Web, 2011, 4.3.3).
//!
//! Text is lowercased; names of months and weekdays, their abbreviations, `am`, `pm` and addresses are dropped; every
//! character that is not a letter becomes a space, and spaces are collapsed. A marker is added where a date was dropped and another where
//! an address was. The thesis keeps Latin letters; here all letters are kept, so that other scripts have fingerprints as well. The digest is
//! 128 bits of XXH3 (SHA-1 there).

use std::ops::BitOrAssign;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// A digest of normalised text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

/// Which dropped parts of a text leave a marker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FingerprintMarks {
    /// The name of a month or weekday, `am` or `pm`.
    pub date: bool,
    /// An address.
    pub address: bool,
}

impl BitOrAssign for FingerprintMarks {
    fn bitor_assign(&mut self, other: Self) {
        self.date |= other.date;
        self.address |= other.address;
    }
}

impl Fingerprint {
    /// The fingerprint of a text; `None` for a text without letters.
    ///
    /// ```
    /// use webstrata_corpus::site::Fingerprint;
    /// let of = Fingerprint::new;
    /// assert_eq!(of("Posted on Monday, 3 May 2010, 9 am"), of("Posted on Tuesday, 14 June 2011, 10 pm"));
    /// assert_eq!(of("See http://a.org/x"), of("See https://b.org/y?z"));
    /// assert_ne!(of("Posted on Monday"), of("Posted on"));
    /// assert_eq!(of("12 / 34"), None);
    /// ```
    #[must_use]
    pub fn new(text: &str) -> Option<Fingerprint> {
        let mut words = String::with_capacity(text.len() + 1);
        let mut marks = FingerprintMarks::default();
        for token in text.split_whitespace() {
            marks |= Fingerprint::normalize(token, &mut words);
        }
        Fingerprint::of_words(&mut words.into_bytes(), marks)
    }

    /// Adds the normalised words of a token, a run of characters without white space, each followed by a space. The result
    /// depends on the token alone, so it can be cached.
    ///
    /// ```
    /// use webstrata_corpus::site::{Fingerprint, FingerprintMarks};
    /// let mut words = String::new();
    /// let marks = Fingerprint::normalize("Read-More!", &mut words);
    /// assert_eq!((words.as_str(), marks), ("read more ", FingerprintMarks::default()));
    /// assert_eq!(Fingerprint::of_words(&mut words.into_bytes(), marks), Fingerprint::new("read, MORE"));
    /// ```
    pub fn normalize(token: &str, words: &mut String) -> FingerprintMarks {
        let mut marks = FingerprintMarks::default();
        if is_address(token) {
            marks.address = true;
            return marks;
        }
        for word in token.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            let start = words.len();
            if word.is_ascii() {
                words.push_str(word);
                words[start..].make_ascii_lowercase();
            } else {
                words.extend(word.chars().flat_map(char::to_lowercase));
            }
            if is_date(&words[start..]) {
                marks.date = true;
                words.truncate(start);
            } else {
                words.push(' ');
            }
        }
        marks
    }

    /// The fingerprint of normalised words; `None` if there are neither words nor marks. Markers are appended to the words.
    #[must_use]
    pub fn of_words(words: &mut Vec<u8>, marks: FingerprintMarks) -> Option<Fingerprint> {
        // No word contains a digit.
        words.extend_from_slice(marks.as_bytes());
        (!words.is_empty()).then(|| Fingerprint(xxh3_128(words)))
    }

    /// The lower half, for tables in which a rare collision is harmless.
    #[must_use]
    pub const fn short(self) -> u64 {
        self.0 as u64
    }
}

impl FingerprintMarks {
    const fn as_bytes(self) -> &'static [u8] {
        match (self.date, self.address) {
            (false, false) => b"",
            (true, false) => b"0",
            (false, true) => b"1",
            (true, true) => b"01",
        }
    }
}

/// Computes the fingerprint of a text that comes in pieces; words do not span pieces.
#[derive(Clone, Default)]
pub(crate) struct FingerprintBuilder {
    digest: Option<Xxh3>,
    words: String,
    marks: FingerprintMarks,
}

impl FingerprintBuilder {
    /// Adds a piece.
    pub(crate) fn push(&mut self, text: &str) {
        for token in text.split_whitespace() {
            self.words.clear();
            self.marks |= Fingerprint::normalize(token, &mut self.words);
            if !self.words.is_empty() {
                self.digest.get_or_insert_with(Xxh3::new).update(self.words.as_bytes());
            }
        }
    }

    /// The fingerprint of all pieces.
    pub(crate) fn finish(&self) -> Option<Fingerprint> {
        let marks = self.marks.as_bytes();
        if self.digest.is_none() && marks.is_empty() {
            return None;
        }
        let mut digest = self.digest.clone().unwrap_or_default();
        digest.update(marks);
        Some(Fingerprint(digest.digest128()))
    }
}

fn is_address(token: &str) -> bool {
    token.contains("://") || token.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
}

/// Whether a word is the name or abbreviation of a month or weekday, `am` or `pm`.
fn is_date(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
            | "jan"
            | "feb"
            | "mar"
            | "apr"
            | "jun"
            | "jul"
            | "aug"
            | "sep"
            | "sept"
            | "oct"
            | "nov"
            | "dec"
            | "monday"
            | "tuesday"
            | "wednesday"
            | "thursday"
            | "friday"
            | "saturday"
            | "sunday"
            | "mon"
            | "tue"
            | "tues"
            | "wed"
            | "thu"
            | "thur"
            | "thurs"
            | "fri"
            | "sat"
            | "sun"
            | "am"
            | "pm"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_scripts_have_fingerprints() {
        assert_ne!(Fingerprint::new("Главная").unwrap(), Fingerprint::new("Новости").unwrap());
        assert_eq!(Fingerprint::new("ÜBER uns 12"), Fingerprint::new("über  uns!"));
    }

    #[test]
    fn pieces_are_apart() {
        let mut maker = FingerprintBuilder::default();
        maker.push("one");
        maker.push("two");
        assert_eq!(maker.finish(), Fingerprint::new("one two"));
        assert_ne!(maker.finish(), Fingerprint::new("onetwo"));
    }

    /// The definition, letter by letter.
    fn naive(text: &str) -> Option<Fingerprint> {
        let (mut digest, mut words, mut marks) = (Xxh3::new(), 0, FingerprintMarks::default());
        for token in text.split_whitespace() {
            if is_address(token) {
                marks.address = true;
                continue;
            }
            for word in token.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                let word: String = word.chars().flat_map(char::to_lowercase).collect();
                if is_date(&word) {
                    marks.date = true;
                    continue;
                }
                words += 1;
                word.bytes().chain([b' ']).for_each(|byte| digest.update(&[byte]));
            }
        }
        if marks.date {
            digest.update(b"0");
        }
        if marks.address {
            digest.update(b"1");
        }
        (words > 0 || marks != FingerprintMarks::default()).then(|| Fingerprint(digest.digest128()))
    }

    #[test]
    fn matches_the_letter_by_letter_version() {
        let pieces = [
            "Home", "MAY 3", "www.a.org", "İstanbul", "ΟΔΟΣ", "e-mail,", "\u{a0}", "12:30", "日本語。", "Sept", "http://x", "a1b2",
            "ﬁ",
        ];
        let mut random = crate::io::Random::new(3);
        for size in 0..400 {
            let mut text = String::new();
            for _ in 0..random.scaled(size + 1) {
                text.push_str(pieces[random.scaled(pieces.len() as u32) as usize]);
                text.push_str(["", " ", "\n", " - "][random.scaled(4) as usize]);
            }
            assert_eq!(Fingerprint::new(&text), naive(&text), "{text:?}");
            let mut builder = FingerprintBuilder::default();
            builder.push(&text);
            assert_eq!(builder.finish(), naive(&text), "{text:?}");
        }
    }

    #[test]
    fn a_date_alone_is_a_mark() {
        assert_eq!(Fingerprint::new("Monday 3"), Fingerprint::new("May 2010"));
        assert_ne!(Fingerprint::new("May"), Fingerprint::new("www.may.org"));
        assert_ne!(Fingerprint::new("May www.may.org"), Fingerprint::new("www.may.org"));
    }
}
