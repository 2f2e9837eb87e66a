//! Evaluation of board games: matches against reference players.

use crate::family::info;
use crate::protocol::{GameMatch, GamesEvaluation};
use crate::rules::{TableGame, each_game};
use vivarium_lab::measures::{EvaluatedMeasure, EvaluationReport, Measures, RunStatus};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::text;

/// Returns the measures of a game's evaluation. A winner gets at most `most` points.
const fn evaluated_up_to(most: f64) -> [EvaluatedMeasure; 2] {
    [
        EvaluatedMeasure {
            measure: "points",
            name: "eval_points",
            label: "Evaluated points",
            unit: "a game, without search, against the hardest opponent",
            range: MetricRange { least: -most, most },
        },
        EvaluatedMeasure {
            measure: "wins",
            name: "eval_wins",
            label: "Evaluated wins",
            unit: "of the games against the hardest opponent",
            range: MetricRange::SHARE,
        },
    ]
}

/// Returns the measures of an evaluation of experiment `name`; none for an unknown name.
fn evaluated(name: &str) -> &'static [EvaluatedMeasure] {
    fn of_game<G: TableGame>() -> (&'static str, &'static [EvaluatedMeasure]) {
        (G::NAME, const { &evaluated_up_to(G::MAX_VALUE as f64) })
    }
    let found = each_game!(of_game()).into_iter().find(|(known, _)| *known == name);
    found.map_or(&[], |(_, evaluated)| evaluated)
}

/// Returns the evaluation settings of experiment `name`, which must be one of the board games.
#[must_use]
pub fn measures(name: &str) -> Measures {
    Measures {
        readings: info(name).readings,
        goal_help: "trains until stopped, or --until 'points>=0': as strong as its strongest opponent".into(),
        evaluated: evaluated(name),
        trials_label: "100 pairs of games against each opponent",
        trials: |_| 100,
        confirmation_factor: Some(5),
        evaluation_interval: 1 << 18,
        unsaved_state: Some("self-play games and replay buffer"),
        status,
        ..Measures::of::<GamesEvaluation>()
    }
}

fn status(of: &RunStatus<'_>) -> Vec<String> {
    let points = of.evaluated("points").map(|value| format!("{} points a game", text::number(value)));
    let losses = [of.named("policy loss", "policy_loss"), of.named("value", "value_loss")];
    points.into_iter().chain(losses.into_iter().flatten()).collect()
}

impl EvaluationReport for GamesEvaluation {
    fn sentence(&self) -> String {
        let of = |game: &GameMatch| {
            let points = game.points.map_or("–".into(), text::number);
            format!("{points} points a game against {}", game.labels[1])
        };
        format!("Without search: {}.", self.matches.iter().map(of).collect::<Vec<_>>().join(", "))
    }
}
