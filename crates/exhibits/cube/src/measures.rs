//! Evaluation and progress of cube experiments in the terminal.

use crate::protocol::CubeEvaluation;
use serde_json::Value;
use vivarium_agents::dqn::CubeProblem;
use vivarium_lab::measures::{
    EvaluatedMeasure, EvaluationChart, EvaluationContext, EvaluationReport, EvaluationSchedule, Measures,
    RunStatus,
};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::text;

const STATES: [EvaluatedMeasure; 2] = [
    EvaluatedMeasure::new(
        ["solved", "eval_solved", "Evaluated states", "of all states solved by the greedy policy"],
        MetricRange::SHARE,
    )
    .drawn_in(EvaluationChart::First),
    EvaluatedMeasure::new(
        ["excess", "eval_excess", "Evaluated excess", "moves beyond the optimum"],
        MetricRange::NONNEGATIVE,
    ),
];

const CUBES: [EvaluatedMeasure; 2] = [
    EvaluatedMeasure::new(
        ["solved", "eval_solved", "Evaluated cubes", "of random cubes solved, beam width 1,024"],
        MetricRange::SHARE,
    ),
    EvaluatedMeasure::new(
        ["moves", "eval_moves", "Evaluated length", "moves per solution"],
        MetricRange::NONNEGATIVE,
    ),
];

/// Evaluations of the 2×2×2 experiment, which cover all states: measures, schedule and text report.
pub(crate) struct Cube2Measures;

impl Measures for Cube2Measures {
    fn goal_help(&self) -> String {
        "trains until stopped, or --until 'solved>=0.999': 99.9 % of all states".into()
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        &STATES
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 1 << 21,
            trials_label: "all 3,674,160 states",
            confirmation_factor: None,
        }
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        let demonstrations = of.named("demonstration loss", "lesson_loss");
        let level = of.metric("open_level").filter(|_| demonstrations.is_none());
        let parts = [
            of.evaluated("solved").map(|share| format!("solves {} of all states", text::share(share))),
            demonstrations,
            level.map(scrambles),
            of.metric("success").map(|share| format!("success rate {}", text::share(share))),
            of.named("loss", "loss"),
        ];
        parts.into_iter().flatten().collect()
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        Some(Box::new(evaluation.read::<CubeEvaluation>()?))
    }
}

/// Returns a phrase for the initial states of training episodes at curriculum level `level`: "scrambles of … moves", or
/// "random states" at the last level.
fn scrambles(level: f64) -> String {
    if level >= f64::from(CubeProblem::LEVELS) {
        "random states".into()
    } else {
        format!("scrambles of {level} moves")
    }
}

/// Evaluations of the 3×3×3 experiment, which solve random cubes: measures, schedule and text report.
pub(crate) struct Cube3Measures;

impl Measures for Cube3Measures {
    fn goal_help(&self) -> String {
        "trains until stopped, or --until 'solved>=1': every random cube of an evaluation".into()
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        &CUBES
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 1 << 21,
            trials_label: "20 random cubes",
            confirmation_factor: Some(5),
        }
    }

    /// Returns the default number of random cubes of an evaluation: few, because each search takes up to a second.
    fn trials(&self, _: &Value) -> u32 {
        20
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        let parts = [
            of.evaluated("solved").map(|share| format!("solves {} of random cubes", text::share(share))),
            of.evaluated("moves").map(|moves| format!("{} moves", text::number(moves))),
            of.metric("accuracy").map(|share| format!("accuracy {}", text::share(share))),
            of.named("loss", "loss"),
        ];
        parts.into_iter().flatten().collect()
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        Some(Box::new(evaluation.read::<CubeEvaluation>()?))
    }
}

impl EvaluationReport for CubeEvaluation {
    fn sentence(&self) -> String {
        let how = match self.width {
            None => format!("{} states with the greedy policy", text::whole(self.cubes)),
            Some(width) => format!("{}, beam width {width}", text::count(self.cubes, "random cube")),
        };
        let moves = self.mean_length.map_or(String::new(), |moves| {
            let beyond = self
                .mean_excess
                .map_or(String::new(), |excess| format!(", {} beyond the optimum", text::number(excess)));
            format!(", in {} moves on average{beyond}", text::number(moves))
        });
        format!("Solves {} of {how}{moves}.", text::share(self.solved))
    }

    /// Formats the evaluation as a table; for the 2×2×2 cube with one row per distance from the solved state.
    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let Self { cubes, solved, mean_length, mean_excess, width, .. } = *self;
        let how = match width {
            None => format!("all {} states, greedy policy", text::whole(cubes)),
            Some(width) => format!("{}, beam width {width}", text::count(cubes, "random cube")),
        };
        let mut lines = vec![format!(
            "{}: {how}, after {} samples of training",
            subject.title,
            text::whole(subject.trained)
        )];
        lines.push(format!("  solved       {:>9}", text::share(solved)));
        if let Some(moves) = mean_length {
            lines.push(format!("  mean length  {moves:>9.2}   quarter turns"));
        }
        if let Some(excess) = mean_excess {
            lines.push(format!("  excess moves {excess:>9.3}   mean beyond the optimum"));
        }
        if !self.depths.is_empty() {
            lines.push("  distance     states   solved          excess moves".into());
        }
        for depth in &self.depths {
            let share = depth.solved as f64 / depth.known.max(1) as f64;
            let excess = depth.mean_excess.map_or("–".into(), |excess| format!("{excess:.3}"));
            lines.push(format!(
                "  {:>8} {:>10}   {:<14}  {excess}",
                depth.distance,
                depth.states,
                text::share(share)
            ));
        }
        let lost: u64 = self.cycles.iter().map(|cycle| cycle.states).sum();
        if let (Some(first), Some(last)) = (self.cycles.first(), self.cycles.last()) {
            lines.push(format!(
                "  {} end in cycles of {} to {} moves",
                text::count(lost, "state"),
                first.length,
                last.length
            ));
        }
        lines.join("\n")
    }
}
