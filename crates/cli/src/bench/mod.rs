//! `vivarium bench`: the benchmarks of the README and of the benchmark page.
//!
//! A suite is a function that passes benchmark results ([`BenchFigure`]) to a [`Reporter`]. A result may include a
//! comparison value: the result of a reference implementation (another program) or a hardware limit. The code calls
//! this value `rival`. Repetitions of the benchmark and of the reference implementation alternate ([`timing::race`]).

pub mod args;
mod control;
mod cube2;
mod games;
#[cfg(feature = "gpu")]
mod gpu;
mod graph;
mod kernels;
mod language;
mod logic_ca;
mod report;
pub mod timing;

pub use report::{BenchFigure, Reporter};

use crate::error::CliError;
use crate::terminal;
use args::BenchArgs;
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_agents::each_game;
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::spelling;

/// Benchmark suite: name, description, and the function that runs its benchmarks.
struct Suite {
    /// Name of the suite, and prefix of the names of its benchmarks.
    name: &'static str,
    /// Description of the suite in one line.
    about: &'static str,
    /// Runs the selected benchmarks of the suite and reports their results.
    run: fn(&mut Reporter, &BenchArgs) -> Result<(), CliError>,
}

/// All benchmark suites in execution order.
const SUITES: &[Suite] = &[
    Suite {
        name: "kernels",
        about: "matrix products, fused layers and elementary functions, relative to the machine's peak",
        run: |reporter, _| {
            kernels::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "graph",
        about: "forward and backward passes of complete networks",
        run: |reporter, _| {
            graph::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "control",
        about: "classic control: raw stepping, PPO training, time to solve",
        run: |reporter, _| {
            control::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "logic-ca",
        about: "logic automata: a training epoch, cell updates per second of a trained circuit",
        run: |reporter, _| logic_ca::run(reporter),
    },
    Suite {
        name: "backgammon",
        about: "forward pass of the reference network, and self-play with 100 simulations per move",
        run: games::run::<State>,
    },
    Suite {
        name: "connect-four",
        about: "forward pass of the reference network, and self-play with 100 simulations per move",
        run: games::run::<ConnectFour>,
    },
    Suite {
        name: "cube2",
        about: "2×2×2 cube: a gradient step of deep Q-learning, and an evaluation in all states",
        run: |reporter, _| cube2::run(reporter),
    },
    Suite {
        name: "language",
        about: "language models: training tokens per second",
        run: |reporter, _| language::run(reporter),
    },
    #[cfg(feature = "gpu")]
    Suite { name: "gpu", about: "the GPU engine compared with the CPU engine", run: gpu::run },
];

/// Formats the list of suites: one line each, with name and description.
pub fn list() -> String {
    SUITES.iter().map(|suite| format!("  {:<13} {}\n", suite.name, suite.about)).collect()
}

/// Returns the names of all benchmarks of a suite, without running them. The list is empty if the suite cannot run on
/// this machine.
fn benchmark_names(suite: &Suite) -> Vec<String> {
    let args =
        BenchArgs { suites: Vec::new(), list: false, json: true, seconds: 0.0, onnx: None, adapter: None };
    let mut reporter = Reporter::listing();
    match (suite.run)(&mut reporter, &args) {
        Ok(()) => reporter.into_names(),
        Err(_) => Vec::new(),
    }
}

/// Checks that `name`, an argument of the command line, is a suite or a prefix of a benchmark name.
///
/// # Errors
/// [`CliError::Usage`] with the allowed names.
fn check_selection(name: &str) -> Result<(), CliError> {
    let first = name.split('/').next().unwrap_or_default();
    let Some(suite) = SUITES.iter().find(|known| known.name == first) else {
        let names: Vec<_> = SUITES.iter().map(|known| known.name).collect();
        let nearest = spelling::nearest(first, names.iter().copied());
        let hint = nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest}?"));
        return Err(CliError::usage(format!(
            "unknown benchmark suite '{name}': allowed are {}, or a prefix of a benchmark name such as kernels/gemm; \
             `vivarium bench --list` lists all benchmarks{hint}",
            names.join(", ")
        )));
    };
    if !name.contains('/') {
        return Ok(());
    }
    let names = benchmark_names(suite);
    // The names of a suite that cannot run are not available. The suite itself reports the cause later.
    if names.is_empty() || names.iter().any(|known| report::is_match(name, known)) {
        return Ok(());
    }
    let nearest = spelling::nearest(name, names.iter().map(String::as_str));
    let hint = nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest}?"));
    Err(CliError::usage(format!(
        "no benchmark name begins with {name}{hint}\nThe benchmarks of {} are\n  {}",
        suite.name,
        names.join("\n  ")
    )))
}

/// Runs `vivarium bench`: the selected suites (`kernels`), the benchmarks with a selected prefix (`kernels/gemm`), or
/// all benchmarks. With `--list`, prints the names of the benchmarks instead.
///
/// # Errors
/// [`CliError::Usage`] for an unknown suite or benchmark, [`CliError::Failed`] if a selected suite cannot run.
pub fn run(args: &BenchArgs) -> Result<(), CliError> {
    args.suites.iter().try_for_each(|name| check_selection(name))?;
    fn name<G: SelfPlayGame>() -> &'static str {
        G::NAME
    }
    let games = each_game!(name());
    let is_of_a_game = |suite: &String| suite.split('/').next().is_some_and(|first| games.contains(&first));
    if args.onnx.is_some() && (args.suites.len() != 1 || !args.suites.iter().all(is_of_a_game)) {
        return Err(CliError::usage(format!("--onnx: specify exactly one suite, {}", games.join(" or "))));
    }
    let mut reporter = Reporter::new(args.suites.clone(), args.json, args.seconds);
    for suite in SUITES.iter().filter(|suite| reporter.selects_suite(suite.name)).collect::<Vec<_>>() {
        if args.list {
            let names = benchmark_names(suite);
            names.iter().filter(|name| reporter.selects(name)).for_each(|name| terminal::print_line(name));
        } else if reporter.selects_suite(suite.name) {
            reporter.begin(suite.name, suite.about);
            (suite.run)(&mut reporter, args)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_suite_lists_its_benchmarks_without_measuring() {
        for suite in SUITES.iter().filter(|suite| suite.name != "gpu") {
            let names = benchmark_names(suite);
            assert!(!names.is_empty(), "{} has no benchmarks", suite.name);
            let own = format!("{}/", suite.name);
            assert!(names.iter().all(|name| name.starts_with(&own)), "{names:?}");
        }
    }
}
