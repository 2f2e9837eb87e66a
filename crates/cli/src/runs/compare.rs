//! `vivarium runs compare`: the settings in which runs and studies of seeds differ, and their newest metrics.

use super::run_group::{self, RunGroup};
use super::stored_run::{NewestMetrics, StoredRun};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::seed_mean::SeedMean;
use crate::{terminal, text};
use clap::Args;
use serde_json::{Map, Value, json};
use std::path::{Component, Path, PathBuf};
use vivarium_lab::config::{get, used_fields};
use vivarium_lab::spelling;

/// Command-line arguments of `vivarium runs compare`.
#[derive(Args, Debug)]
#[command(
    after_help = "A study of seeds is one column: the mean of its runs ± half of the 95 % confidence interval. Runs of different \
    experiments are compared by the settings and metrics that all of them have."
)]
pub struct CompareArgs {
    /// Run folders, and folders of studies of seeds; or one folder, whose runs and studies are compared
    #[arg(required = true)]
    runs: Vec<PathBuf>,
    /// Compare only this metric of metrics.jsonl, such as eval_return_mean; repeatable [default: all]
    #[arg(long = "metric", value_name = "NAME")]
    metrics: Vec<String>,
    /// Sort the columns by best, steps, elapsed or a metric, the highest value first [default: the order of the command line]
    #[arg(long, value_name = "NAME")]
    sort: Option<String>,
    /// Print one JSON object per run or study: the settings that differ, and the newest metrics
    #[arg(long)]
    json: bool,
}

/// Column of the comparison: a run, or the runs of a study.
struct ComparedGroup {
    group: RunGroup,
    runs: Vec<StoredRun>,
    /// Newest metrics of each run.
    newest: Vec<NewestMetrics>,
}

impl ComparedGroup {
    fn open(group: RunGroup) -> Result<Self, CliError> {
        let runs = group.open()?;
        let newest = runs.iter().map(StoredRun::newest_metrics).collect::<Result<_, _>>()?;
        Ok(Self { group, runs, newest })
    }

    /// Returns the value of a setting: the common value of all runs, or else an array of their values.
    fn setting(&self, value: &dyn Fn(&StoredRun) -> Value) -> Value {
        let mut values: Vec<_> = self.runs.iter().map(value).collect();
        values.dedup();
        if values.len() == 1 { values.remove(0) } else { Value::Array(values) }
    }

    /// Returns the value of a metric in each run that has it.
    fn metric(&self, name: &str) -> Vec<f64> {
        let values = self.newest.iter().flatten().filter(|(known, _)| *known == name);
        values.map(|(_, value)| *value).collect()
    }

    /// Returns a number of each run by its name: `best`, `steps`, `elapsed` or a metric.
    fn named(&self, name: &str) -> Vec<f64> {
        match name {
            "best" => self.numbers(|run| run.best),
            "steps" => self.numbers(|run| Some(run.steps as f64)),
            "elapsed" => self.numbers(|run| Some(run.elapsed)),
            metric => self.metric(metric),
        }
    }

    /// Returns a number of each run.
    fn numbers(&self, number: impl Fn(&StoredRun) -> Option<f64>) -> Vec<f64> {
        self.runs.iter().filter_map(number).collect()
    }

    /// Converts the numbers of the runs to JSON: the number of a run, or mean and interval of a study.
    fn json(&self, numbers: &[f64]) -> Value {
        match SeedMean::of(numbers) {
            Some(mean) if self.group.is_study() => mean.to_json(),
            _ => json!(numbers.first()),
        }
    }
}

/// Prints the settings in which the runs differ, and their newest metrics, with one column per run or study.
///
/// # Errors
/// [`CliError::Failed`] if a folder has no run.
pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let groups = compared_groups(&args.runs)?.into_iter().map(ComparedGroup::open);
    let mut groups: Vec<_> = groups.collect::<Result<_, _>>()?;
    select(&mut groups, &args.metrics, args.sort.as_deref())?;
    let settings = differing_settings(&groups);
    if args.json {
        for (index, group) in groups.iter().enumerate() {
            terminal::print_line(&json_line(group, index, &settings));
        }
    } else {
        terminal::print_line(&table(&groups, &settings));
    }
    Ok(())
}

/// Returns the runs and studies in the folders of the command line. One folder that is not a run stands for the runs and studies in it,
/// and a single study for its runs.
///
/// # Errors
/// [`CliError`] if a folder has no run, or if there is only one run.
fn compared_groups(paths: &[PathBuf]) -> Result<Vec<RunGroup>, CliError> {
    let [folder] = paths else { return paths.iter().map(|path| RunGroup::find(path)).collect() };
    let groups = if RunFolder::is_run(folder) { Vec::new() } else { run_group::groups(folder)? };
    let groups = match &groups[..] {
        [study] => study.runs.iter().cloned().map(RunGroup::single).collect(),
        _ => groups,
    };
    if groups.len() < 2 {
        return Err(CliError::usage(format!(
            "{}: a comparison needs two runs; name another run or study, or a folder with several",
            folder.display()
        )));
    }
    Ok(groups)
}

/// Keeps only the metrics `metrics`, unless it is empty, and sorts the groups by the number `sort`, the highest first.
///
/// # Errors
/// [`CliError::Usage`] if no run has the metric.
fn select(groups: &mut [ComparedGroup], metrics: &[String], sort: Option<&str>) -> Result<(), CliError> {
    let all: Vec<_> = groups.iter().flat_map(|group| group.newest.iter().cloned()).collect();
    let known = metric_names(&all);
    let numbers = ["best", "steps", "elapsed"];
    let sorted_metric = sort.filter(|name| !numbers.contains(name));
    for name in metrics.iter().map(String::as_str).chain(sorted_metric) {
        if !known.iter().any(|known| known == name) {
            let similar = spelling::nearest(name, known.iter().map(String::as_str));
            let hint = similar.map_or(String::new(), |name| format!("; did you mean {name}?"));
            return Err(CliError::usage(format!(
                "no run has the metric {name}{hint}\nMetrics: {}",
                known.join(", ")
            )));
        }
    }
    if let Some(name) = sort {
        let value =
            |group: &ComparedGroup| SeedMean::of(&group.named(name)).map_or(f64::NEG_INFINITY, |of| of.mean);
        groups.sort_by(|a, b| value(b).total_cmp(&value(a)));
    }
    if !metrics.is_empty() {
        let newest = groups.iter_mut().flat_map(|group| &mut group.newest);
        newest.for_each(|newest| newest.retain(|(name, _)| metrics.contains(name)));
    }
    Ok(())
}

/// Formats the column `index` as one line of JSON.
fn json_line(group: &ComparedGroup, index: usize, settings: &[(String, Vec<Value>)]) -> String {
    let settings: Map<String, Value> =
        settings.iter().map(|(path, values)| (path.clone(), values[index].clone())).collect();
    let names = metric_names(&group.newest);
    let metrics: Map<String, Value> =
        names.into_iter().map(|name| (name.clone(), group.json(&group.metric(&name)))).collect();
    let mut line = json!({
        "run": group.group.path.display().to_string(),
        "steps": group.json(&group.numbers(|run| Some(run.steps as f64))),
        "elapsed": group.json(&group.numbers(|run| Some(run.elapsed))),
        "best": group.json(&group.numbers(|run| run.best)),
        "settings": settings,
        "metrics": metrics,
    });
    match group.runs.first() {
        Some(run) if !group.group.is_study() => line["steps"] = run.steps.into(),
        _ => line["runs"] = json!(group.group.runs),
    }
    line.to_string()
}

/// Formats the comparison as a table with one column per run or study.
fn table(groups: &[ComparedGroup], settings: &[(String, Vec<Value>)]) -> String {
    let row = |label: &str, cell: &dyn Fn(&ComparedGroup) -> String| {
        std::iter::once(label.to_owned()).chain(groups.iter().map(cell)).collect::<Vec<_>>()
    };
    // The common folder is in the corner, so that the columns are narrow.
    let folder = common_folder(groups);
    let heading = |group: &ComparedGroup| {
        let path = &group.group.path;
        path.strip_prefix(&folder).unwrap_or(path).display().to_string()
    };
    let corner = if folder.as_os_str().is_empty() { String::new() } else { format!("{}/", folder.display()) };
    let mut rows = vec![row(&corner, &heading)];
    if groups.iter().any(|group| group.group.is_study()) {
        rows.push(row("runs", &|group| group.runs.len().to_string()));
    }
    for (path, values) in settings {
        rows.push(std::iter::once(path.clone()).chain(values.iter().map(shown)).collect());
    }
    let states = |group: &ComparedGroup| {
        let mut states: Vec<_> = group.runs.iter().map(|run| run.short_state).collect();
        states.dedup();
        states.join(", ")
    };
    rows.push(row("state", &states));
    let steps = |group: &ComparedGroup| group.numbers(|run| Some(run.steps as f64));
    rows.push(row("steps", &|group| statistic(&steps(group), |steps| text::whole(steps as u64))));
    let seconds = |group: &ComparedGroup| group.numbers(|run| Some(run.elapsed));
    rows.push(row("time", &|group| statistic(&seconds(group), text::duration)));
    let best = |group: &ComparedGroup| {
        let score = group.runs.first().and_then(|run| run.score).unwrap_or("score");
        match group.numbers(|run| run.best) {
            best if best.is_empty() => MISSING.to_owned(),
            best => format!("{score} {}", statistic(&best, text::number)),
        }
    };
    rows.push(row("best", &best));
    let all: Vec<_> = groups.iter().flat_map(|group| group.newest.iter().cloned()).collect();
    for name in metric_names(&all) {
        let values: Vec<_> = groups.iter().map(|group| group.metric(&name)).collect();
        if is_shown(groups, values.iter().any(Vec::is_empty)) {
            let cells = values.iter().map(|values| statistic(values, text::number));
            rows.push(std::iter::once(name).chain(cells).collect());
        }
    }
    text::table(&rows)
}

/// Returns the folder that has the folders of all groups.
fn common_folder(groups: &[ComparedGroup]) -> PathBuf {
    let mut parents = groups.iter().map(|group| group.group.path.parent().unwrap_or(Path::new("")));
    let first = parents.next().unwrap_or(Path::new(""));
    parents.fold(first.to_owned(), |common, parent| {
        let is_equal = |(a, b): &(Component, Component)| a == b;
        common.components().zip(parent.components()).take_while(is_equal).map(|(part, _)| part).collect()
    })
}

/// Text for a missing value.
const MISSING: &str = "–";

/// Formats the number of a run, or the mean of the numbers of a study with half of its 95 % confidence interval.
fn statistic(numbers: &[f64], format: impl Fn(f64) -> String) -> String {
    match SeedMean::of(numbers) {
        None => MISSING.to_owned(),
        Some(SeedMean { mean, high, .. }) if high.is_finite() => {
            format!("{} ± {}", format(mean), format(high - mean))
        }
        Some(SeedMean { mean, .. }) => format(mean),
    }
}

/// Returns whether the comparison has a row. Runs of different experiments are compared only by rows without missing values.
fn is_shown(groups: &[ComparedGroup], is_incomplete: bool) -> bool {
    let mut names = groups.iter().flat_map(|group| &group.runs).map(|run| &run.metadata.experiment);
    let first = names.next();
    !is_incomplete || names.all(|name| Some(name) == first)
}

/// Returns the settings in which the groups differ, and their value in each group: experiment, seed, engine, threads, and
/// the config fields that the learner of at least one run uses.
fn differing_settings(groups: &[ComparedGroup]) -> Vec<(String, Vec<Value>)> {
    let mut paths: Vec<&str> = Vec::new();
    for run in groups.iter().flat_map(|group| &group.runs) {
        let Ok(info) = vivarium_exhibits::info(&run.metadata.experiment) else { continue };
        for field in used_fields(&info.fields, &run.config) {
            if !paths.contains(&field.path) {
                paths.push(field.path);
            }
        }
    }
    let of_run = |name: &str, value: &dyn Fn(&StoredRun) -> Value| {
        (name.to_owned(), groups.iter().map(|group| group.setting(value)).collect::<Vec<Value>>())
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

/// Returns the value of the field at `path` of a config. The path may name a section in the config of another experiment.
fn field_of<'a>(config: &'a Value, path: &str) -> Option<&'a Value> {
    get(config, path).filter(|value| !value.is_object())
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
    if value.is_null() { MISSING.to_owned() } else { text::field_value(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::example_metadata;
    use vivarium_lab::run_metadata::RunMetadata;

    /// Returns a run as a column.
    fn single(experiment: &str, config: Value, metrics: &[(&str, f64)]) -> ComparedGroup {
        let run = StoredRun {
            metadata: RunMetadata { experiment: experiment.into(), ..example_metadata() },
            ..StoredRun::example(Path::new(experiment), config)
        };
        let newest = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
        let group = RunGroup { path: experiment.into(), runs: vec![experiment.into()] };
        ComparedGroup { group, runs: vec![run], newest: vec![newest] }
    }

    /// Formats the comparison with single spaces.
    fn words(groups: &[ComparedGroup]) -> String {
        let table = table(groups, &differing_settings(groups));
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
    }

    #[test]
    fn a_run_of_an_unknown_experiment_does_not_select_the_fields_of_the_next_run() {
        let groups = [
            single("of-another-version", json!({ "dqn": { "n_step": 1 } }), &[]),
            single("cartpole", json!({ "learner": "dqn", "dqn": { "n_step": 3 } }), &[]),
        ];
        let paths: Vec<_> = differing_settings(&groups).into_iter().map(|(path, _)| path).collect();
        assert!(paths.contains(&"dqn.n_step".to_owned()), "{paths:?}");
    }

    #[test]
    fn different_experiments_are_compared_by_what_both_have() {
        let groups = [
            single(
                "cartpole",
                json!({ "ppo": { "horizon": 64 }, "world": { "force": 10 } }),
                &[("entropy", 0.5), ("eval_return_mean", 400.0)],
            ),
            single("pendulum", json!({ "ppo": { "horizon": 32 } }), &[("entropy", 0.25), ("torque", 1.0)]),
        ];
        let text = words(&groups);
        for part in ["experiment cartpole pendulum\n", "ppo.horizon 64 32\n", "entropy 0.500 0.250\n"] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        let sections = [
            single("cartpole", json!({ "learner": "ppo" }), &[]),
            single("cube3", json!({ "learner": { "width": 8 } }), &[]),
        ];
        assert!(!words(&sections).contains("learner"), "a section is not a setting");
        for part in ["world.force", "eval_return_mean", "torque"] {
            assert!(!text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn columns_are_selected_and_sorted_by_a_metric() {
        let run = |name: &str, loss: f64| {
            let mut group = single("cartpole", json!({}), &[("loss", loss), ("entropy", 0.5)]);
            group.group = RunGroup::single(Path::new("runs/sweep").join(name));
            group
        };
        let mut groups = [run("a", 1.0), run("b", 3.0), run("c", 2.0)];
        select(&mut groups, &["loss".into()], Some("loss")).unwrap();
        let text = words(&groups);
        assert!(text.starts_with("runs/sweep/ b c a\n"), "{text}");
        assert!(text.contains("loss 3.00 2.00 1.00\n") && !text.contains("entropy"), "{text}");
        let refused = select(&mut groups, &["los".into()], None).unwrap_err();
        let message = refused.message().unwrap();
        assert!(message.contains("no run has the metric los; did you mean loss?"), "{message}");
    }

    #[test]
    fn a_study_is_a_column_of_means_with_intervals() {
        let seed = |seed: u64, value: f64| {
            let run = StoredRun {
                metadata: RunMetadata { seed, ..example_metadata() },
                best: Some(value),
                ..StoredRun::example(&Path::new("study").join(seed.to_string()), json!({}))
            };
            (run, vec![("entropy".to_owned(), value)])
        };
        let (runs, newest): (Vec<_>, Vec<_>) = [seed(1, 1.0), seed(2, 2.0), seed(3, 3.0)].into_iter().unzip();
        let paths = runs.iter().map(|run: &StoredRun| run.path.clone()).collect();
        let study = ComparedGroup { group: RunGroup { path: "study".into(), runs: paths }, runs, newest };
        let groups = [study, single("cartpole", json!({}), &[("entropy", 4.0)])];
        let settings = differing_settings(&groups);
        let text = words(&groups);
        // t(0.975, 2) = 4.303 and s = 1: half of the interval is 4.303 / √3.
        for part in [
            "study cartpole\nruns 3 1\n",
            "seed [1,2,3] 7\n",
            "return 2.00 ± 2.48",
            "entropy 2.00 ± 2.48 4.00\n",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        let line: Value = serde_json::from_str(&json_line(&groups[0], 0, &settings)).unwrap();
        assert_eq!((&line["best"]["mean"], &line["runs"][2]), (&2.0.into(), &"study/3".into()));
        let line: Value = serde_json::from_str(&json_line(&groups[1], 1, &settings)).unwrap();
        assert_eq!((&line["metrics"]["entropy"], &line["steps"]), (&4.0.into(), &512.into()));
    }
}
