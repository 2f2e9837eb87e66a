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
            "boards": evaluation.boards,
            "accuracy": evaluation.accuracy,
            "wrong_bits": evaluation.wrong_bits,
            "tests": evaluation.tests,
            "gates": statistics.gates,
            "depth": statistics.depth(),
        });
        terminal::out(&subject.json(value));
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
    lines.extend(row("As trained", Some(evaluation.accuracy), &trials));
    lines.extend(evaluation.tests.iter().flat_map(|test| row(&test.label, test.accuracy, &test.help)));
    terminal::out(&lines.join("\n"));
}

/// A row of the table: what was tried, the share that was right where it is known, and what counts, in as many lines as that takes.
fn row(label: &str, accuracy: Option<f64>, help: &str) -> Vec<String> {
    let share = accuracy.map_or_else(|| "–".into(), text::share);
    let explained = text::wrapped(help, 64).into_iter().enumerate();
    let line = |(number, words)| match number {
        0 => format!("  {label:<24}{share:>9}   {words}"),
        _ => format!("{:38}{words}", ""),
    };
    explained.map(line).collect()
}
