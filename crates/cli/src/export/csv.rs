//! Metrics of a run as CSV (RFC 4180, <https://www.rfc-editor.org/rfc/rfc4180>).

use crate::error::CliError;
use crate::run::rows::{RecordedRow, RowTail};
use crate::terminal;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Names of the first columns of the table, which every row has.
const PROGRESS: [&str; 3] = ["step", "updates", "elapsed"];
/// Name of the last column of the table: messages to the user.
const NOTICE: &str = "notice";

/// Writes the metric rows of the file `metrics` to the table `out`: one row for each step, one column for each metric.
/// Rows of the same step, such as those of an iteration and of an evaluation, are one row. A cell is empty if the step
/// has no value of the metric, or a value that is not finite.
///
/// # Errors
/// [`CliError::Failed`] if the metrics cannot be read or are missing, or the table cannot be written.
pub fn write(metrics: &Path, out: &Path) -> Result<(), CliError> {
    let reading = |error: io::Error| CliError::file("read", metrics, error);
    let (mut names, mut rows, mut damaged) = (Vec::<String>::new(), 0usize, 0usize);
    let read = RowTail::new(metrics.to_owned()).read(|row| {
        rows += 1;
        damaged += usize::from(is_damaged(&row));
        for (name, _) in row.values {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    });
    read.map_err(reading)?;
    if rows == damaged {
        return Err(CliError::file("read", metrics, "the run has no metrics yet; train it longer"));
    }

    let file = File::create(out).map_err(|error| CliError::file("write", out, error))?;
    let mut table = Table { file: BufWriter::new(file), names: &names, row: None, outcome: Ok(()) };
    table.write_header();
    RowTail::new(metrics.to_owned()).read(|row| table.add(row)).map_err(reading)?;
    table.finish().map_err(|error| CliError::file("write", out, error))?;
    if damaged > 0 {
        terminal::print_message(&format!(
            "Damaged lines that were skipped in {}: {damaged}.",
            metrics.display()
        ));
    }
    terminal::print_message(&format!("Wrote {}.", out.display()));
    Ok(())
}

/// Returns whether a row stands for a line of `metrics.jsonl` that cannot be parsed.
fn is_damaged(row: &RecordedRow) -> bool {
    *row == RecordedRow::default()
}

/// Table that is written row by row. The last row is held back, because the next row may have the same step.
struct Table<'a, W: Write> {
    file: W,
    names: &'a [String],
    row: Option<RecordedRow>,
    /// First error of writing the table; later writes are skipped.
    outcome: io::Result<()>,
}

impl<W: Write> Table<'_, W> {
    fn write_header(&mut self) {
        let names = PROGRESS.into_iter().chain(self.names.iter().map(String::as_str)).chain([NOTICE]);
        let cells = names.map(quoted).collect();
        self.write_line(cells);
    }

    /// Adds a row: merges it into the last row if both have the same step.
    fn add(&mut self, row: RecordedRow) {
        if is_damaged(&row) {
            return;
        }
        match &mut self.row {
            Some(last) if last.steps == row.steps => merge(last, row),
            _ => {
                self.write_row();
                self.row = Some(row);
            }
        }
    }

    fn write_row(&mut self) {
        let Some(row) = self.row.take() else { return };
        let mut cells = vec![row.steps.to_string(), row.updates.to_string(), row.elapsed.to_string()];
        let metric = |name| row.get(name).filter(|value| value.is_finite()).map(|value| value.to_string());
        cells.extend(self.names.iter().map(|name| metric(name).unwrap_or_default()));
        cells.push(quoted(row.notice.as_deref().unwrap_or_default()));
        self.write_line(cells);
    }

    fn write_line(&mut self, cells: Vec<String>) {
        if self.outcome.is_ok() {
            self.outcome = write!(self.file, "{}\r\n", cells.join(","));
        }
    }

    /// Writes the last row. Returns the first error of writing the table.
    fn finish(mut self) -> io::Result<()> {
        self.write_row();
        self.outcome?;
        self.file.flush()
    }
}

/// Adds the metrics of a later row of the same step to `row`.
fn merge(row: &mut RecordedRow, later: RecordedRow) {
    (row.updates, row.elapsed) = (later.updates, later.elapsed);
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
    use crate::test_folder::TestFolder;
    use std::fs;

    #[test]
    fn rows_of_a_step_are_merged_and_texts_are_quoted() {
        let folder = TestFolder::new("csv");
        let [metrics, out] = ["metrics.jsonl", "table.csv"].map(|name| folder.path().join(name));
        let row = |steps, values: &[(&str, f64)], notice: Option<&str>| RecordedRow {
            steps,
            updates: steps / 2,
            elapsed: 0.5,
            values: values.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
            notice: notice.map(str::to_owned),
        };
        let rows = [
            row(8, &[("loss", 1e-7)], None),
            row(8, &[("eval_return", 20.0)], Some("new \"best\", saved")),
            row(16, &[("loss", f64::NAN), ("a,b", -2.5)], None),
        ];
        let lines: String = rows.iter().map(RecordedRow::to_line).collect();
        fs::write(&metrics, format!("{lines}nonsense\n{{\"steps\": 24")).unwrap();
        write(&metrics, &out).unwrap();
        let expected = "step,updates,elapsed,loss,eval_return,\"a,b\",notice\r\n\
            8,4,0.5,0.0000001,20,,\"new \"\"best\"\", saved\"\r\n\
            16,8,0.5,,,-2.5,\r\n";
        assert_eq!(fs::read_to_string(&out).unwrap(), expected);
    }

    #[test]
    fn a_run_without_metrics_is_refused() {
        let folder = TestFolder::new("csv-empty");
        let error = write(&folder.path().join("metrics.jsonl"), &folder.path().join("table.csv"));
        assert!(error.unwrap_err().message().unwrap().contains("no metrics yet"));
        assert!(!folder.path().join("table.csv").exists());
    }
}
