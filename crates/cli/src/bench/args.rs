//! Arguments and options of `vivarium bench`.

use crate::values::seconds;
use clap::Args;
use std::path::PathBuf;

/// Command-line arguments of `vivarium bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Suites (kernels, graph, control, logic-ca, backgammon, connect-four, cube2, language, gpu) or prefixes of benchmark names (kernels/gemm) [default: all]
    pub suites: Vec<String>,
    /// List the benchmarks without running them
    #[arg(long)]
    pub list: bool,
    /// Print one JSON line per benchmark instead of a table
    #[arg(long)]
    pub json: bool,
    /// Approximate duration of each measurement in seconds, above 0 and up to 3600
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 0.3, value_parser = seconds)]
    pub seconds: f64,
    /// Write the network of a game's suite as ONNX, and its outputs for sample states as JSON (suites backgammon and connect-four)
    #[arg(long, value_name = "FILE")]
    pub onnx: Option<PathBuf>,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}
