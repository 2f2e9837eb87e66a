//! `vivarium runs list`: a table of the runs in a folder.

use super::stored_run::{StoredRun, folder_or_default};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::run::run_group::run_folders_of_studies;
use crate::{terminal, text};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Command-line arguments of `vivarium runs list`.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Folder with run folders and studies of seeds, or one run folder [default: runs]
    dir: Option<PathBuf>,
    /// Print one JSON object per run
    #[arg(long)]
    json: bool,
}

/// Lists the runs in a folder, the oldest first. An unreadable run is reported on standard error.
///
/// # Errors
/// [`CliError`] if the folder cannot be read.
pub fn run(args: &ListArgs) -> Result<(), CliError> {
    let folder = folder_or_default(args.dir.as_ref())?;
    let mut runs = Vec::new();
    let paths =
        if RunFolder::is_run(&folder) { vec![folder.clone()] } else { run_folders_of_studies(&folder)? };
    for path in paths {
        match StoredRun::open(&path) {
            Ok(run) => runs.push(run),
            Err(failure) => terminal::print_error(failure.message().unwrap_or_default()),
        }
    }
    runs.sort_by(|a: &StoredRun, b| a.metadata.started.total_cmp(&b.metadata.started));
    if args.json {
        runs.iter().for_each(|run| terminal::print_line(&json_line(run)));
        return Ok(());
    }
    if runs.is_empty() {
        terminal::print_line(&format!("The folder {} has no runs.", folder.display()));
        return Ok(());
    }
    terminal::print_line(&table(&runs));
    Ok(())
}

/// Maximum width of the table in characters. A wider table has the names of the run folders instead of their paths, and
/// then the ends of the names.
const MAX_WIDTH: usize = 100;

/// Formats the runs as a table.
fn table(runs: &[StoredRun]) -> String {
    let with_names = |name: &dyn Fn(&StoredRun) -> String| {
        let heading = ["run", "experiment", "state", "start (UTC)", "time", "steps", "best", "engine"];
        let row = |run: &StoredRun| {
            vec![
                name(run),
                run.metadata.experiment.clone(),
                run.short_state.to_owned(),
                text::utc(run.metadata.started),
                text::duration(run.elapsed),
                text::whole(run.steps),
                run.best_score(),
                run.metadata.engine.clone(),
            ]
        };
        let heading = heading.map(str::to_owned).to_vec();
        text::table(&std::iter::once(heading).chain(runs.iter().map(row)).collect::<Vec<_>>())
    };
    let width = |table: &str| table.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let paths = with_names(&|run| run.path.display().to_string());
    if width(&paths) <= MAX_WIDTH {
        return paths;
    }
    let name = |run: &StoredRun| {
        run.path
            .file_name()
            .map_or_else(|| run.path.display().to_string(), |name| name.to_string_lossy().into())
    };
    let names = with_names(&name);
    let excess = width(&names).saturating_sub(MAX_WIDTH);
    if excess == 0 {
        return names;
    }
    let longest = runs.iter().map(|run| name(run).chars().count()).max().unwrap_or(0);
    let shortened = longest.saturating_sub(excess).max(MIN_NAME_WIDTH);
    with_names(&|run| text::column(&name(run), shortened))
}

/// Minimum width of a shortened name in characters.
const MIN_NAME_WIDTH: usize = 8;

/// Formats a run as one line of JSON.
fn json_line(run: &StoredRun) -> String {
    json!({
        "run": run.path.display().to_string(),
        "experiment": run.metadata.experiment,
        "seed": run.metadata.seed,
        "state": run.state,
        "short_state": run.short_state,
        "engine": run.metadata.engine,
        "adapter": run.metadata.adapter,
        "running": run.is_running,
        "steps": run.steps,
        "elapsed": run.elapsed,
        "started": run.metadata.started,
        "score": run.score.map(|score| score.measure),
        "unit": run.score.map_or("", |score| score.unit),
        "best": run.best,
        "checkpoints": run.checkpoints,
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use serde_json::Value;
    use vivarium_lab::measures::EvaluatedMeasure;
    use vivarium_lab::run_metadata::RunMetadata;

    fn run(path: &str) -> StoredRun {
        StoredRun {
            path: path.into(),
            metadata: RunMetadata {
                experiment: "frozen-lake-8x8".into(),
                started: 1_795_744_800.0,
                ..example_metadata()
            },
            config: Value::Null,
            state: "interrupted; can be resumed".into(),
            short_state: "interrupted",
            is_complete: false,
            is_running: false,
            steps: 1_234_567,
            elapsed: 7800.0,
            best: Some(0.745),
            score: score("cartpole"),
            checkpoints: Vec::new(),
            task_changed_at: None,
        }
    }

    #[test]
    fn the_table_has_at_most_100_columns() {
        let text = table(&[run("runs/a")]);
        assert!(
            text.contains("runs/a  frozen-lake-8x8  interrupted  2026-11-27 02:00  2 h 10 min  "),
            "{text}"
        );
        let text = table(&[run("a/long/folder/runs/lake-1")]);
        assert!(text.contains("\nlake-1  "), "{text}");
        let text = table(&[run("runs/a-long-name-that-does-not-fit-beside-the-other-columns-1")]);
        assert!(text.lines().all(|line| line.chars().count() <= 100) && text.contains('…'), "{text}");
    }

    /// Returns the evaluation score of an experiment.
    fn score(experiment: &str) -> Option<&'static EvaluatedMeasure> {
        vivarium_exhibits::measures(experiment).ok().map(|measures| measures.score())
    }

    #[test]
    fn a_score_has_its_unit() {
        assert_eq!(run("a").best_score(), "return 0.745");
        assert_eq!(StoredRun { score: score("cube2"), ..run("a") }.best_score(), "solved 74.5 %");
        // The score is the negative of the loss.
        let language = StoredRun { score: score("language"), best: Some(-2.53), ..run("a") };
        assert_eq!(language.best_score(), "held_out_loss 2.53 nats/token");
        assert_eq!(StoredRun { best: None, ..run("a") }.best_score(), "–");
    }
}
