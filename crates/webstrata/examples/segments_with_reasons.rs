//! Divides a page into segments and prints what each one is, and why.
//!
//! ```text
//! cargo run -p webstrata --example segments_with_reasons -- testdata/pages/news-html5/page.html
//! ```
#![allow(clippy::print_stdout, reason = "the output of a program")]

use std::error::Error;
use webstrata::label::Preset;
use webstrata::segment::{Granularity, Method, SegmentOptions};
use webstrata::{ExtractOptions, Page};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: segments_with_reasons FILE")?;
    let bytes = std::fs::read(path)?;
    let page = Page::parse(&bytes);

    // Segments from the learned method. Role, score and reason come from the labelled blocks inside each segment, and are
    // computed on first use.
    for segment in page.segments(Method::Strata) {
        let verdict = if segment.is_content() { "content" } else { "boilerplate" };
        println!("{verdict}, {}, score {}: {}", segment.role(), segment.score(), segment.why());
        println!("    {}", segment.text().replace('\n', "\n    "));
    }

    // The same with other methods: coarser segments, and verdicts by the rules of boilerpipe's article extractor. A method
    // that records its reasons runs once.
    let segments = page.segments_by(&*Method::Strata.segmenter_with(&SegmentOptions::default().granularity(Granularity::Coarse)));
    let content = page.extract_with(&ExtractOptions::from(Preset::Article).explain(true));
    let explanation = content.explain();
    for (segment, verdict) in segments.iter().zip(content.label_segments(&segments)) {
        println!("{} words, {}: {}", segment.counts().words, verdict.role, verdict.why(&explanation));
    }

    // Reasons for individual blocks, with the place of each in the page.
    for block in content.blocks() {
        println!("{:?} {}", block.spans(), explanation.why(block.index()));
    }
    Ok(())
}
