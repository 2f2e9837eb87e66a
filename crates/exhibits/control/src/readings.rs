//! Metrics and charts that front ends show for control experiments.

use vivarium_lab::readings::{Curves, Reading, Readings, Threshold};

/// Names of the metrics in the small charts if the learner is DQN.
const DQN: [&str; 4] = ["loss", "value_mean", "error_mean", "epsilon"];
/// Names of the metrics in the small charts if the learner is PPO.
const PPO: [&str; 4] = ["policy_loss", "value_loss", "entropy", "approx_kl"];

/// Returns the metrics and charts that front ends display for the experiment of an environment. `solved` is the mean
/// return at which the environment counts as solved; `has_dqn` is whether the experiment offers DQN.
pub(crate) fn readings(has_dqn: bool, solved: f64) -> Readings {
    let dqn = has_dqn.then(|| Curves::when("learner", "dqn", &DQN));
    Readings {
        unit: "steps",
        headline: Some(Reading::metric("return_mean", "Mean return of the last 100 episodes")),
        figures: vec![vec![
            Reading::progress("steps", "Steps"),
            Reading::progress("episodes", "Episodes"),
            Reading::progress("updates", "Gradient steps"),
            Reading::progress("speed", "Steps/s"),
        ]],
        large: vec!["return_mean"],
        small: dqn.into_iter().chain([Curves::of(&PPO)]).collect(),
        results: vec!["return_mean"],
        solved: Some(Threshold { metric: "return_mean", from: solved }),
    }
}
