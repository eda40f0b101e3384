//! Signatures for the table of pages that a run writes.

use super::options::Similarity;
use super::signer::Signer;

/// The values by which two texts are compared: the smallest hashes, or the keys of bands (without the key of the text itself).
impl crate::run::Signer for Similarity {
    fn sign(&self, text: &str) -> Vec<u64> {
        let signature = Signer::new(*self).sign(text);
        if signature.hashes.is_empty() { signature.joins.into_iter().skip(1).collect() } else { signature.hashes }
    }

    fn name(&self) -> String {
        self.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_has_what_is_compared() {
        let text: String = (0..40).map(|word| format!("w{word} ")).collect();
        let sign = |similarity: Similarity| crate::run::Signer::sign(&similarity, &text);
        assert_eq!((sign(Similarity::paper()).len(), sign(Similarity::fineweb()).len()), (8, 14));
        assert!(crate::run::Signer::name(&Similarity::paper()).contains("4 of 8"));
    }
}
