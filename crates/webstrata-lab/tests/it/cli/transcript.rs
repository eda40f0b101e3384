//! Commands and their complete output, compared with `transcript.txt`.

use crate::common::transcript::check;
use crate::common::{copy_labelled, folder};
use std::path::Path;

#[test]
fn commands_match_their_transcript() {
    let [anna, ben] = ["anna", "ben"].map(|name| {
        format!(
            "{{\"format\":\"webstrata.annotation/1\",\"id\":\"a\",\"annotator\":\"{name}\",\"start\":\"empty\",\"version\":3,\"done\":true,\
             \"sha256\":\"f15ac01eed3260e13d9dc0ea751f4c30dffc49c11c73209e4a4db259f8cc1b1b\",\"page_type\":\"article\",\
             \"blocks\":[{{\"spans\":[[3,12]],\"content\":true,\"role\":\"body\",\"cut\":0}}]}}"
        )
    });
    let here = folder(&[
        ("pages/annotations/anna/a.json", anna.as_bytes()),
        ("pages/annotations/ben/a.json", ben.as_bytes()),
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
