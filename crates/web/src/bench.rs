//! Figures of the benchmark page.

use crate::problem::Problem;
use serde::Serialize;
use vivarium_graph::Cpu;

/// A measured figure; named as those of `vivarium bench`.
#[derive(Serialize)]
pub struct Figure {
    name: String,
    value: f64,
    unit: &'static str,
    threads: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    rival: Option<Rival>,
}

#[derive(Serialize)]
struct Rival {
    name: &'static str,
    value: f64,
}

/// The names of a suite's figures.
pub fn names(suite: &str) -> Result<Vec<String>, Problem> {
    Err(unknown(suite))
}

/// Measures one figure.
pub fn measure(name: &str, _cpu: &Cpu) -> Result<Figure, Problem> {
    Err(unknown(name))
}

fn unknown(name: &str) -> Problem {
    Problem::new(format!("There is no benchmark called {name}."), "The suites are kernels and control.")
}
