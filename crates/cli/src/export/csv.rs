//! Metrics of a run as a CSV table.

use crate::error::CliError;
use crate::output_file::{create, report_written};
use crate::run::rows::RowTail;
use crate::terminal;
use std::io::{self, BufWriter};
use std::path::Path;
use vivarium_lab::metrics_table::{MetricsTable, collect_names};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::recorded_row::RecordedRow;

/// Writes the metric rows of the file `metrics` to the table `out`; see [`MetricsTable`].
///
/// # Errors
/// [`CliError::Failed`] if the metrics cannot be read or are missing, or the table cannot be written.
pub fn write(metrics: &Path, out: &Path) -> Result<(), CliError> {
    let reading = |error: io::Error| CliError::file("read", metrics, error);
    let (mut names, mut rows, mut damaged) = (Vec::new(), 0usize, 0usize);
    let read = RowTail::new(metrics.to_owned()).read(|row| {
        rows += 1;
        match metric_row(row) {
            Some(row) => collect_names(&mut names, &row),
            None => damaged += 1,
        }
    });
    read.map_err(reading)?;
    if rows == damaged {
        return Err(CliError::file("read", metrics, "the run has no metrics yet; train it longer"));
    }

    let mut table = MetricsTable::new(BufWriter::new(create(out)?), names);
    let add = |row| metric_row(row).into_iter().for_each(|row| table.add(row));
    RowTail::new(metrics.to_owned()).read(add).map_err(reading)?;
    table.finish().map_err(|error| CliError::file("write", out, error))?;
    if damaged > 0 {
        terminal::print_message(&format!(
            "Damaged lines that were skipped in {}: {damaged}.",
            metrics.display()
        ));
    }
    report_written(out);
    Ok(())
}

/// Converts a row of `metrics.jsonl`. Returns `None` for a row that stands for a line that cannot be parsed.
fn metric_row(row: RecordedRow) -> Option<MetricRow> {
    if row == RecordedRow::default() {
        return None;
    }
    Some(row.into_metric_row())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_folder::TestFolder;
    use std::fs;

    #[test]
    fn rows_become_a_table_without_damaged_lines() {
        let folder = TestFolder::new("csv");
        let [metrics, out] = ["metrics.jsonl", "table.csv"].map(|name| folder.path().join(name));
        let row = |steps, values: &[(&str, f64)]| RecordedRow {
            steps,
            updates: steps / 2,
            elapsed: 0.5,
            values: values.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
            notice: None,
        };
        let rows =
            [row(8, &[("loss", 1e-7)]), row(8, &[("eval_return", 20.0)]), row(16, &[("loss", f64::NAN)])];
        let lines: String = rows.iter().map(RecordedRow::to_line).collect();
        fs::write(&metrics, format!("{lines}nonsense\n{{\"steps\": 24")).unwrap();
        write(&metrics, &out).unwrap();
        let expected = "step,updates,elapsed,loss,eval_return,notice\r\n\
            8,4,0.5,0.0000001,20,\r\n\
            16,8,0.5,,,\r\n";
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
