//! `vivarium eval` for a study of seeds: evaluates each run, and prints the mean of each measure with its 95 % confidence interval.

use super::args::EvalArgs;
use super::outcome::{EvalOutcome, with_changes};
use crate::error::CliError;
use crate::run::RunFolder;
use crate::run::run_group::{self, RunGroup};
use crate::seed_mean::SeedMean;
use crate::text::shell_quoted_path;
use crate::{terminal, text};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use vivarium_lab::run_metadata::RunMetadata;

/// A study of seeds whose runs are evaluated.
pub struct EvaluatedStudy {
    /// Folder of the study.
    path: PathBuf,
    /// Run folders with their metadata, by seed.
    runs: Vec<(RunFolder, RunMetadata)>,
}

/// Evaluation of a run of a study.
struct EvaluatedRun {
    seed: u64,
    /// Run folder.
    path: PathBuf,
    /// Evaluated checkpoint.
    checkpoint: PathBuf,
    outcome: EvalOutcome,
}

impl EvaluatedStudy {
    /// Opens the study in the folder `path`; `None` if the folder is a run, or `path` is a file.
    ///
    /// # Errors
    /// [`CliError`] if the folder has no runs, several runs that are not a study, or runs of different experiments.
    pub fn open(path: &Path) -> Result<Option<Self>, CliError> {
        if !path.is_dir() || RunFolder::is_run(path) {
            return Ok(None);
        }
        let study = RunGroup::find(path).or_else(|failure| match run_group::groups(path)?.first() {
            Some(first) => Err(CliError::usage(format!(
                "{}: the folder has runs or studies, but is no study of seeds, whose run folders have the names of their seeds; \
                 specify a run or a study, such as {}",
                path.display(),
                first.path.display()
            ))),
            None => Err(failure),
        })?;
        let runs: Vec<_> = study.runs.iter().map(|run| RunFolder::open(run)).collect::<Result<_, _>>()?;
        let other = runs.iter().find(|(_, metadata)| metadata.experiment != runs[0].1.experiment);
        if let Some((folder, metadata)) = other {
            return Err(CliError::usage(format!(
                "{}: the folder has runs of different experiments, {} in {} and {} in {}; evaluate each run, or move the runs of \
                 each experiment to a folder of their own",
                path.display(),
                runs[0].1.experiment,
                runs[0].0.path().display(),
                metadata.experiment,
                folder.path().display()
            )));
        }
        Ok(Some(Self { path: path.to_owned(), runs }))
    }

    /// Returns the name of the experiment of all runs.
    pub fn experiment(&self) -> &str {
        &self.runs[0].1.experiment
    }

    /// Checks that the study is of the experiment `name` and that the evaluation writes no files. `export` is the option of a file.
    ///
    /// # Errors
    /// [`CliError::Usage`] with the remedy.
    pub fn check(&self, name: &str, export: Option<&str>) -> Result<(), CliError> {
        let path = self.path.display();
        if name != self.experiment() {
            return Err(CliError::usage(format!(
                "{path}: this is a study of {}, not of {name}; omit the experiment",
                self.experiment()
            )));
        }
        match export {
            Some(option) => Err(CliError::usage(format!(
                "{option}: {path} is a study of seeds, and the file is of one run; specify a run, such as {}",
                self.runs[0].0.path().display()
            ))),
            None => Ok(()),
        }
    }

    /// Evaluates each run by `evaluate`, which receives the options `args` with the checkpoint of the run, and prints the results
    /// and their means. Runs without the checkpoint, and runs whose evaluation fails, are reported on standard error.
    ///
    /// # Errors
    /// [`CliError::Failed`] if no run has the checkpoint, or after the results if an evaluation failed; another error of an
    /// evaluation, such as an interruption, at once.
    pub fn evaluate(
        &self,
        args: &EvalArgs,
        evaluate: impl Fn(&EvalArgs) -> Result<EvalOutcome, CliError>,
    ) -> Result<(), CliError> {
        let (mut evaluated, mut missing, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for (folder, metadata) in &self.runs {
            let checkpoint = if args.latest { folder.latest() } else { folder.best_or_latest() };
            if !checkpoint.is_file() {
                missing.push(folder.path());
                continue;
            }
            let outcome = match evaluate(&EvalArgs { checkpoint: Some(checkpoint.clone()), ..args.clone() }) {
                Ok(outcome) => outcome,
                // The results of the other runs are not lost.
                Err(CliError::Failed(message)) => {
                    failures.push(message);
                    continue;
                }
                Err(error) => return Err(error),
            };
            let path = folder.path().to_owned();
            evaluated.push(EvaluatedRun { seed: metadata.seed, path, checkpoint, outcome });
        }
        if evaluated.is_empty() && failures.is_empty() {
            let path = self.path.display();
            return Err(CliError::failed(if args.latest {
                format!("{path}: no run of the study has a latest checkpoint; train longer, or omit --latest")
            } else {
                format!("{path}: no run of the study has a checkpoint; train longer")
            }));
        }
        if !missing.is_empty() {
            let paths: Vec<_> = missing.iter().map(|path| shell_quoted_path(path)).collect();
            terminal::print_report(&format!("Not evaluated, without a checkpoint: {}", paths.join(", ")));
        }
        if !evaluated.is_empty() {
            terminal::print_line(&match args.json {
                true => {
                    let changes: Map<_, _> = args.task_changes()?.into_iter().collect();
                    json_object(args, self, &evaluated, &missing, changes).to_string()
                }
                false => format!("{}{}", table(&evaluated), with_changes(&args.task_changes()?)),
            });
        }
        if failures.is_empty() { Ok(()) } else { Err(CliError::failed(failures.join("\n"))) }
    }
}

/// Returns the names of the measures of all runs.
fn measure_names(runs: &[EvaluatedRun]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in runs.iter().flat_map(|run| &run.outcome.measures) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    names
}

/// Returns the value of the measure `name` of a run.
fn value(run: &EvaluatedRun, name: &str) -> Option<f64> {
    run.outcome.measures.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// Returns the mean of each measure over the runs that have it, and the number of these runs.
fn means(runs: &[EvaluatedRun]) -> Vec<(&str, SeedMean, usize)> {
    let mean = |name| {
        let values: Vec<_> =
            runs.iter().filter_map(|run| value(run, name)).filter(|value| value.is_finite()).collect();
        Some((name, SeedMean::of(&values)?, values.len()))
    };
    measure_names(runs).into_iter().filter_map(mean).collect()
}

/// Formats the results as a table with one row per seed, and the means.
fn table(runs: &[EvaluatedRun]) -> String {
    let names = measure_names(runs);
    let mut heading = vec!["seed".to_owned()];
    heading.extend(names.iter().map(|name| (*name).to_owned()));
    heading.extend(["trained steps", "checkpoint"].map(str::to_owned));
    let row = |run: &EvaluatedRun| {
        let mut cells = vec![run.seed.to_string()];
        cells.extend(names.iter().map(|name| value(run, name).map_or("–".to_owned(), text::number)));
        cells.extend([text::whole(run.outcome.trained), run.checkpoint.display().to_string()]);
        cells
    };
    let rows: Vec<_> = std::iter::once(heading).chain(runs.iter().map(row)).collect();
    let mut lines = vec![text::table(&rows)];
    lines.extend(means(runs).into_iter().map(|(name, mean, count)| mean.sentence(name, count)));
    lines.join("\n")
}

/// Converts the results to a JSON object: experiment, folder of the study, seed of the episodes, fields of `--set`, which are
/// `changes`, results of the runs, mean of each measure with its 95 % confidence interval, and run folders without a checkpoint.
fn json_object(
    args: &EvalArgs,
    study: &EvaluatedStudy,
    runs: &[EvaluatedRun],
    missing: &[&Path],
    changes: Map<String, Value>,
) -> Value {
    let run = |run: &EvaluatedRun| {
        let measures: Map<String, Value> =
            run.outcome.measures.iter().map(|(name, value)| (name.clone(), (*value).into())).collect();
        let mut object = run.outcome.json.clone();
        object["run"] = run.path.display().to_string().into();
        // Of the run, as in other lists of runs; the seed of the episodes is that of the study's object.
        object["seed"] = run.seed.into();
        object["measures"] = Value::Object(measures);
        object
    };
    let means: Map<String, Value> =
        means(runs).into_iter().map(|(name, mean, _)| (name.to_owned(), mean.to_json())).collect();
    json!({
        "experiment": args.experiment,
        "study": study.path.display().to_string(),
        "evaluation_seed": args.seed,
        "set": changes,
        "runs": runs.iter().map(run).collect::<Vec<_>>(),
        "means": means,
        "without_checkpoint": missing,
    })
}
