//! Shell completions and manual pages, generated from the argument definitions.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::fs;
use std::io::{self, Write as _};

/// Writes completions for a shell to standard output.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut out = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "webstrata", &mut out);
    io::stdout().write_all(&out).context("cannot write to standard output")
}

/// Writes manual pages.
pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let command = Cli::command();
    let Some(folder) = &args.folder else {
        return clap_mangen::Man::new(command).render(&mut io::stdout()).context("cannot write to standard output");
    };
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    clap_mangen::generate_to(command, folder).with_context(|| format!("cannot write into {}", folder.display()))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "tests")]
    use super::*;
    use std::path::Path;

    /// docs/cli.md matches the argument definitions of the default features. WEBSTRATA_BLESS=1 rewrites it.
    #[test]
    fn the_reference_is_current() {
        let source = "Generated from the argument definitions; a test keeps it current.";
        let generated = crate::reference::markdown(Cli::command(), "The command line", source).unwrap();
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
        if std::env::var_os("WEBSTRATA_BLESS").is_some() {
            fs::write(&path, &generated).unwrap();
        }
        let kept = fs::read_to_string(&path).unwrap_or_default();
        assert!(kept == generated, "docs/cli.md is out of date; run the tests with WEBSTRATA_BLESS=1 and review the difference");
    }
}
