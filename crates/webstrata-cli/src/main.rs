//! webstrata on the command line: parses the arguments, calls a command, maps what came of it to an exit code.

mod args;
mod color;
mod commands;
mod config;
mod format;
mod inputs;
mod interrupt;
mod markup;
mod output;
#[cfg(test)]
mod reference;
mod report;
mod run;

use args::{Cli, Command};
use clap::{CommandFactory, FromArgMatches};
use run::Summary;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Some pages failed, the others are there.
const SOME_FAILED: u8 = 1;
/// The command could not be carried out as given; clap ends with the same code when it cannot read the arguments.
const USAGE: u8 = 2;
/// Not one page came out.
const NOTHING_WORKED: u8 = 3;

fn main() -> ExitCode {
    run::keep_panics_quiet();
    match carry_out() {
        Ok(Summary { interrupted: Some(signal), .. }) => ExitCode::from(interrupt::exit_code(signal)),
        Ok(summary) if summary.failed == 0 => ExitCode::SUCCESS,
        Ok(summary) if summary.done > 0 => ExitCode::from(SOME_FAILED),
        Ok(_) => ExitCode::from(NOTHING_WORKED),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            webstrata_corpus::progress::error(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}

fn carry_out() -> anyhow::Result<Summary> {
    let command = Cli::command();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let matches = command.clone().get_matches_from(&arguments);
    let (matches, typed) = config::complete(&command, matches, &arguments)?;
    let cli = Cli::from_arg_matches(&matches)?;
    let fine = |()| Summary::default();
    match cli.command {
        Command::Extract(args) => {
            color::choose(args.pages.color);
            commands::extract::run(&args, &typed)
        }
        Command::Segment(args) => {
            color::choose(args.pages.color);
            commands::segment::run(&args, &typed)
        }
        Command::Run(args) => commands::run::run(&args),
        Command::Site(args) => commands::site::run(&args),
        Command::Dedup(args) => commands::dedup::run(&args),
        Command::Graph(args) => commands::graph::run(&args).map(fine),
        Command::Rank(args) => commands::rank::run(&args).map(fine),
        Command::Completions(args) => commands::documentation::completions(&args).map(fine),
        Command::Man(args) => commands::documentation::man(&args).map(fine),
    }
}

/// Did the reader of our output go away? That is no error of ours.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|e| e.kind() == ErrorKind::BrokenPipe)
}
