//! The native front end: the program `vivarium`.

mod bench;
mod command_line;
mod cube;
mod engine;
mod eval;
mod failure;
mod games;
mod goal;
#[cfg(feature = "gpu")]
mod gpu;
mod info;
mod language;
mod machine;
mod monitor;
mod overview;
mod run;
mod signals;
mod terminal;
#[cfg(test)]
mod test_folder;
mod text;
mod train;

use command_line::{Cli, Command};
use failure::Failure;
use std::process::ExitCode;

fn main() -> ExitCode {
    failure::explain_panics();
    // SAFETY: nothing has been started yet.
    #[cfg(all(feature = "gpu", target_os = "linux"))]
    unsafe {
        gpu::quieten_mesa();
    }
    let command = Cli::typed().command;
    let outcome = std::panic::catch_unwind(|| run(command)).unwrap_or(Err(Failure::Bug));
    let outcome = outcome.and_then(|()| {
        terminal::check().map_err(|error| Failure::file("write", "standard output".as_ref(), error))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                terminal::aside(&format!("vivarium: {message}"));
            }
            ExitCode::from(failure.code())
        }
    }
}

fn run(command: Option<Command>) -> Result<(), Failure> {
    match command {
        None => overview::print(),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Play(args)) => games::play::run(&args),
        Some(Command::Solve(args)) => cube::solve::run(&args),
        Some(Command::Generate(args)) => language::generate::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Monitor { dir }) => monitor::run(&dir),
        Some(Command::Info) => info::run(),
    }
}
