//! Patterns for names of files: `*`, `?`, `[a-z]`, `{one,other}` inside a name, `**` for folders at any depth.

use anyhow::{Context, Result};
use globset::{GlobBuilder, GlobMatcher};
use std::path::{Path, PathBuf};

/// Characters that make a name a pattern.
const SPECIAL: [char; 4] = ['*', '?', '[', '{'];

/// Is it a pattern rather than a name?
pub(super) fn is_pattern(text: &str) -> bool {
    text.contains(SPECIAL)
}

/// A pattern: a folder to begin in, and what has to match below it.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    root: PathBuf,
    whole: GlobMatcher,
    /// What the folders on the way have to match, as far as that can be told one by one.
    steps: Vec<GlobMatcher>,
    /// May what matches lie deeper than the steps?
    deep: bool,
}

impl Pattern {
    pub(super) fn new(text: &str) -> Result<Self> {
        let special = text.find(SPECIAL).unwrap_or(text.len());
        let cut = text[..special].rfind('/').map_or(0, |slash| slash + 1);
        let (root, rest) = text.split_at(cut);
        let folders = rest.rsplit_once('/').map_or("", |(folders, _)| folders);
        // Alternatives may hold slashes; then what belongs to one folder cannot be told.
        let single: Vec<&str> =
            if rest.contains('{') { Vec::new() } else { folders.split('/').take_while(|step| !step.contains("**")).collect() };
        let steps = single.iter().filter(|step| !step.is_empty()).map(|step| matcher(step)).collect::<Result<Vec<_>>>()?;
        let deep = rest.contains("**") || rest.contains('{');
        Ok(Pattern { root: PathBuf::from(root), whole: matcher(rest)?, steps, deep })
    }

    /// The folder that everything that may match is in; empty for the current one.
    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// Does the path below the root match?
    pub(super) fn matches(&self, inside: &Path) -> bool {
        self.whole.is_match(inside)
    }

    /// May something in this folder below the root match?
    pub(super) fn may_be_below(&self, inside: &Path) -> bool {
        let depth = inside.components().count();
        match self.steps.get(depth - 1) {
            Some(step) => inside.file_name().is_some_and(|name| step.is_match(name)),
            None => self.deep,
        }
    }
}

fn matcher(text: &str) -> Result<GlobMatcher> {
    let glob = GlobBuilder::new(text).literal_separator(true).build();
    Ok(glob.with_context(|| "cannot read the pattern; write `[*]` for a star that is meant as one")?.compile_matcher())
}
