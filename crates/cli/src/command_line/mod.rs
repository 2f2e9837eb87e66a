//! The command line: commands, arguments and options.

#[cfg(test)]
mod reference;
mod values;

pub use values::WIDEST_BEAM;

use crate::goal::Goal;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use values::{beam, games, minutes, seconds, steps, temperature, whole};
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

/// `vivarium eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// Name of the experiment, such as cartpole or logic-ca
    pub experiment: String,
    /// Checkpoint file, such as runs/cartpole-1-1/best.safetensors
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// Number of episodes, boards of a logic automaton, random cubes or windows of held-out text, 1 to 10000 [default: depends on the experiment, at most 100; for text, one second's worth]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 10_000))]
    pub episodes: Option<u32>,
    /// Random seed of the episodes
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Compute engine of the beam search (cube3 only)
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    pub engine: EngineChoice,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Training text of a language model, a file or folder; required unless the model was trained on the built-in encyclopedia
    #[arg(long, value_name = "PATH")]
    pub text: Option<PathBuf>,
    /// Write an animation of the hard circuit, beyond the trained number of steps (logic automata only)
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write the simplified hard circuit as JSON (logic automata only)
    #[arg(long, value_name = "FILE")]
    pub circuit: Option<PathBuf>,
    /// Write the simplified hard circuit as a Verilog module (logic automata only)
    #[arg(long, value_name = "FILE")]
    pub verilog: Option<PathBuf>,
    /// Write the network's weights without the optimizer state (board games and cubes only)
    #[arg(long, alias = "network", value_name = "FILE")]
    pub export_weights: Option<PathBuf>,
    /// Opponent, such as pubeval, gnubg or a checkpoint; repeatable (board games only) [default: all that need no installation]
    #[arg(long, value_name = "OPPONENT")]
    pub against: Vec<String>,
    /// Number of games per opponent, even (board games only) [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = games)]
    pub games: Option<u32>,
    /// Search simulations per decision; 0 disables the search (board games only) [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0u32, 1_000_000))]
    pub simulations: Option<u32>,
}

/// `vivarium play`.
#[derive(Args, Debug)]
#[command(after_help = "Enter moves as 13/8 6/5; the command help lists all commands of the game.")]
pub struct PlayArgs {
    /// Name of the game
    #[arg(default_value = "backgammon")]
    pub game: String,
    /// Checkpoint file, such as runs/backgammon-1-1/best.safetensors; its network gives hints and is the default opponent
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Opponent: random, pips, pubeval, gnubg, gnubg-2ply or a checkpoint [default: the network of --checkpoint, or pubeval]
    #[arg(long, value_name = "OPPONENT")]
    pub against: Option<String>,
    /// Search simulations per decision of a network; 0 disables the search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
    /// Random seed of the dice [default: random]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
    /// Position ID of the first game, with the human player on roll, such as 4HPwATDgc/ABMA [default: the starting position]
    #[arg(long, value_name = "ID")]
    pub position: Option<String>,
}

/// `vivarium solve`.
#[derive(Args, Debug)]
#[command(
    after_help = "Face turns are U R F D L B, alone (clockwise), with ' (counterclockwise) or with 2 (half turn): \
    vivarium solve cube2 \"R U2 F'\". The 2×2×2 cube uses U, R and F only.\n\
    Standard output receives the solution, standard error the comments."
)]
pub struct SolveArgs {
    /// Name of the cube: cube2 or cube3
    pub experiment: String,
    /// Scramble as face turns, such as "R U2 F'" in quotes
    pub turns: Vec<String>,
    /// Stickers of the cube before the scramble, 24 or 54 letters of faces or colors: U, R, F, D, L, B row by row [default: solved]
    #[arg(long, value_name = "LETTERS")]
    pub stickers: Option<String>,
    /// Checkpoint or weights file; required for cube3 [default: the exact solver of cube2]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Beam width in states, 1 to 262144 (cube3 only) [default: 1024]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = beam)]
    pub beam: Option<u32>,
    /// Compute engine of the beam search (cube3 only)
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    pub engine: EngineChoice,
    /// GPU adapter, by a part of its name; `vivarium info` lists the adapters [default: the best adapter]
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Number of worker threads, 1 to 1024 [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
}

/// `vivarium generate`.
#[derive(Args, Debug)]
#[command(after_help = "The prompt and the completion are printed token by token.\n\
    To train a model: vivarium train language, or vivarium train language --set data=FILE")]
pub struct GenerateArgs {
    /// Checkpoint of a language model, such as runs/language-1-1/best.safetensors
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// Prompt that the model continues [default: none]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prompt: String,
    /// Maximum number of tokens; generation stops earlier at an end-of-text token
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(1u32, 1_000_000))]
    pub tokens: u32,
    /// Sampling temperature; 0 is greedy decoding
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 0.8, value_parser = temperature)]
    pub temperature: f32,
    /// Top-k sampling: sample among the K most probable tokens; 0 samples among all
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 50, value_parser = whole(0, u32::MAX))]
    pub top_k: u32,
    /// Random seed; equal seeds give equal text
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
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
