//! `vivarium generate`: text generation with a trained model.

use crate::checkpoint_file::CheckpointFile;
use crate::corpus::without_field;
use crate::error::CliError;
use crate::terminal;
use crate::values::{temperature, whole};
use clap::Args;
use std::path::PathBuf;
use vivarium_exhibit_language::Model;
use vivarium_graph::Cpu;
use vivarium_lm::Sampling;

/// Command-line arguments of `vivarium generate`.
#[derive(Args, Debug)]
#[command(after_help = "The prompt and the completion are printed token by token.\n\
    To train a model: vivarium train language, or vivarium train language --set data=FILE")]
pub struct GenerateArgs {
    /// Checkpoint file or run folder of a language model, such as runs/language-1-1 [default: the network of the program]
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
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

/// Runs `vivarium generate`.
///
/// # Errors
/// [`CliError::Failed`] for an invalid checkpoint; [`CliError::Usage`] for a prompt that the tokenizer cannot encode.
pub fn run(args: &GenerateArgs) -> Result<(), CliError> {
    // One thread, because the computation per token is too small for several threads.
    let cpu = Cpu::new(1);
    let file = CheckpointFile::open(args.checkpoint.as_deref(), "language")?;
    let model = Model::open(file.bytes()).map_err(|error| file.refuse(error))?;
    let sampling = Sampling { temperature: args.temperature, top_k: args.top_k as usize };
    let mut writing = model
        .begin(&cpu, &args.prompt, sampling, args.seed)
        .map_err(|error| CliError::usage(format!("--prompt: {}", without_field(error))))?;
    terminal::print_text(&args.prompt);
    for _ in 0..args.tokens {
        let Some(text) = model.advance(&cpu, &mut writing).map_err(CliError::failed_by)? else { break };
        terminal::print_text(&text);
    }
    terminal::print_line("");
    Ok(())
}
