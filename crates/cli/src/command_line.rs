//! The command line: what can be typed, and what each part means.

use clap::{Parser, Subcommand};

/// Watch machines learn: train, evaluate, measure.
#[derive(Parser, Debug)]
#[command(name = "vivarium", version, max_term_width = 100)]
pub struct Cli {
    /// What to do; without one the program says what is here.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Measure, and print every figure with its rival
    Bench {
        /// Suites (kernels, graph, control) or beginnings of figure names (kernels/gemm); all where none is given
        suites: Vec<String>,
        /// One JSON line a figure instead of a table
        #[arg(long)]
        json: bool,
        /// About how long to repeat each timed measurement
        #[arg(long, default_value_t = 0.3, value_parser = seconds)]
        seconds: f64,
    },
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 3600.0 => Ok(seconds),
        _ => Err("a number of seconds above 0 and up to 3600 is allowed".to_owned()),
    }
}
