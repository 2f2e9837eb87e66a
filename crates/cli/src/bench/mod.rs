//! `vivarium bench`: every figure that the README and the benchmark page tell, each from a command that anyone can run.
//!
//! A suite is a function that measures and hands [`Figure`]s to a [`Reporter`] as they come. A figure may carry a rival
//! measured in the same run, interleaved with it ([`timing::race`]), so that both see the same machine.

mod control;
mod graph;
mod kernels;
mod report;
pub mod timing;

pub use report::{Figure, Reporter};

use crate::failure::Failure;

/// A group of figures measured together.
struct Suite {
    /// First part of the names of its figures.
    name: &'static str,
    /// One line for a person.
    about: &'static str,
    /// Measures and reports.
    run: fn(&mut Reporter),
}

/// Every suite, in the order in which they run.
const SUITES: &[Suite] = &[
    Suite {
        name: "kernels",
        about: "products, fused layers and functions against the machine's peak",
        run: kernels::run,
    },
    Suite { name: "graph", about: "whole networks, forward and backward", run: graph::run },
    Suite {
        name: "control",
        about: "classic control: raw stepping, PPO, seconds to solve",
        run: control::run,
    },
];

/// One line for each suite: name and what it measures.
pub fn list() -> String {
    SUITES.iter().map(|suite| format!("  {:<10} {}\n", suite.name, suite.about)).collect()
}

/// Runs the suites that `selection` names (all where it is empty). A selection is a suite, such as `kernels`, or the
/// beginning of figure names, such as `kernels/gemm`. Each timed figure takes about `seconds`.
///
/// # Errors
/// [`Failure::Usage`] where a selection names no suite.
pub fn run(selection: &[String], json: bool, seconds: f64) -> Result<(), Failure> {
    for name in selection {
        let suite = name.split('/').next().unwrap_or_default();
        if !SUITES.iter().any(|known| known.name == suite) {
            let names: Vec<_> = SUITES.iter().map(|known| known.name).collect();
            return Err(Failure::usage(format!(
                "no benchmark suite is called '{name}': allowed are {}, or the beginning of a figure's name such as \
                 kernels/gemm",
                names.join(", ")
            )));
        }
    }
    let mut reporter = Reporter::new(selection.to_vec(), json, seconds);
    for suite in SUITES {
        if reporter.wants_suite(suite.name) {
            reporter.begin(suite.name, suite.about);
            (suite.run)(&mut reporter);
        }
    }
    reporter.finish()
}
