//! Figures on their way out: one JSON line each, or a table for a person.

use crate::text;
use serde::Serialize;
use std::cell::RefCell;
use std::io::Write;

/// One measured figure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// Such as `control/cartpole/raw/1`. Names stay put, so that figures can be compared over time.
    pub name: String,
    /// In `unit`.
    pub value: f64,
    /// Such as `GFLOP/s`, `steps/s`, `s`. In a unit of time less is better, in every other more.
    pub unit: String,
    /// Threads that did the work.
    pub threads: usize,
    /// The GPU that did the work, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// What the same work cost elsewhere, or the limit of the machine, measured in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<Rival>,
    /// What cannot be surpassed on the machine, in `unit`, by what the work asks of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// Whom a figure is measured against.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rival {
    /// Such as `gemm 0.19`.
    pub name: String,
    /// In the unit of the figure.
    pub value: f64,
}

impl Figure {
    /// A figure without a rival, on one thread.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        let (name, unit) = (name.into(), unit.to_owned());
        Self { name, value, unit, threads: 1, adapter: None, rival: None, bound: None }
    }

    /// The same on `threads` threads.
    pub fn on(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// The same on a GPU, which one thread keeps busy.
    #[cfg(feature = "gpu")]
    pub fn on_gpu(mut self, adapter: &str) -> Self {
        self.adapter = Some(adapter.to_owned());
        self
    }

    /// The same against a rival.
    pub fn against(mut self, name: impl Into<String>, value: f64) -> Self {
        self.rival = Some(Rival { name: name.into(), value });
        self
    }

    /// The same beside what cannot be surpassed.
    #[cfg(feature = "gpu")]
    pub fn bounded_by(mut self, bound: f64) -> Self {
        self.bound = Some(bound);
        self
    }

    /// How many times as good as the rival this is: above 1 is ahead, whichever way the unit counts.
    fn ratio(&self) -> Option<f64> {
        let rival = self.rival.as_ref()?;
        let less_is_better = matches!(self.unit.as_str(), "s" | "ms" | "us" | "µs" | "ns");
        Some(if less_is_better { rival.value / self.value } else { self.value / rival.value })
    }
}

/// Takes figures as they are measured and prints them.
pub struct Reporter {
    selection: Vec<String>,
    json: bool,
    seconds: f64,
    closed: bool,
    /// The line about the machine, until it has been said.
    machine: String,
    /// Of the suite that has begun, until its first figure comes.
    heading: String,
    /// The names that were asked about, where nothing is to be measured.
    listed: Option<RefCell<Vec<String>>>,
}

impl Reporter {
    pub(super) fn new(selection: Vec<String>, json: bool, seconds: f64) -> Self {
        let machine = format!("{}\n", crate::machine::one_line());
        let heading = String::new();
        Self { selection, json, seconds, closed: false, machine, heading, listed: None }
    }

    /// One that measures nothing and takes note of the names of figures.
    pub(super) fn listing() -> Self {
        Self { listed: Some(RefCell::default()), ..Self::new(Vec::new(), true, 0.0) }
    }

    /// The names of figures, in the order in which they would be measured.
    pub(super) fn into_names(self) -> Vec<String> {
        self.listed.map_or(Vec::new(), RefCell::into_inner)
    }

    /// About how long the repetitions of one figure should take, in seconds: what [`super::timing`] wants to know.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Whether the figure `name` was asked for: ask before measuring what takes long.
    pub fn wants(&self, name: &str) -> bool {
        if let Some(listed) = &self.listed {
            let mut listed = listed.borrow_mut();
            if !listed.iter().any(|known| known == name) {
                listed.push(name.to_owned());
            }
            return false;
        }
        !self.closed
            && (self.selection.is_empty() || self.selection.iter().any(|wanted| selects(wanted, name)))
    }

    /// The names of the figures that are measured together, `name` and after it each of `parts`, if any of them was asked for.
    #[cfg(feature = "gpu")]
    pub fn wants_any<const N: usize>(&self, name: &str, parts: [&str; N]) -> Option<[String; N]> {
        let names = parts.map(|part| format!("{name}{part}"));
        names.iter().any(|name| self.wants(name)).then_some(names)
    }

    /// Whether this very figure was asked for by its name, and not only a suite or a group that it is in.
    #[cfg(feature = "gpu")]
    pub fn is_named(&self, name: &str) -> bool {
        self.selection.iter().any(|wanted| wanted == name)
    }

    /// Says something about the figures; a program that reads them gets nothing but figures.
    pub fn note(&mut self, text: &str) {
        if !self.json && !self.closed {
            self.print_heading();
            self.print(&format!("  {text}\n"));
        }
    }

    /// Says what machine this is, once, and which suite has begun.
    fn print_heading(&mut self) {
        let heading = std::mem::take(&mut self.heading);
        if !self.json {
            let machine = std::mem::take(&mut self.machine);
            self.print(&format!("{machine}{heading}"));
        }
    }

    pub(super) fn wants_suite(&self, suite: &str) -> bool {
        !self.closed
            && (self.selection.is_empty()
                || self.selection.iter().any(|wanted| wanted.split('/').next() == Some(suite)))
    }

    pub(super) fn begin(&mut self, suite: &str, about: &str) {
        self.heading = format!("\n{suite}: {about}\n");
    }

    /// Prints a figure that was asked for; one that was not is dropped.
    pub fn report(&mut self, figure: Figure) {
        if !self.wants(&figure.name) {
            return;
        }
        self.print_heading();
        let line = if self.json {
            // A figure that could not be measured (not a number) becomes null in JSON rather than an error.
            format!("{}\n", serde_json::json!(figure))
        } else {
            row(&figure)
        };
        self.print(&line);
    }

    /// Prints now rather than when a buffer is full; a reader that has gone away (`| head`) ends the measuring quietly.
    fn print(&mut self, text: &str) {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        crate::terminal::note(&written);
        self.closed |= written.is_err();
    }
}

/// Whether a suite or the beginning of a name selects the figure `name`.
pub(super) fn selects(wanted: &str, name: &str) -> bool {
    let rest = name.strip_prefix(wanted);
    rest.is_some_and(|rest| wanted.contains('/') || rest.is_empty() || rest.starts_with('/'))
}

/// A row of the table: name, value, unit, threads, and how it stands against its rival.
fn row(figure: &Figure) -> String {
    let threads = match figure.threads {
        _ if figure.adapter.is_some() => "gpu".to_owned(),
        1 => "1 thread".to_owned(),
        threads => format!("{threads} threads"),
    };
    let mut row = format!(
        "  {:<42} {:>9} {:<14} {:<10}",
        figure.name,
        text::number(figure.value),
        figure.unit,
        threads
    );
    if let (Some(rival), Some(ratio)) = (&figure.rival, figure.ratio()) {
        let stands = match ratio {
            r if r >= 1.005 => "ahead of",
            r if r > 0.995 => "level with",
            _ => "behind",
        };
        row += &format!(" {ratio:>6.2} × {stands} {} ({})", rival.name, text::number(rival.value));
    }
    if let Some(bound) = figure.bound {
        row += &format!("  bound {}", text::number(bound));
    }
    format!("{}\n", row.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_one_json_line_with_the_agreed_fields() {
        let figure =
            Figure::new("kernels/gemm/64x128x128", 120.5, "GFLOP/s").on(2).against("gemm 0.19", 110.0);
        let value = serde_json::to_value(&figure).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"name": "kernels/gemm/64x128x128", "value": 120.5, "unit": "GFLOP/s", "threads": 2,
                "rival": {"name": "gemm 0.19", "value": 110.0}})
        );
        let alone = serde_json::to_value(Figure::new("kernels/fma_peak", 1.0, "GFLOP/s")).unwrap();
        assert_eq!((alone.get("rival"), alone.get("bound")), (None, None));
    }

    #[test]
    fn losing_is_told_and_less_time_is_better() {
        let slower = Figure::new("a", 90.0, "GFLOP/s").against("rival", 100.0);
        assert!(row(&slower).contains("0.90 × behind rival (100)"), "{}", row(&slower));
        let quicker = Figure::new("a", 2.0, "s").against("rival", 24.0);
        assert!(row(&quicker).contains("12.00 × ahead of rival (24.0)"), "{}", row(&quicker));
        let level = Figure::new("a", 100.0, "steps/s").against("rival", 100.2);
        assert!(row(&level).contains("level with"), "{}", row(&level));
    }

    #[test]
    fn a_selection_is_a_suite_or_the_beginning_of_a_name() {
        let reporter =
            |names: &[&str]| Reporter::new(names.iter().map(|n| n.to_string()).collect(), true, 0.1);
        assert!(reporter(&[]).wants("control/cartpole/raw/1"));
        assert!(reporter(&["control"]).wants("control/cartpole/raw/1"));
        assert!(!reporter(&["control"]).wants("control-two/cartpole"));
        assert!(reporter(&["control/cart"]).wants("control/cartpole/raw/1"));
        assert!(!reporter(&["control/pendulum"]).wants("control/cartpole/raw/1"));
        assert!(reporter(&["control/pendulum"]).wants_suite("control"));
        assert!(!reporter(&["control/pendulum"]).wants_suite("kernels"));
    }
}
