//! `vivarium runs list`: a table of the runs in a folder.

use super::stored_run::{StoredRun, check_readable, folder_or_default};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::run::run_group::{RunGroup, groups};
use crate::{terminal, text};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// Command-line arguments of `vivarium runs list`.
#[derive(Args, Debug)]
#[command(
    after_help = "A run that cannot be read is reported, and the exit code is 1; the other runs are listed."
)]
pub struct ListArgs {
    /// Folder in which run folders and studies of seeds are searched, with its subfolders, or one run folder [default: runs]
    dir: Option<PathBuf>,
    /// Print one JSON object per run
    #[arg(long)]
    json: bool,
}

/// Lists the runs in a folder, the oldest first. An unreadable run is reported on standard error.
///
/// # Errors
/// [`CliError`] if the folder or a run cannot be read; the other runs are then listed.
pub fn run(args: &ListArgs) -> Result<(), CliError> {
    let folder = folder_or_default(args.dir.as_ref())?;
    let (mut runs, mut unreadable) = (Vec::new(), 0);
    let groups =
        if RunFolder::is_run(&folder) { vec![RunGroup::single(folder.clone())] } else { groups(&folder)? };
    for path in groups.into_iter().flat_map(|group| group.runs) {
        match StoredRun::open(&path) {
            Ok(run) => runs.push(run),
            Err(failure) => {
                terminal::print_error(failure.message().unwrap_or_default());
                unreadable += 1;
            }
        }
    }
    runs.sort_by(|a: &StoredRun, b| a.metadata.started.total_cmp(&b.metadata.started));
    if args.json {
        runs.iter().for_each(|run| terminal::print_line(&json_line(run)));
    } else if !runs.is_empty() {
        terminal::print_line(&table(&runs, terminal::output_width()));
    } else if unreadable == 0 {
        terminal::print_line(&format!("The folder {} has no runs.", folder.display()));
    }
    check_readable(&folder, unreadable, runs.len() + unreadable)
}

/// Number of [`table`]'s steps that reduce its width.
const REDUCTIONS: usize = 5;

/// Formats the runs as a table of at most `max_width` columns of the terminal, or of any width. A wider table lacks the units of the
/// evaluations, then the columns engine, time and start, and then how interrupted runs can be resumed. The paths of the runs are always complete.
fn table(runs: &[StoredRun], max_width: Option<usize>) -> String {
    let width = |table: &str| table.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let fits = |table: &String| max_width.is_none_or(|most| width(table) <= most);
    let narrower = (0..REDUCTIONS).map(|reductions| reduced_table(runs, reductions)).find(fits);
    narrower.unwrap_or_else(|| reduced_table(runs, REDUCTIONS))
}

/// Formats the runs as a table with the first `reductions` reductions of [`table`].
fn reduced_table(runs: &[StoredRun], reductions: usize) -> String {
    /// Heading of a column, and the number of reductions from which on the column is omitted.
    const COLUMNS: [(&str, usize); 8] = [
        ("run", usize::MAX),
        ("experiment", usize::MAX),
        ("state", usize::MAX),
        ("start (UTC)", 4),
        ("time", 3),
        ("steps", usize::MAX),
        ("best", usize::MAX),
        ("engine", 2),
    ];
    let shown = |cells: [String; 8]| {
        let columns = cells.into_iter().zip(COLUMNS);
        columns.filter(|(_, (_, omitted))| reductions < *omitted).map(|(cell, _)| cell).collect::<Vec<_>>()
    };
    let row = |run: &StoredRun| {
        shown([
            run.path.display().to_string(),
            run.metadata.experiment.clone(),
            if reductions < REDUCTIONS { run.table_state() } else { run.short_state.to_owned() },
            text::utc(run.metadata.started),
            text::duration(run.elapsed),
            text::whole(run.steps),
            run.best_score(reductions == 0),
            run.metadata.engine.clone(),
        ])
    };
    let heading = shown(COLUMNS.map(|(name, _)| name.to_owned()));
    text::table(&std::iter::once(heading).chain(runs.iter().map(row)).collect::<Vec<_>>())
}

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
        "heartbeat": run.heartbeat,
        "steps": run.steps,
        "elapsed": run.elapsed,
        "started": run.metadata.started,
        "score": run.score.map(|score| score.measure),
        "unit": run.score.map_or("", |score| score.unit),
        "best": run.best,
        "best_measure": run.best_measure().map(|(name, value, unit)| json!({ "name": name, "value": value, "unit": unit })),
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
            heartbeat: None,
            is_interrupted: true,
            is_resumable: true,
            steps: 1_234_567,
            elapsed: 7800.0,
            best: Some(0.745),
            score: score("cartpole"),
            checkpoints: Vec::new(),
            task_changed_at: None,
        }
    }

    #[test]
    fn a_narrow_table_has_fewer_columns_and_complete_paths() {
        let path = "sw/base/a-model-of-a-language-with-a-long-name";
        let language = |seed: u32| StoredRun {
            score: score("language"),
            best: Some(-2.53),
            ..run(&format!("{path}/{seed}"))
        };
        let runs = [language(1), language(2)];
        let full = table(&runs, None);
        let row = format!(
            "\n{path}/2  frozen-lake-8x8  interrupted; can be resumed  2026-11-27 02:00  2 h 10 min  "
        );
        assert!(full.contains(&row) && full.contains("held_out_loss 2.53 nats/token  cpu"), "{full}");
        let width = |table: &str| table.lines().map(|line| line.chars().count()).max().unwrap();
        assert_eq!(table(&runs, Some(width(&full))), full);
        let mut previous = full;
        for missing in ["nats/token", "engine", "time ", "start", "; can be resumed"] {
            let narrower = table(&runs, Some(width(&previous) - 1));
            assert!(width(&narrower) < width(&previous) && !narrower.contains(missing), "{narrower}");
            for seed in [1, 2] {
                assert!(
                    narrower.contains(&format!("\n{path}/{seed}  frozen-lake-8x8  interrupted")),
                    "{narrower}"
                );
            }
            previous = narrower;
        }
        assert_eq!(table(&runs, Some(10)), previous);
    }

    #[test]
    fn json_has_the_measure_of_the_table() {
        let language = StoredRun {
            metadata: RunMetadata { experiment: "language".into(), ..example_metadata() },
            score: score("language"),
            best: Some(-2.5),
            ..run("a")
        };
        let line: Value = serde_json::from_str(&json_line(&language)).unwrap();
        assert_eq!((&line["best"], &line["score"]), (&(-2.5).into(), &"likelihood".into()));
        let expected =
            json!({ "name": "held_out_loss", "value": 2.5, "unit": "nats/token on held-out text" });
        assert_eq!(line["best_measure"], expected);
        let line: Value = serde_json::from_str(&json_line(&run("a"))).unwrap();
        assert_eq!(line["best_measure"]["name"], "return");
    }

    /// Returns the evaluation score of an experiment.
    fn score(experiment: &str) -> Option<&'static EvaluatedMeasure> {
        vivarium_exhibits::measures(experiment).ok().map(|measures| measures.score())
    }

    #[test]
    fn a_score_has_its_unit() {
        assert_eq!(run("a").best_score(true), "return 0.745");
        assert_eq!(StoredRun { score: score("cube2"), ..run("a") }.best_score(true), "solved 74.5 %");
        // The score is the negative of the loss.
        let language = StoredRun { score: score("language"), best: Some(-2.53), ..run("a") };
        assert_eq!(language.best_score(true), "held_out_loss 2.53 nats/token");
        assert_eq!(StoredRun { best: None, ..run("a") }.best_score(true), "–");
    }
}
