//! `vivarium eval` for language models: option `--text`, the training text.

use crate::corpus;
use crate::error::CliError;
use crate::eval::args::EvalArgs;
use crate::eval::family::EvalFamily;
use clap::{Args, Command};
use std::path::PathBuf;
use vivarium_lab::Experiment;

/// Options of `vivarium eval` for language models.
#[derive(Args, Debug)]
struct LanguageEvalArgs {
    /// Training text of a language model, a file or folder; required unless the model was trained on the built-in encyclopedia
    #[arg(long, value_name = "PATH")]
    text: Option<PathBuf>,
}

/// Part of `vivarium eval` that is specific to language models: option `--text`, the training text.
pub struct LanguageEval;

impl EvalFamily for LanguageEval {
    fn kind(&self) -> &'static str {
        "language"
    }

    fn names(&self) -> [&'static str; 2] {
        ["language model", "language models"]
    }

    fn augment(&self, command: Command) -> Command {
        LanguageEvalArgs::augment_args(command)
    }

    fn prepare(&self, args: &EvalArgs, experiment: &mut dyn Experiment) -> Result<(), CliError> {
        let LanguageEvalArgs { text } = args.families.of()?;
        corpus::supply_given(experiment, text.as_deref())
    }
}
