//! Evaluation episodes, with the uncertainty that a finite number of them leaves.

use super::Subject;
use crate::{interval, terminal, text};
use serde_json::json;
use vivarium_lab::info::ControlInfo;
use vivarium_lab::protocol::ReturnsEvaluation;

/// Tells them as a table, or as one line of JSON.
pub fn tell(subject: &Subject, world: &ControlInfo, evaluation: &ReturnsEvaluation) {
    let (low, high) = interval::of_mean(evaluation.mean, evaluation.std, evaluation.episodes);
    let verdict = if evaluation.mean >= world.solved { "solved" } else { "not solved" };
    if subject.args.json {
        let value = json!({
            "episodes": evaluation.episodes,
            "mean": evaluation.mean,
            "std": evaluation.std,
            "min": evaluation.min,
            "max": evaluation.max,
            "mean_low": low,
            "mean_high": high,
            "length": evaluation.length,
            "terminated": evaluation.terminated,
            "solved": evaluation.mean >= world.solved,
        });
        terminal::out(&subject.json(value));
        return;
    }
    terminal::out(&format!(
        "\
{title}: {episodes} greedy episodes, after {steps} steps of training
  mean return  {mean:>9.2}   95 % interval {low:.2} to {high:.2}
  deviation    {std:>9.2}
  smallest     {min:>9.2}
  largest      {max:>9.2}
  mean length  {length:>9.1}   steps; {terminated:.0} % ended in a terminal state
  {verdict}: it counts as solved from a mean return of {solved}",
        title = subject.info.title,
        episodes = evaluation.episodes,
        steps = text::whole(subject.trained),
        mean = evaluation.mean,
        std = evaluation.std,
        min = evaluation.min,
        max = evaluation.max,
        length = evaluation.length,
        terminated = 100.0 * evaluation.terminated,
        solved = world.solved,
    ));
}
