//! Operation of training runs by scripts and schedulers: signals, exit codes, JSON, and sizes of files.

use crate::common::{
    Outcome, ProgramFolder, metric_rows, signal, signal_and_wait, train_cartpole as train, wait_for_rows,
};
use serde_json::Value;
use std::time::Duration;

#[test]
fn an_ignored_sighup_stays_ignored() {
    let folder = ProgramFolder::new("nohup");
    let endless = train(&["--until", "return>=1e9", "--out", "run"]);
    let run = folder.path().join("run");
    let child = folder.start_after("trap '' HUP", &endless);
    wait_for_rows(&run, 3);
    signal(&child, "-HUP");
    // A stopping run would write rows once more, but not twice.
    for _ in 0..2 {
        wait_for_rows(&run, std::fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count() + 3);
    }
    signal_and_wait(child, "-INT").stopped(130, "Resume exactly from here");
    // Otherwise SIGHUP saves and stops the run.
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "other"]));
    wait_for_rows(&folder.path().join("other"), 3);
    signal_and_wait(child, "-HUP").stopped(129, "Resume exactly from here");
}

#[test]
fn a_limit_of_file_sizes_is_reported_as_an_error() {
    let folder = ProgramFolder::new("file-size");
    // One block, of 512 or 1024 bytes.
    let child = folder.start_after("ulimit -f 1", &train(&["--steps", "512", "--out", "run"]));
    let outcome = Outcome::of(child.wait_with_output().unwrap());
    assert!(outcome.code == Some(1) && outcome.err.contains("cannot write"), "{outcome:?}");
}

#[test]
fn metrics_beyond_a_limit_of_file_sizes_lose_no_training() {
    let folder = ProgramFolder::new("metrics-size");
    // Blocks of 512 or 1024 bytes: more than a checkpoint, less than the metrics.
    let child = folder.start_after("ulimit -f 60", &train(&["--steps", "102400", "--out", "run"]));
    let outcome = Outcome::of(child.wait_with_output().unwrap());
    assert!(outcome.code == Some(1), "{outcome:?}");
    assert!(
        outcome.err.contains("the checkpoint run/latest.safetensors, after 102K steps, is complete"),
        "{outcome:?}"
    );
    folder.run(&["train", "--resume", "run", "--steps", "103000"]).success();
}

#[test]
fn a_run_whose_folder_was_moved_says_where_its_checkpoint_is() {
    let folder = ProgramFolder::new("moved");
    let child = folder.start(&train(&["--until", "return>=1e9", "--quiet", "--out", "run"]));
    let [run, moved] = ["run", "moved"].map(|name| folder.path().join(name));
    wait_for_rows(&run, 3);
    std::fs::rename(run, moved).unwrap();
    let outcome = signal_and_wait(child, "-TERM").stopped(1, "a moved folder has its last checkpoint");
    assert_eq!(outcome.err.matches("vivarium: ").count(), 1, "{outcome:?}");
    folder.run(&["train", "--resume", "moved", "--steps", "512"]).success();
}

#[test]
fn the_exit_code_names_the_signal_and_an_unreached_goal() {
    let folder = ProgramFolder::new("exit-codes");
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    wait_for_rows(&folder.path().join("run"), 3);
    signal_and_wait(child, "-TERM").stopped(143, "Resume exactly from here");
    let limited = ["--until", "return>=499", "--steps", "512", "--out", "limited"];
    let said = folder.run(&train(&limited)).goal_not_reached();
    assert!(said.starts_with("Did not reach return>=499"), "{said}");
    // Limits without a goal are a success. A limit within an iteration is rounded up.
    let said = folder.run(&train(&["--steps", "512", "--out", "steps"])).success();
    assert!(!said.contains("--steps 512:"), "{said}");
    let message = "--steps 600: training ended after 1024 steps, at the end of an iteration.";
    let said = folder.run(&train(&["--steps", "600", "--out", "rounded"])).success();
    assert_eq!(said.matches(message).count(), 1, "{said}");
    let said = folder.run(&train(&["--steps", "600", "--seeds", "1-2", "--out", "study"])).success();
    assert_eq!(said.matches(message).count(), 1, "{said}");
    let said = folder.run(&train(&["--steps", "600", "--quiet", "--out", "quiet"])).success();
    assert!(!said.contains(message), "{said}");

    let help = folder.run(&["--help"]).success();
    for part in
        ["Exit codes:", "  3  train: the run ended without reaching", "129", "130", "143", "VIVARIUM_CACHE"]
    {
        assert!(help.contains(part), "'{part}' is missing in\n{help}");
    }
    let help = folder.run(&["train", "--help"]).success();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Exit codes: 0 success",
        "in between 10 seconds after the previous one",
        "VIVARIUM_CACHE",
        "twice N gradient steps",
        "Examples: vivarium train",
    ] {
        assert!(help.contains(part), "'{part}' is missing in\n{help}");
    }
}

#[test]
fn json_output_is_one_object_per_line_and_nothing_else() {
    let folder = ProgramFolder::new("train-json");
    let arguments = train(&["--seed", "3", "--steps", "2e4", "--json", "--out", "run"]);
    let outcome = folder.run(&arguments);
    assert!(outcome.err.contains("Trained for "), "the summary is on standard error: {outcome:?}");
    let out = outcome.success();
    let events: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (start, end) = (&events[0], events.last().unwrap());
    assert_eq!((&start["event"], &start["seed"], &start["run"]), (&"start".into(), &3.into(), &"run".into()));
    assert_eq!((&start["experiment"], &start["steps_limit"]), (&"cartpole".into(), &20_000.into()));
    assert_eq!(
        (&end["event"], &end["reason"], &end["reached"]),
        (&"end".into(), &"steps".into(), &Value::Null)
    );
    assert_eq!(end["checkpoint"], "run/best.safetensors");
    let rows: Vec<Value> = events[1..events.len() - 1]
        .iter()
        .map(|row| {
            let mut row = row.clone();
            assert_eq!(row.as_object_mut().unwrap().remove("event"), Some("metrics".into()));
            row
        })
        .collect();
    assert_eq!(rows, metric_rows(&folder.path().join("run")));
    assert_eq!(end["evaluation"]["return"], rows.last().unwrap()["eval_return_mean"]);

    let unreached = train(&["--until", "return>=499", "--steps", "512", "--json", "--out", "unreached"]);
    let out = folder.run(&unreached).goal_not_reached();
    let end: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(end["reached"], false);

    let child = folder.start(&train(&["--until", "return>=1e9", "--json", "--out", "stopped"]));
    wait_for_rows(&folder.path().join("stopped"), 3);
    let out = signal_and_wait(child, "-TERM").stopped(143, "Resume exactly from here").out;
    let end: Value = serde_json::from_str(out.lines().last().unwrap()).unwrap();
    assert_eq!(end["reason"], "SIGTERM");
}

#[test]
fn a_quiet_run_prints_its_summary_and_errors_only() {
    let folder = ProgramFolder::new("quiet");
    let outcome = folder.run(&train(&["--quiet", "--steps", "512", "--out", "run"]));
    assert_eq!(outcome.err, "");
    assert!(outcome.success().starts_with("Trained for "));
    let outcome = folder.run(&train(&["--quiet", "--json", "--steps", "512", "--out", "json"]));
    assert!(outcome.err.starts_with("Trained for "), "{outcome:?}");
    assert!(outcome.success().contains("\"event\":\"start\""));
    folder
        .run(&["train", "--quiet", "--resume", "absent"])
        .refused(1, &["vivarium: absent is not a run folder"]);
    let child = folder.start(&train(&["--quiet", "--until", "return>=1e9", "--out", "stopped"]));
    wait_for_rows(&folder.path().join("stopped"), 3);
    let outcome = signal_and_wait(child, "-INT").stopped(130, "Resume exactly from here");
    assert!(outcome.err.starts_with("Saved after ") && outcome.err.contains(" --quiet"), "{outcome:?}");
}

#[test]
fn json_output_reports_failed_writes() {
    let folder = ProgramFolder::new("train-json-warning");
    let options = ["--until", "return>=1e9", "--keep-checkpoints", "1", "--json", "--out", "run"];
    let child = folder.start(&train(&options));
    let [run, moved] = ["run", "moved"].map(|name| folder.path().join(name));
    wait_for_rows(&run, 3);
    std::fs::rename(run, &moved).unwrap();
    // The rows are still written to the moved file; each evaluation saves a numbered checkpoint, which fails.
    let evaluations = || {
        let text = std::fs::read_to_string(moved.join("metrics.jsonl")).unwrap();
        text.matches("eval_return_mean").count()
    };
    let before = evaluations();
    while evaluations() < before + 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    let out = signal_and_wait(child, "-TERM").stopped(1, "the folder was moved").out;
    let events = out.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let warnings: Vec<_> = events.filter(|event| event["event"] == "warning").collect();
    assert!(
        warnings[0]["message"].as_str().unwrap().contains("cannot write") && warnings[0]["time"].is_number()
    );
}

#[test]
fn metric_rows_are_limited_per_doubling_of_the_gradient_steps() {
    let folder = ProgramFolder::new("metrics-rows");
    let rows = |run: &str, more: &[&str]| {
        // 200 iterations with 16 gradient steps each.
        let fixed = ["--set", "ppo.epochs=4", "--steps", "102400", "--out", run];
        folder.run(&train(&[&fixed[..], more].concat())).success();
        let rows = metric_rows(&folder.path().join(run));
        rows.iter().filter(|row| row["entropy"].is_number()).count()
    };
    assert_eq!(rows("all", &[]), 200);
    let few = rows("few", &["--metrics-rows", "8"]);
    assert!((40..=50).contains(&few), "{few}");
    // Evaluations are recorded in any case.
    let evaluations = |run: &str| {
        let rows = metric_rows(&folder.path().join(run));
        rows.iter().filter(|row| row["eval_return_mean"].is_number()).count()
    };
    assert!(evaluations("all") > 2);
    assert_eq!(evaluations("few"), evaluations("all"));
}

#[test]
fn a_run_killed_before_its_first_later_checkpoint_reports_that_it_resumes_at_0() {
    let folder = ProgramFolder::new("killed-early");
    let mut child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    wait_for_rows(&folder.path().join("run"), 1);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let resumed = folder.run(&["train", "--resume", "run", "--steps", "512"]);
    assert!(resumed.err.contains("resumed from step 0 (no later checkpoint was saved)"), "{resumed:?}");
    resumed.success();
}
