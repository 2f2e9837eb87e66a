//! `vivarium train --seeds`: one run per seed, one after another, and the mean of their results.

use super::args::TrainArgs;
use super::completed_run::CompletedRun;
use super::single_run;
use super::{interrupt, open, summary};
use crate::error::CliError;
use crate::run::free_study_folder;
use crate::seed_mean::SeedMean;
use crate::{terminal, text};
use serde_json::json;

/// Trains a run for each seed in the folder of `--out`, by default `runs/<experiment>-seeds-<n>`, and prints the mean of their
/// results. Returns whether a run has missed the goal of `--until`.
///
/// # Errors
/// The first error of a run, and [`CliError::Interrupted`] after a signal; later seeds are not trained then.
pub fn run(args: &TrainArgs, seeds: &[u64]) -> Result<bool, CliError> {
    let folder = match &args.out {
        Some(folder) => folder.clone(),
        None => free_study_folder(&open::experiment_name(args)?),
    };
    let command = summary::study_command(args, &folder);
    let mut runs = Vec::new();
    for (index, seed) in seeds.iter().enumerate() {
        if let Some(signal) = interrupt::stop_request() {
            terminal::print_report(&format!("Stopped before seed {seed}. Resume the study:\n{command}"));
            return Err(CliError::Interrupted(signal));
        }
        let out = Some(folder.join(seed.to_string()));
        let args = TrainArgs { seed: Some(*seed), seeds: None, out, ..args.clone() };
        // After an interruption, the same command resumes the study.
        let args = open::resumption(&args, single_run::threads(&args))?.unwrap_or(args);
        runs.push(single_run::run(&args, index + 1 == seeds.len(), Some(&command))?);
    }
    terminal::print_if_open(&if args.json { json_line(seeds, &runs) } else { table(seeds, &runs) });
    if let Some(warning) = longer_runs(args, &runs) {
        terminal::print_report(&warning);
    }
    Ok(runs.iter().any(|run| run.missed_goal))
}

/// Returns a warning if runs of an earlier command are longer than runs that end at `--steps`: their results are not comparable.
fn longer_runs(args: &TrainArgs, runs: &[CompletedRun]) -> Option<String> {
    args.steps?;
    let steps = || runs.iter().map(|run| run.steps);
    let (least, most) = (steps().min()?, steps().max()?);
    (least < most).then(|| {
        format!(
            "The runs have {} to {} steps, so their means are not those after --steps. Compare them at the same number of steps: \
             vivarium runs compare --at common",
            text::whole(least),
            text::whole(most)
        )
    })
}

/// Returns the mean of `result` over the runs that have it; `None` if there are none.
fn mean(runs: &[CompletedRun], result: impl Fn(&CompletedRun) -> Option<f64>) -> Option<SeedMean> {
    SeedMean::of(&runs.iter().filter_map(result).collect::<Vec<_>>())
}

/// Name of a result of a run, and the function that returns it.
type RunResult = (&'static str, fn(&CompletedRun) -> Option<f64>);

/// Results of a run that are averaged. The scores have the names [`SCORES`].
const RESULTS: [RunResult; 4] = [
    ("final", |run| run.last),
    ("best", |run| run.best),
    ("steps", |run| Some(run.steps as f64)),
    ("seconds", |run| Some(run.elapsed)),
];

/// Names of the results that are evaluation scores.
const SCORES: [&str; 2] = ["final", "best"];

/// Formats the results of the runs as a table, and their means.
fn table(seeds: &[u64], runs: &[CompletedRun]) -> String {
    let score = runs.first().map_or("score", |run| run.score.shown(0.0).0);
    let shown = |run: &CompletedRun, value: Option<f64>| {
        value.map_or("–".to_owned(), |value| text::number(run.score.shown(value).1))
    };
    let [last, best] = SCORES.map(|name| format!("{name} {score}"));
    let mut rows = vec![vec!["seed".into(), last, best, "steps".into(), "time".into(), "run".into()]];
    for (seed, run) in seeds.iter().zip(runs) {
        rows.push(vec![
            seed.to_string(),
            shown(run, run.last),
            shown(run, run.best),
            text::whole(run.steps),
            text::duration(run.elapsed),
            run.path.display().to_string(),
        ]);
    }
    let mut lines = vec![text::table(&rows)];
    for (name, result) in RESULTS {
        let is_score = SCORES.contains(&name);
        let shown = |run: &CompletedRun| {
            let value = result(run)?;
            Some(if is_score { run.score.shown(value).1 } else { value })
        };
        let label = if is_score { format!("{name} {score}") } else { name.to_owned() };
        let count = runs.iter().filter(|run| shown(run).is_some()).count();
        lines.extend(mean(runs, shown).map(|mean| mean.sentence(&label, count)));
    }
    lines.join("\n")
}

/// Formats the results of the runs as one line of JSON, with the event `seeds`.
fn json_line(seeds: &[u64], runs: &[CompletedRun]) -> String {
    let means = RESULTS.iter().map(|(name, result)| {
        let value = mean(runs, result).map(|mean| mean.to_json());
        ((*name).to_owned(), value.unwrap_or_default())
    });
    let score = runs.first().map(|run| run.score.measure);
    let runs = seeds.iter().zip(runs).map(|(seed, run)| {
        json!({
            "seed": seed,
            "run": run.path.display().to_string(),
            "final": run.last,
            "best": run.best,
            "steps": run.steps,
            "seconds": run.elapsed,
            "missed_goal": run.missed_goal,
        })
    });
    json!({
        "event": "seeds",
        "score": score,
        "runs": runs.collect::<Vec<_>>(),
        "means": means.collect::<serde_json::Map<_, _>>(),
    })
    .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(last: f64) -> CompletedRun {
        CompletedRun {
            path: "run".into(),
            score: vivarium_exhibits::measures("cartpole").unwrap().score(),
            last: Some(last),
            best: None,
            steps: 512,
            elapsed: 1.0,
            missed_goal: false,
        }
    }

    #[test]
    fn means_have_the_interval_of_student_t() {
        let runs = [1.0, 2.0, 3.0].map(completed);
        let SeedMean { mean, low, high } = mean(&runs, |run| run.last).unwrap();
        // t(0.975, 2) = 4.303 and s = 1: half of the interval is 4.303 / √3.
        assert!(
            (mean - 2.0).abs() < 1e-12
                && (high - 2.0 - 2.484).abs() < 1e-3
                && (2.0 - low - 2.484).abs() < 1e-3
        );
        assert!(super::mean(&runs, |run| run.best).is_none());
        let said = table(&[1, 2, 3], &runs);
        assert!(
            said.contains("mean final return 2.00, 95 % interval -0.484 to 4.48, over 3 seeds"),
            "{said}"
        );
        assert!(!said.contains("mean best"), "{said}");
        assert!(said.contains("mean steps 512, 95 % interval 512 to 512, over 3 seeds"), "{said}");
        assert!(said.contains("mean seconds 1.00, 95 % interval 1.00 to 1.00, over 3 seeds"), "{said}");
        let one = table(&[1], &[completed(1.0)]);
        assert!(one.contains("mean final return 1.00, over 1 seed") && !one.contains("inf"), "{one}");
    }
}
