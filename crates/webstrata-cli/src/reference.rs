//! The command-line reference as Markdown, generated from the argument definitions.
//!
//! This file is compiled into the tests of the command line, which compare docs/cli.md with it, and into `webstrata-lab`, whose
//! hidden command `reference` writes docs/lab-cli.md.

use clap::{Arg, ArgAction, Command};
use std::fmt::{self, Write as _};

/// The reference of a program; `source` says how it is generated.
pub(crate) fn markdown(mut command: Command, title: &str, source: &str) -> Result<String, fmt::Error> {
    command.build();
    let name = command.get_name().to_owned();
    let mut out = String::new();
    writeln!(out, "# {title}\n\n{source}\n")?;
    writeln!(out, "{}\n", command.get_about().map(ToString::to_string).unwrap_or_default())?;
    if let Some(codes) = command.get_after_help() {
        writeln!(out, "{}\n", codes.to_string().replace('\n', " "))?;
    }
    sections(&mut out, &command, &name)?;
    Ok(out)
}

fn is_shown(command: &Command) -> bool {
    !command.is_hide_set() && command.get_name() != "help"
}

/// Writes a section for each command below `parent`, recursively.
fn sections(out: &mut String, parent: &Command, path: &str) -> fmt::Result {
    for command in parent.get_subcommands().filter(|command| is_shown(command)) {
        let path = format!("{path} {}", command.get_name());
        // A command with subcommands has no options of its own.
        if !command.has_subcommands() {
            section(out, command, &path)?;
        }
        sections(out, command, &path)?;
    }
    Ok(())
}

fn section(out: &mut String, command: &Command, path: &str) -> fmt::Result {
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

fn argument(out: &mut String, arg: &Arg) -> fmt::Result {
    let values = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let takes_values = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}"),
        (None, Some(long)) => format!("--{long}"),
        _ => String::new(),
    };
    let shown = if takes_values { format!("{name} {values}") } else { name };
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = prose(&help);
    let ends_sentence = help.ends_with('.');
    write!(out, "- **`{}`**: {help}", shown.trim())?;
    if takes_values {
        let possible = arg.get_possible_values();
        for value in possible.iter().filter(|value| !value.is_hide_set()) {
            let help = value.get_help().map(|help| format!(": {help}")).unwrap_or_default();
            write!(out, "\n  - `{}`{help}", value.get_name())?;
        }
        let defaults: Vec<String> = arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
        if !defaults.is_empty() && !arg.is_hide_default_value_set() {
            write!(
                out,
                "{} Default: {}.",
                match (possible.is_empty(), ends_sentence) {
                    (true, true) => "",
                    (true, false) => ".",
                    (false, _) =>
                        "

 ",
                },
                defaults.join(", ")
            )?;
        }
    }
    writeln!(out, "\n")?;
    Ok(())
}

/// A help text as Markdown: paragraphs are joined, and special characters outside code are escaped.
fn prose(help: &str) -> String {
    let paragraphs: Vec<String> = help.split("\n\n").map(|paragraph| paragraph.trim().replace('\n', " ")).collect();
    let text = paragraphs.join(". ").replace(".. ", ". ");
    let escaped = |(i, part): (usize, &str)| match i % 2 {
        0 => part.replace('<', "\\<").replace('*', "\\*").replace('[', "\\["),
        _ => part.to_owned(),
    };
    text.split('`').enumerate().map(escaped).collect::<Vec<_>>().join("`")
}
