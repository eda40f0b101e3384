//! Main text by `rs-trafilatura`: `extract_bytes` with default options.

fn main() -> std::io::Result<()> {
    rivals::run(|page| rs_trafilatura::extract_bytes(page).map(|result| result.content_text).map_err(|error| error.to_string()))
}
