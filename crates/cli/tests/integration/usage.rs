//! Messages for invalid command lines, files and folders, and the overview that the program prints without arguments.

use crate::common::{Outcome, ProgramFolder};

#[test]
fn without_arguments_the_overview_is_printed() {
    let out = ProgramFolder::new("overview").run(&[]).success();
    for part in [
        "cartpole",
        "mountain-car",
        "pendulum",
        "acrobot",
        "presets: ",
        "vivarium train",
        "vivarium bench",
        "kernels",
    ] {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
    assert!(!out.contains('\u{1b}'), "no color into a pipe");
    // The overview states the stop condition of each experiment.
    for part in ["until solved: a mean return of 475", "--until 'points>=0'", "learning-rate schedule"] {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
}

#[test]
fn info_prints_the_machine_and_the_engines() {
    let out = ProgramFolder::new("info").run(&["info"]).success();
    for part in [
        "processor",
        "cores",
        "features",
        "cpu         yes",
        "gpu         ",
        "auto        gpu if",
        "AlphaZero self-play, 48.3M moves",
        "MB of the program",
    ] {
        assert!(out.contains(part), "'{part}' is missing in\n{out}");
    }
    assert!(!out.contains("not here"), "{out}");
}

#[test]
fn notices_have_the_license_of_every_kind_of_crate() {
    let out = ProgramFolder::new("notices").run(&["notices"]).success();
    for part in [
        "Vivarium ",
        "The Rust standard library",
        "wgpu ",
        "clap ",
        "ratatui ",
        "windows-sys ",
        "Permission is hereby granted, free of charge",
        "Apache License",
    ] {
        assert!(out.contains(part), "'{part}' is missing");
    }
}

#[test]
fn an_invalid_command_line_reports_the_allowed_values_and_writes_nothing() {
    let folder = ProgramFolder::new("usage");
    let refused: &[(&[&str], &[&str])] = &[
        (&["trian"], &["trian", "train"]),
        (&["train"], &["EXPERIMENT"]),
        (&["train", "cartpol"], &["cartpol", "did you mean cartpole?", "mountain-car"]),
        (&["train", "zebra"], &["zebra", "cartpole, mountain-car, ", "logic-ca, backgammon"]),
        (&["train", "cartpole", "--threads", "0"], &["--threads", "a whole number from 1 to 1024"]),
        (&["train", "cartpole", "--threads", "many"], &["--threads", "a whole number from 1 to 1024"]),
        (&["train", "cartpole", "--seed", "-1"], &["-1", "a whole number from 0 to 9007199254740991"]),
        (&["train", "cartpole", "--steps", "1.5"], &["1.5", "a whole number from 1 to 1e15"]),
        (&["train", "cartpole", "--minutes", "0"], &["minutes above 0"]),
        (&["train", "cartpole", "--engine", "tpu"], &["tpu", "cpu, gpu, auto"]),
        (&["train", "cartpole", "--engine", "cpu", "--adapter", "x"], &["--adapter", "--engine gpu or auto"]),
        (&["train", "cartpole", "--until", "return=475"], &["'return>=475'"]),
        (
            &["train", "cartpole", "--until", "fame>=475"],
            &["fame", "(100 evaluation episodes): return, return_std, length", "entropy"],
        ),
        (&["train", "cartpole", "--set", "world.gravity"], &["path=value"]),
        (
            &["train", "cartpole", "--set", "world.gravityy=9"],
            &["world.gravityy", "did you mean world.gravity?"],
        ),
        (&["train", "cartpole", "--set", "world.gravity=900"], &["world.gravity = 900", "from 0 to 30"]),
        (&["train", "cartpole", "--set", "world.gravity=heavy"], &["world.gravity", "heavy", "number"]),
        (&["train", "cartpole", "--set", "preset=mars"], &["mars", "moon"]),
        (&["train", "cartpole", "--set", "preset=mon"], &["mon", "did you mean moon?"]),
        (&["train", "cartpole", "--steps", "-5"], &["'-5'", "a whole number from 1 to 1e15"]),
        (&["train", "cartpole", "--minutes", "-5"], &["'-5'", "minutes above 0"]),
        (&["train", "cartpole", "--threads", "-5"], &["'-5'", "from 1 to 1024"]),
        (&["train", "cartpole", "--seed", "-5"], &["'-5'", "--seed"]),
        (&["eval", "cartpole", "--checkpoint", "x", "--episodes", "-5"], &["'-5'", "from 1 to 10000"]),
        (&["eval", "backgammon", "--checkpoint", "x", "--games", "-4"], &["'-4'", "even number of games"]),
        (&["solve", "cube3", "R", "--beam", "-5"], &["'-5'", "--beam"]),
        (&["generate", "--checkpoint", "x", "--tokens", "-5"], &["'-5'", "from 1 to 1000000"]),
        (
            &["generate", "--checkpoint", "x", "--top-k", "-5"],
            &["'-5'", "--top-k", "a whole number from 0 to 4294967295"],
        ),
        (&["bench", "--seconds", "-5"], &["'-5'", "seconds above 0"]),
        (&["train", "cartpole", "--seed", "9007199254740992"], &["from 0 to 9007199254740991"]),
        (&["train", "cartpole", "--preset", "moon"], &["a preset is set by '--set preset=NAME'"]),
        (&["train", "cartpole", "--gravity", "3"], &["unexpected argument '--gravity'"]),
        (&["train", "cartpole", "--resume", "runs/x", "--seed", "1"], &["--resume", "--seed"]),
        (&["eval", "cartpole"], &["the program has no network of cartpole, only of", "--checkpoint FILE"]),
        (&["eval"], &["specify an experiment", "--checkpoint FILE"]),
        (&["eval", "zebra", "--checkpoint", "x"], &["zebra", "cartpole"]),
        (&["eval", "cartpole", "--checkpoint", "x", "--episodes", "0"], &["--episodes"]),
        (
            &["eval", "cube2", "--checkpoint", "x", "--episodes", "5"],
            &["--episodes", "cube2 is always evaluated in all of its 3,674,160 states"],
        ),
        (&["bench", "speed"], &["speed", "kernels, graph, control"]),
        (
            &["bench", "kernels/nothing-like-this"],
            &[
                "kernels/nothing-like-this",
                "The benchmarks of kernels are\n  kernels/fma_peak\n  kernels/gemm/64x128x128",
            ],
        ),
        // All names are checked before any measurement.
        (
            &["bench", "graph", "control/solve"],
            &["begins with control/solve\n", "control/cartpole/seconds_to_475/all\n"],
        ),
        (&["bench", "--seconds", "0"], &["--seconds"]),
        (&["bench", "language", "--onnx", "x"], &["--onnx", "backgammon or connect-four"]),
        (&["bench", "--onnx", "x"], &["--onnx", "backgammon or connect-four"]),
        (&["monitor"], &["DIR"]),
    ];
    for (arguments, words) in refused {
        let outcome = folder.run(arguments).refused(2, words);
        assert!(outcome.err.starts_with("vivarium: "), "{}", outcome.err);
        for wrong in ["as a value, use", "exists: '--resume'", "invalid digit"] {
            assert!(!outcome.err.contains(wrong), "{}", outcome.err);
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "something was written");
}

#[test]
fn help_states_the_limits() {
    let help = ProgramFolder::new("help").run(&["eval", "--help"]).success();
    assert!(help.contains("1 to 10000"), "{help}");
    let help = ProgramFolder::new("help-train").run(&["train", "--help"]).success();
    for part in ["games and cubes train until Ctrl-C", "up to 5 seconds more"] {
        assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains(part), "{help}");
    }
}

#[test]
fn an_invalid_config_file_is_an_error_with_its_cause() {
    let folder = ProgramFolder::new("config");
    let refused: &[(&[u8], &[&str])] = &[
        (b"", &["it is not JSON"]),
        (b"{\"world\": {\"gravity\": 9.8", &["it is not JSON", "line 1"]),
        (b"[1, 2]", &["JSON object"]),
        (b"\xff\xfe", &["it is not JSON"]),
        (b"{\"world\": {\"gravity\": null}}", &["world.gravity", "null"]),
        (b"{\"world\": 3}", &["--config config.json: world = 3", "section"]),
        (b"{\"wurld\": {\"gravity\": 9.8}}", &["wurld"]),
        (b"{\"ppo\": {\"lanes\": 1, \"horizon\": 2, \"minibatch\": 1000}}", &["minibatch"]),
    ];
    for (bytes, words) in refused {
        std::fs::write(folder.path().join("config.json"), bytes).unwrap();
        folder.run(&["train", "cartpole", "--config", "config.json"]).refused(2, words);
    }
    // An invalid value from `--set` is not attributed to the file.
    std::fs::write(folder.path().join("config.json"), b"{\"world\": {\"gravity\": 9.8}}").unwrap();
    let set = ["train", "cartpole", "--config", "config.json", "--set", "world.gravity=900"];
    let outcome = folder.run(&set).refused(2, &["world.gravity = 900"]);
    assert!(!outcome.err.contains("--config"), "{}", outcome.err);
    folder.run(&["train", "cartpole", "--config", "absent.json"]).refused(2, &["--config", "absent.json"]);
    folder.run(&["train", "cartpole", "--config", "."]).refused(2, &["not a file"]);
    for (field, option) in [("seed", "--seed"), ("total_timesteps", "--steps")] {
        let set = format!("{field}=3");
        folder.run(&["train", "cartpole", "--set", &set]).refused(2, &[field, "use the option", option]);
    }
    folder.run(&["fields", "cartpole", "ppo.gamma"]).refused(2, &["did you mean ppo.discount?"]);
    assert!(!folder.path().join("runs").exists(), "a refused run leaves no folder");
}

#[test]
fn folders_without_a_run_cannot_be_monitored_or_resumed() {
    let folder = ProgramFolder::new("no-run");
    for arguments in [&["monitor", "nowhere"], &["monitor", "."]] {
        folder.run(arguments).refused(1, &["is not a run folder", "vivarium train"]);
    }
    folder.run(&["train", "--resume", "nowhere"]).refused(1, &["nowhere is not a run folder"]);
}

#[test]
fn an_invalid_checkpoint_is_an_error_with_its_cause() {
    let folder = ProgramFolder::new("checkpoint");
    std::fs::write(folder.path().join("bad.safetensors"), [0u8; 100]).unwrap();
    std::fs::write(folder.path().join("empty.safetensors"), []).unwrap();
    for file in ["bad.safetensors", "empty.safetensors", "absent.safetensors"] {
        folder.run(&["eval", "cartpole", "--checkpoint", file]).refused(1, &[file]);
    }
    // A run without an evaluation has no best checkpoint.
    std::fs::write(folder.path().join("latest.safetensors"), [0u8; 100]).unwrap();
    for arguments in
        [&["eval", "cartpole"][..], &["eval", "backgammon"], &["solve", "cube2", "R"], &["generate"]]
    {
        let arguments = [arguments, &["--checkpoint", "best.safetensors"]].concat();
        folder.run(&arguments).refused(1, &["not been evaluated yet", "latest.safetensors"]);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_a_failure() {
    let folder = ProgramFolder::new("full");
    let arguments: &[&[&str]] = &[&["info"], &[], &["solve", "cube2", "R"]];
    for arguments in arguments.iter().chain(&[&["bench", "graph/residual_mlp/64", "--seconds", "0.01"][..]]) {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let outcome = folder.run_into(arguments, full);
        outcome.refused(1, &["cannot write standard output", "No space left"]);
    }
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let folder = ProgramFolder::new("pipe");
    for arguments in [&[][..], &["info"], &["help"], &["bench", "graph/residual_mlp/64", "--seconds", "0.01"]]
    {
        let mut program = folder.start(arguments);
        drop(program.stdout.take());
        let outcome = Outcome::of(program.wait_with_output().unwrap());
        assert!(outcome.err.is_empty(), "{arguments:?}: {outcome:?}");
        assert_eq!(outcome.code, Some(0), "{arguments:?}");
    }
    // A long computation stops, within seconds instead of hours.
    let mut program = folder.start(&["scramble", "cube3", "--count", "1000000", "--seed", "1"]);
    drop(program.stdout.take());
    assert_eq!(program.wait().unwrap().code(), Some(0));
    // Training continues, because its results are files.
    let train = ["train", "cartpole", "--threads", "1", "--steps", "2048", "--out", "run", "--json"];
    let mut program = folder.start(&train);
    drop(program.stdout.take());
    assert_eq!(program.wait().unwrap().code(), Some(0));
    assert!(folder.path().join("run/best.safetensors").is_file());
    let mut program = folder.start(&["export", "run", "--to", "csv", "--out", "-"]);
    drop(program.stdout.take());
    let outcome = Outcome::of(program.wait_with_output().unwrap());
    assert!(outcome.err.is_empty() && outcome.code == Some(0), "{outcome:?}");
}

#[test]
#[cfg(unix)]
fn suggested_commands_quote_non_utf8_paths() {
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    let folder = ProgramFolder::new("names");
    let name = std::ffi::OsStr::from_bytes(b"n\xff");
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_vivarium"));
    program
        .arg0(name)
        .args(["train", "cartpole", "--steps", "1", "--out"])
        .arg(name)
        .current_dir(folder.path());
    let outcome = Outcome::of(program.output().unwrap());
    assert_eq!(outcome.code, Some(0), "{outcome:?}");
    assert!(outcome.out.contains(r"$'n\xff' train --resume $'n\xff' --steps"), "{outcome:?}");

    // A folder whose name looks like an option.
    let said = folder.run(&["train", "cartpole", "--steps", "1", "--out=-x"]).success();
    assert!(said.contains("--checkpoint ./-x/best.safetensors") && said.contains("--resume ./-x"), "{said}");
    folder.run(&["train", "--resume", "./-x", "--steps", "2"]).success();
}
