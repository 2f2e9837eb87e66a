//! Metrics of runs and studies of seeds as a CSV table.

use crate::error::CliError;
use crate::output_file::{create, report_written};
use crate::run::RunFolder;
use crate::run::rows::RowTail;
use crate::run::run_group::RunGroup;
use crate::runs::settings::{self, setting_text};
use crate::runs::stored_run::StoredRun;
use crate::{terminal, text};
use std::io::BufWriter;
use std::path::Path;
use vivarium_lab::metrics_table::{MetricsTable, collect_names};
use vivarium_lab::protocol::MetricRow;
use vivarium_lab::recorded_row::RecordedRow;

/// Writes the metric rows of the runs of `groups`, which are in `source`, to the table `out`; see [`MetricsTable`]. The table of a
/// study has the columns `study` and `seed`; the table of several runs or studies, the columns `run`, `study` (if there is a
/// study), `seed` and the settings that differ. Reports runs that cannot be read on standard error, and omits them.
///
/// # Errors
/// [`CliError::Failed`] if the metrics cannot be read or are missing, or the table cannot be written. Also if a run cannot be read;
/// the table of the other runs is then complete.
pub fn write(source: &Path, groups: &[RunGroup], out: &Path) -> Result<(), CliError> {
    let (runs, failures) = open_runs(source, groups);
    if runs.is_empty() {
        return Err(failures.into_iter().next().unwrap_or_else(|| no_metrics(source)));
    }
    for failure in &failures {
        terminal::print_error(failure.message().unwrap_or_default());
    }
    let metrics: Vec<_> = runs
        .iter()
        .map(|ExportedRun { run, .. }| Ok(RunFolder::open(&run.path)?.0.metrics()))
        .collect::<Result<_, CliError>>()?;
    let (mut names, mut rows, mut damaged) = (Vec::new(), 0usize, 0usize);
    for metrics in &metrics {
        each_row(metrics, |row| {
            rows += 1;
            match row {
                Some(row) => collect_names(&mut names, &row),
                None => damaged += 1,
            }
        })?;
    }
    if rows == damaged {
        return Err(no_metrics(source));
    }

    let columns = run_columns(source, groups, &runs);
    let labels: Vec<_> = columns.iter().map(|(name, _)| name.as_str()).collect();
    let mut table = MetricsTable::of_runs(BufWriter::new(create(out)?), &labels, names);
    for (index, metrics) in metrics.iter().enumerate() {
        table.start_run(columns.iter().map(|(_, cells)| cells[index].clone()).collect());
        each_row(metrics, |row| row.into_iter().for_each(|row| table.add(row)))?;
    }
    table.finish().map_err(|error| CliError::file("write", out, error))?;
    if damaged > 0 {
        terminal::print_message(&format!(
            "Damaged lines that were skipped in {}: {damaged}.",
            source.display()
        ));
    }
    report_written(out);
    if failures.is_empty() {
        return Ok(());
    }
    Err(CliError::failed(format!(
        "{}: {} of {} could not be read; the table has the other runs",
        source.display(),
        failures.len(),
        text::count((runs.len() + failures.len()) as u64, "run")
    )))
}

/// A run of the table.
struct ExportedRun {
    /// Name of the study; empty if the run belongs to no study.
    study: String,
    run: StoredRun,
}

/// Opens the runs of `groups`, which are in `source`. Returns the runs, and the errors of the others.
fn open_runs(source: &Path, groups: &[RunGroup]) -> (Vec<ExportedRun>, Vec<CliError>) {
    let (mut runs, mut failures) = (Vec::new(), Vec::new());
    for group in groups {
        let study = if group.is_study() { study_name(source, &group.path) } else { String::new() };
        for path in &group.runs {
            match StoredRun::open(path) {
                Ok(run) => runs.push(ExportedRun { study: study.clone(), run }),
                Err(failure) => failures.push(failure),
            }
        }
    }
    (runs, failures)
}

/// Returns the error that the runs in `source` have no metrics.
fn no_metrics(source: &Path) -> CliError {
    CliError::file("read", source, "there are no metrics yet; train longer")
}

/// Returns the columns that describe the runs, with a cell for each run.
fn run_columns(source: &Path, groups: &[RunGroup], runs: &[ExportedRun]) -> Vec<(String, Vec<String>)> {
    let column = |name: &str, cell: &dyn Fn(&StoredRun) -> String| {
        (name.to_owned(), runs.iter().map(|exported| cell(&exported.run)).collect::<Vec<_>>())
    };
    let seed = column("seed", &|run| run.metadata.seed.to_string());
    let studies = runs.iter().map(|exported| exported.study.clone()).collect();
    let study = groups.iter().any(RunGroup::is_study).then(|| ("study".to_owned(), studies));
    match groups {
        [_] => study.into_iter().flat_map(|study| [study, seed.clone()]).collect(),
        _ => {
            let name =
                |run: &StoredRun| run.path.strip_prefix(source).unwrap_or(&run.path).display().to_string();
            let mut columns = vec![column("run", &name)];
            columns.extend(study);
            columns.push(seed);
            let each: Vec<_> = runs.iter().map(|exported| vec![&exported.run]).collect();
            let settings = settings::differing(&each).into_iter().filter(|(path, _)| path != "seed");
            columns.extend(
                settings.map(|(path, values)| {
                    (path, values.iter().map(|value| setting_text(value, "")).collect())
                }),
            );
            columns
        }
    }
}

/// Returns the name of the study in the folder `path`, as in `vivarium runs compare`: the path relative to the exported folder
/// `source`, or the name of the folder if it is the exported folder.
fn study_name(source: &Path, path: &Path) -> String {
    let name = path.strip_prefix(source).ok().filter(|path| !path.as_os_str().is_empty());
    // The path `.` has no name.
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    name.unwrap_or_else(|| full.file_name().map_or(path, Path::new)).display().to_string()
}

/// Reads the rows of the file `metrics` and calls `each` with every row, and `None` for a damaged line.
///
/// # Errors
/// [`CliError::Failed`] if the file cannot be read.
fn each_row(metrics: &Path, mut each: impl FnMut(Option<MetricRow>)) -> Result<(), CliError> {
    let read = RowTail::new(metrics.to_owned()).read(|row| each(metric_row(row)));
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
    use crate::run::run_group::find_all;
    use crate::test_folder::TestFolder;
    use serde_json::Value;
    use std::fs;
    use vivarium_lab::run_metadata::RunMetadata;

    /// Creates a run with the metric rows `lines` in the subfolder `name` of `folder`.
    fn recorded(folder: &TestFolder, name: &str, lines: &str) {
        configured(folder, name, &serde_json::json!({}), lines);
    }

    /// Creates a run with the config `config`.
    fn configured(folder: &TestFolder, name: &str, config: &Value, lines: &str) {
        let path = folder.path().join(name);
        let seed = name.rsplit('/').next().and_then(|name| name.parse().ok()).unwrap_or(7);
        let metadata = RunMetadata { seed, ..example_metadata() };
        let run = RunFolder::create(Some(&path), &metadata, config).unwrap();
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
        let source = folder.path().join(name);
        write(&source, &find_all(&source)?, &out)?;
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
    fn the_table_of_a_study_has_its_name_and_the_seeds() {
        let folder = TestFolder::new("csv-study");
        recorded(&folder, "study/1", &row(8, &[("loss", 1.0)]).to_line());
        // The last row of a run and the first row of the next one have the same step.
        recorded(&folder, "study/2", &row(8, &[("loss", 2.0)]).to_line());
        let expected = "step,study,seed,updates,elapsed,loss,notice\r\n\
            8,study,1,4,0.5,1,\r\n\
            8,study,2,4,0.5,2,\r\n";
        assert_eq!(exported(&folder, "study").unwrap(), expected);
    }

    #[test]
    fn the_table_of_several_runs_and_studies_has_the_settings_that_differ() {
        let folder = TestFolder::new("csv-sweep");
        let force =
            |force: i32| serde_json::json!({ "learner": "ppo", "world": { "force": force, "gravity": 9 } });
        configured(&folder, "sweep/low/1", &force(5), &row(8, &[("loss", 1.0)]).to_line());
        configured(&folder, "sweep/high/1", &force(10), &row(8, &[("loss", 2.0)]).to_line());
        configured(&folder, "sweep/high/2", &force(10), &row(8, &[("loss", 3.0)]).to_line());
        let expected = "step,run,study,seed,world.force,updates,elapsed,loss,notice\r\n\
            8,high/1,high,1,10,4,0.5,2,\r\n\
            8,high/2,high,2,10,4,0.5,3,\r\n\
            8,low/1,low,1,5,4,0.5,1,\r\n";
        assert_eq!(exported(&folder, "sweep").unwrap(), expected);
        // A single run belongs to no study, and without a study there is no column.
        configured(&folder, "sweep/alone", &force(5), &row(8, &[("loss", 4.0)]).to_line());
        let table = exported(&folder, "sweep").unwrap();
        assert!(table.contains("\r\n8,alone,,7,5,4,0.5,4,\r\n"), "{table}");
        configured(&folder, "runs/a", &force(5), &row(8, &[("loss", 4.0)]).to_line());
        configured(&folder, "runs/b", &force(10), &row(8, &[("loss", 4.0)]).to_line());
        assert!(exported(&folder, "runs").unwrap().starts_with("step,run,seed,world.force,"));
    }

    #[test]
    fn a_damaged_run_is_omitted_and_reported() {
        let folder = TestFolder::new("csv-damaged");
        for name in ["runs/a", "runs/b", "runs/study/1", "runs/study/2"] {
            recorded(&folder, name, &row(8, &[("loss", 1.0)]).to_line());
        }
        for name in ["runs/b", "runs/study/1"] {
            fs::write(folder.path().join(name).join("run.json"), "{").unwrap();
        }
        let failure = exported(&folder, "runs").unwrap_err();
        assert_eq!(failure.code(), 1);
        let message = failure.message().unwrap();
        assert!(
            message.ends_with("runs: 2 of 4 runs could not be read; the table has the other runs"),
            "{message}"
        );
        let table = fs::read_to_string(folder.path().join("table.csv")).unwrap();
        let expected = "step,run,study,seed,updates,elapsed,loss,notice\r\n\
            8,a,,7,4,0.5,1,\r\n\
            8,study/2,study,2,4,0.5,1,\r\n";
        // The runs differ in their seeds only.
        assert_eq!(table, expected);
        assert!(exported(&folder, "runs/b").unwrap_err().message().unwrap().contains("run.json is damaged"));
    }

    #[test]
    fn a_run_without_metrics_is_refused() {
        let folder = TestFolder::new("csv-empty");
        recorded(&folder, "run", "");
        assert!(exported(&folder, "run").unwrap_err().message().unwrap().contains("no metrics yet"));
        assert!(!folder.path().join("table.csv").exists());
    }
}
