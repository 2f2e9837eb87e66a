//! `vivarium export`: ONNX models, folders of language models, tables of metrics, and errors. The Python test
//! `crates/py/tests/test_exports.py` compares the written files with the outputs that this test writes beside them.

use crate::common::{ProgramFolder, SMALL, metric_rows};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use vivarium_exhibits::REGISTRY;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint;
use vivarium_lm::Tokenizer;

/// Number of rows of the example inputs.
const ROWS: usize = 3;

/// Text whose tokens are compared: contractions, digits, several spaces, other scripts and an emoji.
const TEXT: &str = "It's 1905,  they'll say:\n\n  naïve 中文 e\u{301}क्षि 🙂 x² ½.";

/// Returns an empty folder for the files of the Python test.
fn example_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("exports").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Creates an experiment with a config, advances it by `iterations` gradient steps, or to the end of its preparation,
/// and returns its checkpoint.
fn trained(name: &str, config: &Value, iterations: u64) -> Vec<u8> {
    let mut experiment = REGISTRY.create(name, config, 7).unwrap();
    let cpu = Cpu::new(1);
    while experiment.is_preparing() || experiment.progress().updates < iterations {
        experiment.advance(&cpu).unwrap();
    }
    experiment.save()
}

/// Exports a checkpoint as ONNX into the folder `case` of the Python test, with an example of input and outputs. `table`
/// is the name of the embedding table for whose rows the input is indices; `None` for an input of real numbers.
fn export_onnx(case: &str, bytes: &[u8], table: Option<&str>) {
    let folder = ProgramFolder::new(&format!("onnx-{case}"));
    fs::write(folder.path().join("run.safetensors"), bytes).unwrap();
    let out = example_folder(case);
    let model = out.join("model.onnx");
    let export = ["export", "run.safetensors", "--to", "onnx", "--out", model.to_str().unwrap()];
    let said = folder.run(&export);
    assert!(said.err.contains("Wrote"), "{}", said.err);
    said.success();

    let (header, network) = vivarium_exhibits::network(bytes).unwrap();
    let spec = network.input().clone();
    let entries = table.map(|name| checkpoint::read(bytes).unwrap().1.take(name).unwrap().shape[0]);
    let number = |place: usize| match entries {
        Some(entries) => (place * 7_919 % entries) as f32,
        None => (place * 7_919 % 1_009) as f32 / 252.0 - 2.0,
    };
    let input: Vec<f32> = (0..ROWS * spec.shape.size()).map(number).collect();
    let outputs = network.evaluate(ROWS, &input).unwrap();
    assert!(outputs.iter().flatten().all(|x| x.is_finite()));
    let example = json!({
        "experiment": header.experiment, "steps": header.steps, "seed": header.seed, "rows": ROWS,
        "version": env!("CARGO_PKG_VERSION"),
        "input": { "name": spec.name, "dims": spec.shape.dims(), "data": input },
        "outputs": network.outputs().zip(outputs).collect::<Vec<_>>(),
    });
    fs::write(out.join("example.json"), example.to_string()).unwrap();
}

#[test]
fn a_network_of_the_program_is_exported_by_name() {
    let folder = ProgramFolder::new("export-shipped");
    folder.run(&["export", "cube3", "--to", "onnx", "--out", "cube3.onnx"]).success();
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/cube3.safetensors");
    folder.run(&["export", network, "--to", "onnx", "--out", "file.onnx"]).success();
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("cube3.onnx") == read("file.onnx"));
    // The weights of a file with weights only are the same file.
    for name in ["backgammon", "connect-four", "cube2", "cube3", "language"] {
        folder.run(&["export", name, "--to", "weights", "--out", name]).success();
        let shipped = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/");
        assert!(read(name) == fs::read(format!("{shipped}{name}.safetensors")).unwrap(), "{name}");
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    // A path precedes the name of a network.
    fs::write(folder.path().join("cube3"), "no checkpoint").unwrap();
    let export = ["export", "cube3", "--to", "onnx", "--out", "other.onnx"];
    folder.run(&export).refused(1, &["cube3", "not a safetensors file"]);
    folder
        .run(&["export", "cube9", "--to", "onnx", "--out", "other.onnx"])
        .refused(1, &["cannot read cube9"]);
}

#[test]
fn networks_of_control_are_exported_with_the_normalization_of_observations() {
    let ppo = json!({ "num_envs": 16, "horizon": 32, "minibatch": 128, "hidden": [16, 8] });
    let with = |field: &str, value: Value| {
        let mut changed = ppo.clone();
        changed[field] = value;
        changed
    };
    let dqn = json!({ "hidden": [16], "num_envs": 4 });
    for (case, name, config) in [
        ("cartpole", "cartpole", json!({ "ppo": ppo })),
        ("cartpole-shared-torso", "cartpole", json!({ "ppo": with("shared_torso", json!(true)) })),
        ("cartpole-relu", "cartpole", json!({ "ppo": with("activation", json!("relu")) })),
        ("pendulum", "pendulum", json!({ "ppo": ppo })),
        ("acrobot-unscaled", "acrobot", json!({ "ppo": with("normalize_observations", json!(false)) })),
        ("frozen-lake", "frozen-lake", json!({ "ppo": ppo })),
        ("mountain-car-dqn", "mountain-car", json!({ "learner": "dqn", "dqn": dqn })),
    ] {
        let iterations = if case.ends_with("dqn") { 0 } else { 2 };
        export_onnx(case, &trained(name, &config, iterations), None);
    }
}

#[test]
fn networks_of_games_and_cubes_are_exported() {
    let network = json!({ "network": { "width": 24, "blocks": 2 } });
    for name in ["backgammon", "connect-four"] {
        export_onnx(name, &trained(name, &network, 0), None);
    }
    let table = Some("weights/hidden.0.weight");
    for (case, dueling) in [("cube2", false), ("cube2-dueling", true)] {
        let config = json!({ "dqn": { "hidden": [16, 8], "dueling": dueling } });
        export_onnx(case, &trained("cube2", &config, 0), table);
    }
    let config = json!({ "learner": { "width": 24, "blocks": 2 } });
    export_onnx("cube3", &trained("cube3", &config, 0), None);
}

/// Returns the config of a small language model on the built-in text, with other values of fields of the section
/// `learner`.
fn language(changes: &[(&str, Value)]) -> Value {
    let mut learner = json!({ "vocabulary": 300, "context": 16, "layers": 2, "heads": 2, "width": 16, "batch": 4, "warm_up": 0 });
    for (field, value) in changes {
        learner[field] = value.clone();
    }
    json!({ "learner": learner, "encyclopedia": { "bytes": 60_000 }, "evaluation": { "every": 1000 } })
}

#[test]
fn language_models_are_exported_as_onnx() {
    let characters = [("vocabulary", json!(0)), ("tied", json!(false)), ("bias", json!(false))];
    let rms = [("norm", json!("rms")), ("layer_norm_bias", json!(false))];
    for (case, changes) in
        [("language", &[][..]), ("language-characters", &characters), ("language-rms", &rms)]
    {
        export_onnx(case, &trained("language", &language(changes), 1), Some("wte.weight"));
    }
}

#[test]
fn language_models_round_trip_through_a_folder_of_hugging_face() {
    let characters = [("vocabulary", json!(0)), ("tied", json!(false)), ("bias", json!(false))];
    let no_norm_bias = [("layer_norm_bias", json!(false))];
    for (case, changes) in
        [("bpe", &[][..]), ("characters", &characters), ("without-norm-bias", &no_norm_bias)]
    {
        let folder = ProgramFolder::new(&format!("hugging-face-{case}"));
        let bytes = trained("language", &language(changes), 2);
        fs::write(folder.path().join("run.safetensors"), &bytes).unwrap();
        let out = example_folder(&format!("huggingface-{case}"));
        let path = out.to_str().unwrap();
        folder.run(&["export", "run.safetensors", "--to", "huggingface", "--out", path]).success();

        let (_, network) = vivarium_exhibits::network(&bytes).unwrap();
        let context = network.input().shape.size();
        let tokenizer =
            Tokenizer::from_json(&fs::read_to_string(out.join("tokenizer.json")).unwrap()).unwrap();
        let tokens: Vec<usize> = (0..ROWS * context).map(|i| i * 7_919 % tokenizer.vocabulary()).collect();
        let input: Vec<f32> = tokens.iter().map(|&token| token as f32).collect();
        let logits = network.evaluate(ROWS, &input).unwrap().remove(0);
        let text = if case == "characters" { "The night was long.\n 12" } else { TEXT };
        let example = json!({
            "rows": ROWS, "tokens": tokens, "logits": logits, "text": text,
            "text_tokens": tokenizer.tokens(text).unwrap(),
        });
        fs::write(out.join("example.json"), example.to_string()).unwrap();

        // Imports the exported folder: a new run starts with the same model, and then trains it.
        let small = ["--set", "encyclopedia.bytes=60000", "--set", "learner.batch=4", "--threads", "1"];
        let train =
            [&["train", "language", "--from-huggingface", path, "--out"], &["start"][..], &small].concat();
        folder.run(&[&train[..], &["--steps", "1"]].concat()).success();
        let trained = fs::read(folder.path().join("start/latest.safetensors")).unwrap();
        let (header, _) = vivarium_exhibits::network(&trained).unwrap();
        assert_eq!(header.steps, 64, "one gradient step");
        let back =
            [&["train", "language", "--from-huggingface", path, "--out", "again"][..], &small].concat();
        // A learning rate near 0 changes the logits only slightly.
        let frozen =
            ["--set", "learner.learning_rate=1e-7", "--set", "learner.final_learning_rate=0", "--steps", "1"];
        folder.run(&[&back[..], &frozen].concat()).success();
        let again = fs::read(folder.path().join("again/latest.safetensors")).unwrap();
        let (_, network) = vivarium_exhibits::network(&again).unwrap();
        let largest = logits.iter().fold(0f32, |most, x| most.max(x.abs()));
        for (one, other) in logits.iter().zip(network.evaluate(ROWS, &input).unwrap().remove(0)) {
            assert!((one - other).abs() < 1e-3 * largest, "{one} {other}");
        }
        folder.run(&["train", "--resume", "start", "--steps", "128", "--threads", "1"]).success();
    }
}

#[test]
fn the_tokenizer_file_of_gpt2_is_read() {
    let folder = ProgramFolder::new("hugging-face-gpt2");
    fs::write(folder.path().join("run.safetensors"), trained("language", &language(&[]), 0)).unwrap();
    folder.run(&["export", "run.safetensors", "--to", "huggingface", "--out", "gpt2"]).success();
    let path = folder.path().join("gpt2/tokenizer.json");
    let mut file: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    // Changes the file to the format of GPT-2's own `tokenizer.json`: no model type, merges as strings, the word
    // pattern by name.
    file["model"].as_object_mut().unwrap().remove("type");
    for merge in file["model"]["merges"].as_array_mut().unwrap() {
        *merge = format!("{} {}", merge[0].as_str().unwrap(), merge[1].as_str().unwrap()).into();
    }
    file["pre_tokenizer"] = json!({ "type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true });
    fs::write(&path, file.to_string()).unwrap();
    let small =
        ["--set", "encyclopedia.bytes=60000", "--set", "learner.batch=4", "--threads", "1", "--steps", "1"];
    let train = ["train", "language", "--from-huggingface", "gpt2", "--out", "run"];
    folder.run(&[&train[..], &small].concat()).success();
    file["model"]["type"] = "BPE".into();
    file["pre_tokenizer"]["add_prefix_space"] = true.into();
    fs::write(&path, file.to_string()).unwrap();
    folder.run(&train).refused(1, &["tokenizer.json", "pre_tokenizer"]);
}

#[test]
fn unsupported_folders_are_refused() {
    let folder = ProgramFolder::new("hugging-face-refused");
    let bytes = trained("language", &language(&[("norm", json!("rms"))]), 0);
    fs::write(folder.path().join("rms.safetensors"), bytes).unwrap();
    let export = |name, out| folder.run(&["export", name, "--to", "huggingface", "--out", out]);
    export("rms.safetensors", "rms").refused(2, &["rms.safetensors", "learner.norm = rms", "ONNX"]);
    assert!(!folder.path().join("rms").exists());

    fs::write(folder.path().join("run.safetensors"), trained("language", &language(&[]), 0)).unwrap();
    export("run.safetensors", "gpt2").success();
    let open = ["train", "language", "--from-huggingface", "gpt2", "--out", "run"];
    folder
        .run(&[&open[..], &["--set", "learner.width=32"]].concat())
        .refused(2, &["learner.width = 32", "has 16"]);
    let config = folder.path().join("gpt2/config.json");
    let written = fs::read_to_string(&config).unwrap();
    for (field, other) in [
        ("\"gpt2\"", "\"llama\""),
        ("\"gelu_new\"", "\"gelu\""),
        ("\"layer_norm_epsilon\": 0.00001", "\"layer_norm_epsilon\": 1e-6"),
        ("\"n_inner\": null", "\"n_inner\": 40"),
        ("\"vocab_size\": 300", "\"vocab_size\": 301"),
        ("\"n_layer\": 2", "\"n_layer\": 3"),
        ("{", "["),
    ] {
        assert!(written.contains(field), "{written}");
        fs::write(&config, written.replacen(field, other, 1)).unwrap();
        let outcome = folder.run(&open);
        assert!(outcome.code != Some(0) && !folder.path().join("run").exists(), "{other}: {outcome:?}");
        assert!(!outcome.err.contains("bug"), "{outcome:?}");
    }
    fs::write(&config, &written).unwrap();
    fs::remove_file(folder.path().join("gpt2/model.safetensors")).unwrap();
    folder.run(&open).refused(1, &["gpt2/model.safetensors", "No such file"]);
    let other = ["train", "cartpole", "--from-huggingface", "gpt2"];
    folder.run(&other).refused(2, &["--from-huggingface gpt2", "cartpole", "language"]);
    let missing = ["train", "language", "--from-huggingface", "nowhere"];
    folder.run(&missing).refused(1, &["nowhere", "not a folder"]);
}

#[test]
fn metrics_are_exported_as_a_table() {
    let folder = ProgramFolder::new("export-csv");
    let train = ["train", "cartpole", "--steps", "2000", "--out", "run", "--threads", "1"];
    folder.run(&[&train[..], &SMALL].concat()).success();
    folder.run(&["export", "run", "--to", "csv", "--out", "run.csv"]).success();
    let text = fs::read_to_string(folder.path().join("run.csv")).unwrap();
    assert_eq!(folder.run(&["export", "run", "--to", "csv", "--out", "-"]).success(), text);
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names[..3], ["step", "updates", "elapsed"]);
    let loss = names.iter().position(|&name| name == "policy_loss").unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert!(rows.len() > 2 && rows.iter().all(|row| row.len() == names.len()));
    assert!(
        rows.is_sorted_by(|a, b| a[0].parse::<u64>().unwrap() < b[0].parse().unwrap()),
        "one row per step"
    );
    for recorded in metric_rows(&folder.path().join("run")) {
        let Some(value) = recorded["policy_loss"].as_f64() else { continue };
        let row = rows.iter().find(|row| row[0].parse() == Ok(recorded["steps"].as_u64().unwrap())).unwrap();
        assert_eq!(row[loss].parse(), Ok(value));
    }
    // The best or latest checkpoint of a run folder is exported.
    folder.run(&["export", "run", "--to", "onnx", "--out", "run.onnx"]).success();
    assert!(fs::read(folder.path().join("run.onnx")).unwrap().len() > 1000);

    let out = ["--to", "csv", "--out", "other.csv"];
    folder
        .run(&[&["export", "run/latest.safetensors"], &out[..]].concat())
        .refused(2, &["export the run folder"]);
    folder.run(&[&["export", "nowhere"], &out[..]].concat()).refused(1, &["nowhere", "does not exist"]);
    fs::remove_file(folder.path().join("run/metrics.jsonl")).unwrap();
    folder.run(&[&["export", "run"], &out[..]].concat()).refused(1, &["no metrics yet"]);
}

#[test]
fn invalid_exports_are_refused_and_write_nothing() {
    let folder = ProgramFolder::new("export-errors");
    let file = |name: &str| folder.path().join(name);
    let bytes = trained("cartpole", &json!({ "ppo": { "hidden": [8] } }), 0);
    fs::write(file("run.safetensors"), &bytes).unwrap();
    let export = |source, format, out| folder.run(&["export", source, "--to", format, "--out", out]);

    export("missing.safetensors", "onnx", "a.onnx").refused(1, &["missing.safetensors", "No such file"]);
    export("run.safetensors", "onnx", "no/a.onnx").refused(1, &["the folder no does not exist"]);
    export("run.safetensors", "onnx", ".").refused(1, &["it is a folder"]);
    export("run.safetensors", "onnx", "run.safetensors").refused(2, &["the checkpoint itself"]);
    export("run.safetensors", "parquet", "a").refused(2, &["parquet", "onnx, huggingface, weights, csv"]);
    export("run.safetensors", "huggingface", "a").refused(2, &["experiment = cartpole", "--to onnx"]);
    export("run.safetensors", "weights", "a")
        .refused(2, &["experiment = cartpole", "board games, cubes and language models; use onnx"]);
    let mut damaged = bytes.clone();
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(file("damaged.safetensors"), damaged).unwrap();
    export("damaged.safetensors", "onnx", "a.onnx").refused(1, &["damaged.safetensors", "checksum"]);
    export("damaged.safetensors", "huggingface", "a").refused(2, &["cartpole"]);
    fs::write(file("logic.safetensors"), trained("logic-ca", &json!({}), 0)).unwrap();
    for format in ["onnx", "weights"] {
        export("logic.safetensors", format, "a.onnx")
            .refused(2, &["logic-ca", "no neural network", "--circuit FILE"]);
    }
    assert!(!file("a.onnx").exists() && !file("a").exists());

    fs::write(file("b.onnx"), "kept").unwrap();
    export("run.safetensors", "onnx", "b.onnx").refused(2, &["the file exists", "--force"]);
    assert_eq!(fs::read(file("b.onnx")).unwrap(), b"kept");
    folder.run(&["export", "run.safetensors", "--to", "onnx", "--out", "b.onnx", "--force"]).success();
    assert!(fs::read(file("b.onnx")).unwrap().len() > 500);
}
