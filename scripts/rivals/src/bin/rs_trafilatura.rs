//! Main text by `rs-trafilatura`: `extract_bytes` with default options; with `--markdown` its Markdown.

use rs_trafilatura::{Options, extract_bytes_with_options};

fn main() -> std::io::Result<()> {
    let markdown = std::env::args().any(|argument| argument == "--markdown");
    let options = Options { output_markdown: markdown, ..Options::default() };
    rivals::run(|page| {
        let found = extract_bytes_with_options(page, &options).map_err(|error| error.to_string())?;
        Ok(if markdown { found.content_markdown.unwrap_or_default() } else { found.content_text })
    })
}
