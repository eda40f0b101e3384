//! Commands and their complete output, compared with `transcript.txt`.

use crate::common::transcript::check;
use crate::common::{copy_labelled, folder};
use std::path::Path;

#[test]
fn commands_match_their_transcript() {
    let here = folder(&[
        ("no-model.json", b"{\"weights\": [1, 2]}\n"),
        ("newer.json", b"{\"format\": \"webstrata-block-model\", \"version\": 7, \"layers\": []}\n"),
        ("pages/a.html", b"<p>It rains."),
        ("plain/html/a.html", b"<p>It rains."),
        ("plain/gold.jsonl", b"{\"id\": \"a\", \"gold_text\": \"It rains.\"}\n"),
    ]);
    copy_labelled(here.path());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cli/transcript.txt");
    if let Some(difference) = check(&path, here.path()) {
        panic!("{difference}");
    }
}
