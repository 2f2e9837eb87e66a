//! Definition of the command line: the subcommands of the program. Each subcommand defines its own arguments and
//! options in its module.

#[cfg(test)]
mod reference;

use crate::bench::args::BenchArgs;
use crate::catalog::fields::FieldsArgs;
use crate::catalog::presets::PresetsArgs;
use crate::completions::CompletionsArgs;
use crate::cube::algorithm::AlgorithmArgs;
use crate::cube::scramble::ScrambleArgs;
use crate::cube::solve::args::SolveArgs;
use crate::eval::args::EvalArgs;
use crate::export::ExportArgs;
use crate::families;
use crate::games::analyze::AnalyzeArgs;
use crate::games::hint::HintArgs;
use crate::games::met::MetArgs;
use crate::games::play::args::PlayArgs;
use crate::games::rollout::RolloutArgs;
use crate::games::ubgi::UbgiArgs;
use crate::help::{self, HELP_WIDTH};
use crate::language::generate::GenerateArgs;
use crate::machine;
use crate::man::ManArgs;
use crate::monitor::MAX_COMPARED;
use crate::runs::RunsArgs;
use crate::terminal;
use crate::train::args::TrainArgs;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use std::path::PathBuf;
use vivarium_lab::{config, spelling};

/// Train, evaluate and benchmark reinforcement-learning agents, logic automata and language models
#[derive(Parser, Debug)]
#[command(name = "vivarium", version = machine::VERSION, max_term_width = HELP_WIDTH)]
pub struct Cli {
    /// Subcommand; without a subcommand, the program prints an overview.
    #[command(subcommand)]
    pub command: Option<Command>,
}

impl Cli {
    /// Parses the command line. On an error, prints the error and exits the program.
    pub fn parse_or_exit() -> Self {
        let mut command = help::with_sections(Self::command(), &[]);
        let matches = command.try_get_matches_from_mut(std::env::args_os());
        let parsed = matches.and_then(|matches| Self::from_arg_matches(&matches));
        parsed.unwrap_or_else(|error| {
            let words: Vec<_> = std::env::args_os().filter_map(|word| word.into_string().ok()).collect();
            exit_with(&with_tips(error.format(&mut command), &words))
        })
    }
}

/// Prints an error of the argument parser `clap` and exits the program. Help and version are printed to standard output.
fn exit_with(error: &clap::Error) -> ! {
    if !error.use_stderr() {
        error.exit();
    }
    terminal::print_error(message_of(error));
    std::process::exit(error.exit_code())
}

/// Returns the message of an error of `clap` in the style of the other errors of the program, without the prefix `error: `.
fn message_of(error: &clap::Error) -> String {
    let text = error.render().to_string();
    text.strip_prefix("error: ").unwrap_or(&text).trim_end().to_owned()
}

/// Replaces the tips in an error of the argument parser `clap` by tips of the program. `words` is the command line.
fn with_tips(error: clap::Error, words: &[String]) -> clap::Error {
    with_experiments(with_subcommand_hint(with_set_hint(error, words)))
}

/// Adds the names of the experiments to the error of a missing experiment.
fn with_experiments(mut error: clap::Error) -> clap::Error {
    let is_missing = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing)) => missing.iter().any(|argument| argument == "<EXPERIMENT>"),
        _ => false,
    };
    if is_missing && error.kind() == ErrorKind::MissingRequiredArgument {
        let names: Vec<_> = vivarium_exhibits::REGISTRY.names().collect();
        let tip = format!("the experiments are {}", names.join(", "));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
}

/// Replaces misleading suggestions in an error of the argument parser `clap`. An unknown argument of the command line `words`
/// that names a config field or preset gets a hint on `--set`.
fn with_set_hint(mut error: clap::Error, words: &[String]) -> clap::Error {
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
    let known = fields.iter().find(|(option, _)| typed.starts_with(option)).map(|(_, tip)| (*tip).to_owned());
    let field =
        || Some(format!("a config field is set by '--set {}=VALUE'", field_of_option(&typed, words)?));
    let tip = if let Some(tip) = known.or_else(field) {
        // The similar option and its usage are misleading here.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        tip
    } else if !typed.starts_with('-') && typed.contains('=') {
        format!("a config field is set by '--set {typed}'")
    } else {
        return error;
    };
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// Returns the path of the config field that the option `typed`, such as `--learning-rate`, of `vivarium train` names; `None` if
/// the experiment in the command line `words` has no such field.
fn field_of_option(typed: &str, words: &[String]) -> Option<&'static str> {
    let name = typed.strip_prefix("--")?.split('=').next()?.replace('-', "_");
    let experiment = words.iter().skip_while(|word| *word != "train").nth(1)?;
    let info = vivarium_exhibits::info(experiment).ok()?;
    config::field_named(&info.fields, &info.defaults, &name)
}

/// Adds a tip to the error of an unknown subcommand: the subcommand of a lower level with this name, such as `runs compare`, the
/// option with this name, such as `train --resume`, the most similar subcommand, or the experiment.
fn with_subcommand_hint(mut error: clap::Error) -> clap::Error {
    let typed = match (error.kind(), error.get(ContextKind::InvalidSubcommand)) {
        (ErrorKind::InvalidSubcommand, Some(ContextValue::String(typed))) => typed.clone(),
        _ => return error,
    };
    let cli = Cli::command();
    let mut paths = Vec::new();
    add_paths(&cli, "", &mut paths);
    let last = |path: &str| path.rsplit(' ').next().unwrap_or_default().to_owned();
    let words: Vec<_> = paths.iter().map(|path| last(path)).collect();
    let experiments: Vec<_> = vivarium_exhibits::REGISTRY.names().collect();
    // The shortest path with a word comes first.
    let path_of = |word: &str| paths.iter().find(|path| last(path) == word);
    let option = cli
        .get_subcommands()
        .find(|command| command.get_arguments().any(|argument| argument.get_long() == Some(&typed)));
    let tip = if typed == "sweep" {
        "'vivarium train EXPERIMENT --seeds 1-5 --set FIELD=VALUE --out DIR' trains a study of one value; 'vivarium runs compare \
         DIR DIR' compares the studies; the Python module vivarium_ml.sweep searches hyperparameters"
            .to_owned()
    } else if let Some(path) = path_of(&typed) {
        format!("a similar subcommand exists: '{path}'")
    } else if let Some(command) = option {
        format!("it is an option: '{} --{typed}'", command.get_name())
    } else if let Some(path) = spelling::nearest(&typed, words.iter().map(String::as_str)).and_then(path_of) {
        format!("a similar subcommand exists: '{path}'")
    } else if let Some(name) = spelling::nearest(&typed, experiments) {
        format!(
            "{name} is an experiment: 'vivarium train {name}' trains it, 'vivarium fields {name}' lists its config fields"
        )
    } else {
        return error;
    };
    // The suggestions of `clap` have subcommands of one level only.
    error.remove(ContextKind::SuggestedSubcommand);
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    error
}

/// Adds the paths of the subcommands of `command` to `paths`, such as `runs list`, level by level.
fn add_paths(command: &clap::Command, prefix: &str, paths: &mut Vec<String>) {
    let of = |subcommand: &clap::Command| format!("{prefix}{}", subcommand.get_name());
    paths.extend(command.get_subcommands().map(of));
    for subcommand in command.get_subcommands() {
        add_paths(subcommand, &format!("{} ", of(subcommand)), paths);
    }
}

/// Subcommands of `vivarium`.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Train an experiment
    Train(TrainArgs),
    /// Evaluate a checkpoint or a study of seeds, and export circuits or animations
    #[command(args = families::options())]
    Eval(EvalArgs),
    /// Export the network of a checkpoint or the metrics of a run to a format of other programs
    Export(ExportArgs),
    /// Play backgammon or Connect Four in the terminal
    Play(PlayArgs),
    /// Rank the plays of a backgammon position, or compute its doubling decision
    Hint(HintArgs),
    /// Estimate a backgammon position, or compare the plays of a roll, by random games to the end
    Rollout(RolloutArgs),
    /// Print the match equity table of doubling decisions
    Met(MetArgs),
    /// Rate the plays and doubling decisions of a recorded backgammon game or match
    Analyze(AnalyzeArgs),
    /// Run as a backgammon engine for other programs (Universal Backgammon Interface)
    Ubgi(UbgiArgs),
    /// Print random-state scrambles of a cube
    Scramble(ScrambleArgs),
    /// Solve a cube
    Solve(SolveArgs),
    /// Expand, simplify, invert and measure an algorithm of a cube
    #[command(name = "alg")]
    Algorithm(AlgorithmArgs),
    /// Generate text with a language model
    Generate(GenerateArgs),
    /// Run benchmarks, with reference implementations where available
    Bench(BenchArgs),
    /// Monitor a run or a study of seeds in the terminal
    Monitor {
        /// Run folder, such as runs/cartpole-1-1, or folder of a study, which stands for all of its runs
        dir: PathBuf,
        /// Draw the curves of these runs and studies beside the run, at most 5
        #[arg(long, value_name = "DIR", num_args = 1..=MAX_COMPARED)]
        against: Vec<PathBuf>,
    },
    /// List, compare and delete runs
    Runs(RunsArgs),
    /// Show the CPU, the GPU adapters and the available engines
    Info,
    /// List the config fields of an experiment: meaning, range, default and unit
    Fields(FieldsArgs),
    /// List the presets of an experiment
    Presets(PresetsArgs),
    /// Print the completion script of a shell
    Completions(CompletionsArgs),
    /// Print the licenses of the program and of the third-party crates that it contains
    Notices,
    /// Write the man pages
    Man(ManArgs),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn a_config_field_without_set_gets_a_tip() {
        let said = |typed: &[&str]| {
            let error = Cli::try_parse_from(typed).expect_err("the command line is invalid");
            let words: Vec<_> = typed.iter().map(|word| (*word).to_owned()).collect();
            with_tips(error, &words).render().to_string()
        };
        let field = said(&["vivarium", "train", "cartpole", "world.gravity=3"]);
        assert!(field.contains("tip: a config field is set by '--set world.gravity=3'"), "{field}");
        assert!(!said(&["vivarium", "train", "cartpole", "pendulum"]).contains("tip:"));
        let preset = said(&["vivarium", "train", "cartpole", "--preset", "moon"]);
        assert!(preset.contains("tip: a preset is set by '--set preset=NAME'"), "{preset}");
        assert!(!preset.contains("--resume"), "the usage is not that of a similar option: {preset}");
        let text = said(&["vivarium", "train", "language", "--text", "book.txt"]);
        assert!(text.contains("set by '--set data=FILE'") && !text.contains("similar"), "{text}");
        for (option, field) in [
            ("--num-envs", "ppo.num_envs"),
            ("--lr=0.1", "ppo.learning_rate"),
            ("--learning-rate", "ppo.learning_rate"),
            ("--gamma", "ppo.discount"),
        ] {
            let text = said(&["vivarium", "train", "cartpole", option]);
            assert!(text.contains(&format!("set by '--set {field}=VALUE'")), "{text}");
            assert!(!text.contains("similar"), "{text}");
        }
        assert!(said(&["vivarium", "train", "cartpole", "--step", "3"]).contains("'--steps'"));
    }

    #[test]
    fn a_missing_experiment_lists_the_experiments() {
        for command in ["train", "fields", "presets"] {
            let error = Cli::try_parse_from(["vivarium", command]).expect_err("the experiment is missing");
            let text = with_tips(error, &[]).render().to_string();
            assert!(text.contains("the experiments are cartpole, mountain-car"), "{text}");
        }
    }

    #[test]
    fn errors_of_the_parser_have_the_style_of_the_program() {
        let error = Cli::try_parse_from(["vivarium", "train"]).expect_err("the experiment is missing");
        let message = message_of(&error);
        assert!(message.starts_with("the following required arguments"), "{message}");
        assert!(message.contains("Usage: ") && !message.ends_with('\n'), "{message}");
    }

    #[test]
    fn an_unknown_subcommand_gets_a_tip() {
        let said = |typed: &[&str]| {
            let typed = std::iter::once("vivarium").chain(typed.iter().copied());
            let error = Cli::try_parse_from(typed).expect_err("the command line is invalid");
            with_subcommand_hint(error).render().to_string()
        };
        for (typed, tip) in [
            (&["trian"][..], "exists: 'train'"),
            (&["help", "trian"], "exists: 'train'"),
            (&["help", "runs", "lst"], "exists: 'runs list'"),
            (&["help", "compare"], "exists: 'runs compare'"),
            (&["compare"], "exists: 'runs compare'"),
            (&["resume"], "it is an option: 'train --resume'"),
            (&["help", "cartpole"], "cartpole is an experiment: 'vivarium train cartpole'"),
            (&["cartpol"], "cartpole is an experiment"),
            (&["sweep"], "'vivarium runs compare DIR DIR' compares the studies"),
        ] {
            assert!(said(typed).contains(tip), "{typed:?}: {}", said(typed));
            assert_eq!(said(typed).matches("tip:").count(), 1, "{}", said(typed));
        }
        assert!(!said(&["help", "zebra"]).contains("tip:"));
    }

    /// Splits a command line at spaces outside of quotes, as a shell does.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for c in line.chars() {
            match (c, quote) {
                (' ', None) => words.push(String::new()),
                ('\'' | '"', None) => quote = Some(c),
                (_, Some(end)) if c == end => quote = None,
                _ => words.last_mut().unwrap().push(c),
            }
        }
        words
    }

    #[test]
    fn every_example_is_a_valid_command_line() {
        let mut count = 0;
        for command in Cli::command().get_subcommands() {
            for (line, _) in help::examples::of(&[command.get_name()]) {
                let line = line.split(" > ").next().unwrap();
                Cli::try_parse_from(words(line)).unwrap_or_else(|error| panic!("{line}: {error}"));
                count += 1;
            }
        }
        assert!(count > 30, "{count}");
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    proptest::proptest! {
        #[test]
        fn no_command_line_makes_it_fail(
            words in proptest::collection::vec(
                "train|eval|export|play|hint|rollout|met|ubgi|scramble|solve|alg|generate|bench|monitor|runs|info|fields|presets|completions|man|help|cartpole|--(set|until|steps|minutes|threads|json|config)|[-=.0-9a-zé]{0,5}",
                0..8,
            )
        ) {
            // Errors must be returned, not panics.
            let _ = Cli::try_parse_from(std::iter::once("vivarium".to_owned()).chain(words));
        }
    }
}
