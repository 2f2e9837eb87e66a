//! `vivarium runs compare`: the settings in which runs differ, and their newest metrics.

use super::stored_run::{NewestMetrics, StoredRun};
use crate::error::CliError;
use crate::{terminal, text};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use vivarium_lab::config::{get, used_fields};

/// Command-line arguments of `vivarium runs compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// Run folders, two or more
    #[arg(required = true, num_args = 2..)]
    runs: Vec<PathBuf>,
    /// Print one JSON object per run: the settings that differ, and the newest metrics
    #[arg(long)]
    json: bool,
}

/// Prints the settings in which the runs differ, and their newest metrics, with one column per run.
///
/// # Errors
/// [`CliError::Failed`] if a folder has no run.
pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let runs: Vec<_> = args.runs.iter().map(|path| StoredRun::open(path)).collect::<Result<_, _>>()?;
    let newest: Vec<_> = runs.iter().map(StoredRun::newest_metrics).collect::<Result<_, _>>()?;
    let settings = differing_settings(&runs);
    if args.json {
        for (index, run) in runs.iter().enumerate() {
            let settings: Map<String, Value> =
                settings.iter().map(|(path, values)| (path.clone(), values[index].clone())).collect();
            let metrics: Map<String, Value> =
                newest[index].iter().map(|(name, value)| (name.clone(), json!(value))).collect();
            let path = run.path.display().to_string();
            let line = json!({ "run": path, "steps": run.steps, "elapsed": run.elapsed, "best": run.best,
                "settings": settings, "metrics": metrics });
            terminal::print_line(&line.to_string());
        }
        return Ok(());
    }
    let row = |label: &str, cell: &dyn Fn(&StoredRun) -> String| {
        std::iter::once(label.to_owned()).chain(runs.iter().map(cell)).collect::<Vec<_>>()
    };
    let mut rows = vec![row("", &|run| run.path.display().to_string())];
    for (path, values) in &settings {
        rows.push(std::iter::once(path.clone()).chain(values.iter().map(shown)).collect());
    }
    rows.push(row("state", &|run| run.state.clone()));
    rows.push(row("steps", &|run| text::whole(run.steps)));
    rows.push(row("time", &|run| text::duration(run.elapsed)));
    let number = |value: Option<f64>| value.map_or("–".to_owned(), text::number);
    rows.push(row("best", &StoredRun::best_score));
    for name in metric_names(&newest) {
        let value =
            |newest: &NewestMetrics| newest.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        rows.push(
            std::iter::once(name.clone()).chain(newest.iter().map(|newest| number(value(newest)))).collect(),
        );
    }
    terminal::print_line(&text::table(&rows));
    Ok(())
}

/// Returns the settings in which the runs differ, and their value in each run: experiment, seed, engine, threads, and
/// the config fields that the learner of at least one run uses.
fn differing_settings(runs: &[StoredRun]) -> Vec<(String, Vec<Value>)> {
    let mut paths: Vec<&str> = Vec::new();
    for run in runs {
        let Ok(info) = vivarium_exhibits::info(&run.metadata.experiment) else { continue };
        for field in used_fields(&info.fields, &run.config) {
            if !paths.contains(&field.path) {
                paths.push(field.path);
            }
        }
    }
    let of_run = |name: &str, value: &dyn Fn(&StoredRun) -> Value| {
        (name.to_owned(), runs.iter().map(value).collect::<Vec<Value>>())
    };
    let mut settings = vec![
        of_run("experiment", &|run| run.metadata.experiment.clone().into()),
        of_run("seed", &|run| run.metadata.seed.into()),
        of_run("engine", &|run| run.metadata.engine.clone().into()),
        of_run("threads", &|run| run.metadata.threads.into()),
    ];
    settings.extend(
        paths
            .into_iter()
            .map(|path| of_run(path, &|run| get(&run.config, path).cloned().unwrap_or(Value::Null))),
    );
    settings.retain(|(_, values)| values.iter().any(|value| *value != values[0]));
    settings
}

/// Returns the names of the metrics of all runs: evaluation measures first. `newest` are the newest metrics of each run.
fn metric_names(newest: &[NewestMetrics]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in newest.iter().flatten() {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    names.sort_by_key(|name| !name.starts_with("eval_"));
    names
}

fn shown(value: &Value) -> String {
    if value.is_null() { "–".to_owned() } else { text::field_value(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::RunMetadata;

    #[test]
    fn a_run_of_an_unknown_experiment_does_not_select_the_fields_of_the_next_run() {
        let run = |experiment: &str, config: Value| StoredRun {
            path: experiment.into(),
            metadata: RunMetadata { experiment: experiment.into(), ..RunMetadata::example() },
            config,
            state: String::new(),
            short_state: "running",
            is_running: false,
            steps: 0,
            elapsed: 0.0,
            best: None,
            score: None,
            unit: "",
            is_share: false,
            checkpoints: Vec::new(),
        };
        let runs = [
            run("of-another-version", json!({})),
            run("cartpole", json!({ "learner": "dqn", "dqn": { "n_step": 3 } })),
        ];
        let paths: Vec<_> = differing_settings(&runs).into_iter().map(|(path, _)| path).collect();
        assert!(paths.contains(&"dqn.n_step".to_owned()), "{paths:?}");
    }
}
