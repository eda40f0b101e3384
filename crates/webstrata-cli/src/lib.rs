//! webstrata on the command line: parses the arguments, calls a command, maps its outcome to an exit code.
//!
//! This is a library so that the Python package can have the same command; it has one function, [`run`].

mod args;
mod color;
mod commands;
mod config;
mod driver;
mod interrupt;
mod output;
#[cfg(test)]
mod reference;
mod report;
mod summary;
mod tips;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use summary::Summary;
use webstrata_corpus::executor::panic_guard;
use webstrata_corpus::progress;

/// Runs the command line with these arguments, starting with the program's name, and returns the exit code. Exits the process
/// directly if there is nothing to run: invalid arguments, `--help`.
#[must_use]
pub fn run(arguments: &[OsString]) -> u8 {
    progress::set_program("webstrata");
    panic_guard::install();
    match command(arguments) {
        Ok(summary) => summary.exit_code(),
        Err(error) if is_broken_pipe(&error) => 0,
        Err(error) => {
            progress::error(&message(&error));
            summary::USAGE
        }
    }
}

fn command(arguments: &[OsString]) -> anyhow::Result<Summary> {
    let command = Cli::command();
    let matches = command.clone().try_get_matches_from(arguments).unwrap_or_else(|error| tips::with_tip(error).exit());
    let (matches, given) = config::with_config_file(&command, matches, arguments)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let fine = |()| Summary { done: 1, ..Summary::default() };
    match cli.command {
        #[cfg(feature = "serve")]
        Command::Extract(mut args) => {
            color::choose(args.pages.color);
            match commands::fetch::addresses(&mut args)? {
                Some(fetched) => fetched.with(|| commands::extract::run(&args, &given)),
                None => commands::extract::run(&args, &given),
            }
        }
        #[cfg(not(feature = "serve"))]
        Command::Extract(args) => {
            color::choose(args.pages.color);
            commands::extract::run(&args, &given)
        }
        Command::Segment(args) => {
            color::choose(args.pages.color);
            commands::segment::run(&args, &given)
        }
        Command::Run(args) => commands::run::run(&args, &given),
        Command::Site(args) => commands::site::run(&args),
        Command::Dedup(args) => commands::dedup::run(&args),
        Command::Graph(args) => commands::graph::run(&args).map(fine),
        Command::Rank(args) => commands::rank::run(&args).map(fine),
        #[cfg(feature = "search")]
        Command::Index(args) => commands::index::run(&args),
        #[cfg(feature = "search")]
        Command::Search(args) => {
            color::choose(args.color);
            commands::search::run(&args)
        }
        #[cfg(feature = "serve")]
        Command::Serve(args) => commands::serve::run(&args),
        #[cfg(feature = "stats")]
        Command::Stats(args) => commands::stats::run(&args),
        Command::Completions(args) => commands::documentation::completions(&args).map(fine),
        Command::Man(args) => commands::documentation::man(&args).map(fine),
    }
}

/// An error with its causes, without those that its own message already includes.
fn message(error: &anyhow::Error) -> String {
    let mut message = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !message.contains(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    message
}

/// Whether the reader of our output has closed it, which is not an error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == ErrorKind::BrokenPipe)
}
