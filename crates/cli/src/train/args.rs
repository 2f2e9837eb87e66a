//! Arguments and options of `vivarium train`.

use super::seed_list::{self, SeedList};
use super::settings::SettingOptions;
use crate::completions::{assignments, experiments};
use crate::engine::args::EngineChoice;
use crate::run;
use crate::values::{minutes, whole};
use clap::Args;
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap_complete::engine::{ArgValueCandidates, ArgValueCompleter};
use std::path::PathBuf;
use vivarium_lab::goal::Goal;
use vivarium_lab::registry::LARGEST_SEED;

/// Command-line arguments of `vivarium train`.
#[derive(Args, Clone, Debug, Default)]
#[command(
    after_help = "Without --until, --steps and --minutes, a resumed run keeps goal and limits of its previous session; one of these options \
    replaces all. Without limits, classic control trains until solved, a logic automaton for the epochs \
    of its config, a language model to the end of its learning-rate schedule; games and cubes train until Ctrl-C.\n\
    --config and --set apply in the order of the command line, and the later value of a field wins. A preset sets the fields \
    in which it differs from the defaults; a preset without such fields, such as default, resets all fields. Fields of a \
    preset that another option overrides are reported.\n\
    The seeds of --seeds are trained one after another. To train them at the same time, start a run per seed with --threads 1 and \
    --out DIR/SEED; the command with --seeds and --out DIR then prints the means.\n\
    A checkpoint is saved at the start, at the end, and in between 10 seconds after the previous one; if writing takes longer than \
    0.2 seconds, later, so that it takes at most 2 % of the time, but after at most a minute. It waits for the current training step \
    and evaluation. \
    Ctrl-C, SIGTERM and SIGHUP save a checkpoint and print the command that resumes the run; with nohup, SIGHUP is ignored."
)]
pub struct TrainArgs {
    /// Values of --config and --set in the order of the command line.
    #[command(flatten)]
    pub settings: SettingOptions,
    /// Name of the experiment, such as cartpole; `vivarium` without arguments lists all [default: the experiment of the run
    /// folder of --resume or --config, of the checkpoint of --from, or language with --from-huggingface]
    #[arg(required_unless_present_any = ["resume", "config", "from", "from_hugging_face"], add = ArgValueCandidates::new(experiments))]
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
    /// Random seed; on one machine and engine, equal seeds give equal runs [default: the seed of the run of --config, or else 1]
    #[arg(long, value_name = "S", allow_negative_numbers = true, conflicts_with = "resume", value_parser = whole(0, LARGEST_SEED))]
    pub seed: Option<u64>,
    /// Train a run for each of these seeds, one after another, such as 1-5 or 1,3,7, and print the mean results with 95 %
    /// confidence intervals; --out DIR is the folder of the run folders, with which the same command resumes an interrupted study
    #[arg(long, value_name = "LIST", allow_hyphen_values = true, conflicts_with_all = ["seed", "resume"], value_parser = seed_list::parse)]
    pub seeds: Option<SeedList>,
    /// JSON file with config fields, or a run folder, whose config.json is read; the new run then has the seed of the run unless
    /// --seed is given; repeatable
    #[arg(long, value_name = "FILE", conflicts_with = "resume", value_parser = PathBufValueParser::new().map(run::config_file))]
    pub config: Vec<PathBuf>,
    /// Start a new run from the state of a checkpoint or run folder; --set changes live fields, and data=PATH gives a new path of
    /// the same training text
    #[arg(long, value_name = "FILE", conflicts_with_all = ["resume", "seed", "seeds", "config", "from_hugging_face"])]
    pub from: Option<PathBuf>,
    /// Continue the training of a GPT-2 model from a folder in the format of Hugging Face (language only); its config.json sets the
    /// architecture
    #[arg(long = "from-huggingface", value_name = "DIR", conflicts_with = "resume")]
    pub from_hugging_face: Option<PathBuf>,
    /// Set a config field or a preset, such as world.gravity=12 or preset=moon; repeatable. `vivarium fields` and `vivarium
    /// presets` list them
    #[arg(long, value_name = "KEY=VALUE", add = ArgValueCompleter::new(assignments))]
    pub set: Vec<String>,
    /// Stop at a goal: an evaluation measure ('return>=475': mean of 100 episodes, confirmed by 1000 others) or a training metric ('hard_accuracy>=1')
    #[arg(long, value_name = "GOAL")]
    pub until: Option<Goal>,
    /// Stop after this total number of steps (epochs of a logic automaton, tokens of a language model), such as 2000000 or 2e6; rounded up to whole iterations
    #[arg(long, alias = "total-timesteps", value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 1_000_000_000_000_000u64))]
    pub steps: Option<u64>,
    /// Stop after this many minutes of this session; the current iteration or evaluation may take up to 5 seconds more, or a tenth of the time
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = minutes)]
    pub minutes: Option<f64>,
    /// Print JSON to standard output, one object per line: the event start, the recorded rows of metrics.jsonl (metrics), failed
    /// writes (warning, recovered), and the event end with the recommended checkpoint and its evaluation; the summary goes to standard error
    #[arg(long)]
    pub json: bool,
    /// Print only errors and the final summary on standard error, without progress and comments; --json is unchanged
    #[arg(long)]
    pub quiet: bool,
    /// Evaluate when training reaches a multiple of N steps, such as 10000 or 1e5, instead of by the schedule of the experiment; each
    /// evaluation follows a complete iteration. The end of the run is also evaluated
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, 1_000_000_000_000_000u64))]
    pub evaluate_every: Option<u64>,
    /// Keep the checkpoints of the last N evaluations, 1 to 1000000, as checkpoint-STEPS.safetensors beside the latest and the best
    /// checkpoint; --checkpoint and --from read them [default: none]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 1_000_000))]
    pub keep_checkpoints: Option<u32>,
    /// Maximum number of metric rows per doubling of the gradient steps, rounded up to a power of two; evaluations are always
    /// recorded, and all rows up to twice N gradient steps [default: 4096, at most 100 MB in a day of cartpole]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1u32, 1 << 30))]
    pub metrics_rows: Option<u32>,
    /// Run folder, or with --seeds the folder of the run folders [default: runs/EXPERIMENT-SEED-N, or runs/EXPERIMENT-seeds-N]
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub out: Option<PathBuf>,
    /// Resume the run in this folder from its last checkpoint, with goal and limits of its previous session unless --until, --steps
    /// or --minutes is given; exact, except that board games restart their self-play games with an
    /// empty replay buffer; --set changes live fields, and data=PATH gives a new path of the same training text
    #[arg(long, value_name = "DIR")]
    pub resume: Option<PathBuf>,
}
