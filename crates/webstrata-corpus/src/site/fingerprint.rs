//! Fingerprints of text: what remains of a template's words when dates, numbers and addresses change (Kohlschütter: Exploiting Links
//! and Text Structure on the Web, 2011, 4.3.3).
//!
//! Text is lowercased; names of months and weekdays, their abbreviations, `am`, `pm` and addresses are dropped; every
//! character that is not a letter becomes a space, and spaces are collapsed. A marker is added where a date was dropped and another where
//! an address was. The thesis keeps Latin letters; here all letters are kept, so that other scripts have fingerprints too. The digest is
//! 128 bits of XXH3 (SHA-1 there).

use xxhash_rust::xxh3::Xxh3;

/// A digest of normalised text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u128);

impl Fingerprint {
    /// The fingerprint of a text; none for a text without letters.
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
        let mut maker = FingerprintBuilder::default();
        maker.push(text);
        maker.finish()
    }

    /// The lower half, for tables in which a rare collision does no harm.
    #[must_use]
    pub const fn short(self) -> u64 {
        self.0 as u64
    }
}

/// Makes the fingerprint of a text that comes in pieces; a word ends with its piece.
#[derive(Clone, Default)]
pub(crate) struct FingerprintBuilder {
    digest: Option<Xxh3>,
    word: String,
    date: bool,
    address: bool,
}

impl FingerprintBuilder {
    /// Adds a piece.
    pub(crate) fn push(&mut self, text: &str) {
        for token in text.split_whitespace() {
            if is_address(token) {
                self.address = true;
                continue;
            }
            for word in token.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
                self.word.clear();
                self.word.extend(word.chars().flat_map(char::to_lowercase));
                if is_date(&self.word) {
                    self.date = true;
                    continue;
                }
                let digest = self.digest.get_or_insert_with(Xxh3::new);
                digest.update(self.word.as_bytes());
                digest.update(b" ");
            }
        }
    }

    /// The fingerprint of all pieces.
    pub(crate) fn finish(&self) -> Option<Fingerprint> {
        if self.digest.is_none() && !self.date && !self.address {
            return None;
        }
        let mut digest = self.digest.clone().unwrap_or_default();
        // No word contains a digit.
        if self.date {
            digest.update(b"0");
        }
        if self.address {
            digest.update(b"1");
        }
        Some(Fingerprint(digest.digest128()))
    }
}

fn is_address(token: &str) -> bool {
    token.contains("://") || token.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("www."))
}

/// Names of months and weekdays with their abbreviations, and halves of the day.
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

    #[test]
    fn a_date_alone_is_a_mark() {
        assert_eq!(Fingerprint::new("Monday 3"), Fingerprint::new("May 2010"));
        assert_ne!(Fingerprint::new("May"), Fingerprint::new("www.may.org"));
        assert_ne!(Fingerprint::new("May www.may.org"), Fingerprint::new("www.may.org"));
    }
}
