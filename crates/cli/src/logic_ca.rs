//! `vivarium eval` for logic automata: export of the circuit.

use crate::error::CliError;
use crate::eval::args::EvalArgs;
use crate::eval::export::Export;
use crate::eval::family::EvalFamily;
use clap::{Args, Command};
use std::path::PathBuf;
use vivarium_exhibit_logic_ca::protocol::{ExportFormat, LogicCommand};

/// Options of `vivarium eval` for logic automata.
#[derive(Args, Debug)]
struct LogicEvalArgs {
    /// Write a GIF animation of the hard circuit, continued beyond the trained number of steps (logic automata only)
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// Write the simplified hard circuit as JSON (logic automata only)
    #[arg(long, value_name = "FILE")]
    circuit: Option<PathBuf>,
    /// Write the simplified hard circuit as a Verilog module (logic automata only)
    #[arg(long, value_name = "FILE")]
    verilog: Option<PathBuf>,
}

/// Part of `vivarium eval` that is specific to logic automata: export of the hard (Boolean) circuit as GIF, JSON or
/// Verilog.
pub struct LogicEval;

impl EvalFamily for LogicEval {
    fn kind(&self) -> &'static str {
        "logic_ca"
    }

    fn names(&self) -> [&'static str; 2] {
        ["logic automaton", "logic automata"]
    }

    fn augment(&self, command: Command) -> Command {
        LogicEvalArgs::augment_args(command)
    }

    fn exports(&self, args: &EvalArgs) -> Result<Vec<Export>, CliError> {
        let LogicEvalArgs { gif, circuit, verilog } = args.families.of()?;
        let files = [
            ("--gif", gif, ExportFormat::Gif),
            ("--circuit", circuit, ExportFormat::Json),
            ("--verilog", verilog, ExportFormat::Verilog),
        ];
        let requested = files.into_iter().filter_map(|(option, path, format)| Some((option, path?, format)));
        requested
            .map(|(option, path, format)| Export::new(option, path, &LogicCommand::Export { format }))
            .collect()
    }
}
