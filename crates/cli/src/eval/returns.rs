//! Evaluation episodes, with the uncertainty that a finite number of them leaves.

use super::Subject;
use crate::{terminal, text};
use serde_json::json;
use vivarium_agents::statistics::student_t_975;
use vivarium_lab::info::ControlInfo;
use vivarium_lab::protocol::ReturnsEvaluation;

/// Tells them as a table, or as one line of JSON.
pub fn tell(subject: &Subject, world: &ControlInfo, evaluation: &ReturnsEvaluation) {
    let (low, high) = interval(evaluation);
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

/// The 95 % confidence interval of the mean return, by Student's t. One episode says nothing about it.
fn interval(evaluation: &ReturnsEvaluation) -> (f64, f64) {
    let n = f64::from(evaluation.episodes);
    if evaluation.episodes < 2 {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    // `std` may have been taken over n or n - 1; for the interval it is n - 1 that counts, and the wider is the safer.
    let half = student_t_975(n - 1.0) * evaluation.std / (n - 1.0).sqrt();
    (evaluation.mean - half, evaluation.mean + half)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_narrows_with_more_episodes() {
        let evaluation = |episodes| ReturnsEvaluation {
            mean: 480.0,
            std: 20.0,
            min: 400.0,
            max: 500.0,
            terminated: 0.1,
            length: 480.0,
            episodes,
        };
        let (low, high) = interval(&evaluation(101));
        assert!(
            (480.0 - low - 2.0 * 1.984).abs() < 0.02 && (high - 480.0 - 2.0 * 1.984).abs() < 0.02,
            "{low} {high}"
        );
        assert_eq!(interval(&evaluation(1)), (f64::NEG_INFINITY, f64::INFINITY));
    }
}
