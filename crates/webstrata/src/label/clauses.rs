//! Clauses of a text, found by the punctuation that ends them.

/// Characters that end a clause.
const CLAUSE_ENDS: [char; 13] = [',', '.', ':', ';', '!', '?', '。', '，', '、', '；', '！', '？', '：'];

/// Whether a text has a terminated clause of at least `min_words` words.
pub(super) fn has_clause(text: &str, min_words: u32) -> bool {
    let mut words = 0;
    for word in text.split_whitespace() {
        // In scripts without spaces, two letters count as a word.
        let unspaced = word.chars().filter(|&c| crate::block::is_unspaced(c)).count() as u32;
        words += (unspaced / 2).max(u32::from(word.chars().any(char::is_alphanumeric)));
        let last = word.trim_end_matches(['"', '\'', ')', '”', '’', '»', '」']);
        if last.ends_with(CLAUSE_ENDS) || (unspaced > 0 && word.contains(CLAUSE_ENDS)) {
            if words >= min_words {
                return true;
            }
            words = 0;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_clause;

    #[test]
    fn clauses_by_their_ends() {
        assert!(has_clause("The quick brown fox jumps. Yes", 5));
        assert!(has_clause("He said: \"that is not what it is.\"", 5));
        assert!(!has_clause("The quick, brown, fox jumps over", 5));
        assert!(!has_clause("The quick brown fox jumps over the dog", 5));
        assert!(has_clause("今天北京的天气非常好，大家都出门了。", 5));
    }
}
