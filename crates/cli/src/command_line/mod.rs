//! The command line: commands, arguments and options.

#[cfg(test)]
mod reference;
pub mod values;

use crate::cube::solve::SolveArgs;
use crate::engine::{self, EngineRequest};
use crate::error::CliError;
use crate::eval::EvalArgs;
use crate::games::play::PlayArgs;
use crate::goal::Goal;
use crate::language::generate::GenerateArgs;
use crate::machine;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use values::{minutes, seconds, steps, whole};
use vivarium_lab::Engine;
use vivarium_lab::registry::LARGEST_SEED;

/// Train, evaluate and benchmark reinforcement-learning agents, logic automata and language models
#[derive(Parser, Debug)]
#[command(name = "vivarium", version, max_term_width = 100)]
pub struct Cli {
    /// Command; without a command, the program prints an overview.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Parses the command line. On an error, prints the error and exits the program.
    pub fn parse_or_exit() -> Self {
        Self::try_parse().unwrap_or_else(|error| with_tip(error).exit())
    }
}

/// Replaces misleading tips of clap and adds a tip on setting a config field or a preset.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let typed = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(typed))) => typed.clone(),
        _ => return error,
    };
    // No value begins with a hyphen, so the tip "to pass it as a value" is useless.
    error.remove(ContextKind::Suggested);
    let fields = [
        ("--preset", "a preset is set by '--set preset=NAME'"),
        ("--text", "training text is set by '--set data=FILE'"),
        ("--data", "training text is set by '--set data=FILE'"),
    ];
    let tip = if let Some((_, tip)) = fields.iter().find(|(option, _)| typed.starts_with(option)) {
        // The similar option and its usage are misleading here.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        (*tip).to_owned()
    } else if !typed.starts_with('-') && typed.contains('=') {
        format!("a config field is set by '--set {typed}'")
    } else {
        return error;
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// Commands of the program.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Train an experiment
    Train(TrainArgs),
    /// Evaluate a checkpoint, and export circuits, animations or weights
    Eval(EvalArgs),
    /// Play backgammon in the terminal
    Play(PlayArgs),
    /// Solve a cube
    Solve(SolveArgs),
    /// Generate text with a language model
    Generate(GenerateArgs),
    /// Run benchmarks, with reference implementations where available
    Bench(BenchArgs),
    /// Monitor a run in the terminal
    Monitor {
        /// Run folder, such as runs/cartpole-1-1
        dir: PathBuf,
    },
    /// Show the CPU, the GPU adapters and the available engines
    Info,
}

/// `vivarium train`.
#[derive(Args, Debug, Default)]
#[command(
    after_help = "Without --until, --steps and --minutes, classic control trains until solved, a logic automaton for the epochs \
    of its config, a language model to the end of its learning-rate schedule; games and cubes train until Ctrl-C.\n\
    Ctrl-C saves a checkpoint and prints the command that resumes the run."
)]
pub struct TrainArgs {
    /// Name of the experiment, such as cartpole; `vivarium` without arguments lists all
    #[arg(required_unless_present = "resume")]
    pub experiment: Option<String>,
    /// Compute engine
    #[arg(long, value_enum, default_value = "auto", hide_possible_values = false)]
    pub engine: EngineChoice,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Random seed; equal seeds give equal runs [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, conflicts_with = "resume", value_parser = whole(0, LARGEST_SEED))]
    pub seed: Option<u64>,
    /// JSON file with config fields, such as the config.json of a run
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub config: Option<PathBuf>,
    /// Set a config field or a preset, such as world.gravity=12 or preset=moon; repeatable
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Stop at a goal: an evaluation measure ('return>=475': mean of 100 episodes, confirmed by 1000 others) or a training metric ('hard_accuracy>=1')
    #[arg(long, value_name = "GOAL")]
    pub until: Option<Goal>,
    /// Stop after this total number of steps (epochs of a logic automaton, tokens of a language model), such as 2000000 or 2e6; the current iteration is finished
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = steps)]
    pub steps: Option<u64>,
    /// Stop after this many minutes; the current iteration or evaluation may take up to 5 seconds more, or a tenth of the time
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Run folder [default: runs/EXPERIMENT-SEED-N]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the run in this folder from its last checkpoint; exact, except that board games restart their self-play games with an
    /// empty replay buffer
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}

/// Options of commands that search with a network.
#[derive(Args, Debug)]
pub struct SearchEngineArgs {
    /// Compute engine of the beam search (cube3 only)
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    engine: EngineChoice,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    adapter: Option<String>,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    threads: Option<u16>,
}

impl SearchEngineArgs {
    /// Returns whether the options select an adapter, or an engine other than the CPU.
    pub fn is_given(&self) -> bool {
        self.engine != EngineChoice::Cpu || self.adapter.is_some()
    }

    /// Returns the number of worker threads.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(machine::cores, usize::from)
    }

    /// Opens the compute engine that the options select for a search.
    ///
    /// # Errors
    /// Errors of [`engine::choose_for_search`].
    pub fn open(&self) -> Result<Engine, CliError> {
        let request =
            EngineRequest { engine: self.engine, adapter: self.adapter.as_deref(), threads: self.threads() };
        engine::choose_for_search(request)
    }
}

/// `vivarium bench`.
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

/// Compute engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum EngineChoice {
    /// All cores, with the widest available SIMD
    Cpu,
    /// A GPU
    Gpu,
    /// The faster engine for this run, by measurement; `vivarium info` prints the rule
    #[default]
    Auto,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn a_config_field_without_set_gets_a_tip() {
        let said = |typed: &[&str]| {
            let error = Cli::try_parse_from(typed).expect_err("the command line is invalid");
            with_tip(error).render().to_string()
        };
        let field = said(&["vivarium", "train", "cartpole", "world.gravity=3"]);
        assert!(field.contains("tip: a config field is set by '--set world.gravity=3'"), "{field}");
        assert!(!said(&["vivarium", "train", "cartpole", "pendulum"]).contains("tip:"));
        let preset = said(&["vivarium", "train", "cartpole", "--preset", "moon"]);
        assert!(preset.contains("tip: a preset is set by '--set preset=NAME'"), "{preset}");
        assert!(!preset.contains("--resume"), "the usage is not that of a similar option: {preset}");
        let text = said(&["vivarium", "train", "language", "--text", "book.txt"]);
        assert!(text.contains("set by '--set data=FILE'") && !text.contains("similar"), "{text}");
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_former_name_of_export_weights_is_accepted() {
        let typed = ["vivarium", "eval", "cube2", "--checkpoint", "a", "--network", "b"];
        let Some(Command::Eval(args)) = Cli::try_parse_from(typed).unwrap().command else {
            panic!("no eval")
        };
        assert_eq!(args.export_weights, Some("b".into()));
        assert!(
            !Cli::command()
                .find_subcommand_mut("eval")
                .unwrap()
                .render_help()
                .to_string()
                .contains("--network")
        );
    }

    proptest::proptest! {
        #[test]
        fn no_command_line_makes_it_fail(
            words in proptest::collection::vec(
                "train|eval|play|solve|generate|bench|monitor|info|help|cartpole|--(set|until|steps|minutes|threads|json|config)|[-=.0-9a-zé]{0,5}",
                0..8,
            )
        ) {
            // Errors must be returned, not panics.
            let _ = Cli::try_parse_from(std::iter::once("vivarium".to_owned()).chain(words));
        }
    }
}
