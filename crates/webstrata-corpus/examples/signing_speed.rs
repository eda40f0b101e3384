//! Measures the speed of signing texts in memory on one thread, and the recall of their bands.
//!
//!     cargo run --release -p webstrata-corpus --example signing_speed -- texts.jsonl pairs.txt
//!
//! `pairs.txt` has two line numbers per line: pairs that should be found. Prints JSON for `scripts/bench-dedup`.

#![allow(clippy::print_stdout, reason = "a program that prints its results")]

use std::collections::HashMap;
use std::error::Error;
use std::fs;
use std::time::Instant;
use webstrata_corpus::dedup::{Signature, Signer, Similarity};

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let texts = fs::read_to_string(args.next().ok_or("give a file of JSON Lines")?)?;
    let texts: Vec<String> = texts
        .lines()
        .map(|line| Ok(serde_json::from_str::<serde_json::Value>(line)?["text"].as_str().unwrap_or_default().to_owned()))
        .collect::<Result<_, serde_json::Error>>()?;
    let pairs = fs::read_to_string(args.next().ok_or("give a file of pairs")?)?;
    let pairs: Vec<(usize, usize)> =
        pairs.lines().filter_map(|line| line.split_once(' ').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)))).collect();
    let mut rows = Vec::new();
    let similarity = Similarity::fineweb();
    for (name, make) in
        [("fast sketch", Signer::new as fn(Similarity) -> Signer), ("one permutation per entry", Signer::with_permutations)]
    {
        let mut signer = make(similarity);
        let start = Instant::now();
        let signed: Vec<Signature> = texts.iter().map(|text| signer.sign(text)).collect();
        let signing = start.elapsed().as_secs_f64();
        // Buckets in memory, as other tools use them.
        let start = Instant::now();
        let mut buckets: HashMap<u64, Vec<u32>> = HashMap::with_capacity(texts.len() * 14);
        for (signature, number) in signed.iter().zip(0..) {
            for &key in &signature.joins {
                buckets.entry(key).or_default().push(number);
            }
        }
        let bucketing = start.elapsed().as_secs_f64();
        let found = pairs.iter().filter(|&&(a, b)| similarity.are_duplicates(&signed[a], &signed[b])).count();
        rows.push(serde_json::json!({
            "name": name, "signing": signing, "bucketing": bucketing, "found": found, "pairs": pairs.len(), "buckets": buckets.len(),
        }));
    }
    println!("{}", serde_json::Value::Array(rows));
    Ok(())
}
