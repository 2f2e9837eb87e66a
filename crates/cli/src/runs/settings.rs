//! Settings in which runs differ.

use super::stored_run::StoredRun;
use crate::text;
use serde_json::Value;
use vivarium_lab::config::{get, used_fields};

/// Returns the settings in which groups of runs differ, and their value in each group: experiment, seed, engine, threads, and
/// the config fields that the learner of at least one run uses. Different values of a group are an array. Groups of different
/// experiments differ only by settings that all of them have.
pub fn differing(groups: &[Vec<&StoredRun>]) -> Vec<(String, Vec<Value>)> {
    let mut paths: Vec<&str> = Vec::new();
    for run in groups.iter().flatten() {
        let Ok(info) = vivarium_exhibits::info(&run.metadata.experiment) else { continue };
        for field in used_fields(&info.fields, &run.config) {
            if !paths.contains(&field.path) {
                paths.push(field.path);
            }
        }
    }
    let of_run = |name: &str, value: &dyn Fn(&StoredRun) -> Value| {
        (name.to_owned(), groups.iter().map(|runs| common(runs, value)).collect::<Vec<Value>>())
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
            .map(|path| of_run(path, &|run| field_of(&run.config, path).cloned().unwrap_or(Value::Null))),
    );
    settings.retain(|(_, values)| {
        let is_incomplete = values.iter().any(Value::is_null);
        values.iter().any(|value| *value != values[0]) && is_shown(groups, is_incomplete)
    });
    settings
}

/// Returns whether a comparison has a row. Runs of different experiments are compared only by rows without missing values.
pub fn is_shown(groups: &[Vec<&StoredRun>], is_incomplete: bool) -> bool {
    let mut names = groups.iter().flatten().map(|run| &run.metadata.experiment);
    let first = names.next();
    !is_incomplete || names.all(|name| Some(name) == first)
}

/// Returns the value of a setting: the common value of all runs, or else an array of their values.
fn common(runs: &[&StoredRun], value: &dyn Fn(&StoredRun) -> Value) -> Value {
    let mut values: Vec<Value> = Vec::new();
    for value in runs.iter().map(|run| value(run)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
}

/// Formats the value of a setting; `missing` if a run does not have the setting.
pub fn setting_text(value: &Value, missing: &str) -> String {
    if value.is_null() { missing.to_owned() } else { text::field_value(value) }
}

/// Returns the value of the field at `path` of a config. The path may name a section in the config of another experiment.
fn field_of<'a>(config: &'a Value, path: &str) -> Option<&'a Value> {
    get(config, path).filter(|value| !value.is_object())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use serde_json::json;
    use std::path::Path;
    use vivarium_lab::run_metadata::RunMetadata;

    #[test]
    fn a_run_of_an_unknown_experiment_does_not_select_the_fields_of_the_next_run() {
        let run = |experiment: &str, config| StoredRun {
            metadata: RunMetadata { experiment: experiment.into(), ..example_metadata() },
            ..StoredRun::example(Path::new(experiment), config)
        };
        let runs = [
            run("of-another-version", json!({ "dqn": { "n_step": 1 } })),
            run("cartpole", json!({ "learner": "dqn", "dqn": { "n_step": 3 } })),
        ];
        let settings = differing(&runs.each_ref().map(|run| vec![run]));
        assert!(settings.iter().any(|(path, _)| path == "dqn.n_step"), "{settings:?}");
    }
}
