//! The program `vivarium`: trains, evaluates, monitors and benchmarks experiments in the terminal.
//!
//! - `command_line`: the commands; `docs/cli.md` is generated from them. Each command defines its own options.
//! - `train`, `run`, `runs`, `monitor`: training, run folders, their comparison and deletion, and the terminal dashboard.
//! - `eval`, and a module per family (`games`, `cube`, `language`, `logic_ca`): evaluation, play, solving and text
//!   generation. `families` is the table of the families.
//! - `export`: networks and metrics in the formats of other programs.
//! - `bench`: benchmark suites.
//! - `catalog`, `completions`, `man`, `notices`: config fields, presets, completions of shells, man pages and licenses.
//! - `help`: exit codes, environment variables, files and examples in `--help` and man pages.
//! - `engine`, `gpu`: engine choice and GPU adapters.
//! - `batch`: one item a line of standard input. `seed_mean`: means over the runs of a study.
//! - `corpus`, `values`, `output_file`, `checkpoint_file`: training corpora, values and files of options, and the trained
//!   networks that the program contains.

mod batch;
mod bench;
mod catalog;
mod checkpoint_file;
mod command_line;
mod completions;
mod corpus;
mod cube;
mod engine;
mod error;
mod eval;
mod export;
mod families;
mod games;
#[cfg(feature = "gpu")]
mod gpu;
mod help;
mod info;
mod language;
mod logic_ca;
mod machine;
mod man;
mod monitor;
mod notices;
mod output_file;
mod overview;
mod run;
mod runs;
mod seed_mean;
mod signals;
mod terminal;
#[cfg(test)]
mod test_folder;
mod text;
mod train;
mod values;

use clap::CommandFactory;
use command_line::{Cli, Command};
use error::CliError;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

fn main() -> ExitCode {
    error::report_panics();
    // SAFETY: no other thread has been started.
    #[cfg(all(feature = "gpu", target_os = "linux"))]
    unsafe {
        gpu::disable_mesa_device_select();
    }
    completions::answer(Cli::command);
    let command = Cli::parse_or_exit().command;
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| run(command))).unwrap_or(Err(CliError::Bug));
    let outcome = outcome.and_then(|()| {
        terminal::check_written().map_err(|error| CliError::file("write", "standard output".as_ref(), error))
    });
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if let Some(message) = error.message() {
                terminal::print_error(message);
            }
            ExitCode::from(error.code())
        }
    }
}

fn run(command: Option<Command>) -> Result<(), CliError> {
    match command {
        None => overview::print(),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Eval(args)) => eval::run(&args, &families::FAMILIES),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Play(args)) => games::play::run(&args),
        Some(Command::Hint(args)) => games::hint::run(&args),
        Some(Command::Rollout(args)) => games::rollout::run(&args),
        Some(Command::Met(args)) => games::met::run(&args),
        Some(Command::Analyze(args)) => games::analyze::run(&args),
        Some(Command::Ubgi(args)) => games::ubgi::run(&args),
        Some(Command::Scramble(args)) => {
            cube::scramble::run(&args);
            Ok(())
        }
        Some(Command::Solve(args)) => cube::solve::run(&args),
        Some(Command::Algorithm(args)) => cube::algorithm::run(&args),
        Some(Command::Generate(args)) => language::generate::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Monitor { dir, against }) => monitor::run(&dir, &against),
        Some(Command::Runs(args)) => runs::run(&args),
        Some(Command::Info) => info::run(),
        Some(Command::Fields(args)) => catalog::fields::run(&args),
        Some(Command::Presets(args)) => catalog::presets::run(&args),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Notices) => {
            notices::print();
            Ok(())
        }
        Some(Command::Man(args)) => man::run(&args, Cli::command()),
    }
}
