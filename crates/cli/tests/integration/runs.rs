//! Training runs on the command line: start, interruption, kill, resumption, monitoring and evaluation.

use crate::common::{
    Outcome, ProgramFolder, assert_resumes_exactly, learner_rows, metric_rows, signal, signal_and_wait,
    train_cartpole as train, wait_for_rows,
};
use serde_json::Value;
use std::process::{Child, Command};

#[test]
fn a_run_always_ends_at_the_step_stated_in_its_checkpoint() {
    let folder = ProgramFolder::new("same-end");
    let ends = ["one", "other"].map(|name| {
        let arguments = train(&["--seed", "5", "--until", "return>=60", "--out", name]);
        let said = folder.run(&arguments).success();
        assert!(said.starts_with("Reached return>=60"), "{said}");
        let last = metric_rows(&folder.path().join(name)).pop().unwrap();
        assert!(last["eval_return_mean"].as_f64().unwrap() >= 60.0, "{last}");
        for checkpoint in ["best", "latest"] {
            let file = format!("{name}/{checkpoint}.safetensors");
            let evaluated = folder.run(&["eval", "cartpole", "--checkpoint", &file, "--json"]).success();
            let evaluated: Value = serde_json::from_str(&evaluated).unwrap();
            assert_eq!(evaluated["trained_steps"], last["steps"], "{checkpoint}");
        }
        (last["steps"].clone(), last["eval_return_mean"].clone())
    });
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn the_files_of_a_run_record_its_course() {
    let folder = ProgramFolder::new("files");
    let out = folder.run(&train(&["--steps", "2e4", "--seed", "3"])).success();
    assert!(
        out.contains("Trained for") && out.contains("vivarium eval cartpole")
            || out.contains("eval cartpole"),
        "{out}"
    );
    let run = folder.path().join("runs/cartpole-3-1");
    for file in
        ["run.json", "config.json", "metrics.jsonl", "monitor.bin", "latest.safetensors", "best.safetensors"]
    {
        assert!(run.join(file).is_file(), "{file}");
    }
    let events = std::fs::read_dir(&run).unwrap().filter(|entry| {
        entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("events.out.tfevents.")
    });
    assert_eq!(events.count(), 1);
    let rows = metric_rows(&run);
    assert!(rows.iter().any(|row| row["return_mean"].is_number() && row["entropy"].is_number()), "{rows:?}");
    assert!(rows.last().unwrap()["eval_return_mean"].is_number(), "{rows:?}");

    // Equal seed and config give an equal run in a new folder, also from the config file and on one thread.
    folder.run(&train(&["--steps", "2e4", "--seed", "3"])).success();
    let config = ["train", "cartpole", "--config", "runs/cartpole-3-1/config.json", "--threads", "1"];
    folder.run(&[&config[..], &["--steps", "2e4", "--seed", "3", "--out", "third"]].concat()).success();
    for other in ["runs/cartpole-3-2", "third"] {
        assert_eq!(learner_rows(&run), learner_rows(&folder.path().join(other)), "{other}");
    }
    folder.run(&train(&["--out", "third"])).refused(2, &["third", "--resume"]);
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_run() {
    let folder = ProgramFolder::new("resume");
    assert_resumes_exactly(&folder, "cartpole", &train(&[]), ["1.3e4", "2e4", "3e4"]);

    let parts = folder.path().join("parts");
    let config = || std::fs::read_to_string(parts.join("config.json")).unwrap();
    let before = config();
    let nonsense = ["train", "--resume", "parts", "--set", "world.gravity=3", "--until", "retrun>=1"];
    folder.run(&nonsense).refused(2, &["did you mean return>=1?"]);
    assert_eq!(config(), before, "a refused command writes nothing");

    folder.run(&["train", "pendulum", "--resume", "parts"]).refused(2, &["cartpole", "pendulum"]);
    folder.run(&["train", "--resume", "parts", "--set", "ppo.num_envs=8"]).refused(2, &["ppo.num_envs"]);
}

#[test]
fn the_last_steps_are_learned_from_before_a_run_ends() {
    let folder = ProgramFolder::new("last-steps");
    // One iteration is 16 × 32 steps.
    folder.run(&train(&["--steps", "512", "--out", "run"])).success();
    let eval = ["eval", "cartpole", "--checkpoint", "run/latest.safetensors", "--episodes", "2", "--json"];
    let json: Value = serde_json::from_str(&folder.run(&eval).success()).unwrap();
    assert_eq!(json["trained_steps"], 512);
}

#[test]
fn ctrl_c_saves_and_the_printed_command_resumes_the_run() {
    let folder = ProgramFolder::new("ctrl-c");
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "a run"]));
    let run = folder.path().join("a run");
    wait_for_rows(&run, 3);
    // A second process is locked out, and the monitor shows the run in progress.
    folder.run(&["train", "--resume", "a run"]).refused(1, &["another process"]);
    let watched = folder.run(&["monitor", "a run"]).success();
    assert!(watched.contains("cartpole, seed 1: training") && watched.contains("rollout"), "{watched}");

    let stopped = signal_and_wait(child, "-INT").interrupted("Resume exactly from here");
    let command = stopped.err.lines().last().unwrap();
    assert!(command.contains("train --resume 'a run' --until 'return>=1000000000'"), "{command}");
    let watched = folder.run(&["monitor", "a run"]).success();
    assert!(watched.contains("interrupted; can be resumed"), "{watched}");

    let steps = metric_rows(&run).last().unwrap()["steps"].as_u64().unwrap() + 5000;
    let shell = Command::new("sh")
        .current_dir(folder.path())
        .args(["-c", &format!("{command} --steps {steps}")])
        .output();
    let resumed = Outcome::of(shell.unwrap());
    assert_eq!(resumed.code, Some(3), "{resumed:?}");
    assert!(
        resumed.err.contains("resumed from step") && resumed.out.contains("Did not reach"),
        "{resumed:?}"
    );
}

#[test]
fn the_resume_command_after_a_time_limit_has_the_same_limits() {
    let folder = ProgramFolder::new("time-over");
    let next = |outcome: Outcome| {
        let out = outcome.success();
        out.lines().find(|line| line.starts_with("Resume:")).unwrap_or_else(|| panic!("{out}")).to_owned()
    };
    let limits = ["--steps", "1e9", "--minutes", "0.001", "--out", "run"];
    let line = next(folder.run(&train(&limits)));
    assert!(line.ends_with("--resume run --steps 1000000000 --minutes 0.001 --threads 2"), "{line}");
    // At least one iteration is trained.
    let short = folder.run(&train(&["--minutes", "1e-9", "--out", "short"])).success();
    assert!(short.contains(" and 512 steps."), "{short}");
    // The steps of the config are unchanged.
    let epochs = ["train", "logic-ca", "--minutes", "0.001", "--threads", "1", "--out", "epochs"];
    let line = next(folder.run(&epochs));
    assert!(line.ends_with("--resume epochs --minutes 0.001 --threads 1"), "{line}");
    // For a run with all steps done, more steps are suggested.
    let line = next(folder.run(&train(&["--steps", "1", "--out", "one"])));
    assert!(line.ends_with("--resume one --steps 1024 --threads 2"), "{line}");
}

#[test]
fn summaries_use_singular_forms_and_total_times() {
    let folder = ProgramFolder::new("one-step");
    let first = folder.run(&train(&["--steps", "1", "--out", "run"]));
    assert!(first.err.contains("for a total of 1 step"), "{first:?}");
    assert!(first.out.starts_with("Trained for ") && !first.out.contains("in total"), "{first:?}");
    let second = folder.run(&["train", "--resume", "run", "--minutes", "0.001"]).success();
    assert!(second.lines().next().unwrap().ends_with("steps in total."), "{second}");
}

#[test]
fn the_error_for_a_damaged_checkpoint_suggests_an_intact_one() {
    let folder = ProgramFolder::new("damaged");
    folder.run(&train(&["--steps", "2e4", "--out", "run"])).success();
    let run = folder.path().join("run");
    let resume = ["train", "--resume", "run", "--steps", "3e4"];
    let hint = "copy run/best.safetensors to run/latest.safetensors";
    std::fs::write(run.join("latest.safetensors"), "cut").unwrap();
    folder.run(&resume).refused(1, &["run/latest.safetensors: ", hint]);
    std::fs::remove_file(run.join("latest.safetensors")).unwrap();
    folder.run(&resume).refused(1, &["cannot read run/latest.safetensors", hint]);
    std::fs::copy(run.join("best.safetensors"), run.join("latest.safetensors")).unwrap();
    folder.run(&resume).success();
    std::fs::write(run.join("latest.safetensors"), "cut").unwrap();
    std::fs::remove_file(run.join("best.safetensors")).unwrap();
    let outcome = folder.run(&resume).refused(1, &["run/latest.safetensors"]);
    assert!(!outcome.err.contains("copy"), "{}", outcome.err);
    // The newest intact numbered checkpoint takes precedence over the best one.
    folder.run(&train(&["--steps", "2e4", "--keep-checkpoints", "2", "--out", "kept"])).success();
    let file = |name: &str| folder.path().join("kept").join(name);
    let newest = std::fs::read_dir(file(""))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok());
    let newest = newest.filter(|name| name.starts_with("checkpoint-")).max().unwrap();
    assert_ne!(newest, "checkpoint-16384.safetensors");
    std::fs::write(file("latest.safetensors"), "cut").unwrap();
    let resume = ["train", "--resume", "kept", "--steps", "3e4"];
    let hint = |name: &str| format!("copy kept/{name} to kept/latest.safetensors");
    folder.run(&resume).refused(1, &[&hint(&newest)]);
    std::fs::write(file(&newest), "cut").unwrap();
    folder.run(&resume).refused(1, &[&hint("checkpoint-16384.safetensors")]);
}

#[test]
fn a_preset_in_a_resumed_run_and_a_file_as_run_folder_are_rejected() {
    let folder = ProgramFolder::new("resume-preset");
    folder.run(&train(&["--steps", "512", "--out", "run"])).success();
    let set = ["train", "--resume", "run", "--set", "preset=moon"];
    let outcome = folder.run(&set).refused(2, &["preset=moon", "when training continues"]);
    assert!(!outcome.err.contains("unknown field"), "{}", outcome.err);
    std::fs::write(folder.path().join("file"), "mine").unwrap();
    folder.run(&train(&["--out", "file"])).refused(1, &["cannot create the folder file: it is a file"]);
}

/// Returns whether the running program has started the thread that handles signals.
#[cfg(target_os = "linux")]
fn handles_signals(child: &Child) -> bool {
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let mut names =
        threads.filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("comm")).ok());
    names.any(|name| name.trim() == "signals")
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_before_the_first_checkpoint_is_handled() {
    let folder = ProgramFolder::new("early");
    let (run, lock) = (folder.path().join("run"), folder.path().join("run/.lock"));
    std::fs::create_dir(&run).unwrap();
    // The program waits at a named pipe in place of the lock file until the pipe has a reader.
    assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    for _ in 0..1000 {
        if handles_signals(&child) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let was_handled = handles_signals(&child);
    signal(&child, "-INT");
    let reader = std::fs::File::options().read(true).write(true).open(&lock).unwrap();
    let outcome = Outcome::of(child.wait_with_output().unwrap());
    drop(reader);
    assert!(was_handled, "{outcome:?}");
    let is_saved = run.join("latest.safetensors").is_file();
    let words = if is_saved { " 0 steps. Resume exactly from here" } else { "nothing was written" };
    outcome.interrupted(words);
}

#[test]
fn a_repeated_termination_signal_still_saves() {
    let folder = ProgramFolder::new("twice");
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    wait_for_rows(&folder.path().join("run"), 3);
    // Sends the signal as `timeout` does: to the process, and to its process group.
    signal(&child, "-TERM");
    signal_and_wait(child, "-TERM").stopped(143, "Resume exactly from here");
}

#[test]
fn a_run_that_was_killed_before_its_first_checkpoint_begins_again() {
    let folder = ProgramFolder::new("unbegun");
    let whole = ["--steps", "2e4", "--seed", "3", "--out", "whole", "--set", "world.gravity=12"];
    folder.run(&train(&whole)).success();
    let read = |run: &str| std::fs::read(folder.path().join(run).join("latest.safetensors")).unwrap();
    // Files that exist before the first checkpoint, in the order of their creation.
    let files = [".lock", "config.json", "run.json", "metrics.jsonl"];
    let left = |run: &str, count: usize| {
        std::fs::create_dir(folder.path().join(run)).unwrap();
        for file in &files[..count] {
            let content = if *file == "metrics.jsonl" {
                Vec::new()
            } else {
                std::fs::read(folder.path().join("whole").join(file)).unwrap()
            };
            std::fs::write(folder.path().join(run).join(file), content).unwrap();
        }
    };
    for count in 1..=files.len() {
        let run = format!("begun-{count}");
        left(&run, count);
        let again = folder.run(&train(&[&whole[..5], &[&run], &whole[6..]].concat()));
        assert!(again.err.contains("restarts from the beginning"), "{again:?}");
        again.success();
        assert!(read(&run) == read("whole"), "{run} is another run");
    }
    for count in 3..=files.len() {
        let run = format!("resumed-{count}");
        left(&run, count);
        let again = folder.run(&["train", "--resume", &run, "--steps", "2e4", "--threads", "2"]);
        assert!(again.err.contains("restarts from the beginning"), "{again:?}");
        again.success();
        assert!(read(&run) == read("whole"), "{run} is another run");
    }
    // A run that lost its checkpoint is not replaced, and neither is a folder with other files.
    std::fs::remove_file(folder.path().join("whole/latest.safetensors")).unwrap();
    folder.run(&train(&whole)).refused(2, &["the folder has a run"]);
    folder.run(&["train", "--resume", "whole"]).refused(1, &["latest.safetensors"]);
    left("other", 3);
    std::fs::write(folder.path().join("other/notes.txt"), "mine").unwrap();
    folder.run(&train(&["--out", "other"])).refused(2, &["the folder has a run"]);
}

#[test]
fn a_killed_run_resumes_from_its_checkpoint_without_duplicate_rows() {
    let folder = ProgramFolder::new("killed");
    let mut child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    let run = folder.path().join("run");
    wait_for_rows(&run, 3);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let before = learner_rows(&run);
    folder.run(&["train", "--resume", "run", "--steps", "2e4"]).success();
    let after = learner_rows(&run);
    let steps: Vec<u64> = after.iter().map(|row| row["steps"].as_u64().unwrap()).collect();
    assert!(steps.is_sorted_by(|a, b| a < b), "{steps:?}");
    let both = before.len().min(after.len());
    assert_eq!(before[..both], after[..both], "what was trained again came out differently");
}

#[test]
fn a_damaged_monitor_file_ends_neither_training_nor_the_monitor() {
    let folder = ProgramFolder::new("cut-monitor");
    let child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    let run = folder.path().join("run");
    wait_for_rows(&run, 3);
    let file = std::fs::File::options().write(true).open(run.join("monitor.bin")).unwrap();
    file.set_len(0).unwrap();
    wait_for_rows(&run, std::fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count() + 3);
    // The run overwrites the truncated monitor file.
    while std::fs::metadata(run.join("monitor.bin")).unwrap().len() == 0 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let watched = folder.run(&["monitor", "run"]).success();
    assert!(watched.contains("cartpole, seed 1: training"), "{watched}");
    std::fs::remove_file(run.join("monitor.bin")).unwrap();
    std::fs::write(run.join("monitor.bin"), "cut").unwrap();
    let watched = folder.run(&["monitor", "run"]).success();
    for part in ["cannot watch run/monitor.bin", "metrics.jsonl is read instead", "Mean return", "  speed "] {
        assert!(watched.contains(part), "'{part}' is missing in\n{watched}");
    }
    signal_and_wait(child, "-INT").interrupted("Resume exactly from here");
}

#[test]
fn evaluation_reports_equal_results_as_text_and_json() {
    let folder = ProgramFolder::new("eval");
    folder.run(&train(&["--steps", "5000", "--out", "run"])).success();
    let eval = ["eval", "cartpole", "--checkpoint", "run/latest.safetensors", "--episodes", "50"];
    let json: Value =
        serde_json::from_str(&folder.run(&[&eval[..], &["--json"]].concat()).success()).unwrap();
    let number = |name: &str| json[name].as_f64().unwrap_or_else(|| panic!("{name} in {json}"));
    assert_eq!(json["episodes"], 50);
    assert!(number("min") <= number("mean_low") || number("std") == 0.0);
    assert!(number("mean_low") <= number("mean") && number("mean") <= number("mean_high"));
    assert!(number("mean") <= number("max") && number("max") <= 500.0);
    let text = folder.run(&eval).success();
    assert!(text.contains(&format!("{:.2}", number("mean"))) && text.contains("95 % interval"), "{text}");

    let wrong = ["eval", "pendulum", "--checkpoint", "run/latest.safetensors"];
    folder.run(&wrong).refused(1, &["run/latest.safetensors", "cartpole", "pendulum"]);
    let bytes = std::fs::read(folder.path().join("run/latest.safetensors")).unwrap();
    std::fs::write(folder.path().join("cut.safetensors"), &bytes[..bytes.len() / 2]).unwrap();
    folder.run(&["eval", "cartpole", "--checkpoint", "cut.safetensors"]).refused(1, &["cut.safetensors"]);
}

#[test]
fn benchmarks_print_json_lines() {
    let folder = ProgramFolder::new("bench");
    let listed = folder.run(&["bench", "--list", "graph/residual_mlp", "cube2"]).success();
    assert!(listed.lines().any(|line| line == "graph/residual_mlp/64"), "{listed}");
    assert!(
        listed.lines().all(|line| line.starts_with("graph/residual_mlp") || line.starts_with("cube2/")),
        "{listed}"
    );
    let out = folder.run(&["bench", "graph/residual_mlp/64", "--json", "--seconds", "0.01"]).success();
    let figures: Vec<Value> = out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!figures.is_empty());
    for figure in figures {
        assert!(figure["name"].as_str().unwrap().starts_with("graph/residual_mlp/64"), "{figure}");
        assert!(
            figure["value"].as_f64().unwrap() > 0.0
                && figure["unit"].is_string()
                && figure["threads"].is_u64()
        );
    }
}
