//! Options from a configuration file, for those not given on the command line.
//!
//! The file is TOML with a table for each command, whose keys are the long names of options. A value is checked as on the command
//! line, so the file can set nothing that the command line could not. The current folder is not searched: results must not
//! depend on where a command is run.

use anyhow::{Context, Result, anyhow, bail};
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command, ValueHint};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::{env, fs};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Options that concern a single invocation and do not belong in a file.
const NOT_FOR_FILES: [&str; 7] = ["files-from", "out", "report", "config", "no-config", "help", "version"];

/// The options on the command line, by their long names.
#[derive(Clone, Debug, Default)]
pub(crate) struct GivenOptions(Vec<String>);

impl GivenOptions {
    /// Whether this option is on the command line. Options from a file are defaults, which may not apply to every format.
    pub(crate) fn has(&self, long: &str) -> bool {
        self.0.iter().any(|given| given == long)
    }
}

/// Parses the arguments again, together with those that the configuration file adds.
pub(crate) fn with_config_file(
    command: &Command,
    matches: ArgMatches,
    arguments: &[OsString],
) -> Result<(ArgMatches, GivenOptions)> {
    let (Some((name, inner)), [program, given, rest @ ..]) = (matches.subcommand(), arguments) else {
        return Ok((matches, GivenOptions::default()));
    };
    let Some(options) = command.find_subcommand(name) else { return Ok((matches, GivenOptions::default())) };
    let is_given = |arg: &&Arg| inner.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    let given_options =
        GivenOptions(options.get_arguments().filter(is_given).filter_map(Arg::get_long).map(str::to_owned).collect());
    let Some(path) = path(inner) else { return Ok((matches, given_options)) };
    let text = fs::read_to_string(&path).with_context(|| format!("cannot read the configuration file {}", path.display()))?;
    let file = File { path: &path, text: &text, command };
    let additions = file.additions(options, &given_options)?;
    if additions.is_empty() {
        return Ok((matches, given_options));
    }
    let all = [program.clone(), given.clone()].into_iter().chain(additions).chain(rest.iter().cloned());
    let matches = command.clone().try_get_matches_from(all).map_err(|error| anyhow!("{}: {}", path.display(), one_line(&error)))?;
    Ok((matches, given_options))
}

/// The configuration file, if there is one.
fn path(matches: &ArgMatches) -> Option<PathBuf> {
    // Other commands do not have these options.
    let no_config = matches.try_get_one::<bool>("no_config").ok().flatten()?;
    if *no_config {
        return None;
    }
    if let Ok(Some(path)) = matches.try_get_one::<PathBuf>("config") {
        return Some(path.clone());
    }
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = variable("WEBSTRATA_CONFIG") {
        return Some(path);
    }
    let home = || variable("HOME").map(|home| home.join(".config"));
    let folder = variable("XDG_CONFIG_HOME").or_else(home).or_else(|| variable("APPDATA"))?;
    Some(folder.join("webstrata/config.toml")).filter(|path| path.is_file())
}

/// A configuration file.
struct File<'f> {
    path: &'f Path,
    text: &'f str,
    command: &'f Command,
}

impl File<'_> {
    /// An error at a byte of the file.
    fn error_at(&self, at: usize, what: impl std::fmt::Display) -> anyhow::Error {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        anyhow!("{}:{line}:{column}: {what}", self.path.display())
    }

    /// The arguments that the file adds to the command of `options`.
    fn additions(&self, options: &Command, given_options: &GivenOptions) -> Result<Vec<OsString>> {
        let document =
            DeTable::parse(self.text).map_err(|e| self.error_at(e.span().map_or(0, |span| span.start), e.message().trim_end()))?;
        let mut additions = Vec::new();
        for (table, value) in document.get_ref() {
            let known: Vec<&str> = self.command.get_subcommands().filter(|c| has_config(c)).map(Command::get_name).collect();
            let Some(command) = self.command.find_subcommand(table.get_ref().as_ref()).filter(|command| has_config(command)) else {
                let tables = known.join("] and [");
                bail!(self.error_at(table.span().start, format!("unknown table '{}'; the tables are [{tables}]", table.get_ref())));
            };
            let DeValue::Table(keys) = value.get_ref() else {
                bail!(self.error_at(value.span().start, format!("`{0}` is a table: write [{0}]", table.get_ref())));
            };
            // Tables of other commands are checked as well, so that mistakes are found early.
            for (key, value) in keys {
                let option = self.option(command, key)?;
                let arguments = self.arguments(command, option, value)?;
                if command.get_name() == options.get_name() && !is_overridden(command, option, given_options) {
                    additions.extend(arguments);
                }
            }
        }
        Ok(additions)
    }

    fn option<'c>(&self, command: &'c Command, key: &Spanned<std::borrow::Cow<'_, str>>) -> Result<&'c Arg> {
        let name = key.get_ref().as_ref();
        let found = command.get_arguments().find(|arg| arg.get_long() == Some(name));
        match found {
            Some(_) if NOT_FOR_FILES.contains(&name) => {
                Err(self.error_at(key.span().start, format!("`{name}` belongs on the command line")))
            }
            Some(arg) => Ok(arg),
            None => {
                let longs = command.get_arguments().filter_map(Arg::get_long);
                let known: Vec<&str> = longs.filter(|long| !NOT_FOR_FILES.contains(long)).collect();
                let what = format!("unknown option '{name}' of `{}`; its options are: {}", command.get_name(), known.join(", "));
                Err(self.error_at(key.span().start, what))
            }
        }
    }

    /// The arguments that a key and its value stand for, each checked on its own.
    fn arguments(&self, command: &Command, option: &Arg, value: &Spanned<DeValue<'_>>) -> Result<Vec<OsString>> {
        let long = option.get_long().unwrap_or_default();
        let at = value.span().start;
        let values = match value.get_ref() {
            DeValue::Array(values) if matches!(option.get_action(), ArgAction::Append) => values.iter().collect(),
            _ => vec![value],
        };
        let mut arguments = Vec::new();
        for value in values {
            let is_flag = !option.get_action().takes_values();
            let argument = match (value.get_ref(), is_flag) {
                (DeValue::Boolean(false), true) => continue,
                (DeValue::Boolean(true), true) => OsString::from(format!("--{long}")),
                (_, true) => bail!(self.error_at(at, format!("`{long}` must be true or false"))),
                (DeValue::String(text), false) => self.argument(long, option, text),
                (DeValue::Integer(number), false) => self.argument(long, option, &number.to_string()),
                (DeValue::Float(number), false) => self.argument(long, option, number.as_str()),
                _ => bail!(self.error_at(value.span().start, format!("`{long}` must be a string or a number"))),
            };
            let alone = [OsStr::new("webstrata"), OsStr::new(command.get_name()), argument.as_os_str()];
            // Required arguments are on the command line, not in the file.
            if let Err(error) = self.command.clone().try_get_matches_from(alone)
                && error.kind() != ErrorKind::MissingRequiredArgument
            {
                bail!(self.error_at(value.span().start, one_line(&error)));
            }
            arguments.push(argument);
        }
        Ok(arguments)
    }

    /// `--long=value`. File names are relative to the folder of the configuration file.
    fn argument(&self, long: &str, option: &Arg, value: &str) -> OsString {
        let mut argument = OsString::from(format!("--{long}="));
        match self.path.parent() {
            Some(folder) if option.get_value_hint() == ValueHint::FilePath => argument.push(folder.join(value)),
            _ => argument.push(value),
        }
        argument
    }
}

/// Whether the command takes options from a file.
fn has_config(command: &Command) -> bool {
    command.get_arguments().any(|arg| arg.get_long() == Some("config"))
}

/// Whether the option, or one that conflicts with it, is on the command line.
fn is_overridden(command: &Command, option: &Arg, given_options: &GivenOptions) -> bool {
    let is_given = |arg: &Arg| arg.get_long().is_some_and(|long| given_options.has(long));
    is_given(option)
        || command.get_arguments().filter(|arg| is_given(arg)).any(|arg| {
            let excludes =
                |one: &Arg, other: &Arg| command.get_arg_conflicts_with(one).iter().any(|arg| arg.get_id() == other.get_id());
            excludes(arg, option) || excludes(option, arg)
        })
}

/// The message of a clap error in one line, without the usage.
fn one_line(error: &clap::Error) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:")).collect();
    let message = lines
        .into_iter()
        .filter(|line| !line.is_empty() && !line.starts_with("For more information"))
        .collect::<Vec<_>>()
        .join("; ");
    message.strip_prefix("error: ").unwrap_or(&message).to_owned()
}
