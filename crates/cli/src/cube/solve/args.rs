//! Command-line arguments of `vivarium solve`.

use crate::batch::STANDARD_INPUT;
use crate::checkpoint_file::CheckpointFile;
use crate::cube::{NAMES, parse_cube_name};
use crate::engine::args::SearchEngineArgs;
use crate::error::CliError;
use crate::values::{MAX_BEAM_WIDTH, whole};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use vivarium_envs::cube::{CubeSize, TurnMetric};

/// Solver of a cube: value of `--method`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SolveMethod {
    /// cube3: policy network with beam search, 28.3 quarter turns on average and about 0.7 s on one core with beam width 1024; cube2: greedy policy of the network, in milliseconds
    Network,
    /// Table of all states, without a network: solutions of minimum length in microseconds, after 0.3 s for the table (cube2 only)
    Exact,
    /// Kociemba's two-phase algorithm, without a network: with 1000000 nodes 19.3 half turns or 26.4 quarter turns on average in 0.1 to 0.15 s, after 0.15 s for its tables (cube3 only)
    TwoPhase,
}

/// Turn metric: value of `--metric`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MetricChoice {
    /// A half turn is one move (also htm)
    #[value(alias = "htm")]
    Half,
    /// A half turn is two moves (also qtm)
    #[value(alias = "qtm")]
    Quarter,
}

/// Command-line arguments of `vivarium solve`.
#[derive(Args, Debug)]
#[command(after_help = "Scrambles: the notation of vivarium alg, such as R U2 F', [R, U] or x Rw M'.\n\
    Rotations of the whole cube are free: cube2 is solved in every orientation, and minimum lengths count turns only. \
    If the scramble rotates the whole cube, the solution begins with the rotation to the standard orientation, which is not counted.\n\
    Examples: vivarium solve cube2 \"R U2 F'\", vivarium solve cube3 \"[R: [U, M']]\"\n\
    Standard output receives the solution, standard error the comments. With more --nodes than the default, standard error also \
    receives each shorter solution as it is found, and Ctrl-C prints the best solution so far (exit code 130).\n\
    Comparison: a solution of a network is compared with the minimum length (cube2), or with a two-phase search of 200,000 nodes \
    (cube3), which takes about 0.03 s per cube, after 0.15 s for its tables.\n\
    Batches: with - as the scramble, every line of standard input is a scramble; with --stickers -, every line is a cube. \
    The network is loaded once. Standard output receives a table with a row per cube: number of the line, length in the half-turn and \
    the quarter-turn metric, length of the best known solution in the metric of --metric (best), and solution; with --json one object \
    per cube. An invalid line is reported with its number, the next line follows, and the exit code is 1 at the end. Empty lines and \
    lines that begin with # are ignored.\n\
    Example: vivarium scramble cube3 --count 100 | vivarium solve cube3 - --json")]
pub struct SolveArgs {
    /// Cube: cube2 or cube3, also 222 or 333, 2x2x2 or 3x3x3; required without --checkpoint [default: the cube of the checkpoint]
    #[arg(value_name = "CUBE", required_unless_present = "checkpoint")]
    cube: Option<String>,
    /// Scramble in the notation of the WCA, such as "R U2 F'" in quotes; - reads one scramble a line of standard input
    #[arg(value_name = "SCRAMBLE")]
    turns: Vec<String>,
    /// Stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by row; - reads one cube a line of standard input [default: solved]
    #[arg(long, value_name = "LETTERS")]
    pub stickers: Option<String>,
    /// Solver
    #[arg(long, value_enum, value_name = "METHOD", default_value = "network", hide_possible_values = false)]
    pub method: SolveMethod,
    /// Turn metric in which exact and two-phase minimize the solution, and in which its length is printed
    #[arg(
        long,
        value_enum,
        value_name = "METRIC",
        default_value = "half",
        ignore_case = true,
        hide_possible_values = false
    )]
    pub metric: MetricChoice,
    /// Search nodes of two-phase, such as 2000000 or 2e6, up to 1e11: more nodes find shorter solutions; the first solution is completed even if it needs more nodes, at most about 11 million [default: 2000000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 100_000_000_000u64))]
    pub nodes: Option<u64>,
    /// Checkpoint file, weights file or run folder of --method network [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Beam width in states, 1 to 262144 (cube3 with --method network only) [default: 1024]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, MAX_BEAM_WIDTH))]
    pub beam: Option<u32>,
    /// Print one JSON object per cube: input, solution, number of moves in both metrics, solver, minimum, comparison
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub engine: SearchEngineArgs,
}

impl SolveArgs {
    /// Returns cube and scramble. With `--checkpoint`, the name of the cube may be omitted: the cube is that of the checkpoint, and all
    /// words are the scramble.
    ///
    /// # Errors
    /// [`CliError::Usage`] for an unknown cube; [`CliError::Failed`] if the checkpoint is invalid or of another experiment.
    pub fn cube_and_scramble(&self) -> Result<(CubeSize, String), CliError> {
        let named = self.cube.as_deref().map_or(Err(String::new()), parse_cube_name);
        match (named, &self.checkpoint) {
            (Ok(size), _) => Ok((size, self.turns.join(" "))),
            (Err(why), None) => Err(CliError::usage(why)),
            (Err(_), Some(path)) => {
                let name = CheckpointFile::read(path)?.experiment_among(NAMES)?;
                let size = parse_cube_name(name).map_err(CliError::usage)?;
                Ok((size, self.words().collect::<Vec<_>>().join(" ")))
            }
        }
    }

    pub fn metric(&self) -> TurnMetric {
        match self.metric {
            MetricChoice::Half => TurnMetric::Half,
            MetricChoice::Quarter => TurnMetric::Quarter,
        }
    }

    /// Returns whether standard input has a cube a line.
    pub fn is_batch(&self) -> bool {
        self.words().any(|word| word == STANDARD_INPUT) || self.stickers.as_deref() == Some(STANDARD_INPUT)
    }

    /// Returns the words of the command line that are not options.
    fn words(&self) -> impl Iterator<Item = &str> {
        self.cube.iter().chain(&self.turns).map(String::as_str)
    }

    /// Returns an error for the first option that is given and that the chosen solver, described by `why`, does not use.
    pub fn refuse(&self, unused: &[&str], why: &str) -> Result<(), CliError> {
        let given = [
            ("--checkpoint", self.checkpoint.is_some()),
            ("--beam", self.beam.is_some()),
            ("--engine", self.engine.is_given()),
            ("--nodes", self.nodes.is_some()),
        ];
        match given.into_iter().find(|(option, is_given)| *is_given && unused.contains(option)) {
            Some((option, _)) => Err(CliError::usage(format!("{option}: {why}; omit {option}"))),
            None => Ok(()),
        }
    }
}
