//! `vivarium bench`: every figure of the README and the benchmark page, each from a command that anyone can run.
//!
//! A suite is a function that measures and hands [`Figure`]s to a [`Reporter`] as they come. A figure may carry a rival
//! measured in the same run, interleaved with it ([`timing::race`]), so that both see the same machine.

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

pub use report::{Figure, Reporter};

use crate::command_line::BenchArgs;
use crate::failure::Failure;
use crate::terminal;
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_lab::spelling;

/// A group of figures measured together.
struct Suite {
    /// First part of the names of its figures.
    name: &'static str,
    /// One line for a person.
    about: &'static str,
    /// Measures and reports.
    run: fn(&mut Reporter, &BenchArgs) -> Result<(), Failure>,
}

/// Every suite, in the order in which they run.
const SUITES: &[Suite] = &[
    Suite {
        name: "kernels",
        about: "products, fused layers and functions against the machine's peak",
        run: |reporter, _| {
            kernels::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "graph",
        about: "whole networks, forward and backward",
        run: |reporter, _| {
            graph::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "control",
        about: "classic control: raw stepping, PPO, seconds to solve",
        run: |reporter, _| {
            control::run(reporter);
            Ok(())
        },
    },
    Suite {
        name: "logic-ca",
        about: "logic automata: an epoch of learning, cells a second of a learned circuit",
        run: |reporter, _| logic_ca::run(reporter),
    },
    Suite {
        name: "backgammon",
        about: "the reference network's forward pass, and self-play with 100 simulations a move",
        run: games::run::<State>,
    },
    Suite { name: "connect-four", about: "the same for Connect Four", run: games::run::<ConnectFour> },
    Suite {
        name: "cube2",
        about: "the cube of 2×2×2: a step of deep Q-learning, and an evaluation in all states",
        run: |reporter, _| cube2::run(reporter),
    },
    Suite {
        name: "language",
        about: "language models: tokens a second that a transformer learns from",
        run: |reporter, _| language::run(reporter),
    },
    #[cfg(feature = "gpu")]
    Suite { name: "gpu", about: "the GPU engine beside the CPU's on the same machine", run: gpu::run },
];

/// One line for each suite: name and what it measures.
pub fn list() -> String {
    SUITES.iter().map(|suite| format!("  {:<13} {}\n", suite.name, suite.about)).collect()
}

/// The names of all figures of a suite; none of one that cannot run here.
fn figures(suite: &Suite) -> Vec<String> {
    let args =
        BenchArgs { suites: Vec::new(), list: false, json: true, seconds: 0.0, onnx: None, adapter: None };
    let mut reporter = Reporter::listing();
    match (suite.run)(&mut reporter, &args) {
        Ok(()) => reporter.into_names(),
        Err(_) => Vec::new(),
    }
}

/// Refuses a name that selects nothing, before anything is measured.
fn check(name: &str) -> Result<(), Failure> {
    let first = name.split('/').next().unwrap_or_default();
    let Some(suite) = SUITES.iter().find(|known| known.name == first) else {
        let names: Vec<_> = SUITES.iter().map(|known| known.name).collect();
        return Err(Failure::usage(format!(
            "no benchmark suite is called '{name}': allowed are {}, or the beginning of a figure's name such as \
             kernels/gemm; `vivarium bench --list` names all figures",
            names.join(", ")
        )));
    };
    if !name.contains('/') {
        return Ok(());
    }
    let figures = figures(suite);
    // A suite that cannot run here says so itself.
    if figures.is_empty() || figures.iter().any(|figure| report::selects(name, figure)) {
        return Ok(());
    }
    let nearest = spelling::nearest(name, figures.iter().map(String::as_str));
    let hint = nearest.map_or(String::new(), |nearest| format!("; did you mean {nearest}?"));
    Err(Failure::usage(format!(
        "no figure's name begins with {name}{hint}\nThe figures of {} are\n  {}",
        suite.name,
        figures.join("\n  ")
    )))
}

/// Runs the suites that the command line names (all where it names none): a suite, such as `kernels`, or the beginning of
/// figure names, such as `kernels/gemm`. With `--list` it names their figures instead.
///
/// # Errors
/// [`Failure::Usage`] where it names no suite or no figure, [`Failure::Failed`] where one of those named cannot run here.
pub fn run(args: &BenchArgs) -> Result<(), Failure> {
    args.suites.iter().try_for_each(|name| check(name))?;
    let is_of_a_game =
        |name: &String| ["backgammon", "connect-four"].contains(&name.split('/').next().unwrap_or_default());
    if args.onnx.is_some() && (args.suites.len() != 1 || !args.suites.iter().all(is_of_a_game)) {
        return Err(Failure::usage(
            "--onnx: name the suite whose network is written, backgammon or connect-four",
        ));
    }
    let mut reporter = Reporter::new(args.suites.clone(), args.json, args.seconds);
    for suite in SUITES.iter().filter(|suite| reporter.wants_suite(suite.name)).collect::<Vec<_>>() {
        if args.list {
            let figures = figures(suite);
            figures.iter().filter(|figure| reporter.wants(figure)).for_each(|figure| terminal::out(figure));
        } else if reporter.wants_suite(suite.name) {
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
    fn every_suite_names_its_figures_without_measuring() {
        for suite in SUITES.iter().filter(|suite| suite.name != "gpu") {
            let figures = figures(suite);
            assert!(!figures.is_empty(), "{} has no figures", suite.name);
            let own = format!("{}/", suite.name);
            assert!(figures.iter().all(|figure| figure.starts_with(&own)), "{figures:?}");
        }
    }
}
