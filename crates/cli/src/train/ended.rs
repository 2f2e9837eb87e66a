//! Runs that have reached their step limit or goal before they are resumed.

use super::args::TrainArgs;
use super::evaluation;
use super::limits::StopConditions;
use crate::checkpoint_file::CheckpointFile;
use crate::error::CliError;
use crate::run::RunFolder;
use crate::text;

/// A run of `--resume` that has nothing to train.
pub struct EndedRun {
    /// Why there is nothing to train, and how to train longer.
    pub message: String,
    /// Whether the goal of `--until` is not reached.
    pub missed_goal: bool,
}

/// Returns the run of `--resume` if it has reached its goal or the step limit `--steps`. Changed settings (`--set`) always
/// train. A run that cannot be read counts as unfinished, since its resumption reports the error.
pub fn ended_run(args: &TrainArgs) -> Option<EndedRun> {
    let path = args.resume.as_ref().filter(|_| args.set.is_empty())?;
    let (folder, about) = RunFolder::open(path).ok()?;
    let (experiment, steps) =
        CheckpointFile::read(&folder.latest()).ok()?.experiment(&about.experiment).ok()?;
    let info = vivarium_exhibits::info(&about.experiment).ok()?;
    let measures = vivarium_exhibits::measures(&about.experiment).ok()?;
    let limits = StopConditions::new(args, measures, experiment.progress().total_steps);
    let count = info.readings.count(steps);
    let best = folder.best_evaluation().and_then(|json| evaluation::from_json(&json, measures));
    if let (Some(goal), Some((at, evaluation))) = (&limits.until, &best)
        && *at == steps
        && let Some(value) = goal.reached_in(evaluation)
    {
        let value = text::number(value);
        let message = format!(
            "The run has already reached {goal} ({value}), after {count}. To train longer, use another goal, --steps or \
             --minutes."
        );
        return Some(EndedRun { message, missed_goal: false });
    }
    let message =
        format!("The run already has {count}, and --steps is the total. To train longer, increase it.");
    limits
        .steps
        .filter(|last| steps >= *last)
        .map(|_| EndedRun { message, missed_goal: args.until.is_some() })
}
