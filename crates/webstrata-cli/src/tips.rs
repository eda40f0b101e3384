//! Tips for options that users of other tools may try.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

/// Options of other tools, and what to do here instead.
const TIPS: [(&str, &str); 27] = [
    ("--markdown", "use `--format markdown`"),
    ("--md", "use `--format markdown`"),
    ("--html", "use `--format html`"),
    ("--json", "use `--format json`"),
    ("--jsonl", "use `--format jsonl`"),
    ("--text", "use `--format text`"),
    ("--txt", "use `--format text`"),
    ("--output-format", "use `--format`"),
    ("--output", "use `--out`"),
    ("--output-dir", "use `--out`"),
    ("--input-dir", "name the folder without an option"),
    ("--no-metadata", "leave out `--with-metadata`"),
    ("--csv", "use `--format csv`"),
    ("--xml", "use `--format xml`"),
    ("--xmltei", "use `--format xmltei`"),
    ("--input-file", "use `--urls-from` for addresses, or `--files-from` for files"),
    ("-u", "give the address alone: `webstrata extract https://example.org/`"),
    ("--URL", "give the address alone: `webstrata extract https://example.org/`"),
    ("--backup-dir", "use `--save-warc`"),
    ("--parallel", "use `--threads`"),
    ("--formatting", "use `--format markdown`"),
    ("--keep-dirs", "leave it out: `--out DIR` keeps the folder structure"),
    ("--deduplicate", "use `webstrata dedup`"),
    ("--config-file", "use `--config`"),
    ("--fast", "leave it out"),
    ("--target-language", "filter the field `language` of `--format jsonl --with-metadata`"),
    ("--only-with-metadata", "filter the output of `--format jsonl --with-metadata`"),
];

/// Replaces clap's tip for an unknown option with ours.
pub(crate) fn with_tip(mut error: Error) -> Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let Some(ContextValue::String(given)) = error.get(ContextKind::InvalidArg) else { return error };
    let Some((option, remedy)) = TIPS.iter().find(|(option, _)| given.split('=').next() == Some(option)) else { return error };
    let tip = format!("instead of `{option}`, {remedy}");
    error.remove(ContextKind::SuggestedArg);
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}
