//! Output of benchmark results as JSON lines or as a table.

use crate::{terminal, text};
use serde::Serialize;
use std::cell::RefCell;

/// Result of one benchmark: value, unit, and the comparison with a reference implementation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchFigure {
    /// Name of the benchmark, such as `control/cartpole/raw/1`. Names are stable across versions of the program.
    pub name: String,
    /// Measured value, in `unit`.
    pub value: f64,
    /// Unit of `value`, such as `GFLOP/s`, `steps/s`, `s`. Lower values are better for units of time, higher values
    /// for all other units.
    pub unit: String,
    /// Number of CPU threads that the benchmark uses.
    pub threads: usize,
    /// Name of the GPU adapter; `None` for the CPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<String>,
    /// Reference implementation or hardware limit, measured in the same run of the program; `None` without a
    /// comparison.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rival: Option<BenchRival>,
    /// Computed bound of `value` on this machine, in `unit`: a lower bound of a duration or an upper bound of a rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
}

/// Result of a reference implementation, or a hardware limit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BenchRival {
    /// Name and version of the reference implementation, such as `gemm 0.19`, or name of the hardware limit.
    pub name: String,
    /// Result of the reference implementation or value of the hardware limit, in the unit of the benchmark result.
    pub value: f64,
}

impl BenchFigure {
    /// Creates a result that was measured on one CPU thread, without a comparison.
    pub fn new(name: impl Into<String>, value: f64, unit: &str) -> Self {
        let (name, unit) = (name.into(), unit.to_owned());
        Self { name, value, unit, threads: 1, adapter: None, rival: None, bound: None }
    }

    /// Sets the number of CPU threads that the benchmark used.
    pub fn on(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets the name of the GPU adapter of the result.
    #[cfg(feature = "gpu")]
    pub fn on_gpu(mut self, adapter: &str) -> Self {
        self.adapter = Some(adapter.to_owned());
        self
    }

    /// Sets the reference implementation (or hardware limit) and its value, in the unit of the result.
    pub fn against(mut self, name: impl Into<String>, value: f64) -> Self {
        self.rival = Some(BenchRival { name: name.into(), value });
        self
    }

    /// Sets the bound of the value on this machine, in the unit of the result.
    #[cfg(feature = "gpu")]
    pub fn bounded_by(mut self, bound: f64) -> Self {
        self.bound = Some(bound);
        self
    }

    /// Returns the performance relative to the reference implementation; `None` without a comparison. Values above 1
    /// mean that the benchmark is faster, for every unit.
    fn ratio(&self) -> Option<f64> {
        let rival = self.rival.as_ref()?;
        let less_is_better = matches!(self.unit.as_str(), "s" | "ms" | "us" | "µs" | "ns");
        Some(if less_is_better { rival.value / self.value } else { self.value / rival.value })
    }
}

/// Selects benchmarks by name and prints their results.
pub struct Reporter {
    selection: Vec<String>,
    json: bool,
    seconds: f64,
    /// Description of the machine (processor and cores); empty after it has been printed.
    machine: String,
    /// Heading of the current suite; empty after it has been printed with the first result.
    heading: String,
    /// Collected names of benchmarks; `None` unless the reporter only lists benchmarks.
    listed: Option<RefCell<Vec<String>>>,
}

impl Reporter {
    pub(super) fn new(selection: Vec<String>, json: bool, seconds: f64) -> Self {
        let machine = format!("{}\n", crate::machine::one_line());
        let heading = String::new();
        Self { selection, json, seconds, machine, heading, listed: None }
    }

    /// Creates a reporter for `vivarium bench --list`: the reporter collects the names of benchmarks and selects no
    /// benchmark.
    pub(super) fn listing() -> Self {
        Self { listed: Some(RefCell::default()), ..Self::new(Vec::new(), true, 0.0) }
    }

    /// Returns the collected names in measurement order.
    pub(super) fn into_names(self) -> Vec<String> {
        self.listed.map_or(Vec::new(), RefCell::into_inner)
    }

    /// Returns the approximate duration of each measurement in seconds: the value of `--seconds`.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// Returns whether the command line selects the benchmark `name`. A reporter that only lists benchmarks stores
    /// the name and returns `false`.
    pub fn selects(&self, name: &str) -> bool {
        if let Some(listed) = &self.listed {
            let mut listed = listed.borrow_mut();
            if !listed.iter().any(|known| known == name) {
                listed.push(name.to_owned());
            }
            return false;
        }
        self.selection.is_empty()
            || self.selection.iter().any(|selection_name| is_match(selection_name, name))
    }

    /// Returns the names of benchmarks that share a measurement: `name` followed by each suffix in `parts`. Returns
    /// `None` if none of these benchmarks is selected.
    #[cfg(feature = "gpu")]
    pub fn select_group<const N: usize>(&self, name: &str, parts: [&str; N]) -> Option<[String; N]> {
        let names = parts.map(|part| format!("{name}{part}"));
        names.iter().any(|name| self.selects(name)).then_some(names)
    }

    /// Returns whether the command line has the full name of the benchmark.
    #[cfg(feature = "gpu")]
    pub fn is_named(&self, name: &str) -> bool {
        self.selection.iter().any(|selection_name| selection_name == name)
    }

    /// Prints a remark between the benchmark results. Does nothing if the output is JSON.
    pub fn note(&mut self, text: &str) {
        if !self.json {
            self.print_heading();
            terminal::print_text(&format!("  {text}\n"));
        }
    }

    /// Prints the description of the machine (once) and the heading of the suite.
    fn print_heading(&mut self) {
        let heading = std::mem::take(&mut self.heading);
        if !self.json {
            let machine = std::mem::take(&mut self.machine);
            terminal::print_text(&format!("{machine}{heading}"));
        }
    }

    pub(super) fn selects_suite(&self, suite: &str) -> bool {
        self.selection.is_empty()
            || self.selection.iter().any(|selection_name| selection_name.split('/').next() == Some(suite))
    }

    pub(super) fn begin(&mut self, suite: &str, about: &str) {
        self.heading = format!("\n{suite}: {about}\n");
    }

    /// Prints a result if its benchmark is selected.
    pub fn report(&mut self, figure: BenchFigure) {
        if !self.selects(&figure.name) {
            return;
        }
        self.print_heading();
        let line = if self.json {
            // NaN becomes null in JSON.
            format!("{}\n", serde_json::json!(figure))
        } else {
            row(&figure)
        };
        terminal::print_text(&line);
    }
}

/// Returns whether `selection_name`, the name of a suite or a prefix of benchmark names, selects the benchmark
/// `name`.
pub(super) fn is_match(selection_name: &str, name: &str) -> bool {
    let rest = name.strip_prefix(selection_name);
    rest.is_some_and(|rest| selection_name.contains('/') || rest.is_empty() || rest.starts_with('/'))
}

/// Formats a table row: name, value, unit, threads and ratio to the reference implementation.
fn row(figure: &BenchFigure) -> String {
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
        let comparison = match ratio {
            r if r >= 1.005 => "faster than",
            r if r > 0.995 => "equal to",
            _ => "slower than",
        };
        row += &format!(" {ratio:>6.2} × {comparison} {} ({})", rival.name, text::number(rival.value));
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
            BenchFigure::new("kernels/gemm/64x128x128", 120.5, "GFLOP/s").on(2).against("gemm 0.19", 110.0);
        let value = serde_json::to_value(&figure).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"name": "kernels/gemm/64x128x128", "value": 120.5, "unit": "GFLOP/s", "threads": 2,
                "rival": {"name": "gemm 0.19", "value": 110.0}})
        );
        let alone = serde_json::to_value(BenchFigure::new("kernels/fma_peak", 1.0, "GFLOP/s")).unwrap();
        assert_eq!((alone.get("rival"), alone.get("bound")), (None, None));
    }

    #[test]
    fn slower_results_are_marked_and_lower_times_are_better() {
        let slower = BenchFigure::new("a", 90.0, "GFLOP/s").against("rival", 100.0);
        assert!(row(&slower).contains("0.90 × slower than rival (100)"), "{}", row(&slower));
        let quicker = BenchFigure::new("a", 2.0, "s").against("rival", 24.0);
        assert!(row(&quicker).contains("12.00 × faster than rival (24.0)"), "{}", row(&quicker));
        let level = BenchFigure::new("a", 100.0, "steps/s").against("rival", 100.2);
        assert!(row(&level).contains("equal to"), "{}", row(&level));
    }

    #[test]
    fn a_selection_is_a_suite_or_the_beginning_of_a_name() {
        let reporter =
            |names: &[&str]| Reporter::new(names.iter().map(|n| n.to_string()).collect(), true, 0.1);
        assert!(reporter(&[]).selects("control/cartpole/raw/1"));
        assert!(reporter(&["control"]).selects("control/cartpole/raw/1"));
        assert!(!reporter(&["control"]).selects("control-two/cartpole"));
        assert!(reporter(&["control/cart"]).selects("control/cartpole/raw/1"));
        assert!(!reporter(&["control/pendulum"]).selects("control/cartpole/raw/1"));
        assert!(reporter(&["control/pendulum"]).selects_suite("control"));
        assert!(!reporter(&["control/pendulum"]).selects_suite("kernels"));
    }
}
