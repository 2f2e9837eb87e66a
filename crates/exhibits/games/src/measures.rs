//! Evaluation of board games: matches against reference players.

use crate::protocol::{GameMatch, GamesEvaluation};
use crate::rules::TableGame;
use std::marker::PhantomData;
use vivarium_lab::measures::{EvaluatedMeasure, EvaluationReport, EvaluationSchedule, Measures, RunStatus};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::text;

const POINTS: [&str; 4] =
    ["points", "eval_points", "Evaluated points", "a game, without search, against the hardest opponent"];
const WINS: [&str; 4] = ["wins", "eval_wins", "Evaluated wins", "of the games against the hardest opponent"];

/// Evaluations of the board-game experiment of game `G`: measures, schedule and text report.
pub(crate) struct GameMeasures<G>(pub(crate) PhantomData<G>);

impl<G: TableGame> Measures for GameMeasures<G> {
    fn goal_help(&self) -> String {
        "trains until stopped, or --until 'points>=0': as strong as its strongest opponent".into()
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        const {
            let most = G::MAX_VALUE as f64;
            &[
                EvaluatedMeasure::new(POINTS, MetricRange { least: -most, most }),
                EvaluatedMeasure::new(WINS, MetricRange::SHARE),
            ]
        }
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 1 << 18,
            trials_label: "100 pairs of games against each opponent",
            confirmation_factor: Some(5),
        }
    }

    fn unsaved_state(&self) -> Option<&'static str> {
        Some("self-play games and replay buffer")
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        let points = of.evaluated("points").map(|value| format!("{} points a game", text::number(value)));
        let losses = [of.named("policy loss", "policy_loss"), of.named("value", "value_loss")];
        points.into_iter().chain(losses.into_iter().flatten()).collect()
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        Some(Box::new(evaluation.read::<GamesEvaluation>()?))
    }
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
