//! Config fields and presets on the command line: listings, completions, precedence, suggestions and inferred names.

use crate::common::{ProgramFolder, SMALL};
use serde_json::Value;

/// Returns the config of a new run that is trained with `arguments`, and standard error.
fn trained(folder: &ProgramFolder, arguments: &[&str]) -> (Value, String) {
    let _ = std::fs::remove_dir_all(folder.path().join("run"));
    let outcome = folder.run(&[&["train", "cartpole", "--steps", "1", "--out", "run"], arguments].concat());
    let said = outcome.err.clone();
    outcome.success();
    let config = std::fs::read_to_string(folder.path().join("run/config.json")).unwrap();
    (serde_json::from_str(&config).unwrap(), said)
}

#[test]
fn the_later_option_wins_and_overridden_presets_are_reported() {
    let folder = ProgramFolder::new("precedence");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("c.json", r#"{"world": {"gravity": 9.8, "force": 8}}"#);
    let (config, said) = trained(&folder, &["--config", "c.json", "--set", "preset=moon"]);
    assert_eq!((&config["world"]["gravity"], &config["world"]["force"]), (&1.62.into(), &8.0.into()));
    assert!(
        said.contains("--config c.json is partly overridden: world.gravity=1.62 instead of 9.8"),
        "{said}"
    );
    let (config, said) = trained(&folder, &["--set", "preset=moon", "--config", "c.json"]);
    assert_eq!(config["world"]["gravity"], 9.8);
    assert!(said.contains("Preset moon is overridden: world.gravity=9.8 instead of 1.62"), "{said}");
    // Two presets are combined; the preset of the defaults resets all fields.
    let (config, _) = trained(&folder, &["--set", "preset=moon", "--set", "preset=tiny-network"]);
    assert_eq!(
        (&config["world"]["gravity"], &config["ppo"]["hidden"]),
        (&1.62.into(), &serde_json::json!([8]))
    );
    let reset = ["--set", "preset=moon", "--set", "ppo.hidden=[16]", "--set", "preset=default"];
    let (config, said) = trained(&folder, &reset);
    assert_eq!(
        (&config["world"]["gravity"], &config["ppo"]["hidden"]),
        (&9.8.into(), &serde_json::json!([64, 64]))
    );
    assert!(
        said.contains("Preset moon is overridden") && said.contains("--set ppo.hidden=[16] is overridden"),
        "{said}"
    );
    // Several files, of which the second has a preset.
    write("d.json", r#"{"preset": "moon", "ppo": {"hidden": [8]}}"#);
    let (config, _) = trained(&folder, &["--config", "c.json", "--config", "d.json"]);
    assert_eq!((&config["world"]["gravity"], &config["world"]["force"]), (&1.62.into(), &8.0.into()));
    assert_eq!(config["ppo"]["hidden"], serde_json::json!([8]));

    let help = folder.run(&["train", "--help"]).success();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("the later value of a field wins"), "{help}");
}

#[test]
fn a_suggestion_is_a_field_of_the_learner_in_use() {
    let folder = ProgramFolder::new("did-you-mean");
    let refused = |more: &[&str], suggestion: &str| {
        let arguments = [&["train", "cartpole"], more].concat();
        folder.run(&arguments).refused(2, &[&format!("did you mean {suggestion}?")]);
    };
    refused(&["--set", "ppo.learning_rat=1"], "ppo.learning_rate");
    refused(&["--set", "learning_rat=1"], "ppo.learning_rate");
    refused(&["--set", "learner=dqn", "--set", "learning_rat=1"], "dqn.learning_rate");
    // A field in a section that does not exist.
    refused(&["--set", "model.horizon=8"], "ppo.horizon");
    folder
        .run(&["train", "language", "--set", "model.context=64"])
        .refused(2, &["model.context = 64: unknown field; did you mean learner.context?"]);
    let run = [&["train", "cartpole", "--steps", "1", "--out", "run"], &SMALL[..]].concat();
    folder.run(&run).success();
    let resume = ["train", "--resume", "run", "--set", "ppo.learning_rat=1"];
    folder.run(&resume).refused(2, &["did you mean ppo.learning_rate?"]);
}

#[test]
fn a_field_of_another_learner_is_refused() {
    let folder = ProgramFolder::new("unused-field");
    let set = ["train", "cartpole", "--steps", "1", "--out", "run", "--set", "dqn.learning_rate=0.1"];
    folder.run(&set).refused(2, &["dqn.learning_rate has no effect with learner=ppo; add --set learner=dqn"]);
    assert!(!folder.path().join("run").exists());
    let said = folder
        .run(&["train", "cartpole", "--set", "dqn.batch=3"])
        .refused(2, &["did you mean dqn.minibatch?"]);
    assert!(!said.err.contains("ppo."), "{said:?}");
    folder.run(&[&["train", "cartpole", "--steps", "1", "--out", "run"], &SMALL[..]].concat()).success();
    let resume = ["train", "--resume", "run", "--steps", "600", "--set", "dqn.learning_rate=0.1"];
    folder.run(&resume).refused(2, &["dqn.learning_rate has no effect: the run trains with learner=ppo"]);
}

#[test]
fn files_and_folders_of_another_experiment_are_named() {
    let folder = ProgramFolder::new("other-experiment");
    let run = [&["train", "cartpole", "--steps", "512", "--out", "run"], &SMALL[..]].concat();
    folder.run(&run).success();
    folder
        .run(&["train", "mountain-car", "--config", "run/config.json"])
        .refused(2, &["run/config.json is of a run of cartpole, not of mountain-car: "]);
    // The mismatch is reported before the end of the run.
    folder
        .run(&["train", "mountain-car", "--resume", "run", "--steps", "512"])
        .refused(2, &["the folder has a run of cartpole, not of mountain-car"]);
}

#[test]
fn the_experiment_is_inferred_from_config_and_checkpoint() {
    let folder = ProgramFolder::new("inferred");
    let run = [&["train", "cartpole", "--steps", "512", "--seed", "3", "--out", "run"], &SMALL[..]].concat();
    folder.run(&run).success();
    folder
        .run(&["train", "--config", "run/config.json", "--steps", "512", "--seed", "3", "--out", "again"])
        .success();
    let [one, other] = ["run", "again"].map(|run| folder.path().join(run));
    crate::common::assert_same_state(&one, &other);
    let eval = ["eval", "--checkpoint", "run/latest.safetensors", "--episodes", "2", "--json"];
    let json: Value = serde_json::from_str(&folder.run(&eval).success()).unwrap();
    assert_eq!(json["experiment"], "cartpole");
    std::fs::copy(one.join("config.json"), folder.path().join("moved.json")).unwrap();
    folder
        .run(&["train", "--config", "moved.json"])
        .refused(2, &["name of the experiment is missing", "add the name"]);
    std::fs::write(folder.path().join("bad.safetensors"), [0u8; 100]).unwrap();
    folder.run(&["eval", "--checkpoint", "bad.safetensors"]).refused(1, &["bad.safetensors"]);
}

#[test]
fn game_and_cube_are_inferred_from_the_checkpoint() {
    let folder = ProgramFolder::new("inferred-game");
    let network = |name: &str| {
        let file = format!("www/src/assets/networks/{name}.safetensors");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
        std::fs::copy(path, folder.path().join(name)).unwrap();
    };
    ["connect-four", "backgammon", "cube2", "cube3"].into_iter().for_each(network);
    for (file, words) in [("connect-four", "1 2 3 4 5 6 7"), ("backgammon", "You rolled ")] {
        let play = ["play", "--checkpoint", file, "--seed", "3", "--simulations", "0"];
        let said = folder.run_with(&play, "quit\n").success();
        assert!(said.contains(words), "{said}");
    }
    for file in ["cube2", "cube3"] {
        let solve = ["solve", "--checkpoint", file, "--threads", "2"];
        let more: [(&[&str], &str); 3] = [(&["R U F'"], ""), (&["R", "U", "F'"], ""), (&["-"], "R U F'\n")];
        for (words, input) in more {
            let said = folder.run_with(&[&solve[..], words].concat(), input).success();
            assert!(said.trim_end().ends_with("F U' R'"), "{file} {words:?}: {said}");
        }
    }
    let stickers = "UUUURRRRFFFFDDDDLLLLBBBB";
    let said = folder.run(&["solve", "--checkpoint", "cube2", "--stickers", stickers]).success();
    assert_eq!(said.trim(), "This cube is solved.");

    // A name that contradicts the checkpoint, and checkpoints of other experiments.
    let refused: [(&[&str], &str); 5] = [
        (
            &["play", "backgammon", "--checkpoint", "connect-four"],
            "it belongs to connect-four; a checkpoint of backgammon is",
        ),
        (
            &["play", "connect-four", "--checkpoint", "backgammon"],
            "it belongs to backgammon; a checkpoint of connect-four is",
        ),
        (
            &["play", "--checkpoint", "cube2"],
            "cube2: checkpoint: it belongs to cube2; a checkpoint of backgammon or connect-four is",
        ),
        (&["solve", "cube3", "R", "--checkpoint", "cube2"], "it belongs to cube2; a checkpoint of cube3 is"),
        (
            &["solve", "R", "--checkpoint", "backgammon"],
            "it belongs to backgammon; a checkpoint of cube2 or cube3 is",
        ),
    ];
    for (arguments, words) in refused {
        folder.run(arguments).refused(1, &[words]);
    }
    // Without a checkpoint, solve needs the name of the cube.
    folder.run(&["solve", "R U"]).refused(2, &["R U is not a cube; use cube2"]);
    folder.run(&["solve"]).refused(2, &["<CUBE>"]);
    folder.run(&["solve", "cube4", "R", "--checkpoint", "cube3"]).refused(2, &["scramble: "]);
}

#[test]
fn fields_and_presets_are_listed() {
    let folder = ProgramFolder::new("catalog");
    let all = folder.run(&["fields", "cartpole"]).success();
    let ppo = folder.run(&["fields", "cartpole", "ppo"]).success();
    let rate = folder.run(&["fields", "cartpole", "ppo.learning_rate"]).success();
    assert!(
        all.contains("world.gravity — Gravity, live\n")
            && all.contains("a number from 0 to 30 m/s²; default 9.8"),
        "{all}"
    );
    assert!(all.contains(&ppo) && ppo.contains(&rate) && !ppo.contains("world."), "{ppo}");
    assert!(rate.starts_with("ppo.learning_rate — Learning rate, live\n"), "{rate}");
    let lines = folder.run(&["fields", "cartpole", "world.gravity", "--json"]).success();
    let field: Value = serde_json::from_str(&lines).unwrap();
    assert_eq!(
        (&field["path"], &field["default"], &field["live"]),
        (&"world.gravity".into(), &9.8.into(), &true.into())
    );
    folder
        .run(&["fields", "cartpole", "pppo"])
        .refused(2, &["the sections are world, ppo, dqn", "did you mean ppo?"]);
    folder.run(&["fields", "cartpol"]).refused(2, &["did you mean cartpole?"]);

    let presets = folder.run(&["presets", "cartpole"]).success();
    assert!(
        presets.contains("moon — Moon gravity\n") && presets.contains("    world.gravity=1.62\n"),
        "{presets}"
    );
    let lines = folder.run(&["presets", "cartpole", "--json"]).success();
    let presets: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(
        presets.iter().any(|preset| preset["name"] == "moon" && preset["config"]["world"]["gravity"] == 1.62)
    );
}

#[test]
fn completions_have_the_fields_of_the_experiment() {
    let folder = ProgramFolder::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let script = folder.run(&["completions", shell]).success();
        assert!(script.contains("VIVARIUM_COMPLETE") && script.contains("vivarium"), "{script}");
    }
    folder.run(&["completions", "tcsh"]).refused(2, &["tcsh", "bash, zsh, fish, powershell"]);
    for shell in ["bash", "zsh", "fish", "powershell"] {
        let candidates = |words: &[&str]| completed(&folder, shell, words);
        assert_eq!(candidates(&["vivarium", "train", "mountain"]), ["mountain-car"], "{shell}");
        assert_eq!(
            candidates(&["vivarium", "train", "cartpole", "--set", "ppo.learning_r"]),
            ["ppo.learning_rate="],
            "{shell}"
        );
        assert_eq!(
            candidates(&["vivarium", "train", "cartpole", "--set", "learner="]),
            ["learner=ppo", "learner=dqn"],
            "{shell}"
        );
        assert_eq!(
            candidates(&["vivarium", "train", "cartpole", "--set", "preset=mo"]),
            ["preset=moon"],
            "{shell}"
        );
        assert_eq!(candidates(&["vivarium", "train", "pendulum", "--set", "dqn."]), [""; 0], "{shell}");
        assert!(candidates(&["vivarium", "fields", "cartpole", "p"]).contains(&"ppo".to_owned()), "{shell}");
        assert!(candidates(&["vivarium", "train", "--en"]).contains(&"--engine".to_owned()), "{shell}");
        // The word at the cursor is empty.
        assert!(candidates(&["vivarium", "train", ""]).contains(&"cartpole".to_owned()), "{shell}");
    }
    // Except in bash, the label of a field is its description.
    for (shell, separator) in [("zsh", ':'), ("fish", '\t'), ("powershell", '\t')] {
        let said = requested(&folder, shell, &["vivarium", "train", "cartpole", "--set", "world.gra"]);
        assert_eq!(said.trim_end(), format!("world.gravity={separator}Gravity"), "{shell}");
    }
}

/// Returns the answer to the request of the completion script of `shell` that completes the last of `words`.
fn requested(folder: &ProgramFolder, shell: &str, words: &[&str]) -> String {
    let index = (words.len() - 1).to_string();
    let mut variables = vec![("VIVARIUM_COMPLETE", shell)];
    // The scripts of fish and PowerShell send the words up to the cursor only.
    if ["bash", "zsh"].contains(&shell) {
        variables.extend([("_CLAP_COMPLETE_INDEX", &*index), ("_CLAP_IFS", "\n")]);
    }
    folder.run_in(&variables, &[&["--"], words].concat()).success()
}

/// Returns the candidates of the last of `words` in `shell`, without their descriptions.
fn completed(folder: &ProgramFolder, shell: &str, words: &[&str]) -> Vec<String> {
    let separator = if shell == "zsh" { ':' } else { '\t' };
    let said = requested(folder, shell, words);
    said.lines().map(|line| line.split(separator).next().unwrap().to_owned()).collect()
}

/// Checks that the script, executed by bash itself, completes a command line.
#[test]
#[cfg(unix)]
fn bash_completes_a_command_line() {
    let folder = ProgramFolder::new("bash");
    std::fs::write(folder.path().join("script"), folder.run(&["completions", "bash"]).success()).unwrap();
    let complete = "source ./script; COMP_WORDS=(vivarium train cartpole --set ppo.learning_r) COMP_CWORD=4; \
        _clap_complete_vivarium vivarium ppo.learning_r --set; printf '%s\n' \"${COMPREPLY[@]}\"";
    let mut bash = std::process::Command::new("bash");
    bash.current_dir(folder.path()).args(["--norc", "-c", complete]);
    let said = crate::common::Outcome::of(bash.output().unwrap()).success();
    assert_eq!(said.trim_end(), "ppo.learning_rate=");
}

#[test]
fn man_pages_are_written_for_all_commands() {
    let folder = ProgramFolder::new("man");
    folder.run(&["man", "pages/man1"]).success();
    let read = |name: &str| std::fs::read_to_string(folder.path().join("pages/man1").join(name)).unwrap();
    assert!(read("vivarium.1").contains("vivarium\\-train(1)"), "{}", read("vivarium.1"));
    let train = read("vivarium-train.1");
    for section in ["NOTES", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES", "SEE ALSO"] {
        assert!(
            train.lines().any(|line| line.trim_start_matches(".SH ").trim_matches('"') == section),
            "{section}: {train}"
        );
    }
    assert!(read("vivarium-runs-compare.1").contains("vivarium\\-runs(1)"));
    assert!(read("vivarium-fields.1").contains("EXPERIMENT"));
}
