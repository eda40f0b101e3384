//! Extracts the main content of one page, with metadata.
//!
//! ```text
//! cargo run -p webstrata --example extract_page -- testdata/pages/news-html5/page.html
//! ```
#![allow(clippy::print_stdout, reason = "the output of a program")]

use std::error::Error;
use webstrata::content::RenderOptions;
use webstrata::content::metadata::MetadataOptions;
use webstrata::select::Mode;
use webstrata::{ExtractOptions, Page};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: extract_page FILE")?;
    let bytes = std::fs::read(path)?;

    // Parsing never fails. The encoding is detected, and everything that was truncated or repaired is listed in `problems`.
    let page = Page::parse(&bytes);
    for problem in page.problems() {
        println!("note: {problem}");
    }

    // Metadata, each value with its source. The address resolves relative links and may contain a date.
    let metadata = page.metadata_with(&MetadataOptions::default().url("https://example.org/page.html"));
    if let Some(title) = &metadata.title {
        println!("title: {} (from {})", title.value, title.source);
    }
    if let Some(published) = &metadata.published {
        println!("published: {} (from {})", published.value, published.source);
    }

    // The main content according to the default method, as plain text and as Markdown with absolute links.
    let content = page.extract();
    println!("\n{}\n", content.text());
    let base = "https://example.org/page.html".to_owned();
    println!("{}", content.markdown(&RenderOptions::default().base(base)));

    // Every piece of content is traced to the bytes it comes from.
    println!("{} byte ranges, {} bytes", content.spans().len(), content.spans().iter().map(|span| span.len()).sum::<u32>());

    // Other options: favour precision, without readers' comments.
    let narrow = page.extract_with(&ExtractOptions::default().mode(Mode::Precision).comments(false));
    println!("{} characters with more precision", narrow.text().chars().count());
    Ok(())
}
