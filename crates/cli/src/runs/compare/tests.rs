use super::comparison::{RowKind, RunComparison};
use super::format::Orientation;
use super::group::{ComparedGroup, GroupedRun};
use super::{
    ComparedStep, check_names, common_step, format, group_index, is_lower_better, metric_of, select,
};
use crate::run::example_metadata;
use crate::run::run_group::RunGroup;
use crate::runs::stored_run::{RunResults, StoredRun};
use serde_json::{Value, json};
use std::path::Path;
use vivarium_lab::run_metadata::RunMetadata;

/// Returns a run with results at its end.
fn run(
    path: &Path,
    metadata: RunMetadata,
    config: Value,
    best: Option<f64>,
    metrics: &[(&str, f64)],
) -> GroupedRun {
    let run = StoredRun { metadata, best, ..StoredRun::example(path, config) };
    let metrics = metrics.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect();
    let results =
        RunResults { steps: run.steps, elapsed: run.elapsed, evaluated: best.map(|_| 500), best, metrics };
    GroupedRun { run, results, reached: None }
}

/// Returns a run as a column.
fn single(experiment: &str, config: Value, metrics: &[(&str, f64)]) -> ComparedGroup {
    let metadata = RunMetadata { experiment: experiment.into(), ..example_metadata() };
    let run = run(Path::new(experiment), metadata, config, None, metrics);
    ComparedGroup {
        group: RunGroup { path: experiment.into(), runs: vec![experiment.into()] },
        runs: vec![run],
    }
}

/// Returns a study `name` whose runs have the value of `values` as their best score and entropy.
fn study(name: &str, values: &[f64]) -> ComparedGroup {
    let seed = |(index, value): (usize, &f64)| {
        let seed = index as u64 + 1;
        let metadata = RunMetadata { seed, ..example_metadata() };
        let path = Path::new(name).join(seed.to_string());
        run(&path, metadata, json!({}), Some(*value), &[("entropy", *value)])
    };
    let runs: Vec<_> = values.iter().enumerate().map(seed).collect();
    let paths = runs.iter().map(|run: &GroupedRun| run.run.path.clone()).collect();
    ComparedGroup { group: RunGroup { path: name.into(), runs: paths }, runs }
}

fn compared(groups: Vec<ComparedGroup>) -> RunComparison {
    RunComparison::new(groups, None, None, None)
}

/// Formats the comparison with single spaces.
fn words(comparison: &RunComparison) -> String {
    let table = format::table(comparison, Orientation::Columns);
    table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") + "\n").collect()
}

#[test]
fn different_experiments_are_compared_by_what_both_have() {
    let groups = vec![
        single(
            "cartpole",
            json!({ "ppo": { "horizon": 64 }, "world": { "force": 10 } }),
            &[("entropy", 0.5), ("eval_return_mean", 400.0)],
        ),
        single("pendulum", json!({ "ppo": { "horizon": 32 } }), &[("entropy", 0.25), ("torque", 1.0)]),
    ];
    let text = words(&compared(groups));
    for part in ["experiment cartpole pendulum\n", "ppo.horizon 64 32\n", "entropy 0.500 0.250\n"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let sections = vec![
        single("cartpole", json!({ "learner": "ppo" }), &[]),
        single("cube3", json!({ "learner": { "width": 8 } }), &[]),
    ];
    assert!(!words(&compared(sections)).contains("learner"), "a section is not a setting");
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
    let mut groups = vec![run("a", 1.0), run("b", 3.0), run("c", 2.0)];
    let refused = check_names(&groups, &["los".into()], None).unwrap_err();
    let message = refused.message().unwrap();
    assert!(message.contains("no run has the metric los; did you mean loss?"), "{message}");
    select(&mut groups, &[], Some("accuracy"));
    groups.push(single("cartpole", json!({}), &[("entropy", 0.5)]));
    groups[3].group = RunGroup::single("runs/sweep/d".into());
    select(&mut groups, &[], Some("loss"));
    let names: Vec<_> = groups.iter().map(|group| group.name(Path::new("runs/sweep"))).collect();
    assert_eq!(names, ["a", "c", "b", "d"], "lower losses are better, and a run without a loss is last");
    groups.pop();
    select(&mut groups, &["loss".into()], Some("loss"));
    let text = words(&compared(groups));
    assert!(text.starts_with("runs/sweep a c b\n"), "{text}");
    assert!(text.contains("loss 1.00 2.00 3.00\n") && !text.contains("entropy"), "{text}");
}

#[test]
fn measures_have_a_direction_and_the_names_of_their_metrics() {
    for (name, lower) in [
        ("eval_loss", true),
        ("eval_perplexity", true),
        ("policy_loss", true),
        ("eval_excess", true),
        ("eval_return_mean", false),
        ("eval_likelihood", false),
        ("best", false),
        ("steps", false),
    ] {
        assert_eq!(is_lower_better(name), lower, "{name}");
    }
    let groups = [single("cartpole", json!({}), &[]), single("language", json!({}), &[("eval_loss", 2.5)])];
    assert_eq!(metric_of(&groups, "held_out_loss"), "eval_loss");
    assert_eq!(metric_of(&groups, "entropy"), "entropy");
}

#[test]
fn json_has_the_best_measure_of_tables() {
    let mut group = study("study", &[-1.0, -3.0]);
    let score = vivarium_exhibits::measures("language").unwrap().score();
    group.runs.iter_mut().for_each(|run| run.run.score = Some(score));
    let line: Value = serde_json::from_str(&format::json_lines(&compared(vec![group]))).unwrap();
    let best = &line["best_measure"];
    assert_eq!((&best["name"], &best["value"]["mean"]), (&"held_out_loss".into(), &2.0.into()), "{line}");
    assert_eq!(line["best"]["mean"], -2.0);
}

#[test]
fn a_study_is_a_column_of_means_with_intervals() {
    let groups = vec![study("study", &[1.0, 2.0, 3.0]), single("cartpole", json!({}), &[("entropy", 4.0)])];
    let comparison = compared(groups);
    let text = words(&comparison);
    // t(0.975, 2) = 4.303 and s = 1: half of the interval is 4.303 / √3.
    for part in [
        "study cartpole\nruns 3 1\n",
        "seed [1,2,3] 7\n",
        "best return 2.00 ± 2.48",
        "entropy 2.00 ± 2.48 4.00\n",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let lines: Vec<Value> =
        format::json_lines(&comparison).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["best"]["mean"], &lines[0]["runs"][2]), (&2.0.into(), &"study/3".into()));
    assert_eq!((&lines[1]["metrics"]["entropy"], &lines[1]["steps"]), (&4.0.into(), &512.into()));
}

#[test]
fn differences_from_the_baseline_have_the_interval_of_welch() {
    let groups = vec![study("a", &[4.0, 6.0]), study("b", &[1.0, 2.0, 3.0])];
    let comparison = RunComparison::new(groups, Some(512), None, Some(1));
    let text = words(&comparison);
    // The squared standard errors are 1 and 1/3, the degrees of freedom 1.68, rounded down 1: 12.706 · √(4/3) = 14.7.
    for part in ["a difference b (baseline)\n", "entropy 5.0 ± 12.7 +3.0 ± 14.7 2.00 ± 2.48\n"] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let line: Value = serde_json::from_str(format::json_lines(&comparison).lines().next().unwrap()).unwrap();
    assert_eq!((&line["differences"]["entropy"]["mean"], &line["at"]), (&3.0.into(), &512.into()));

    let markdown = format::markdown(&comparison, Orientation::Columns);
    assert!(
        markdown.starts_with("Newest results up to 512 steps: means over the runs of a study."),
        "{markdown}"
    );
    assert!(markdown.contains("\n| --- | ---: | ---: | ---: |\n| runs | 2 |  | 3 |\n"), "{markdown}");
    let latex = format::latex(&comparison, Orientation::Columns);
    assert!(
        latex.contains("entropy & 5.0 $\\pm$ 12.7 & +3.0 $\\pm$ 14.7 & 2.00 $\\pm$ 2.48 \\\\\n"),
        "{latex}"
    );
    assert!(latex.contains("half of the 95 \\% confidence interval (Student's"), "{latex}");
    let csv = format::csv(&comparison);
    assert!(!csv.contains('\r'), "the terminal shows control characters as codes: {csv:?}");
    let mut lines = csv.lines();
    let header = "run,runs,seed,at,metric,n,mean,interval_95,difference,difference_interval_95";
    assert_eq!(lines.next(), Some(header));
    let row = lines.find(|line| line.contains(",entropy,")).unwrap();
    assert!(row.starts_with("a,2,\"[1,2]\",512,entropy,2,5,12.7") && row.contains(",3,14.67"), "{row}");
    assert!(csv.ends_with(",,"), "the baseline has no difference from itself: {csv}");
}

#[test]
fn a_threshold_has_a_mean_only_if_all_runs_reach_it() {
    let reached = |mut group: ComparedGroup, steps: &[Option<u64>]| {
        let times = steps.iter().map(|steps| steps.map(|steps| (steps, steps as f64)));
        group.runs.iter_mut().zip(times).for_each(|(run, time)| run.reached = time);
        group
    };
    let groups = vec![
        reached(study("all", &[1.0, 2.0]), &[Some(100), Some(300)]),
        reached(study("some", &[1.0, 2.0]), &[Some(100), None]),
        reached(study("most", &[1.0, 2.0, 3.0]), &[None, Some(300), Some(100)]),
        reached(single("cartpole", json!({}), &[]), &[None]),
    ];
    let text = words(&RunComparison::new(groups, None, Some("return>=475".parse().unwrap()), Some(0)));
    // t(0.975, 1) = 12.706, and the standard error is 100.
    let row = "steps to return>=475 200 ± 1271 1 of 2 runs – 2 of 3 runs, median 300 – not reached –\n";
    assert!(text.contains(row), "{text}");
}

#[test]
fn a_step_is_a_positive_number_or_common() {
    assert_eq!("common".parse(), Ok(ComparedStep::Common));
    assert_eq!("8192".parse(), Ok(ComparedStep::Step(8192)));
    assert_eq!("2e6".parse(), Ok(ComparedStep::Step(2_000_000)));
    for refused in ["0", "-1", "1.5", "last"] {
        assert!(refused.parse::<ComparedStep>().unwrap_err().contains("'common'"), "{refused}");
    }
}

#[test]
fn a_mean_over_some_of_the_runs_states_their_number() {
    let text = words(&compared(vec![study("a", &[4.0, f64::NAN, 6.0]), study("b", &[1.0, 2.0, 3.0])]));
    assert!(text.contains("entropy 5.0 ± 12.7 (2 of 3 runs) 2.00 ± 2.48\n"), "{text}");
    let csv = format::csv(&compared(vec![study("a", &[4.0, f64::NAN]), study("b", &[1.0])]));
    assert!(csv.lines().any(|line| line.ends_with(",entropy,1,4,")), "{csv}");
}

#[test]
fn a_baseline_is_a_path_or_an_unambiguous_name() {
    let groups = [study("sweep/a/1", &[1.0]), study("sweep/b/1", &[1.0]), study("sweep/b/2", &[1.0])];
    let index = |path: &str| group_index(&groups, "--baseline", Path::new(path));
    assert_eq!((index("sweep/a/1").unwrap(), index("2").unwrap(), index("2/").unwrap()), (0, 2, 2));
    for (path, problem) in [("1", "several runs have this name"), ("3", "it is not compared")] {
        let refused = index(path).unwrap_err();
        assert!(refused.message().unwrap().contains(problem), "{refused:?}");
    }
}

#[test]
fn a_common_step_requires_steps_of_all_runs() {
    let mut groups = [study("a", &[1.0]), study("b", &[1.0])];
    assert_eq!(common_step(&groups).unwrap(), 512);
    groups[1].runs[0].run.steps = 0;
    assert!(common_step(&groups).unwrap_err().message().unwrap().contains("b/1: the run has no steps yet"));
}

#[test]
fn a_step_before_a_change_of_the_task_is_refused() {
    let mut group = single("cartpole", json!({}), &[]);
    group.runs[0].run.task_changed_at = Some(256);
    let refused = group.restrict(256).unwrap_err();
    let message = refused.message().unwrap();
    for part in ["cartpole: the task of the run was changed after 256 steps", "use more than 256 steps"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn a_table_may_have_only_one_metric_with_a_row_per_study() {
    let groups = || vec![study("sweep/a", &[4.0, 6.0]), study("sweep/b", &[1.0, 2.0, 3.0])];
    let mut comparison = compared(groups());
    comparison.keep_rows(&[RowKind::Metrics]);
    let text = format::table(&comparison, Orientation::Rows);
    let lines: Vec<_> = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    let expected: [&[&str]; 3] =
        [&["sweep", "entropy"], &["a", "5.0", "±", "12.7"], &["b", "2.00", "±", "2.48"]];
    assert_eq!(lines, expected, "{text}");
    let latex = format::latex(&comparison, Orientation::Rows);
    assert!(latex.contains("tabular}{lr}") && latex.contains("    b & 2.00 $\\pm$ 2.48 \\\\\n"), "{latex}");
    let csv = format::csv(&comparison);
    assert!(csv.starts_with("run,runs,at,metric,") && csv.lines().count() == 3, "{csv}");

    // The rows of a threshold, which is an option of its own, are always shown.
    let mut comparison = RunComparison::new(groups(), None, Some("return>=475".parse().unwrap()), None);
    comparison.keep_rows(&[RowKind::Settings]);
    let text = words(&comparison);
    assert_eq!(
        text,
        "sweep a b\nseed [1,2] [1,2,3]\nsteps to return>=475 0 of 2 runs 0 of 3 runs\ntime to return>=475 0 of 2 runs 0 of 3 runs\n"
    );
}

#[test]
fn a_comment_has_the_command_that_repeats_the_table() {
    let latex = format::latex_comment("vivarium runs compare 'a\nb'");
    assert!(
        latex.starts_with(r"% vivarium runs compare 'a'$'\n''b'  # vivarium ") && !latex.contains('\n'),
        "{latex}"
    );
    assert!(latex.contains(crate::machine::VERSION), "{latex}");
    let markdown = format::markdown_comment("vivarium runs compare 'a-->b' 'c--!>d'");
    assert!(
        markdown.starts_with(r"<!-- vivarium runs compare 'a--'\>'b' 'c--!'\>'d'  # vivarium "),
        "{markdown}"
    );
    assert!(markdown.ends_with(" -->") && markdown.matches("-->").count() == 1, "{markdown}");
}

#[test]
fn a_table_has_the_states_of_runs_unless_all_are_complete_in_the_same_way() {
    let table = |states: [(&'static str, bool); 2]| {
        let groups = states.map(|(short_state, is_complete)| {
            let mut group = single("cartpole", json!({}), &[]);
            (group.runs[0].run.short_state, group.runs[0].run.is_complete) = (short_state, is_complete);
            group
        });
        words(&compared(groups.into()))
    };
    for same in [[("reached", true); 2], [("finished", true); 2]] {
        assert!(!table(same).contains("state"), "{}", table(same));
    }
    let different = [
        ([("reached", true), ("finished", true)], "state reached finished\n"),
        ([("interrupted", false), ("interrupted", false)], "state interrupted interrupted\n"),
    ];
    for (states, row) in different {
        assert!(table(states).contains(row), "{}", table(states));
    }
}

#[test]
fn the_signs_and_symbols_of_latex_and_markdown_are_escaped() {
    let groups =
        vec![single("cartpole", json!({}), &[("a|b", -1.5)]), single("cartpole", json!({}), &[("a|b", 1.0)])];
    let comparison = compared(groups);
    let latex = format::latex(&comparison, Orientation::Columns);
    assert!(latex.contains("a\\textbar{}b & $-$1.50 & 1.00"), "{latex}");
    assert!(format::markdown(&comparison, Orientation::Columns).contains("| a\\|b | -1.50 | 1.00 |"));
}
