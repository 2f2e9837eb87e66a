//! Logic automata on the command line: training, interruption, resumption, monitoring, evaluation and export.

use crate::common::{
    ProgramFolder, assert_resumes_exactly, learner_rows, metric_rows, signal_and_wait, wait_for_rows,
};
use serde_json::Value;

/// Returns the arguments that train a small automaton, followed by the arguments `more`.
fn train<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "logic-ca", "--set", "preset=life", "--threads", "2"], more].concat()
}

#[test]
fn a_run_ends_after_its_epochs_and_reports_its_circuit() {
    let folder = ProgramFolder::new("logic-files");
    let short = ["--set", "learning.epochs=9", "--set", "learning.local_search_epochs=3", "--out", "run"];
    let out = folder.run(&train(&short)).success();
    assert!(out.contains("12 epochs") && out.contains("Hard circuit: "), "{out}");
    assert!(out.contains("eval logic-ca --checkpoint run/best.safetensors"), "{out}");
    let run = folder.path().join("run");
    let rows = learner_rows(&run);
    let epochs: Vec<u64> = rows.iter().map(|row| row["steps"].as_u64().unwrap()).collect();
    assert_eq!(epochs, (1..=12).collect::<Vec<_>>());
    for metric in ["hard_loss", "hard_accuracy", "decidedness", "learning_rate"] {
        assert!(rows.iter().all(|row| row[metric].is_number()), "{metric}");
    }
    let last = metric_rows(&run).pop().unwrap();
    assert!(last["eval_accuracy"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)), "{last}");

    let watched = folder.run(&["monitor", "run"]).success();
    for part in
        ["logic-ca, seed 1: finished: all 12 epochs done", "12 of 12", "epochs/s", "Evaluated accuracy"]
    {
        assert!(watched.contains(part), "'{part}' is missing in\n{watched}");
    }
    assert!(!watched.contains("episodes") && !watched.contains("steps"), "{watched}");
}

#[test]
fn a_resumed_run_equals_an_uninterrupted_run() {
    assert_resumes_exactly(&ProgramFolder::new("logic-resume"), "logic-ca", &train(&[]), ["5", "11", "16"]);
}

#[test]
fn ctrl_c_saves_and_the_printed_command_resumes_the_run() {
    let folder = ProgramFolder::new("logic-ctrl-c");
    let child = folder.start(&train(&["--until", "soft_loss<=0", "--steps", "1e9", "--out", "run"]));
    let run = folder.path().join("run");
    wait_for_rows(&run, 3);
    let stopped = signal_and_wait(child, "-INT").interrupted(" epochs. Resume exactly from here:");
    let command = stopped.err.lines().last().unwrap();
    assert!(command.contains("train --resume run --until 'soft_loss<=0' --steps 1000000000"), "{command}");

    let resumed = folder.run(&["train", "--resume", "run", "--until", "hard_accuracy>=0"]);
    assert!(resumed.err.contains("resumed from epoch "), "{resumed:?}");
    assert!(resumed.success().contains("Reached hard_accuracy>=0"));
}

#[test]
fn circuit_exports_do_not_overwrite_run_files() {
    let folder = ProgramFolder::new("logic-overwrite");
    folder.run(&train(&["--steps", "3", "--out", "run"])).success();
    std::fs::copy(folder.path().join("run/latest.safetensors"), folder.path().join("kept.safetensors"))
        .unwrap();
    let files = ["kept.safetensors", "run/best.safetensors", "run/latest.safetensors", "run/config.json"];
    let read = || files.map(|file| std::fs::read(folder.path().join(file)).unwrap());
    let before = read();
    let refused: &[(&[&str], &[&str])] = &[
        (
            &["--gif", "kept.safetensors"],
            &["--gif kept.safetensors", "the checkpoint itself", "another file"],
        ),
        (&["--gif", "run/../kept.safetensors"], &["the checkpoint itself"]),
        (&["--circuit", "run/best.safetensors"], &["--circuit", "a file of the run in run", "another file"]),
        (&["--verilog", "run/latest.safetensors"], &["--verilog", "a file of the run in run"]),
        (&["--circuit", "run/config.json"], &["--circuit", "a file of the run in run"]),
        (&["--gif", "one", "--circuit", "./one"], &["--circuit ./one", "--gif", "another file"]),
    ];
    for (arguments, words) in refused {
        let eval = ["eval", "logic-ca", "--checkpoint", "kept.safetensors"];
        folder.run(&[&eval[..], arguments].concat()).refused(2, words);
    }
    assert!(read() == before, "a file of the run was overwritten");
    assert!(!folder.path().join("one").exists());
}

#[test]
fn a_circuit_is_tried_and_written_down() {
    let folder = ProgramFolder::new("logic-eval");
    folder.run(&train(&["--steps", "3", "--out", "run"])).success();
    let eval = ["eval", "logic-ca", "--checkpoint", "run/latest.safetensors"];
    let table = folder.run(&eval).success();
    for part in ["after 3 epochs", "As trained", "512 boards", "%"] {
        assert!(table.contains(part), "'{part}' is missing in\n{table}");
    }
    let files = ["--json", "--gif", "board.gif", "--circuit", "cell.json", "--verilog", "cell.v"];
    let written = folder.run(&[&eval[..], &files].concat());
    for file in ["board.gif", "cell.json", "cell.v"] {
        assert!(written.err.contains(&format!("Wrote {file}.")), "{written:?}");
    }
    let json: Value = serde_json::from_str(&written.success()).unwrap();
    assert_eq!((&json["trained_steps"], &json["boards"]), (&Value::from(3), &Value::from(512)));
    for test in json["tests"].as_array().unwrap() {
        assert!(test["accuracy"].as_f64().is_some_and(|share| (0.0..=1.0).contains(&share)), "{test}");
        assert!(table.contains(test["label"].as_str().unwrap()), "{test} is missing in\n{table}");
    }
    let read = |file| std::fs::read(folder.path().join(file)).unwrap();
    assert!(read("board.gif").starts_with(b"GIF89a"));
    let circuit: Value = serde_json::from_slice(&read("cell.json")).unwrap();
    assert_eq!(circuit["gates"].as_array().unwrap().len() as u64, json["gates"].as_u64().unwrap());
    assert!(String::from_utf8(read("cell.v")).unwrap().contains("endmodule"));
}

#[test]
fn unwritable_paths_are_reported_before_any_work() {
    let folder = ProgramFolder::new("logic-unwritable");
    folder.run(&train(&["--steps", "1", "--out", "run"])).success();
    folder.run(&["train", "cartpole", "--steps", "1", "--set", "ppo.num_envs=16", "--out", "pole"]).success();
    std::fs::create_dir(folder.path().join("folder")).unwrap();
    let logic = ["eval", "logic-ca", "--checkpoint", "run/latest.safetensors"];
    let refused = |file: [&str; 2], words: &[&str]| {
        folder.run(&[&logic[..], &file].concat()).refused(1, words);
    };
    refused(["--gif", "absent/board.gif"], &["absent/board.gif", "the folder absent does not exist"]);
    refused(["--circuit", "folder"], &["cannot write folder", "it is a folder"]);
    refused(["--verilog", "/dev/full"], &["cannot write /dev/full"]);
    let pole = ["eval", "cartpole", "--checkpoint", "pole/latest.safetensors", "--gif", "board.gif"];
    folder.run(&pole).refused(2, &["--gif: cartpole is not a logic automaton", "logic automata only"]);
    assert!(!folder.path().join("board.gif").exists());

    let wrong = ["eval", "logic-ca", "--checkpoint", "pole/latest.safetensors"];
    folder.run(&wrong).refused(1, &["pole/latest.safetensors", "cartpole", "logic-ca"]);
    let wrong = ["eval", "cartpole", "--checkpoint", "run/latest.safetensors"];
    folder.run(&wrong).refused(1, &["run/latest.safetensors", "logic-ca", "cartpole"]);
    let bytes = std::fs::read(folder.path().join("run/latest.safetensors")).unwrap();
    std::fs::write(folder.path().join("cut.safetensors"), &bytes[..bytes.len() / 2]).unwrap();
    folder.run(&["eval", "logic-ca", "--checkpoint", "cut.safetensors"]).refused(1, &["cut.safetensors"]);
    folder
        .run(&["train", "--resume", "run", "--until", "return>=1"])
        .refused(2, &["return", "accuracy, wrong_bits"]);
}
