//! Glob patterns: `*`, `?`, `[a-z]` and `{one,other}` inside a name, `**` for folders at any depth.

use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

/// Characters that make a name a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// Whether a text is a pattern rather than a name.
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(SPECIAL)
}

/// A pattern: a folder to start in, and the pattern that paths below it must match.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    root: PathBuf,
    whole: GlobMatcher,
    /// Patterns for the folders on the way, as far as they can be matched one by one.
    steps: Vec<GlobMatcher>,
    /// Whether matches may be deeper than the steps.
    deep: bool,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Result<Self, globset::Error> {
        let special = text.find(SPECIAL).unwrap_or(text.len());
        let cut = text[..special].rfind('/').map_or(0, |slash| slash + 1);
        let (root, rest) = text.split_at(cut);
        let folders = rest.rsplit_once('/').map_or("", |(folders, _)| folders);
        // Alternatives may contain slashes, so the pattern cannot be split into folders.
        let single: Vec<&str> =
            if rest.contains('{') { Vec::new() } else { folders.split('/').take_while(|step| !step.contains("**")).collect() };
        let steps = single.iter().filter(|step| !step.is_empty()).map(|step| matcher(step)).collect::<Result<Vec<_>, _>>()?;
        let deep = rest.contains("**") || rest.contains('{');
        Ok(Pattern { root: PathBuf::from(root), whole: matcher(rest)?, steps, deep })
    }

    /// The folder that contains everything that may match; empty for the current one.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Whether a path below the root matches.
    pub(super) fn matches(&self, inside: &Path) -> bool {
        self.whole.is_match(inside)
    }

    /// Whether something in this folder below the root may match.
    pub(super) fn may_be_below(&self, inside: &Path) -> bool {
        let depth = inside.components().count();
        match self.steps.get(depth - 1) {
            Some(step) => inside.file_name().is_some_and(|name| step.is_match(name)),
            None => self.deep,
        }
    }
}

fn matcher(text: &str) -> Result<GlobMatcher, globset::Error> {
    Ok(GlobBuilder::new(text).literal_separator(true).build()?.compile_matcher())
}
