//! Runs that have reached their step limit or goal before they are resumed.

use super::args::TrainArgs;
use super::completed_run::CompletedRun;
use super::limits::StopConditions;
use crate::checkpoint_file::CheckpointFile;
use crate::run::RunFolder;
use crate::runs::stored_run::StoredRun;
use crate::text;

/// Returns the run of `--resume` if it has reached its goal or the step limit `--steps`, with a message that says how to
/// train longer. Changed settings (`--set`) always train. A run that cannot be read counts as unfinished, since its
/// resumption reports the error; so does a run of another experiment.
pub fn ended_run(args: &TrainArgs) -> Option<(CompletedRun, String)> {
    let path = args.resume.as_ref().filter(|_| args.set.is_empty())?;
    let (folder, about) = RunFolder::open(path).ok()?;
    if args.experiment.as_ref().is_some_and(|name| *name != about.experiment) {
        return None;
    }
    let (experiment, steps) =
        CheckpointFile::read(&folder.latest()).ok()?.experiment(&about.experiment).ok()?;
    let info = vivarium_exhibits::info(&about.experiment).ok()?;
    let measures = vivarium_exhibits::measures(&about.experiment).ok()?;
    let limits = StopConditions::new(args, measures, experiment.progress().total_steps);
    let count = info.readings.count(steps);
    let best = folder.best_evaluation(measures);
    let reached = best.filter(|(at, _)| *at == steps).and_then(|(_, evaluation)| {
        let goal = limits.until.as_ref()?;
        Some((goal, goal.reached_in(&evaluation)?))
    });
    let message = match (&reached, limits.steps) {
        (Some((goal, value)), _) => format!(
            "The run has already reached {goal} ({}), after {count}. To train longer, use another goal, --steps or --minutes.",
            text::number(*value)
        ),
        (None, Some(last)) if steps >= last => {
            format!("The run already has {count}, and --steps is the total. To train longer, increase it.")
        }
        _ => return None,
    };
    let run = StoredRun::open(path).ok()?;
    let score = measures.score();
    let results = run.results(None).ok()?;
    let completed = CompletedRun {
        path: path.clone(),
        score,
        // An aborted evaluation of the final state has no result; an earlier one is not that of the final state.
        last: results.metric(score.name).filter(|_| results.evaluated == Some(steps)),
        best: run.best,
        steps,
        elapsed: run.elapsed,
        missed_goal: args.until.is_some() && reached.is_none(),
    };
    Some((completed, message))
}
