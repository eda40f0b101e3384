//! Completions, manual pages and the reference: all made from the definition of the arguments.

use crate::args::{Cli, CompletionsArgs, ManArgs};
use anyhow::{Context, Result};
use clap::{Arg, ArgAction, Command, CommandFactory};
use std::fmt::Write as _;
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
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    clap_mangen::generate_to(command, folder).with_context(|| format!("cannot write into {}", folder.display()))
}

fn is_shown(command: &Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

/// Writes the reference to standard output.
pub(crate) fn reference() -> Result<()> {
    io::stdout().write_all(markdown()?.as_bytes()).context("cannot write to standard output")
}

/// The reference as Markdown.
fn markdown() -> Result<String> {
    let mut command = Cli::command();
    command.build();
    let mut out = String::new();
    writeln!(out, "# The command line\n\nMade from the program by `webstrata reference`; a test compares it.\n")?;
    writeln!(out, "{}\n", command.get_about().map(ToString::to_string).unwrap_or_default())?;
    if let Some(codes) = command.get_after_help() {
        writeln!(out, "{}\n", codes.to_string().replace('\n', " "))?;
    }
    sections(&mut out, &command, "webstrata")?;
    Ok(out)
}

/// A section for each command below `parent`, and for those below it.
fn sections(out: &mut String, parent: &Command, path: &str) -> Result<()> {
    for command in parent.get_subcommands().filter(|command| is_shown(command)) {
        let path = format!("{path} {}", command.get_name());
        // A command that only has others has no options to tell of.
        if !command.has_subcommands() {
            section(out, command, &path)?;
        }
        sections(out, command, &path)?;
    }
    Ok(())
}

fn section(out: &mut String, command: &Command, path: &str) -> Result<()> {
    let usage = command.clone().render_usage().to_string();
    writeln!(out, "## `{path}`\n")?;
    writeln!(out, "{}.\n", command.get_about().map(ToString::to_string).unwrap_or_default())?;
    writeln!(out, "```text\n{}\n```\n", usage.trim_start_matches("Usage: "))?;
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let heading = arg.get_help_heading();
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    for heading in headings {
        writeln!(out, "### {}\n", heading.unwrap_or("Options"))?;
        for arg in command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_help_heading() == heading) {
            argument(out, arg)?;
        }
    }
    if let Some(help) = command.get_after_help() {
        writeln!(out, "```text\n{}\n```\n", help.to_string().trim_end())?;
    }
    Ok(())
}

fn argument(out: &mut String, arg: &Arg) -> Result<()> {
    let values = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let takes_values = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (None, Some(long)) => format!("--{long}"),
        _ => String::new(),
    };
    let shown = if takes_values { format!("{name} {values}") } else { name };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    write!(out, "- **`{}`**: {}", shown.trim(), prose(&help))?;
    if takes_values {
        let possible = arg.get_possible_values();
        for value in possible.iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            write!(out, "\n  - `{}`{help}", value.get_name())?;
        }
        let defaults: Vec<String> = arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if !defaults.is_empty() {
            write!(out, "{} Default: {}.", if possible.is_empty() { "." } else { "\n\n " }, defaults.join(", "))?;
        }
    }
    writeln!(out, "\n")?;
    Ok(())
}

/// A help text as Markdown: paragraphs become sentences, and what has a meaning there loses it outside of code.
fn prose(help: &str) -> String {
    let paragraphs: Vec<String> = help.split("\n\n").map(|paragraph| paragraph.trim().replace('\n', " ")).collect();
    let text = paragraphs.join(". ").replace(".. ", ". ");
    let escaped = |(i, part): (usize, &str)| match i % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*").replace('[', "\\["),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(escaped).collect::<Vec<_>>().join("`")
}
