//! Training that continues: finished runs, changed tasks, and new runs from a checkpoint.

use crate::common::{ProgramFolder, assert_same_state, train_cartpole as train};
use serde_json::Value;
use std::path::Path;

fn metadata(run: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(run.join("run.json")).unwrap()).unwrap()
}

fn sessions(run: &Path) -> usize {
    metadata(run)["sessions"].as_array().unwrap().len()
}

#[test]
fn a_finished_run_is_not_trained_again() {
    let folder = ProgramFolder::new("finished");
    let run = folder.path().join("run");
    folder.run(&train(&["--until", "return>=1", "--out", "run"])).success();
    let steps = ["train", "--resume", "run", "--steps", "512"];
    let goal = ["train", "--resume", "run", "--until", "return>=1"];
    for (arguments, expected) in [(steps, "--steps is the total"), (goal, "already reached return>=1")] {
        let outcome = folder.run(&arguments);
        assert!(outcome.err.contains(expected), "{outcome:?}");
        outcome.success();
    }
    assert_eq!(sessions(&run), 1);
    // An unreached goal is reported although there is nothing to train.
    let both = folder.run(&["train", "--resume", "run", "--steps", "512", "--until", "return>=500"]);
    assert_eq!((both.code, sessions(&run)), (Some(3), 1), "{both:?}");
    // Another limit or setting trains.
    folder.run(&["train", "--resume", "run", "--steps", "512", "--set", "ppo.learning_rate=1e-4"]).success();
    assert_eq!(sessions(&run), 2);
}

#[test]
fn the_best_checkpoint_of_another_task_is_set_aside() {
    let folder = ProgramFolder::new("another-task");
    let run = folder.path().join("run");
    folder.run(&train(&["--until", "return>=1", "--out", "run"])).success();
    let best = std::fs::read(run.join("best.safetensors")).unwrap();
    let resumed = folder.run(&["train", "--resume", "run", "--set", "world.gravity=12", "--minutes", "0.01"]);
    assert!(resumed.err.contains("it is now earlier-best.safetensors"), "{resumed:?}");
    resumed.success();
    assert_eq!(std::fs::read(run.join("earlier-best.safetensors")).unwrap(), best);
    assert_ne!(std::fs::read(run.join("best.safetensors")).unwrap(), best);
    // Settings of the learner leave the task unchanged.
    let resumed =
        folder.run(&["train", "--resume", "run", "--set", "ppo.learning_rate=1e-4", "--minutes", "0.01"]);
    assert!(!resumed.err.contains("earlier-best"), "{resumed:?}");
    assert!(folder.run(&["runs", "delete", "run", "--yes"]).code == Some(0) && !run.exists());
}

#[test]
fn a_checkpoint_is_evaluated_in_a_changed_task() {
    let folder = ProgramFolder::new("changed-task");
    folder.run(&train(&["--steps", "1024", "--out", "run"])).success();
    let mean = |more: &[&str]| {
        let arguments = [&["eval", "--checkpoint", "run", "--json"][..], more].concat();
        let outcome = folder.run(&arguments);
        let line: Value = serde_json::from_str(&outcome.out).unwrap();
        line["mean"].as_f64().unwrap()
    };
    assert_eq!(mean(&[]), mean(&["--set", "world.gravity=9.8"]));
    assert!(mean(&["--set", "world.pole_half_length=0.1"]) < mean(&["--set", "world.pole_half_length=2"]));
    for (setting, expected) in
        [("ppo.epochs=2", "fields of world only"), ("world.gravity=999", "from 0 to 30")]
    {
        let refused = folder.run(&["eval", "--checkpoint", "run", "--set", setting]);
        assert!(refused.code == Some(2) && refused.err.contains(expected), "{refused:?}");
    }
    let eval = ["eval", "--checkpoint", "run", "--set", "world.gravity=25", "--set", "world.force=8"];
    let table = folder.run(&eval).success();
    for line in ["\n  checkpoint: run/best.safetensors\n", "\n  with world.gravity=25, world.force=8\n"] {
        assert!(table.contains(line), "{table}");
    }
    let json = |more: &[&str]| -> Value {
        serde_json::from_str(&folder.run(&[more, &["--json"]].concat()).success()).unwrap()
    };
    assert_eq!(json(&eval)["set"], serde_json::json!({ "world.gravity": 25, "world.force": 8 }));
    assert_eq!(json(&eval[..3])["set"], serde_json::json!({}));
    let latest = folder.run(&["eval", "--checkpoint", "run", "--latest"]).success();
    assert!(latest.ends_with("  checkpoint: run/latest.safetensors\n"), "{latest}");
    let refused = folder.run(&["eval", "cube2", "--set", "dqn.n_step=2"]);
    assert!(refused.code == Some(2) && refused.err.contains("omit --set"), "{refused:?}");
}

#[test]
fn a_new_run_starts_from_a_checkpoint() {
    let folder = ProgramFolder::new("from");
    let [run, fork] = ["run", "fork"].map(|name| folder.path().join(name));
    folder.run(&train(&["--steps", "1024", "--seed", "7", "--out", "run"])).success();
    let before = std::fs::read(run.join("latest.safetensors")).unwrap();
    let arguments = [
        "train",
        "--from",
        "run/latest.safetensors",
        "--set",
        "world.gravity=5",
        "--steps",
        "2048",
        "--out",
        "fork",
    ];
    folder.run(&arguments).success();
    assert_eq!(std::fs::read(run.join("latest.safetensors")).unwrap(), before);
    let metadata = metadata(&fork);
    let session = &metadata["sessions"][0];
    assert_eq!((&metadata["experiment"], &metadata["seed"]), (&"cartpole".into(), &7.into()));
    assert_eq!((&session["first_step"], &session["last_step"]), (&1024.into(), &2048.into()));
    let config: Value =
        serde_json::from_str(&std::fs::read_to_string(fork.join("config.json")).unwrap()).unwrap();
    assert_eq!(
        (&config["world"]["gravity"], &config["ppo"]["hidden"]),
        (&5.0.into(), &serde_json::json!([16]))
    );
    folder
        .run(&["train", "--from", "run/latest.safetensors", "--steps", "1024", "--out", "same"])
        .refused(2, &["the checkpoint already has 1024 steps, and --steps is the total"]);
    assert!(!folder.path().join("same").exists());
    folder.run(&["train", "--resume", "run/best.safetensors"]).refused(
        2,
        &["not a run folder; --resume run resumes", "--from run/best.safetensors starts a new run"],
    );
    // A run folder stands for its config.
    folder.run(&["train", "--config", "fork", "--steps", "512", "--out", "same-config"]).success();
    let copied = std::fs::read_to_string(folder.path().join("same-config/config.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&copied).unwrap(), config);
    let refused = folder.run(&["train", "pendulum", "--from", "run"]);
    assert!(refused.code != Some(0) && refused.err.contains("of cartpole, not of pendulum"), "{refused:?}");
}

#[test]
fn the_same_command_resumes_a_study_of_seeds() {
    let folder = ProgramFolder::new("study");
    let study = |seeds: &str, more: &[&str]| {
        folder.run(&train(&[&["--seeds", seeds, "--steps", "1024", "--out", "all"], more].concat()))
    };
    let results = |table: &str| -> Vec<String> {
        table.lines().filter(|line| line.starts_with("mean final return")).map(str::to_owned).collect()
    };
    let complete = results(&study("1-3", &[]).success());
    assert_eq!(complete.len(), 1);
    let again = study("1-3", &[]);
    assert!(again.err.contains("all/2: The run already has"), "{again:?}");
    let quiet = study("1-3", &["--quiet"]);
    assert_eq!(quiet.err, "");
    assert_eq!(results(&again.success()), complete);
    std::fs::remove_dir_all(folder.path().join("all/2")).unwrap();
    assert_eq!(results(&study("1-3", &[]).success()), complete);
    assert_eq!([1, 2, 3].map(|seed| sessions(&folder.path().join(format!("all/{seed}")))), [1; 3]);
    // The evaluation of a final state was aborted: an earlier one does not replace it.
    let metrics = folder.path().join("all/3/metrics.jsonl");
    let rows = std::fs::read_to_string(&metrics).unwrap();
    let (earlier, last) = rows.trim_end().rsplit_once('\n').unwrap();
    assert!(last.contains("eval_return_mean"), "{last}");
    std::fs::write(&metrics, format!("{earlier}\n{{\"steps\":512,\"eval_return_mean\":77}}\n")).unwrap();
    let aborted = study("1-3", &[]).success();
    let mean = aborted.lines().find(|line| line.starts_with("mean final return")).unwrap();
    assert!(mean.ends_with("over 2 seeds"), "{aborted}");
    let refused = study("1", &["--set", "world.gravity=12"]);
    let difference =
        "all/1: the folder has a run with other settings (world.gravity: 9.8 in the run, 12 here)";
    assert!(refused.code == Some(2) && refused.err.contains(difference), "{refused:?}");
    let fields =
        ["world.gravity=12", "world.force=8", "ppo.epochs=8", "ppo.discount=0.9", "ppo.clip_range=0.1"];
    let many: Vec<_> = fields.iter().flat_map(|field| ["--set", field]).collect();
    let refused = study("1", &many);
    assert!(refused.err.contains("ppo.epochs: 4 in the run, 8 here"), "{refused:?}");
    assert!(refused.err.contains("; and 2 more)"), "{refused:?}");
    let other = folder.run(&["train", "pendulum", "--seeds", "1", "--steps", "1024", "--out", "all"]);
    other.refused(2, &["experiment: cartpole in the run, pendulum here"]);
    let evaluated = folder.run(&["eval", "--checkpoint", "all", "--set", "world.gravity=25"]).success();
    assert!(evaluated.contains("\n  with world.gravity=25\n"), "{evaluated}");
    let evaluated =
        folder.run(&["eval", "--checkpoint", "all", "--set", "world.gravity=25", "--json"]).success();
    let evaluated: Value = serde_json::from_str(&evaluated).unwrap();
    assert_eq!(evaluated["set"], serde_json::json!({ "world.gravity": 25 }));
}

#[test]
fn a_config_of_a_run_has_the_seed_of_the_run() {
    let folder = ProgramFolder::new("config-seed");
    folder.run(&train(&["--steps", "512", "--seed", "5", "--out", "run"])).success();
    let run = folder.path().join("run");
    let train = |config: &str, more: &[&str]| {
        let _ = std::fs::remove_dir_all(folder.path().join("new"));
        let arguments = ["train", "--config", config, "--steps", "512", "--threads", "2", "--out", "new"];
        let outcome = folder.run(&[&arguments[..], more].concat());
        let err = outcome.err.clone();
        outcome.success();
        (metadata(&folder.path().join("new"))["seed"].clone(), err)
    };
    for config in ["run", "run/config.json", "run/run.json"] {
        let (seed, err) = train(config, &[]);
        assert_eq!(seed, 5, "{config}");
        assert!(err.contains("Seed 5 of the run in run; --seed sets another seed."), "{err}");
        assert_same_state(&run, &folder.path().join("new"));
    }
    let (seed, err) = train("run", &["--seed", "2"]);
    assert!(seed == 2 && !err.contains("Seed 5"), "{err}");
    // A config without a run.
    std::fs::copy(run.join("config.json"), folder.path().join("config.json")).unwrap();
    assert_eq!(train("config.json", &["cartpole"]).0, 1);
}

#[test]
fn checkpoints_later_than_the_resumed_step_are_set_aside() {
    let folder = ProgramFolder::new("rewound");
    let run = folder.path().join("run");
    let file = |name: &str| run.join(format!("{name}.safetensors"));
    folder.run(&train(&["--steps", "512", "--keep-checkpoints", "9", "--out", "run"])).success();
    let resumed_state = std::fs::read(file("latest")).unwrap();
    // Without an earlier best checkpoint, the state after 4096 steps becomes the best one.
    std::fs::remove_file(file("best")).unwrap();
    folder.run(&["train", "--resume", "run", "--steps", "4096", "--keep-checkpoints", "9"]).success();
    let later = std::fs::read(file("best")).unwrap();
    // A run that is killed after an evaluation has an older latest checkpoint.
    std::fs::write(file("latest"), resumed_state).unwrap();
    let resumed = folder.run(&["train", "--resume", "run", "--steps", "1024", "--keep-checkpoints", "9"]);
    assert!(
        resumed.err.contains("best.safetensors (4096 steps), checkpoint-4096.safetensors (4096 steps)"),
        "{resumed:?}"
    );
    assert!(!resumed.success().contains("4096"));
    assert_eq!(std::fs::read(file("earlier-best")).unwrap(), later);
    assert_eq!(std::fs::read(file("earlier-checkpoint-4096")).unwrap(), later);
    assert!(file("checkpoint-512").exists() && file("checkpoint-1024").exists());
    assert!(!file("checkpoint-4096").exists());
    assert_ne!(std::fs::read(file("best")).unwrap(), later);
    folder.run(&["runs", "delete", "run", "--yes"]).success();
    assert!(!run.exists());
}

#[test]
fn a_resumed_run_keeps_its_goal_and_limits() {
    let folder = ProgramFolder::new("kept-limits");
    let limits = |session: usize| metadata(&folder.path().join("run"))["sessions"][session]["limits"].clone();
    let given = ["--until", "return>=1e9", "--steps", "1024", "--out", "run"];
    folder.run(&train(&given)).goal_not_reached();
    let resume = |more: &[&str]| folder.run(&[&["train", "--resume", "run"], more].concat());
    let live = ["--set", "ppo.learning_rate=1e-4"];
    let kept = resume(&live);
    assert_eq!(kept.code, Some(3), "{kept:?}");
    assert!(
        kept.err
            .contains("Goal and limits of the previous session: --until 'return>=1000000000' --steps 1024."),
        "{kept:?}"
    );
    assert!(kept.err.contains("until return>=1000000000 or for a total of 1024 steps"), "{kept:?}");
    assert_eq!(limits(1), limits(0));
    // One option replaces all.
    let replaced = resume(&["--steps", "1536"]);
    assert!(!replaced.err.contains("previous session"), "{replaced:?}");
    replaced.success();
    assert_eq!(limits(2), serde_json::json!({ "until": null, "steps": 1536, "minutes": null }));
    assert!(resume(&[]).err.contains("already has 1536 steps"));
}
