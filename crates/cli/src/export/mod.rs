//! `vivarium export`: writes the network of a checkpoint, or the metrics of a run, in a format of other programs.

mod csv;

use crate::checkpoint_file::{CheckpointFile, absence};
use crate::error::CliError;
use crate::output_file::{check_new, check_not_input, check_parent, check_path, write_file};
use crate::run::run_group::find_all;
use clap::{Args, ValueEnum};
use std::fs;
use std::path::{Path, PathBuf};
use vivarium_exhibit_language::{HUGGING_FACE_FILES, hugging_face};

/// Command-line arguments of `vivarium export`.
#[derive(Args, Debug)]
#[command(
    after_help = "Of a run folder, the best checkpoint is exported, or the latest checkpoint if the run has not been evaluated yet.\n\
    To continue the training of an exported language model: vivarium train language --from-huggingface DIR"
)]
pub struct ExportArgs {
    /// Checkpoint file or run folder, such as runs/cartpole-1-1, or an experiment whose network the program contains, such as cube3
    #[arg(value_name = "CHECKPOINT_OR_RUN")]
    pub source: PathBuf,
    /// File format
    #[arg(long = "to", value_enum, value_name = "FORMAT", hide_possible_values = false)]
    pub format: FileFormat,
    /// File to write, or - for standard output; for huggingface, the folder to write
    #[arg(long, value_name = "PATH")]
    pub out: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    pub force: bool,
}

/// File format of `vivarium export`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FileFormat {
    /// Network of any experiment except logic-ca as an ONNX model, with the normalization of its inputs
    Onnx,
    /// Language model as a folder that the library transformers opens as GPT-2
    #[value(name = "huggingface")]
    HuggingFace,
    /// Checkpoint with the weights only, for play, solve and generate: a board game, a cube or a language model
    Weights,
    /// Metrics of a run as a table with one row per step; of a study of seeds, with the columns study and seed; of a folder with
    /// several runs or studies, with the columns run, study (if there is one), seed and the settings that differ
    Csv,
}

/// Runs `vivarium export`.
///
/// # Errors
/// [`CliError::Usage`] if the output exists, or the experiment does not support the format; [`CliError::Failed`] for a
/// missing or invalid checkpoint or run, and for files that cannot be written.
pub fn run(args: &ExportArgs) -> Result<(), CliError> {
    let ExportArgs { source, format, out, .. } = args;
    match format {
        FileFormat::Onnx => {
            check_file(args)?;
            let file = network(source)?;
            let model = vivarium_exhibits::onnx(file.bytes()).map_err(|error| file.refuse(error))?;
            write_file(out, &model)
        }
        FileFormat::HuggingFace => {
            check_folder(args)?;
            let file = network(source)?;
            let files = hugging_face(file.bytes()).map_err(|error| file.refuse(error))?;
            fs::create_dir_all(out).map_err(|error| CliError::file("create the folder", out, error))?;
            files.iter().try_for_each(|(name, bytes)| write_file(&out.join(name), bytes))
        }
        FileFormat::Weights => {
            check_file(args)?;
            let file = network(source)?;
            let weights =
                vivarium_exhibits::weights_only(file.bytes()).map_err(|error| file.refuse(error))?;
            write_file(out, &weights)
        }
        FileFormat::Csv => {
            check_file(args)?;
            if source.is_file() {
                return Err(CliError::usage(format!(
                    "{}: metrics are stored in the folder of a run, not in a checkpoint; export the run folder",
                    source.display()
                )));
            }
            csv::write(source, &find_all(source)?, out)
        }
    }
}

/// Opens the checkpoint file or run folder `source`, or if there is no such path, the network of the experiment `source`
/// that the program contains.
fn network(source: &Path) -> Result<CheckpointFile, CliError> {
    let name = source.to_str().filter(|_| !source.exists());
    match (name.map(CheckpointFile::shipped).transpose()?.flatten(), name) {
        (Some(file), _) => Ok(file),
        (None, Some(name)) if vivarium_exhibits::info(name).is_ok() => {
            Err(CliError::usage(format!("{}; specify a checkpoint file or a run folder", absence(name))))
        }
        (None, _) => CheckpointFile::read(source),
    }
}

/// Returns the path that is read; `None` for a network that the program contains.
fn input(args: &ExportArgs) -> Option<&Path> {
    Some(args.source.as_path()).filter(|source| source.exists())
}

/// Checks that the output file can be written, and does not exist unless `--force` is given.
fn check_file(args: &ExportArgs) -> Result<(), CliError> {
    check_path(&args.out)?;
    check_not_input("--out", &args.out, input(args))?;
    check_new("--out", &args.out, args.force)
}

/// Checks that the output folder can be written. Without `--force`, also checks that none of the files to write exists
/// in it.
fn check_folder(args: &ExportArgs) -> Result<(), CliError> {
    let ExportArgs { out, .. } = args;
    if out.is_file() {
        return Err(CliError::file("create the folder", out, "it is a file"));
    }
    check_parent(out)?;
    for name in HUGGING_FACE_FILES {
        let file = out.join(name);
        check_not_input("--out", &file, input(args))?;
        check_new("--out", &file, args.force)?;
    }
    Ok(())
}
