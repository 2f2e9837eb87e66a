//! Studies of seeds (`vivarium train --seeds`): evaluation, monitor and export of all runs of a folder.

use crate::common::{ProgramFolder, train_cartpole as train};
use serde_json::Value;

/// Returns the 95 % confidence interval of the mean of two values, by Student's t-distribution with one degree of freedom.
fn interval_of_two(values: [f64; 2]) -> (f64, f64) {
    let mean = values[0].midpoint(values[1]);
    let half = 12.706 * (values[0] - values[1]).abs() / 2.0;
    (mean - half, mean + half)
}

#[test]
fn each_run_of_a_study_is_evaluated_and_the_results_are_averaged() {
    let folder = ProgramFolder::new("study-eval");
    folder.run(&train(&["--seeds", "1-2", "--steps", "2048", "--out", "study"])).success();
    let json = |arguments: &[&str]| -> Value {
        let line = folder.run(&[&["eval", "--episodes", "20", "--json"], arguments].concat()).success();
        assert_eq!(line.lines().count(), 1, "{line}");
        serde_json::from_str(&line).unwrap()
    };
    let study = json(&["--checkpoint", "study"]);
    assert_eq!((&study["experiment"], &study["study"]), (&"cartpole".into(), &"study".into()));
    assert_eq!(study["evaluation_seed"], 1);
    assert_eq!(study["without_checkpoint"], serde_json::json!([]));
    let runs = study["runs"].as_array().unwrap();
    assert_eq!(runs.len(), 2, "{study}");
    for (run, name) in runs.iter().zip(["study/1", "study/2"]) {
        let alone = json(&["--checkpoint", name]);
        assert_eq!((&run["run"], &run["checkpoint"]), (&name.into(), &alone["checkpoint"]));
        assert!(run["checkpoint"].as_str().unwrap().ends_with("best.safetensors"), "{run}");
        assert_eq!(run["measures"]["return"], alone["mean"], "{run} {alone}");
        assert_eq!((&run["mean"], &run["episodes"]), (&alone["mean"], &20.into()));
    }
    assert_eq!((&runs[0]["seed"], &runs[1]["seed"]), (&1.into(), &2.into()));
    let [first, second] = [0, 1].map(|index: usize| runs[index]["mean"].as_f64().unwrap());
    let (low, high) = interval_of_two([first, second]);
    let mean = |name: &str| study["means"]["return"][name].as_f64().unwrap();
    assert!((mean("mean") - first.midpoint(second)).abs() < 1e-9, "{study}");
    assert!((mean("low") - low).abs() < 1e-3 * (high - low), "{study} {low}");
    assert!((mean("high") - high).abs() < 1e-3 * (high - low), "{study} {high}");

    let table = folder.run(&["eval", "cartpole", "--checkpoint", "study", "--episodes", "20"]).success();
    let lines: Vec<_> = table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(lines[0][..3], ["seed", "return", "return_std"], "{table}");
    assert_eq!((lines[1][0], *lines[2].last().unwrap()), ("1", "study/2/best.safetensors"), "{table}");
    assert!(table.contains("\nmean return ") && table.contains("95 % interval"), "{table}");
    assert!(table.contains(", over 2 seeds"), "{table}");

    // The latest checkpoints, also of one run.
    let latest = json(&["--checkpoint", "study", "--latest"]);
    assert_eq!(latest["runs"][1]["checkpoint"], "study/2/latest.safetensors");
    assert_eq!(latest["runs"][1]["trained_steps"], 2048);
    assert_eq!(json(&["--checkpoint", "study/1", "--latest"])["checkpoint"], "study/1/latest.safetensors");
    folder
        .run(&["eval", "--checkpoint", "study/1/best.safetensors", "--latest"])
        .refused(2, &["--latest: study/1/best.safetensors is a checkpoint file", "omit --latest"]);

    // A run without a checkpoint is named, and the others are evaluated.
    for file in ["best", "latest"] {
        std::fs::remove_file(folder.path().join(format!("study/1/{file}.safetensors"))).unwrap();
    }
    let partial = folder.run(&["eval", "--checkpoint", "study", "--episodes", "20"]);
    assert!(partial.err.contains("without a checkpoint: study/1\n"), "{partial:?}");
    assert!(partial.success().contains("\nmean return "));
    let partial = json(&["--checkpoint", "study"]);
    assert_eq!(
        (&partial["without_checkpoint"], &partial["runs"][0]["seed"]),
        (&serde_json::json!(["study/1"]), &2.into())
    );
    assert!(partial["runs"][1].is_null() && partial["means"]["return"]["low"].is_null(), "{partial}");

    // The results of the other runs are printed before the error of a damaged checkpoint.
    std::fs::write(folder.path().join("study/1/latest.safetensors"), "damaged").unwrap();
    let damaged = folder.run(&["eval", "--checkpoint", "study", "--episodes", "20"]);
    assert_eq!(damaged.code, Some(1), "{damaged:?}");
    assert!(damaged.out.contains("\nmean return ") && damaged.err.contains("study/1/latest"), "{damaged:?}");
    std::fs::remove_file(folder.path().join("study/1/latest.safetensors")).unwrap();
    for file in ["best", "latest"] {
        std::fs::remove_file(folder.path().join(format!("study/2/{file}.safetensors"))).unwrap();
    }
    folder
        .run(&["eval", "--checkpoint", "study"])
        .refused(1, &["study: no run of the study has a checkpoint; train longer"]);
}

#[test]
fn a_study_to_evaluate_has_runs_of_one_experiment() {
    let folder = ProgramFolder::new("study-errors");
    folder.run(&train(&["--seed", "1", "--steps", "512", "--out", "study/1"])).success();
    folder.run(&["train", "logic-ca", "--steps", "1", "--seed", "2", "--out", "mixed/2"]).success();
    folder.run(&train(&["--seed", "1", "--steps", "512", "--out", "mixed/1"])).success();
    folder.run(&["eval", "--checkpoint", "mixed"]).refused(
        2,
        &["mixed: the folder has runs of different experiments, cartpole in mixed/1 and logic-ca in mixed/2", "evaluate each run"],
    );
    folder
        .run(&["eval", "pendulum", "--checkpoint", "study"])
        .refused(2, &["study: this is a study of cartpole, not of pendulum; omit the experiment"]);
    folder.run(&["eval", "--checkpoint", "."]).refused(
        2,
        &[
            ".: the folder has runs or studies, but is no study of seeds",
            "specify a run or a study, such as ./",
        ],
    );
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    folder
        .run(&["eval", "--checkpoint", "empty"])
        .refused(1, &["empty is not a run folder", "vivarium train"]);
    // A file is of one run.
    std::fs::remove_dir_all(folder.path().join("mixed/1")).unwrap();
    folder
        .run(&["eval", "--checkpoint", "mixed", "--gif", "board.gif"])
        .refused(2, &["--gif: mixed is a study of seeds, and the file is of one run", "such as mixed/2"]);
}

#[test]
fn the_monitor_of_a_study_shows_all_of_its_runs() {
    let folder = ProgramFolder::new("study-monitor");
    folder.run(&train(&["--seeds", "1-2", "--steps", "512", "--out", "study"])).success();
    folder.run(&train(&["--seed", "9", "--steps", "512", "--out", "run"])).success();
    let heads = |arguments: &[&str]| {
        let text = folder.run(&[&["monitor"], arguments].concat()).success();
        let heads: Vec<_> = text.lines().filter(|line| !line.is_empty() && !line.starts_with(' ')).collect();
        heads.join("\n")
    };
    let study = "study/1\ncartpole, seed 1: finished: all 512 steps done\nstudy/2\ncartpole, seed 2: finished: all 512 steps done";
    let run = "cartpole, seed 9: finished: all 512 steps done";
    assert_eq!(heads(&["study"]), study);
    assert_eq!(heads(&["study", "--against", "run"]), format!("{study}\nrun\n{run}"));
    assert_eq!(heads(&["run", "--against", "study"]), format!("{run}\n{study}"));
}

#[test]
fn a_table_for_a_paper_has_only_the_selected_rows_and_the_command_that_repeats_it() {
    let folder = ProgramFolder::new("study-table");
    folder.run(&train(&["--seeds", "1-2", "--steps", "512", "--out", "sweep/a"])).success();
    folder
        .run(&train(&["--seeds", "1-2", "--steps", "512", "--out", "sweep/b", "--set", "ppo.clip_range=0.1"]))
        .success();
    let compare = ["runs", "compare", "sweep", "--metric", "return", "--rows", "metrics", "--transpose"];
    let run = |more: &[&str]| folder.run(&[&compare[..], more].concat());
    let table = run(&[]).success();
    let firsts: Vec<_> = table.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(firsts, ["sweep", "a", "b"], "{table}");
    let table = run(&["--label", "a=base", "--label", "sweep/b=clip 0.1"]).success();
    let firsts: Vec<_> = table.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(firsts, ["sweep", "base", "clip 0.1"], "{table}");
    run(&["--label", "c=base"]).refused(2, &["--label c: it is not compared; use one of sweep/a, sweep/b"]);
    run(&["--label", "a"]).refused(2, &["--label a: use NAME=TEXT"]);
    assert!(table.lines().next().unwrap().ends_with(" eval_return_mean"), "{table}");

    for (format, start, end) in [("latex", "% ", ""), ("markdown", "<!-- ", " -->")] {
        let text = run(&["--format", format]).success();
        let comment = text.lines().next().unwrap();
        assert!(comment.starts_with(start) && comment.ends_with(end), "{comment}");
        let (command, version) =
            comment.trim_start_matches(start).trim_end_matches(end).split_once("  # ").unwrap();
        assert_eq!(format!("{version}\n"), folder.run(&["--version"]).success());
        let words: Vec<_> = command.split(' ').collect();
        assert_eq!(words[0], "vivarium");
        assert_eq!(folder.run(&words[1..]).success(), text, "the command repeats the table");
    }
    // Settings that differ, in CSV: the clip range of each study.
    let csv =
        folder.run(&["runs", "compare", "sweep", "--rows", "settings,metrics", "--format", "csv"]).success();
    assert!(csv.contains(",ppo.clip_range,") && !csv.contains(",steps,2,"), "{csv}");
    run(&["--format", "csv"]).refused(2, &["--transpose: only the formats table, markdown and latex"]);
    folder
        .run(&["runs", "compare", "sweep", "--rows", "metrics", "--json"])
        .refused(2, &["--rows: JSON has all numbers"]);
    folder
        .run(&["runs", "compare", "sweep", "--rows", "settings", "--format", "csv"])
        .refused(2, &["--rows settings: CSV has one row per number"]);
}
