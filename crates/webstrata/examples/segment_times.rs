//! Times the segmenters: percentiles over the given pages, and the slowest page.
//!
//! ```sh
//! cargo run --release -p webstrata --example segment_times -- gcuts cclus strata -- pages/*.html
//! ```

#![allow(clippy::print_stdout, reason = "prints a table")]

use std::time::{Duration, Instant};
use webstrata::Page;
use webstrata::block::GapModel;
use webstrata::segment::{Method, RuleSet};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (methods, files) = arguments.split_at(arguments.iter().position(|word| word == "--").unwrap_or(0));
    let methods: Vec<Method> = methods.iter().map(|name| name.parse()).collect::<Result<_, _>>()?;
    let mut times: Vec<Vec<(Duration, usize, &str)>> = vec![Vec::new(); methods.len()];
    for file in files.iter().filter(|word| *word != "--") {
        let bytes = std::fs::read(file)?;
        let page = Page::parse(&bytes);
        let blocks = page.blocks_by(GapModel::Tags);
        for (method, times) in methods.iter().zip(&mut times) {
            let start = Instant::now();
            let segmentation = method.segmenter(RuleSet::html5()).segment(blocks);
            std::hint::black_box(&segmentation);
            times.push((start.elapsed(), blocks.len(), file));
        }
    }
    println!("{:<16} {:>6} {:>10} {:>10} {:>10}  slowest", "method", "pages", "p50 ms", "p99 ms", "max ms");
    for (method, times) in methods.iter().zip(&mut times) {
        times.sort_unstable();
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize].0.as_secs_f64() * 1e3;
        if let Some((_, blocks, file)) = times.last() {
            println!(
                "{method:<16} {:>6} {:>10.2} {:>10.2} {:>10.2}  {file} ({blocks} atoms)",
                times.len(),
                at(0.5),
                at(0.99),
                at(1.0)
            );
        }
    }
    Ok(())
}
