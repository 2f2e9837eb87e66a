//! The command line: what can be typed, and what each part means.

mod values;

pub use values::WIDEST_BEAM;

use crate::goal::Goal;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use values::{beam, games, minutes, seconds, steps, temperature, whole};
use vivarium_lab::registry::LARGEST_SEED;

/// Watch machines learn: train, evaluate, measure.
#[derive(Parser, Debug)]
#[command(name = "vivarium", version, max_term_width = 100)]
pub struct Cli {
    /// What to do; without one the program says what is here.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// What was typed. Where it is not understood, says why and ends the program.
    pub fn typed() -> Self {
        Self::try_parse().unwrap_or_else(|error| with_tip(error).exit())
    }
}

/// Replaces the tips of clap that lead nowhere, and adds how a config field or a preset is set.
fn with_tip(mut error: clap::Error) -> clap::Error {
    let typed = match (error.kind(), error.get(ContextKind::InvalidArg)) {
        (ErrorKind::UnknownArgument, Some(ContextValue::String(typed))) => typed.clone(),
        _ => return error,
    };
    // No value here begins with a hyphen, so "to pass it as a value" is no help.
    error.remove(ContextKind::Suggested);
    let fields = [
        ("--preset", "a preset is set by '--set preset=NAME'"),
        ("--text", "a text to learn from is set by '--set data=FILE'"),
        ("--data", "a text to learn from is set by '--set data=FILE'"),
    ];
    let tip = if let Some((_, tip)) = fields.iter().find(|(option, _)| typed.starts_with(option)) {
        // A similar option is another one, and its usage that of another command line.
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

/// What the program can do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Train an experiment
    Train(TrainArgs),
    /// Evaluate a checkpoint, and export what can be made of it
    Eval(EvalArgs),
    /// Play backgammon in the terminal
    Play(PlayArgs),
    /// Solve a cube
    Solve(SolveArgs),
    /// Generate text with a language model
    Generate(GenerateArgs),
    /// Run benchmarks, and print each figure beside that of a rival
    Bench(BenchArgs),
    /// Watch a run that is going on, or one that has ended
    Monitor {
        /// The run's folder, such as runs/cartpole-1-1
        dir: PathBuf,
    },
    /// Show what this machine offers and what the program uses of it
    Info,
}

/// `vivarium train`.
#[derive(Args, Debug, Default)]
#[command(
    after_help = "Without --until, --steps or --minutes a classic control run ends when it is solved, a logic automaton after \
    the epochs of its config, and a language model with its learning-rate schedule; games and cubes train until Ctrl-C.\n\
    Ctrl-C saves and says how to go on."
)]
pub struct TrainArgs {
    /// Such as cartpole; `vivarium` alone lists them
    #[arg(required_unless_present = "resume")]
    pub experiment: Option<String>,
    /// What to compute on
    #[arg(long, value_enum, default_value = "auto", hide_possible_values = false)]
    pub engine: Engine,
    /// A part of the GPU's name, where there are several; `vivarium info` lists them
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Worker threads; every core where it is not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Where all random numbers come from: the same seed gives the same run [default: 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, conflicts_with = "resume", value_parser = whole(0, LARGEST_SEED))]
    pub seed: Option<u64>,
    /// A JSON file with config fields, such as a run's config.json
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub config: Option<PathBuf>,
    /// One config field, or a preset: world.gravity=12, preset=moon; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// What to reach, such as 'return>=475': the mean of 100 evaluation episodes, confirmed by 1000 others, or a metric ('hard_accuracy>=1')
    #[arg(long, value_name = "GOAL")]
    pub until: Option<Goal>,
    /// End with the iteration in which this many steps of experience (epochs of a logic automaton, tokens of a language model) are done in all, such as 2000000 or 2e6
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = steps)]
    pub steps: Option<u64>,
    /// End after so many minutes; the iteration or evaluation in progress may take up to 5 seconds more, or a tenth of the time
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Folder for the run [default: runs/<experiment>-<seed>-<n>]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Go on with the run in this folder where its last checkpoint is: exactly, but for board games, whose games of self-play and
    /// replay begin anew
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}

/// `vivarium eval`.
#[derive(Args, Debug)]
pub struct EvalArgs {
    /// Such as cartpole or logic-ca
    pub experiment: String,
    /// A checkpoint, such as runs/cartpole-1-1/best.safetensors
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// How many whole episodes, boards of a logic automaton, random cubes or windows of held-out text, 1 to 10000 [default: 100, fewer where they take long, and of text a second's worth]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 10_000))]
    pub episodes: Option<u32>,
    /// Where the random numbers of episodes or boards come from
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
    /// Worker threads; every core where it is not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
    /// Of cube3: what evaluates the states of the searches
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    pub engine: Engine,
    /// A part of the GPU's name, where there are several; `vivarium info` lists them
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// One JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Of a language model: the text that it learned from, a file or a folder, where that was yours
    #[arg(long, value_name = "PATH")]
    pub text: Option<PathBuf>,
    /// Draw a logic automaton's hard circuit at work, from the start to beyond what it learned
    #[arg(long, value_name = "FILE")]
    pub gif: Option<PathBuf>,
    /// Write its hard circuit, simplified, as JSON
    #[arg(long, value_name = "FILE")]
    pub circuit: Option<PathBuf>,
    /// Write the same as a Verilog module
    #[arg(long, value_name = "FILE")]
    pub verilog: Option<PathBuf>,
    /// Of a board game or a cube: write the network's weights alone, without the state of the learner
    #[arg(long, value_name = "FILE")]
    pub network: Option<PathBuf>,
    /// Of a board game: who to play against, such as pubeval, gnubg or another checkpoint; may be repeated [default: those
    /// that need nothing installed]
    #[arg(long, value_name = "WHO")]
    pub against: Vec<String>,
    /// Of a board game: how many games against each, an even number [default: 1000]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = games)]
    pub games: Option<u32>,
    /// Of a board game: simulations of a network's search for each decision; 0 is no search [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(0u32, 1_000_000))]
    pub simulations: Option<u32>,
}

/// `vivarium play`.
#[derive(Args, Debug)]
#[command(after_help = "Moves are typed as 13/8 6/5; help, typed at the table, lists the other commands.")]
pub struct PlayArgs {
    /// The game: backgammon
    #[arg(default_value = "backgammon")]
    pub game: String,
    /// A checkpoint, such as runs/backgammon-1-1/best.safetensors: its network gives hints, and plays if nobody else is
    /// asked for
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Who to play against: random, pips, pubeval, gnubg, gnubg-2ply or a checkpoint [default: the network of --checkpoint,
    /// or pubeval]
    #[arg(long, value_name = "WHO")]
    pub against: Option<String>,
    /// Simulations of a network's search for each decision; 0 is no search
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(0u32, 1_000_000))]
    pub simulations: u32,
    /// Where the dice come from: the same seed gives the same dice [default: another one each time]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = whole(0, u64::MAX))]
    pub seed: Option<u64>,
    /// The position ID to begin with, you on roll, such as 4HPwATDgc/ABMA
    #[arg(long, value_name = "ID")]
    pub position: Option<String>,
}

/// `vivarium solve`.
#[derive(Args, Debug)]
#[command(
    after_help = "Turns are U R F D L B, each by itself, with 2 or with ': vivarium solve cube2 \"R U2 F'\". The cube of 2×2×2 turns \
    U, R and F alone.\n\
    The solution goes to standard output, what is said about it to standard error."
)]
pub struct SolveArgs {
    /// cube2 or cube3
    pub experiment: String,
    /// The turns that scrambled it, such as "R U2 F'", in quotes
    pub turns: Vec<String>,
    /// Its 24 or 54 stickers instead (or before those turns): U, R, F, D, L and B row by row, as letters of faces or colors
    #[arg(long, value_name = "LETTERS")]
    pub stickers: Option<String>,
    /// A checkpoint or a network alone; without one the exact solver does it, of cube2
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// Of cube3: the width of the beam search, in states [default: 1024]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = beam)]
    pub beam: Option<u32>,
    /// Of cube3: what evaluates the states of the search
    #[arg(long, value_enum, default_value = "cpu", hide_possible_values = false)]
    pub engine: Engine,
    /// A part of the GPU's name, where there are several; `vivarium info` lists them
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
    /// Worker threads; every core where it is not given
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u16, 1024))]
    pub threads: Option<u16>,
}

/// `vivarium generate`.
#[derive(Args, Debug)]
#[command(after_help = "The prompt and what the model makes of it go to standard output, token by token.\n\
    Train one: vivarium train language, or vivarium train language --set data=FILE")]
pub struct GenerateArgs {
    /// A checkpoint of a language model, such as runs/language-1-1/best.safetensors
    #[arg(long, value_name = "FILE")]
    pub checkpoint: PathBuf,
    /// The beginning of the text; without one, the model begins its own
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub prompt: String,
    /// Largest number of tokens; fewer where the model ends the text before
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 200, value_parser = whole(1u32, 1_000_000))]
    pub tokens: u32,
    /// Sampling temperature; 0 always takes the likeliest token
    #[arg(long, value_name = "T", allow_negative_numbers = true, default_value_t = 0.8, value_parser = temperature)]
    pub temperature: f32,
    /// Sample among the K likeliest tokens alone; 0 samples among all
    #[arg(long, value_name = "K", allow_negative_numbers = true, default_value_t = 50, value_parser = whole(0, u32::MAX))]
    pub top_k: u32,
    /// Where the random numbers come from: the same seed gives the same text
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 1, value_parser = whole(0, u64::MAX))]
    pub seed: u64,
}

/// `vivarium bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Suites (kernels, graph, control, logic-ca, backgammon, connect-four, cube2, language, gpu) or beginnings of figure names (kernels/gemm); all where none is given
    pub suites: Vec<String>,
    /// Name the figures and measure nothing
    #[arg(long)]
    pub list: bool,
    /// One JSON line a figure instead of a table
    #[arg(long)]
    pub json: bool,
    /// About how many seconds each measurement is repeated for
    #[arg(long, value_name = "S", allow_negative_numbers = true, default_value_t = 0.3, value_parser = seconds)]
    pub seconds: f64,
    /// Write the network whose forward pass a game's suite measures as ONNX, for other programs, and what it makes of some
    /// states as JSON beside it
    #[arg(long, value_name = "FILE")]
    pub onnx: Option<PathBuf>,
    /// A part of the name of the GPU to measure, where there are several
    #[arg(long, value_name = "NAME")]
    pub adapter: Option<String>,
}

/// What to compute on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// Every core, with the widest SIMD there is
    Cpu,
    /// The graphics processor
    Gpu,
    /// The one that is faster for this very run, which is measured; `vivarium info` prints the rule
    #[default]
    Auto,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn a_config_field_that_stands_alone_gets_a_tip() {
        let said = |typed: &[&str]| {
            let error = Cli::try_parse_from(typed).expect_err("it is not understood");
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

    proptest::proptest! {
        #[test]
        fn no_command_line_makes_it_fail(
            words in proptest::collection::vec(
                "train|eval|play|solve|generate|bench|monitor|info|help|cartpole|--(set|until|steps|minutes|threads|json|config)|[-=.0-9a-zé]{0,5}",
                0..8,
            )
        ) {
            // Whatever it says, it says it by returning.
            let _ = Cli::try_parse_from(std::iter::once("vivarium".to_owned()).chain(words));
        }
    }
}
