//! Evaluation measures of logic automata: accuracy and wrong bits of the hard circuit.

use crate::protocol::LogicEvaluation;
use serde_json::{Value, json};
use vivarium_lab::measures::{
    EvaluatedMeasure, EvaluationChart, EvaluationContext, EvaluationReport, EvaluationSchedule, Measures,
    RunStatus,
};
use vivarium_lab::metrics::MetricRange;
use vivarium_lab::protocol::Evaluation;
use vivarium_lab::text;

/// Default number of boards of an evaluation.
const BOARDS: u32 = 100;

/// Maximum number of cells of an evaluation, over all boards. If the boards are large, the evaluation has fewer boards.
const MAX_CELLS: u64 = 1 << 20;

const EVALUATED: [EvaluatedMeasure; 2] = [
    EvaluatedMeasure::new(
        ["accuracy", "eval_accuracy", "Evaluated accuracy", "of the cells of new boards"],
        MetricRange::SHARE,
    )
    .drawn_in(EvaluationChart::First),
    EvaluatedMeasure::new(
        ["wrong_bits", "eval_wrong_bits", "Evaluated errors", "wrong bits on new boards"],
        MetricRange::NONNEGATIVE,
    ),
];

/// Evaluations of the logic-automaton experiment: the measures (accuracy and wrong bits of the circuit with hard
/// gates), the interval and size of evaluations, and the text report.
pub(crate) struct LogicMeasures;

impl Measures for LogicMeasures {
    fn goal_help(&self) -> String {
        "trains for the epochs of its config, or --until 'accuracy>=1': all cells correct".into()
    }

    fn evaluated(&self) -> &'static [EvaluatedMeasure] {
        &EVALUATED
    }

    fn task_section(&self) -> Option<&'static str> {
        Some("task")
    }

    fn schedule(&self) -> EvaluationSchedule {
        EvaluationSchedule {
            interval: 10,
            trials_label: "up to 100 new boards",
            confirmation_factor: Some(5),
        }
    }

    fn trials(&self, config: &Value) -> u32 {
        let side = |path| config.pointer(path).and_then(Value::as_u64).unwrap_or(1).max(1);
        let cells = side("/task/width").saturating_mul(side("/task/height"));
        (MAX_CELLS / cells).clamp(1, u64::from(BOARDS)) as u32
    }

    fn status(&self, of: &RunStatus<'_>) -> Vec<String> {
        let accuracy = of.metric("hard_accuracy").map(|value| format!("accuracy {}", text::share(value)));
        let losses = [of.named("soft loss", "soft_loss"), of.named("hard", "hard_loss")];
        accuracy.into_iter().chain(losses.into_iter().flatten()).collect()
    }

    fn report(&self, evaluation: &Evaluation) -> Option<Box<dyn EvaluationReport>> {
        Some(Box::new(evaluation.read::<LogicEvaluation>()?))
    }
}

impl EvaluationReport for LogicEvaluation {
    fn sentence(&self) -> String {
        format!(
            "Hard circuit: {} of cells correct on {}, {}.",
            text::share(self.accuracy),
            text::count(u64::from(self.boards), "new board"),
            text::count(self.wrong_bits, "wrong bit"),
        )
    }

    fn table(&self, subject: &EvaluationContext<'_>) -> String {
        let mut lines = vec![format!(
            "{}: hard circuit of {}, depth {}, after {}",
            subject.title,
            text::count(self.gates, "gate"),
            self.depth,
            text::count(subject.trained, "epoch")
        )];
        let trials = format!(
            "{}, {}",
            text::count(u64::from(self.boards), "board"),
            text::count(self.wrong_bits, "wrong bit")
        );
        lines.extend(row("As trained", Some(self.accuracy), &trials));
        lines.extend(self.tests.iter().flat_map(|test| row(&test.label, test.accuracy, &test.help)));
        lines.join("\n")
    }

    fn json(&self, _: &EvaluationContext<'_>) -> Value {
        json!({
            "boards": self.boards,
            "accuracy": self.accuracy,
            "wrong_bits": self.wrong_bits,
            "tests": self.tests,
            "gates": self.gates,
            "depth": self.depth,
        })
    }
}

/// Formats a row of the printed evaluation table: label, accuracy (a dash if `None`) and description. Returns the row's
/// text lines; a long description takes several lines.
fn row(label: &str, accuracy: Option<f64>, help: &str) -> Vec<String> {
    let share = accuracy.map_or_else(|| "–".into(), text::share);
    let explained = text::wrapped(help, 64).into_iter().enumerate();
    let line = |(number, words)| match number {
        0 => format!("  {label:<24}{share:>9}   {words}"),
        _ => format!("{:38}{words}", ""),
    };
    explained.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_boards_are_tried_less_often() {
        let trials = |side: u32| LogicMeasures.trials(&json!({"task": {"width": side, "height": side}}));
        assert_eq!([16, 128, 1024, 4096].map(trials), [100, 64, 1, 1]);
    }

    #[test]
    fn status_shows_the_hard_accuracy() {
        let newest = [("soft_loss", 23.04), ("hard_loss", 12.0), ("hard_accuracy", 0.97656)]
            .map(|(name, value)| (name.to_owned(), value));
        let of = |metrics| LogicMeasures.status(&RunStatus { metrics, evaluation: None });
        assert_eq!(of(&newest), ["accuracy 97.7 %", "soft loss 23.0", "hard 12.0"]);
        assert!(of(&[]).is_empty());
        let perfect = LogicEvaluation {
            accuracy: 1.0,
            wrong_bits: 0,
            boards: 1,
            gates: 7,
            depth: 3,
            tests: Vec::new(),
        };
        let said = perfect.sentence();
        assert_eq!(said, "Hard circuit: 100 % of cells correct on 1 new board, 0 wrong bits.");
    }
}
