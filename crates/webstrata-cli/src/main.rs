//! webstrata on the command line: parses the arguments, calls a command, maps what came of it to an exit code.

mod args;
mod extract;
mod inputs;
mod metadata;
mod output;
mod pages;
mod segment;

use args::{Cli, Command};
use clap::Parser;
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
    pages::keep_panics_quiet();
    let result = match Cli::parse().command {
        Command::Extract(args) => extract::run(&args),
        Command::Segment(args) => segment::run(&args),
    };
    match result {
        Ok(summary) if summary.failed == 0 => ExitCode::SUCCESS,
        Ok(summary) if summary.done > 0 => ExitCode::from(SOME_FAILED),
        Ok(_) => ExitCode::from(NOTHING_WORKED),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            output::complain(&format!("{error:#}"));
            ExitCode::from(USAGE)
        }
    }
}
