//! Metrics of a run or a study of seeds as a CSV table.

use crate::error::CliError;
use crate::output_file::{create, report_written};
use crate::run::RunFolder;
use crate::run::rows::RowTail;
use crate::runs::run_group::RunGroup;
use crate::terminal;
use std::io::BufWriter;
use std::path::Path;
use vivarium_lab::metrics_table::{MetricsTable, collect_names};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::recorded_row::RecordedRow;

/// Name of the column with the seed of the run, in the table of a study.
const SEED: &str = "seed";

/// Writes the metric rows of the runs of `group` to the table `out`; see [`MetricsTable`]. The table of a study has the column
/// `seed`.
///
/// # Errors
/// [`CliError::Failed`] if the metrics cannot be read or are missing, or the table cannot be written.
pub fn write(group: &RunGroup, out: &Path) -> Result<(), CliError> {
    let runs: Vec<_> = group.runs.iter().map(|run| RunFolder::open(run)).collect::<Result<_, _>>()?;
    let runs: Vec<_> = runs
        .iter()
        .map(|(folder, metadata)| (folder.metrics(), group.is_study().then_some(metadata.seed as f64)))
        .collect();
    let (mut names, mut rows, mut damaged) = (Vec::new(), 0usize, 0usize);
    for (metrics, seed) in &runs {
        each_row(metrics, *seed, |row| {
            rows += 1;
            match row {
                Some(row) => collect_names(&mut names, &row),
                None => damaged += 1,
            }
        })?;
    }
    if rows == damaged {
        return Err(CliError::file("read", &group.path, "the run has no metrics yet; train it longer"));
    }

    let mut table = MetricsTable::new(BufWriter::new(create(out)?), names);
    for (metrics, seed) in &runs {
        each_row(metrics, *seed, |row| row.into_iter().for_each(|row| table.add(row)))?;
        table.end_run();
    }
    table.finish().map_err(|error| CliError::file("write", out, error))?;
    if damaged > 0 {
        terminal::print_message(&format!(
            "Damaged lines that were skipped in {}: {damaged}.",
            group.path.display()
        ));
    }
    report_written(out);
    Ok(())
}

/// Reads the rows of the file `metrics` and calls `each` with every row, and `None` for a damaged line. A row gets the value
/// `seed` if it is given.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read.
fn each_row(
    metrics: &Path,
    seed: Option<f64>,
    mut each: impl FnMut(Option<MetricRow>),
) -> Result<(), CliError> {
    let with_seed = |mut row: MetricRow| {
        seed.into_iter().for_each(|seed| row.values.insert(0, (SEED.to_owned(), seed)));
        row
    };
    let read = RowTail::new(metrics.to_owned()).read(|row| each(metric_row(row).map(with_seed)));
    read.map_err(|error| CliError::file("read", metrics, error))
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
    use crate::run::example_metadata;
    use crate::test_folder::TestFolder;
    use std::fs;
    use vivarium_lab::run_metadata::RunMetadata;

    /// Creates a run with the metric rows `lines` in the subfolder `name` of `folder`.
    fn recorded(folder: &TestFolder, name: &str, lines: &str) {
        let path = folder.path().join(name);
        let seed = name.rsplit('/').next().and_then(|name| name.parse().ok()).unwrap_or(7);
        let metadata = RunMetadata { seed, ..example_metadata() };
        let run = RunFolder::create(Some(&path), &metadata, &serde_json::json!({})).unwrap();
        fs::write(run.metrics(), lines).unwrap();
    }

    fn row(steps: u64, values: &[(&str, f64)]) -> RecordedRow {
        RecordedRow {
            steps,
            updates: steps / 2,
            elapsed: 0.5,
            values: values.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
            notice: None,
        }
    }

    /// Exports the run or study `name` and returns the table.
    fn exported(folder: &TestFolder, name: &str) -> Result<String, CliError> {
        let out = folder.path().join("table.csv");
        write(&RunGroup::find(&folder.path().join(name)).unwrap(), &out)?;
        Ok(fs::read_to_string(&out).unwrap())
    }

    #[test]
    fn rows_become_a_table_without_damaged_lines() {
        let folder = TestFolder::new("csv");
        let rows =
            [row(8, &[("loss", 1e-7)]), row(8, &[("eval_return", 20.0)]), row(16, &[("loss", f64::NAN)])];
        let lines: String = rows.iter().map(RecordedRow::to_line).collect();
        recorded(&folder, "run", &format!("{lines}nonsense\n{{\"steps\": 24"));
        let expected = "step,updates,elapsed,loss,eval_return,notice\r\n\
            8,4,0.5,0.0000001,20,\r\n\
            16,8,0.5,,,\r\n";
        assert_eq!(exported(&folder, "run").unwrap(), expected);
    }

    #[test]
    fn the_table_of_a_study_has_the_seeds() {
        let folder = TestFolder::new("csv-study");
        recorded(&folder, "study/1", &row(8, &[("loss", 1.0)]).to_line());
        // The last row of a run and the first row of the next one have the same step.
        recorded(&folder, "study/2", &row(8, &[("loss", 2.0)]).to_line());
        let expected = "step,seed,updates,elapsed,loss,notice\r\n\
            8,1,4,0.5,1,\r\n\
            8,2,4,0.5,2,\r\n";
        assert_eq!(exported(&folder, "study").unwrap(), expected);
    }

    #[test]
    fn a_run_without_metrics_is_refused() {
        let folder = TestFolder::new("csv-empty");
        recorded(&folder, "run", "");
        assert!(exported(&folder, "run").unwrap_err().message().unwrap().contains("no metrics yet"));
        assert!(!folder.path().join("table.csv").exists());
    }
}
