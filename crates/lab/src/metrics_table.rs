//! Metric rows as CSV (RFC 4180, <https://www.rfc-editor.org/rfc/rfc4180>).

use crate::protocol::MetricRow;
use std::io::{self, Write};

/// Name of the first column.
const STEP: &str = "step";
/// Name of the last column: notices to the user.
const NOTICE: &str = "notice";

/// Writer of metric rows as a CSV table: one row for each step, one column for each metric, and the columns `step` and
/// `notice`. The table of several runs also has columns that describe the run, such as its seed.
///
/// Successive rows of the same step, such as the rows of an iteration and of an evaluation, are merged. A cell is empty
/// if the step has no value of the metric, or a value that is not finite.
///
/// ```
/// use vivarium_lab::metrics_table::MetricsTable;
/// use vivarium_lab::protocol::MetricRow;
///
/// let mut table = MetricsTable::new(Vec::new(), vec!["loss".into()]);
/// table.add(MetricRow::new(8, [("loss", Some(0.5))]));
/// assert_eq!(table.finish()?, b"step,loss,notice\r\n8,0.5,\r\n");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct MetricsTable<W: Write> {
    out: W,
    names: Vec<String>,
    /// Cells of the columns that describe the run.
    run: Vec<String>,
    /// The last row, which is not written yet, because the next row may have the same step.
    row: Option<MetricRow>,
    /// First error of `out`.
    outcome: io::Result<()>,
}

impl<W: Write> MetricsTable<W> {
    /// Creates a table with a column for each of the metrics `names`, and writes the header to `out`.
    pub fn new(out: W, names: Vec<String>) -> Self {
        Self::of_runs(out, &[], names)
    }

    /// Creates a table of several runs, with the columns `run_columns` after the step. [`start_run`](Self::start_run) sets their
    /// cells.
    pub fn of_runs(out: W, run_columns: &[&str], names: Vec<String>) -> Self {
        let columns = run_columns.iter().copied().chain(names.iter().map(String::as_str));
        let header = csv_line([STEP].into_iter().chain(columns).chain([NOTICE]));
        let run = vec![String::new(); run_columns.len()];
        let mut table = Self { out, names, run, row: None, outcome: Ok(()) };
        table.write_line(&header);
        table
    }

    /// Adds a row: merges it into the last row if both have the same step. Metrics that are not columns are ignored.
    pub fn add(&mut self, row: MetricRow) {
        match &mut self.row {
            Some(last) if last.steps == row.steps => merge(last, row),
            _ => {
                self.write_row();
                self.row = Some(row);
            }
        }
    }

    /// Starts the rows of a run with the cells `run` that describe it. The next row is not merged into the last row.
    ///
    /// # Panics
    /// If the number of cells differs from the number of columns that describe the run.
    pub fn start_run(&mut self, run: Vec<String>) {
        assert_eq!(run.len(), self.run.len(), "one cell for each column");
        self.write_row();
        self.run = run;
    }

    /// Writes the last row. Returns the output.
    ///
    /// # Errors
    /// The first [`io::Error`] of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.write_row();
        self.outcome?;
        self.out.flush()?;
        Ok(self.out)
    }

    fn write_row(&mut self) {
        let Some(row) = self.row.take() else { return };
        let metric = |name: &String| {
            let (_, value) = row.values.iter().find(|(known, value)| known == name && value.is_finite())?;
            Some(value.to_string())
        };
        let mut cells = vec![row.steps.to_string()];
        cells.extend_from_slice(&self.run);
        cells.extend(self.names.iter().map(|name| metric(name).unwrap_or_default()));
        cells.push(row.notice.clone().unwrap_or_default());
        self.write_line(&csv_line(cells.iter().map(String::as_str)));
    }

    fn write_line(&mut self, line: &str) {
        if self.outcome.is_ok() {
            self.outcome = write!(self.out, "{line}\r\n");
        }
    }
}

/// Appends the names of the metrics of `row` that `names` does not contain.
pub fn collect_names(names: &mut Vec<String>, row: &MetricRow) {
    for (name, _) in &row.values {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
}

/// Adds the metrics and the notice of a later row of the same step to `row`.
fn merge(row: &mut MetricRow, later: MetricRow) {
    for (name, value) in later.values {
        match row.values.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => row.values.push((name, value)),
        }
    }
    row.notice = match (row.notice.take(), later.notice) {
        (Some(first), Some(second)) => Some(format!("{first} {second}")),
        (first, second) => first.or(second),
    };
}

/// Formats cells as a line of CSV, without the line break.
#[must_use]
pub fn csv_line<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<_> = cells.into_iter().map(quoted).collect();
    cells.join(",")
}

/// Returns the text as a cell: in quotation marks if it contains a comma, a quotation mark or a line break.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_step_are_merged_and_texts_are_quoted() {
        let row = |steps, values: &[(&str, f64)], notice: Option<&str>| MetricRow {
            notice: notice.map(str::to_owned),
            ..MetricRow::new(steps, values.iter().map(|&(name, value)| (name, Some(value))))
        };
        let rows = [
            row(8, &[("loss", 1e-7), ("time", 1.5)], None),
            row(8, &[("time", 2.0), ("eval_return", 20.0)], Some("new \"best\", saved")),
            row(8, &[], Some("rolled back")),
            row(16, &[("loss", f64::NAN), ("a,b", -2.5)], None),
        ];
        let mut names = Vec::new();
        rows.iter().for_each(|row| collect_names(&mut names, row));
        let mut table = MetricsTable::new(Vec::new(), names);
        rows.into_iter().for_each(|row| table.add(row));
        let expected = "step,loss,time,eval_return,\"a,b\",notice\r\n\
            8,0.0000001,2,20,,\"new \"\"best\"\", saved rolled back\"\r\n\
            16,,,,-2.5,\r\n";
        assert_eq!(String::from_utf8(table.finish().unwrap()).unwrap(), expected);
    }

    #[test]
    fn the_first_error_of_the_output_is_returned() {
        let mut full = [0; 20];
        let mut table = MetricsTable::new(&mut full[..], vec!["loss".into()]);
        table.add(MetricRow::new(8, [("loss", Some(0.5))]));
        assert_eq!(table.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
