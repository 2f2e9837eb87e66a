//! Several runs: `vivarium runs`, `vivarium train --seeds` and the hyperparameters in event files.

use crate::common::{
    ProgramFolder, metric_rows, signal, signal_and_wait, train_cartpole as train, wait_for_rows,
};
use serde_json::Value;

fn json_lines(out: &str) -> Vec<Value> {
    out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn runs_are_listed_and_compared() {
    let folder = ProgramFolder::new("runs");
    assert_eq!(folder.run(&["runs"]).success(), "The folder runs has no runs.\n");
    for named in [&["runs", "nowhere"][..], &["runs", "prune", "nowhere"]] {
        folder.run(named).refused(1, &["nowhere", "does not exist"]);
    }
    folder.run(&train(&["--steps", "2048", "--seed", "10"])).success();
    folder.run(&train(&["--steps", "4096", "--seed", "2", "--set", "preset=moon"])).success();
    let listed = folder.run(&["runs"]).success();
    let lines: Vec<_> = listed.lines().collect();
    assert_eq!(lines.len(), 3, "{listed}");
    // The oldest run is first.
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(
        words(lines[0]).join(" "),
        "run experiment state start (UTC) time steps best engine",
        "{listed}"
    );
    assert_eq!(words(lines[1])[..3], ["runs/cartpole-10-1", "cartpole", "finished"], "{listed}");
    assert!(lines[1].contains(" 2048 ") && lines[1].ends_with("cpu"), "{listed}");
    assert!(lines[2].starts_with("runs/cartpole-2-1 ") && lines[2].contains("  return "), "{listed}");
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{listed}");
    folder.run(&["runs", "lst"]).refused(1, &["did you mean `vivarium runs list`?"]);
    let runs = json_lines(&folder.run(&["runs", "list", "--json"]).success());
    assert_eq!((&runs[0]["short_state"], &runs[0]["engine"]), (&"finished".into(), &"cpu".into()));
    let runs: Vec<_> = runs.into_iter().rev().collect();
    assert_eq!(
        (&runs[0]["seed"], &runs[0]["steps"], &runs[0]["score"]),
        (&2.into(), &4096.into(), &"return".into())
    );
    let evaluated = |run: &str| {
        let rows = metric_rows(&folder.path().join(run));
        rows.iter().filter_map(|row| row["eval_return_mean"].as_f64()).fold(f64::MIN, f64::max)
    };
    assert_eq!(runs[0]["best"], evaluated("runs/cartpole-2-1"));

    let compare = ["runs", "compare", "runs/cartpole-2-1", "runs/cartpole-10-1"];
    let table = folder.run(&compare).success();
    let row = |label: &str| {
        let line = table
            .lines()
            .find(|line| line.starts_with(label))
            .unwrap_or_else(|| panic!("{label} in {table}"));
        line[label.len()..].split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("world.gravity"), ["1.62", "9.8"]);
    assert_eq!(row("seed"), ["2", "10"]);
    assert_eq!(row("steps"), ["4096", "2048"]);
    assert_eq!(row("eval_return_mean").len(), 2);
    assert!(!table.contains("ppo.hidden") && !table.contains("dqn."), "equal and unused settings: {table}");
    // The comparison has the value of a field that was changed when the run was resumed.
    folder
        .run(&["train", "--resume", "runs/cartpole-10-1", "--set", "world.gravity=3", "--steps", "4096"])
        .success();
    let runs = json_lines(&folder.run(&[&compare[..], &["--json"]].concat()).success());
    assert_eq!(
        (&runs[0]["settings"]["world.gravity"], &runs[1]["settings"]["world.gravity"]),
        (&1.62.into(), &3.0.into())
    );
    assert!(runs[1]["metrics"]["entropy"].is_number(), "{}", runs[1]);

    // At a step: the second run has been trained further since then. Earlier results are those of another task.
    folder.run(&["train", "--resume", "runs/cartpole-10-1", "--steps", "6144"]).success();
    let at = |at: &'static str| {
        [&compare[..], &["--at", at, "--format", "csv", "--metric", "eval_return_mean"]].concat()
    };
    folder
        .run(&at("2048"))
        .refused(2, &["runs/cartpole-10-1: the task of the run was changed after 2048 steps"]);
    let csv = folder.run(&at("4096")).success();
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let value = |run: &str, metric: &str| {
        let row = rows.iter().find(|row| row[0] == run && row.contains(&metric)).unwrap();
        row[row.len() - 2].parse::<f64>().unwrap()
    };
    assert_eq!(value("runs/cartpole-10-1", "steps"), 4096.0);
    let rows_of_run = metric_rows(&folder.path().join("runs/cartpole-10-1"));
    let evaluated = rows_of_run.iter().filter(|row| row["steps"] == 4096);
    let evaluated = evaluated.filter_map(|row| row["eval_return_mean"].as_f64()).next().unwrap();
    assert_eq!(value("runs/cartpole-10-1", "eval_return_mean"), evaluated);
    let common = folder.run(&at("common")).success();
    assert!(common.lines().skip(1).all(|row| row.contains(",4096,")), "{common}");
    folder.run(&at("8192")).refused(2, &["has only 4096 steps", "--at common"]);
    // A measure is a name of its metric, and folders stand for the runs in them.
    let named = ["runs", "compare", "runs", "runs/cartpole-2-1", "--metric", "return"];
    let table = folder.run(&named).success();
    assert!(table.contains("\neval_return_mean ") && !table.contains("entropy"), "{table}");
    folder.run(&["runs", "compare", "nowhere"]).refused(1, &["nowhere", "does not exist"]);
    // A measure sorts like its metric, the highest return first.
    let sorted = |name: &str| {
        let lines = json_lines(&folder.run(&[&compare[..], &["--sort", name, "--json"]].concat()).success());
        lines.iter().map(|line| line["run"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sorted("return"), sorted("eval_return_mean"));
    // Paths are complete in a pipe, and runs are listed and exported from all subfolders. A damaged run stops neither.
    let deep =
        "a-folder-with-a-long-name/and-a-subfolder/with-one-more-subfolder/for-a-run-of-cartpole/cartpole-2";
    std::fs::create_dir_all(folder.path().join(deep).parent().unwrap()).unwrap();
    folder.run(&train(&["--steps", "512", "--seed", "2", "--out", deep])).success();
    let listed = folder.run(&["runs", "."]).success();
    assert!(
        listed.contains(&format!("\n./{deep}  cartpole  ")) && listed.contains("\n./runs/cartpole-2-1 "),
        "{listed}"
    );
    std::fs::create_dir(folder.path().join("a-folder-with-a-long-name/damaged")).unwrap();
    std::fs::write(folder.path().join("a-folder-with-a-long-name/damaged/run.json"), "{").unwrap();
    let exported = folder.run(&["export", "a-folder-with-a-long-name", "--to", "csv", "--out", "deep.csv"]);
    assert_eq!(exported.code, Some(1), "{exported:?}");
    for part in ["damaged: run.json is damaged", "1 of 2 runs could not be read"] {
        assert!(exported.err.contains(part), "{exported:?}");
    }
    // So do the other commands, with the same exit code; a comparison has all runs.
    let count = "a-folder-with-a-long-name: 1 of 2 runs could not be read";
    for (command, out) in
        [(&["list"][..], "for-a-run-of-cartpole"), (&["prune"], "There are no runs to delete.")]
    {
        let outcome = folder.run(&[&["runs"], command, &["a-folder-with-a-long-name"]].concat());
        assert_eq!(outcome.code, Some(1), "{outcome:?}");
        assert!(outcome.out.contains(out) && outcome.err.contains(count), "{outcome:?}");
        assert!(outcome.err.contains("damaged: run.json is damaged"), "{outcome:?}");
    }
    folder
        .run(&["runs", "compare", "a-folder-with-a-long-name"])
        .refused(1, &["damaged: run.json is damaged"]);
    let table = std::fs::read_to_string(folder.path().join("deep.csv")).unwrap();
    assert!(
        table.starts_with("step,run,seed,") && table.contains("for-a-run-of-cartpole/cartpole-2,2,"),
        "{table}"
    );
    std::fs::remove_dir_all(folder.path().join("a-folder-with-a-long-name")).unwrap();
    // A threshold that each run has met, and one that none has.
    let threshold =
        |goal: &'static str| [&compare[..], &["--threshold", goal, "--baseline", "cartpole-10-1"]].concat();
    let table = folder.run(&threshold("return>=0")).success();
    assert!(table.contains("cartpole-10-1 (baseline)") && table.contains("\nsteps to return>=0 "), "{table}");
    assert!(!table.contains("not reached"), "{table}");
    assert_eq!(folder.run(&threshold("return>=501")).success().matches("not reached").count(), 4);
    folder.run(&threshold("retrun>=0")).refused(2, &["no run has the metric retrun; did you mean return"]);
    folder
        .run(&[&compare[..], &["--baseline", "cartpole-3-1"]].concat())
        .refused(2, &["cartpole-3-1: it is not compared", "runs/cartpole-2-1"]);
    let csv = folder.run(&["export", "runs", "--to", "csv", "--out", "-"]).success();
    assert!(csv.starts_with("step,run,seed,world.gravity,"), "{csv}");
    assert!(csv.contains("\n2048,cartpole-2-1,2,1.62,"), "{csv}");
    let monitor = ["monitor", "runs/cartpole-2-1", "--against"];
    let watched = folder.run(&[&monitor[..], &["runs/cartpole-10-1"]].concat()).success();
    assert!(
        watched.starts_with("cartpole, seed 2: ")
            && watched.contains("\n\nruns/cartpole-10-1\ncartpole, seed 10: ")
    );
    folder.run(&[&monitor[..], &["nowhere"]].concat()).refused(1, &["nowhere is not a run folder"]);
    folder.run(&[&monitor[..], &["runs/cartpole-10-1"; 6]].concat()).refused(2, &["unexpected argument"]);
    let twice = [&monitor[..], &["runs/cartpole-10-1"; 3]].concat();
    let twice = [&twice[..], &["--against"], &["runs/cartpole-10-1"; 3]].concat();
    folder.run(&twice).refused(2, &["--against: at most 5 runs"]);
    folder
        .run(&["runs", "compare", "runs/cartpole-2-1", "nowhere"])
        .refused(1, &["nowhere is not a run folder"]);
    folder.run(&["runs", "compare", "runs/cartpole-2-1"]).refused(2, &["a comparison needs two runs"]);
}

#[test]
fn runs_are_deleted_only_with_yes_and_never_in_progress() {
    let folder = ProgramFolder::new("delete");
    for (seed, steps) in [("1", "512"), ("2", "20480"), ("3", "512")] {
        folder.run(&train(&["--steps", steps, "--seed", seed])).success();
    }
    let exists = |run: &str| folder.path().join("runs").join(run).exists();
    let dry = folder.run(&["runs", "delete", "runs/cartpole-1-1"]);
    assert!(dry.err.contains("add --yes") && exists("cartpole-1-1"), "{dry:?}");
    let dry = dry.success();
    let lines: Vec<_> = dry.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).collect();
    assert_eq!(lines[0], ["would", "delete", "state", "steps", "age", "size"], "{dry}");
    assert_eq!(lines[1][..3], ["runs/cartpole-1-1", "finished", "512"], "{dry}");
    assert!(lines.len() == 2 && dry.trim_end().ends_with(" MB"), "{dry}");
    // A folder that is not a run deletes nothing, not even the other run.
    folder
        .run(&["runs", "delete", "runs/cartpole-1-1", "runs", "--yes"])
        .refused(1, &["runs is not a run folder"]);
    assert!(exists("cartpole-1-1"));
    // A run with damaged metadata can be deleted.
    std::fs::create_dir(folder.path().join("damaged")).unwrap();
    std::fs::write(folder.path().join("damaged/run.json"), "{").unwrap();
    folder.run(&["train", "--resume", "damaged"]).refused(
        1,
        &["damaged: run.json is damaged", "--from damaged/latest.safetensors", "runs delete damaged"],
    );
    folder.run(&["runs", "delete", "damaged", "--yes"]).success();
    assert!(!folder.path().join("damaged").exists());
    std::fs::write(folder.path().join("runs/cartpole-1-1/notes.txt"), "mine").unwrap();
    let said = folder.run(&["runs", "delete", "runs/cartpole-1-1", "--yes"]).success();
    assert!(said.contains("the folder has other files"), "{said}");
    let kept = std::fs::read_dir(folder.path().join("runs/cartpole-1-1")).unwrap();
    assert_eq!(kept.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["notes.txt"]);

    // A run in progress, and a run that was killed before its first evaluation.
    let child = folder.start(&train(&["--until", "return>=1e9", "--seed", "4"]));
    wait_for_rows(&folder.path().join("runs/cartpole-4-1"), 3);
    folder.run(&["runs", "delete", "runs/cartpole-4-1", "--yes"]).refused(1, &["another process"]);
    let mut killed = folder.start(&train(&["--until", "return>=1e9", "--seed", "5"]));
    wait_for_rows(&folder.path().join("runs/cartpole-5-1"), 1);
    signal(&killed, "-KILL");
    killed.wait().unwrap();
    // The free lock shows that the process has ended, although its heartbeat is recent.
    let state = |seed: &str| {
        let runs = json_lines(&folder.run(&["runs", "--json"]).success());
        let run = runs.into_iter().find(|run| run["run"] == format!("runs/cartpole-{seed}-1")).unwrap();
        (run["state"].as_str().unwrap().to_owned(), run["running"] == true)
    };
    assert_eq!(state("4"), ("training".to_owned(), true));
    assert_eq!(state("5"), ("killed; no checkpoint after step 0".to_owned(), false));
    let _ = std::fs::remove_file(folder.path().join("runs/cartpole-5-1/best.safetensors"));
    // prune shows the same state, and the reason.
    let preview = folder.run(&["runs", "prune"]).success();
    let line = preview.lines().find(|line| line.starts_with("runs/cartpole-5-1 ")).unwrap();
    assert!(
        line.contains("  killed; no checkpoint after step 0  ")
            && line.ends_with("  no evaluation, no checkpoint after step 0"),
        "{line}"
    );
    let listed = folder.run(&["runs"]).success();
    let listed = listed.lines().find(|line| line.starts_with("runs/cartpole-5-1 ")).unwrap().to_owned();
    assert!(listed.contains("  killed; no checkpoint after step 0  "), "{listed}");
    let pruned = folder.run(&["runs", "prune", "--yes"]).success();
    assert_eq!(pruned, "Deleted runs/cartpole-5-1\n");
    let best = json_lines(&folder.run(&["runs", "--json"]).success());
    let best = best
        .iter()
        .filter(|run| run["running"] == false)
        .max_by(|a, b| a["best"].as_f64().unwrap().total_cmp(&b["best"].as_f64().unwrap()));
    let best = best.unwrap()["run"].as_str().unwrap().to_owned();
    folder.run(&["runs", "prune", "--keep", "1", "--yes"]).success();
    assert!(folder.path().join(best).exists() && exists("cartpole-4-1"));
    assert_eq!(["cartpole-2-1", "cartpole-3-1"].map(exists).iter().filter(|exists| **exists).count(), 1);
    signal_and_wait(child, "-INT").interrupted("Resume exactly from here");
    // A run that can be resumed before its first evaluation is kept, unless the option is given.
    let resumable = folder.path().join("resumable/run");
    std::fs::create_dir(folder.path().join("resumable")).unwrap();
    std::fs::rename(folder.path().join("runs/cartpole-4-1"), &resumable).unwrap();
    let _ = std::fs::remove_file(resumable.join("best.safetensors"));
    let prune = ["runs", "prune", "resumable", "--yes"];
    assert_eq!(folder.run(&prune).success(), "There are no runs to delete.\n");
    let pruned = folder.run(&[&prune[..], &["--resumable"]].concat()).success();
    assert_eq!(pruned, "Deleted resumable/run\n");
}

#[test]
fn an_interrupted_run_is_listed_with_the_step_from_which_it_is_resumed_and_not_pruned() {
    let folder = ProgramFolder::new("interrupted");
    folder.run(&train(&["--steps", "20480", "--out", "runs/better"])).success();
    // One iteration has a million steps, so that the signal arrives within the first one.
    let long = ["--set", "ppo.horizon=8192", "--set", "ppo.num_envs=128", "--steps", "1e9"];
    let child = folder.start(&train(&[&long[..], &["--out", "runs/stopped"]].concat()));
    let stopped = folder.path().join("runs/stopped");
    wait_for_monitor_steps(&folder, "runs/stopped");
    let outcome =
        signal_and_wait(child, "-INT").interrupted("Resume exactly from here; training repeats the ");
    assert!(outcome.err.contains(" and 0 steps.") && outcome.err.contains(" of the unfinished iteration:"));
    let metadata: Value = serde_json::from_slice(&std::fs::read(stopped.join("run.json")).unwrap()).unwrap();
    assert_eq!(metadata["sessions"][0]["last_step"], 0);
    let runs = json_lines(&folder.run(&["runs", "--json"]).success());
    let run = runs.iter().find(|run| run["run"] == "runs/stopped").unwrap();
    assert_eq!(
        (&run["steps"], &run["state"]),
        (&0.into(), &"interrupted; no checkpoint after step 0".into())
    );

    // With an evaluation that is worse than that of the other run.
    let worse = ["--steps", "512", "--set", "ppo.learning_rate=1e-6", "--out", "runs/worse"];
    folder.run(&train(&worse)).success();
    let child = folder.start(&["train", "--resume", "runs/worse", "--steps", "1e9"]);
    wait_for_rows(&folder.path().join("runs/worse"), 4);
    signal_and_wait(child, "-INT").interrupted("Resume exactly from here");
    let listed = folder.run(&["runs"]).success();
    assert!(
        listed
            .lines()
            .any(|line| line.starts_with("runs/worse ") && line.contains("  interrupted; can be resumed  ")),
        "{listed}"
    );
    let prune = ["runs", "prune", "runs", "--keep", "1"];
    let preview = folder.run(&prune).success();
    assert!(!preview.contains("runs/worse "), "{preview}");
    let preview = folder.run(&[&prune[..], &["--resumable"]].concat()).success();
    let line = preview.lines().find(|line| line.starts_with("runs/worse ")).unwrap();
    assert!(
        line.contains("  interrupted; can be resumed  ")
            && line.ends_with("not among the best 1 of cartpole"),
        "{line}"
    );
}

/// Waits until the run in progress has training steps.
fn wait_for_monitor_steps(folder: &ProgramFolder, run: &str) {
    for _ in 0..1000 {
        let listed = folder.run(&["runs", "list", run, "--json"]);
        if listed.code == Some(0) && json_lines(&listed.out).iter().any(|run| run["steps"].as_u64() > Some(0))
        {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{run} has no steps");
}

#[test]
fn a_damaged_checkpoint_of_a_run_names_an_intact_one() {
    let folder = ProgramFolder::new("damaged-best");
    folder.run(&train(&["--steps", "512", "--out", "run"])).success();
    std::fs::write(folder.path().join("run/best.safetensors"), "cut").unwrap();
    let eval = ["eval", "cartpole", "--checkpoint", "run"];
    folder
        .run(&eval)
        .refused(1, &["run/best.safetensors: ", "run/latest.safetensors of the same run is intact"]);
}

#[test]
fn numbered_checkpoints_are_listed_evaluated_and_deleted_with_the_run() {
    let folder = ProgramFolder::new("numbered");
    // Evaluations after 16,384 steps, and at the end.
    folder.run(&train(&["--steps", "18000", "--keep-checkpoints", "2", "--out", "run"])).success();
    let run = &json_lines(&folder.run(&["runs", "list", "run", "--json"]).success())[0];
    let steps: Vec<u64> =
        run["checkpoints"].as_array().unwrap().iter().map(|steps| steps.as_u64().unwrap()).collect();
    assert!(steps.len() == 2 && steps[0] < steps[1], "{run}");
    let file = format!("run/checkpoint-{}.safetensors", steps[0]);
    let evaluated = folder.run(&["eval", "--checkpoint", &file, "--episodes", "5", "--json"]).success();
    assert_eq!(json_lines(&evaluated)[0]["trained_steps"], steps[0]);
    folder.run(&["train", "--from", &file, "--steps", "20000", "--out", "fork"]).success();
    folder.run(&["runs", "delete", "run", "--yes"]).success();
    assert!(!folder.path().join("run").exists());
}

#[test]
fn several_seeds_are_trained_and_averaged() {
    let folder = ProgramFolder::new("seeds");
    let out = folder.run(&train(&["--seeds", "1-3", "--steps", "2048", "--out", "all"])).success();
    for result in ["final return", "best return", "steps", "seconds"] {
        let start = format!("mean {result} ");
        let mean = out.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("{out}"));
        assert!(mean.contains("95 % interval") && mean.ends_with("over 3 seeds"), "{out}");
    }
    let last = |seed: &str| {
        let rows = metric_rows(&folder.path().join("all").join(seed));
        rows.iter().rev().find_map(|row| row["eval_return_mean"].as_f64()).unwrap()
    };
    let expected = ["1", "2", "3"].map(last).iter().sum::<f64>() / 3.0;

    // A list has the runs of studies, and runs that were started alone are a study as well.
    let listed = json_lines(&folder.run(&["runs", "list", ".", "--json"]).success());
    assert_eq!(listed.iter().map(|run| &run["run"]).collect::<Vec<_>>(), ["./all/1", "./all/2", "./all/3"]);
    folder.run(&train(&["--seed", "1", "--steps", "2048", "--out", "alone/1"])).success();
    let study = folder.run(&train(&["--seeds", "1", "--steps", "2048", "--out", "alone"]));
    assert!(study.err.contains("already has 2048 steps"), "{study:?}");
    assert!(study.success().contains("mean final return "));

    // A study is one unit of prune and compare.
    assert_eq!(
        folder.run(&["runs", "prune", ".", "--keep", "2"]).success(),
        "There are no runs to delete.\n"
    );
    assert_eq!(
        folder.run(&["runs", "prune", "all", "--keep", "1"]).success(),
        "There are no runs to delete.\n"
    );
    let pruned = folder.run(&["runs", "prune", ".", "--keep", "1"]).success();
    assert!(pruned.lines().count() == 2 && !pruned.contains("all/"), "{pruned}");
    let compared = folder.run(&["runs", "compare", "all", "alone"]).success();
    assert!(compared.contains("\nruns ") && compared.contains(" ± "), "{compared}");
    // A study alone stands for its runs, and other folders for the runs and studies in them.
    let seeds = folder.run(&["runs", "compare", "all", "--metric", "return_mean"]).success();
    assert!(seeds.starts_with("all ") && seeds.contains("\nseed ") && !seeds.contains("entropy"), "{seeds}");
    let both = folder.run(&["runs", "compare", ".", "--json"]).success();
    assert_eq!(json_lines(&both).len(), 2, "{both}");

    // A run of the same seed alone is the same run, and the default folders have the names of their seeds.
    let out = folder.run(&train(&["--seeds", "1,2,3", "--steps", "2048", "--json"])).success();
    let events = json_lines(&out);
    let seeds = events.last().unwrap();
    assert_eq!((&seeds["event"], &seeds["score"]), (&"seeds".into(), &"return".into()));
    let final_mean = &seeds["means"]["final"];
    assert!((final_mean["mean"].as_f64().unwrap() - expected).abs() < 1e-9, "{seeds} {expected}");
    assert!(final_mean["low"].as_f64() < final_mean["mean"].as_f64(), "{seeds}");
    assert_eq!(seeds["runs"][2]["run"], "runs/cartpole-seeds-1/3");
    // The summary, the list and the comparison, also at the last step, have the same training times.
    let study = "runs/cartpole-seeds-1";
    let times = |arguments: &[&str]| {
        let lines = json_lines(&folder.run(&[&["runs"], arguments, &["--json"]].concat()).success());
        lines.iter().map(|line| line["elapsed"].clone()).collect::<Vec<_>>()
    };
    let summary: Vec<_> = (0..3).map(|index: usize| seeds["runs"][index]["seconds"].clone()).collect();
    for arguments in [&["list", study][..], &["compare", study], &["compare", study, "--at", "common"]] {
        assert_eq!(times(arguments), summary, "{arguments:?}");
    }
    folder.run(&train(&["--seed", "3", "--steps", "2048", "--out", "three"])).success();
    let path = |run: &str| folder.path().join(run);
    crate::common::assert_same_state(&path("runs/cartpole-seeds-1/3"), &path("three"));
    crate::common::assert_same_state(&path("all/3"), &path("three"));

    let unreached = ["--seeds", "1-2", "--until", "return>=499", "--steps", "512"];
    let out = folder.run(&train(&unreached)).goal_not_reached();
    assert!(out.contains("over 2 seeds"), "{out}");
    folder.run(&train(&["--seeds", "3-1"])).refused(2, &["3-1", "such as 1-5"]);
    folder.run(&train(&["--seeds", "1-2", "--seed", "1"])).refused(2, &["--seed"]);
    // A signal ends the current run and trains no further seeds.
    let steps =
        ["--set", "ppo.learning_rate=1e-4", "--seeds", "1-2", "--until", "return>=499", "--steps", "1e8"];
    let child = folder.start(&train(&steps));
    let stopped = path("runs/cartpole-seeds-3");
    wait_for_rows(&stopped.join("1"), 3);
    let outcome = signal_and_wait(child, "-TERM").stopped(143, "Resume the study exactly from here");
    assert!(!stopped.join("2").exists());
    // The printed command resumes the study, here with fewer steps.
    let command = outcome.err.lines().last().unwrap().replace(" 1e8 ", " 512 ");
    let words: Vec<_> = command.split(' ').map(|word| word.trim_matches('\'')).skip(1).collect();
    assert!(words.ends_with(&["--out", "runs/cartpole-seeds-3"]), "{words:?}");
    let resumed = folder.run(&words);
    assert!(
        resumed.err.contains("already has") && resumed.err.contains("The runs have 512 to "),
        "{resumed:?}"
    );
    assert!(resumed.goal_not_reached().contains("over 2 seeds"));
    assert!(stopped.join("2").exists());
}

#[test]
fn event_files_have_the_hyperparameters() {
    let folder = ProgramFolder::new("event-hparams");
    folder.run(&train(&["--steps", "512", "--out", "run"])).success();
    let entries = std::fs::read_dir(folder.path().join("run")).unwrap();
    let file =
        entries.map(|entry| entry.unwrap().path()).find(|path| path.to_string_lossy().contains("tfevents"));
    let bytes = std::fs::read(file.unwrap()).unwrap();
    let has = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    for text in ["_hparams_/session_start_info", "ppo.learning_rate", "world.gravity", "seed"] {
        assert!(has(text), "{text}");
    }
    assert!(!has("dqn.learning_rate"), "a field of the other learner");
}
