//! A logic automaton's hard circuit: how much of what it was taught it does, and of what it was not.

use super::Subject;
use crate::{terminal, text};
use serde_json::json;
use vivarium_lab::protocol::LogicEvaluation;
use vivarium_logic_ca::hard::Circuit;

/// Tells it as a table, or as one line of JSON.
pub fn tell(subject: &Subject, evaluation: &LogicEvaluation, circuit: &Circuit) {
    let statistics = circuit.statistics();
    if subject.args.json {
        let value = json!({
            "experiment": subject.info.name,
            "checkpoint": subject.args.checkpoint.display().to_string(),
            "trained_steps": subject.trained,
            "seed": subject.args.seed,
            "boards": evaluation.boards,
            "accuracy": evaluation.accuracy,
            "wrong_bits": evaluation.wrong_bits,
            "tests": evaluation.tests,
            "gates": statistics.gates,
            "depth": statistics.depth(),
        });
        terminal::out(&value.to_string());
        return;
    }
    let mut lines = vec![format!(
        "{}: hard circuit of {}, {} deep, after {}",
        subject.info.title,
        text::count(statistics.gates as u64, "gate"),
        statistics.depth(),
        text::count(subject.trained, "epoch")
    )];
    let trials = format!(
        "{}, {}",
        text::count(u64::from(evaluation.boards), "board"),
        text::count(evaluation.wrong_bits, "wrong bit")
    );
    let row = |label: &str, accuracy: f64, help: &str| {
        format!("  {label:<24} {:>9}   {help}", text::share(accuracy))
    };
    lines.push(row("As trained", evaluation.accuracy, &trials));
    lines.extend(evaluation.tests.iter().map(|test| row(&test.label, test.accuracy, &test.help)));
    terminal::out(&lines.join("\n"));
}
