//! `vivarium eval`: how a checkpoint does, and what can be made of it.

mod export;
mod logic;
mod returns;

use crate::command_line::EvalArgs;
use crate::failure::Failure;
use crate::measures::Measures;
use crate::{machine, train};
use vivarium_graph::Cpu;
use vivarium_lab::info::{ExperimentInfo, WorldInfo};
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::registry;

/// What an evaluation is told with.
struct Subject<'a> {
    info: &'a ExperimentInfo,
    args: &'a EvalArgs,
    /// Steps or epochs that the checkpoint was trained for.
    trained: u64,
}

/// Evaluates as the command line asks, and writes the files that it asks for.
///
/// # Errors
/// [`Failure::Usage`] for an unknown experiment, or files that it cannot be made into; [`Failure::Failed`] for a checkpoint
/// that cannot be opened or is another experiment's, and for a file that cannot be written.
pub fn run(args: &EvalArgs) -> Result<(), Failure> {
    let info = registry::info(&args.experiment).map_err(Failure::usage_by)?;
    export::check(args, &info)?;
    let mut experiment = train::open_checkpoint(&args.checkpoint, &info.name)?;
    let threads = args.threads.map_or_else(machine::cores, usize::from);
    let trials = args.episodes.unwrap_or_else(|| Measures::of(&info).trials(&experiment.config()));
    let evaluation = experiment.evaluate(&Cpu::new(threads), trials, args.seed).map_err(Failure::usage_by)?;
    export::write(args, experiment.as_mut())?;
    let subject = Subject { info: &info, args, trained: experiment.progress().steps };
    match (&evaluation, &info.world) {
        (Evaluation::Returns(evaluation), WorldInfo::Control(world)) => {
            returns::tell(&subject, world, evaluation);
        }
        (Evaluation::Logic(evaluation), WorldInfo::LogicCa(_)) => {
            logic::tell(&subject, evaluation, &export::circuit(experiment.as_mut())?);
        }
        _ => return Err(Failure::failed(format!("{} is not evaluated as its world is", info.name))),
    }
    Ok(())
}
