//! The native door: the program `vivarium`.

mod bench;
mod command_line;
mod failure;
mod machine;
mod overview;
mod text;

use clap::Parser;
use command_line::{Cli, Command};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        None => overview::print(),
        Some(Command::Bench { suites, json, seconds }) => bench::run(&suites, json, seconds),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                eprintln!("vivarium: {message}");
            }
            ExitCode::from(failure.code())
        }
    }
}
