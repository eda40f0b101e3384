//! Better tips for options that users of other tools try.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// What users type, and what they mean.
const MEANT: [(&str, &str); 12] = [
    ("--markdown", "--format markdown"),
    ("--md", "--format markdown"),
    ("--html", "--format html"),
    ("--json", "--format json"),
    ("--jsonl", "--format jsonl"),
    ("--text", "--format text"),
    ("--txt", "--format text"),
    ("--output-format", "--format"),
    ("--output", "--out"),
    ("--output-dir", "--out"),
    ("--input-dir", "PATH"),
    ("--no-metadata", "no --with-metadata"),
];

/// Replaces clap's tip for an unknown option by what is meant.
pub(crate) fn with_tip(mut error: Error) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidArg) else { return error };
    let Some((typed, meant)) = MEANT.iter().find(|(wrong, _)| typed.split('=').next() == Some(wrong)) else { return error };
    let tip = format!("`{typed}` is written `{meant}`");
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}
