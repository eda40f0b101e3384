//! The hash of a text: the same for pages with the same words.

use xxhash_rust::xxh3::Xxh3Default;

/// Bytes of words that are hashed together.
const HASHED: usize = 1 << 14;

/// XXH3 of the words in lower case, without punctuation, white space and list markers: the column `hash` of the table `pages`.
///
/// ```
/// use webstrata_corpus::run::text_hash;
/// assert_eq!(text_hash("It rained."), text_hash("- it  RAINED"));
/// ```
#[must_use]
pub fn hash(text: &str) -> u64 {
    let mut hash = Xxh3Default::new();
    // Words, each followed by a space.
    let mut words = Vec::with_capacity(text.len().min(HASHED) + 8);
    let mut inside = false;
    let mut at = 0;
    while let Some(&byte) = text.as_bytes().get(at) {
        if byte.is_ascii() {
            at += 1;
            if byte.is_ascii_alphanumeric() {
                words.push(byte.to_ascii_lowercase());
                inside = true;
                continue;
            }
        } else {
            let Some(c) = text[at..].chars().next() else { break };
            at += c.len_utf8();
            if c.is_alphanumeric() {
                c.to_lowercase().for_each(|lower| words.extend_from_slice(lower.encode_utf8(&mut [0; 4]).as_bytes()));
                inside = true;
                continue;
            }
        }
        if std::mem::take(&mut inside) {
            words.push(b' ');
            if words.len() >= HASHED {
                hash.update(&words);
                words.clear();
            }
        }
    }
    if inside {
        words.push(b' ');
    }
    hash.update(&words);
    hash.digest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_covers_words() {
        assert_eq!(hash("It  RAINED.\n"), hash("- it rained"));
        assert_ne!(hash("it rained"), hash("itrained"));
        assert_ne!(hash("it rained"), hash("it rains"));
    }

    /// The definition, word by word.
    fn naive_hash(text: &str) -> u64 {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty());
        let lower: String = words.map(|word| word.chars().flat_map(char::to_lowercase).chain([' ']).collect::<String>()).collect();
        xxhash_rust::xxh3::xxh3_64(lower.as_bytes())
    }

    #[test]
    fn the_fast_hash_is_that_of_the_words() {
        let long = "Größe, İstanbul's 3½ — 東京、ǅ. ".repeat(2000);
        for text in ["", " ", "It rained.", "it-rained", "ÄÖÜ", "a", "a ", " ä", "İ", "x\u{301}y", &long, &long[..long.len() - 1]]
        {
            assert_eq!(hash(text), naive_hash(text), "{}", text.chars().take(8).collect::<String>());
        }
    }
}
