//! `vivarium generate`: text generation with a trained model.

use super::text::without_field;
use crate::command_line::GenerateArgs;
use crate::error::CliError;
use crate::run::read_checkpoint;
use crate::terminal;
use vivarium_exhibit_language::Model;
use vivarium_graph::Cpu;
use vivarium_lm::Sampling;

/// Runs `vivarium generate`.
///
/// # Errors
/// [`CliError::Failed`] for an invalid checkpoint; [`CliError::Usage`] for a prompt that the tokenizer cannot encode.
pub fn run(args: &GenerateArgs) -> Result<(), CliError> {
    // One thread, because the computation per token is too small for several threads.
    let cpu = Cpu::new(1);
    let path = &args.checkpoint;
    let refuse = |error| CliError::failed(format!("{}: {error}", path.display()));
    let model = Model::open(&read_checkpoint(path)?).map_err(refuse)?;
    let sampling = Sampling { temperature: args.temperature, top_k: args.top_k as usize };
    let mut writing = model
        .begin(&cpu, &args.prompt, sampling, args.seed)
        .map_err(|error| CliError::usage(format!("--prompt: {}", without_field(error))))?;
    terminal::part(&args.prompt);
    for _ in 0..args.tokens {
        let Some(text) = model.advance(&cpu, &mut writing).map_err(CliError::failed_by)? else { break };
        terminal::part(&text);
    }
    terminal::out("");
    Ok(())
}
