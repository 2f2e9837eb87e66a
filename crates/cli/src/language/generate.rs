//! `vivarium generate`: text that a trained model writes.

use super::text::without_field;
use crate::command_line::GenerateArgs;
use crate::failure::Failure;
use crate::run::read_checkpoint;
use crate::terminal;
use vivarium_exhibit_language::Model;
use vivarium_graph::Cpu;
use vivarium_lm::Sampling;

/// Writes as the command line asks.
///
/// # Errors
/// [`Failure::Failed`] for a checkpoint that cannot be used, naming the file; [`Failure::Usage`] for a prompt that the model
/// cannot read.
pub fn run(args: &GenerateArgs) -> Result<(), Failure> {
    // A token is too little work to share.
    let cpu = Cpu::new(1);
    let path = &args.checkpoint;
    let refuse = |error| Failure::failed(format!("{}: {error}", path.display()));
    let model = Model::open(&read_checkpoint(path)?).map_err(refuse)?;
    let sampling = Sampling { temperature: args.temperature, top_k: args.top_k as usize };
    let mut writing = model
        .begin(&cpu, &args.prompt, sampling, args.seed)
        .map_err(|error| Failure::usage(format!("--prompt: {}", without_field(error))))?;
    terminal::part(&args.prompt);
    for _ in 0..args.tokens {
        let Some(text) = model.advance(&cpu, &mut writing).map_err(Failure::failed_by)? else { break };
        terminal::part(&text);
    }
    terminal::out("");
    Ok(())
}
