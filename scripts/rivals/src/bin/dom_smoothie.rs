//! Main text by `dom_smoothie`: readability with default options, in the text mode that separates blocks.

use dom_smoothie::{Config, Readability, TextMode};

fn main() -> std::io::Result<()> {
    rivals::run(|page| {
        let config = Config { text_mode: TextMode::Formatted, ..Config::default() };
        let mut readability = Readability::new(rivals::decode(page), None, Some(config)).map_err(|error| error.to_string())?;
        let article = readability.parse().map_err(|error| error.to_string())?;
        Ok(article.text_content.to_string())
    })
}
