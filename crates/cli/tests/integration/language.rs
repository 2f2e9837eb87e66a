//! Language models on the command line: training on a file, resumption, evaluation and generation.

use crate::common::ProgramFolder;
use serde_json::Value;

const SMALL: [&str; 18] = [
    "--set",
    "learner.vocabulary=300",
    "--set",
    "learner.context=16",
    "--set",
    "learner.layers=1",
    "--set",
    "learner.heads=2",
    "--set",
    "learner.width=16",
    "--set",
    "learner.batch=4",
    "--set",
    "encyclopedia.bytes=60000",
    "--set",
    "evaluation.every=10",
    "--threads",
    "1",
];

fn train<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["train", "language"], &SMALL[..], more].concat()
}

/// Creates a folder with a training text, `verses.txt`.
fn folder_with_text(name: &str) -> ProgramFolder {
    let folder = ProgramFolder::new(name);
    let verses: String = (0..300).map(|verse| format!("Verse {verse}: the night was long.\n")).collect();
    std::fs::write(folder.path().join("verses.txt"), verses).unwrap();
    folder
}

#[test]
fn incremental_training_on_a_text_equals_training_in_one_call() {
    let folder = folder_with_text("language-train");
    let verses = ["--set", "data=verses.txt"];
    // A gradient step is 64 tokens.
    folder.run(&train(&[&verses[..], &["--steps", "1600", "--out", "whole"]].concat())).success();
    folder.run(&train(&[&verses[..], &["--steps", "640", "--out", "parts"]].concat())).success();
    folder.run(&["train", "--resume", "parts", "--steps", "1600", "--threads", "1"]).success();
    let read = |run: &str| std::fs::read(folder.path().join(run).join("latest.safetensors")).unwrap();
    assert!(read("whole") == read("parts"), "the checkpoints differ");
    let rows = std::fs::read_to_string(folder.path().join("whole/metrics.jsonl")).unwrap();
    let names =
        ["loss", "validation_loss", "perplexity", "tokens_per_second", "gradient_norm", "steps_per_second"];
    for name in names {
        assert!(rows.contains(&format!("\"{name}\":")), "{name} is missing");
    }

    let eval = ["eval", "language", "--checkpoint", "whole/latest.safetensors", "--episodes", "5"];
    let with_text = [&eval[..], &["--text", "verses.txt"]].concat();
    let table = folder.run(&with_text).success();
    for part in
        ["80 tokens of held-out text in 5 windows, after 1600 tokens", "this model", "bigrams", "uniform"]
    {
        assert!(table.contains(part), "'{part}' is missing in\n{table}");
    }
    let said = folder.run(&[&with_text[..], &["--json"]].concat()).success();
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["trained_steps"], &said["evaluation"]["tokens"]), (&1600.into(), &80.into()));
    assert_eq!(said["evaluation"]["quiz"], Value::Null);

    // Generation does not need the training text; evaluation does.
    std::fs::remove_file(folder.path().join("verses.txt")).unwrap();
    let generate = ["generate", "--checkpoint", "whole/latest.safetensors", "--tokens", "20"];
    let prompted = [&generate[..], &["--prompt", "The night"]].concat();
    let text = folder.run(&prompted).success();
    assert!(text.starts_with("The night"), "{text}");
    assert_eq!(folder.run(&prompted).success(), text, "the same seed, the same text");
    let other = [&prompted[..], &["--seed", "2", "--temperature", "2", "--top-k", "0"]].concat();
    assert_ne!(folder.run(&other).success(), text);
    folder.run(&with_text).refused(1, &["verses.txt", "no such file or folder"]);
}

#[test]
fn a_moved_text_is_given_by_its_new_path() {
    let folder = folder_with_text("language-moved");
    let here = |name: &str| folder.path().join(name);
    folder.run(&train(&["--set", "data=verses.txt", "--steps", "640", "--out", "run"])).success();
    folder.run(&train(&["--set", "data=verses.txt", "--steps", "1280", "--out", "whole"])).success();
    std::fs::create_dir(here("texts")).unwrap();
    std::fs::rename(here("verses.txt"), here("texts/verses.txt")).unwrap();
    let resume = ["train", "--resume", "run", "--steps", "1280", "--threads", "1"];
    let fork =
        ["train", "--from", "run/latest.safetensors", "--steps", "1280", "--threads", "1", "--out", "fork"];
    for command in [&resume[..], &fork] {
        let remedy = "if the text was moved, add --set data=PATH";
        folder.run(command).refused(1, &["data = verses.txt", "no such file or folder", remedy]);
    }
    // Another text of equal size, and a text of another size.
    let same_size = std::fs::read_to_string(here("texts/verses.txt")).unwrap().replace("night", "light");
    std::fs::write(here("other.txt"), same_size).unwrap();
    std::fs::write(here("longer.txt"), "Another text.\n".repeat(999)).unwrap();
    let way = "train language --from-huggingface DIR --set data=";
    for (text, problem) in [
        ("data=other.txt", "the size is equal, but the checksum differs"),
        ("data=longer.txt", "this is not the original training text"),
        ("data=", "the training text of a run is fixed"),
    ] {
        for command in [&resume[..], &fork] {
            folder.run(&[command, &["--set", text]].concat()).refused(2, &[problem, "--to huggingface", way]);
        }
    }
    folder.run(&[&resume[..], &["--set", "data=absent.txt"]].concat()).refused(2, &["absent.txt", "no such"]);
    assert!(!here("fork").exists());

    let moved = ["--set", "data=texts/verses.txt"];
    folder.run(&[&fork[..], &moved].concat()).success();
    let resumed = folder.run(&[&resume[..], &moved].concat());
    assert!(resumed.err.contains("data from verses.txt to texts/verses.txt"), "{}", resumed.err);
    resumed.success();
    let read = |file: &str| -> Value { serde_json::from_slice(&std::fs::read(here(file)).unwrap()).unwrap() };
    let change = read("run/run.json")["sessions"][1]["changes"]["data"].clone();
    assert_eq!(change, serde_json::json!({ "from": "verses.txt", "to": "texts/verses.txt" }));
    assert_eq!(read("fork/config.json")["data"], "texts/verses.txt");
    // The later session needs no option, and the path does not change the weights.
    folder.run(&["train", "--resume", "run", "--steps", "1344", "--threads", "1"]).success();
    let weights = |run: &str| {
        let bytes = std::fs::read(here(run).join("latest.safetensors")).unwrap();
        let tensors = vivarium_lab::checkpoint::read(&bytes).unwrap().1.into_vec();
        tensors.into_iter().map(|tensor| format!("{tensor:?}")).collect::<Vec<_>>()
    };
    assert!(weights("fork") == weights("whole"), "the checkpoints differ");

    // A run on the built-in encyclopedia.
    folder.run(&train(&["--set", "learner.norm=rms", "--steps", "64", "--out", "built-in"])).success();
    let other = folder.run(&["train", "--from", "built-in", "--set", "data=texts/verses.txt"]);
    let problem = "data = texts/verses.txt: the training text of a run is fixed";
    other.refused(2, &[problem, "--to huggingface", way, "requires learner.norm=layer"]);
}

#[test]
fn weights_alone_generate_and_evaluate_like_the_checkpoint() {
    let folder = folder_with_text("language-weights");
    folder.run(&train(&["--set", "data=./verses.txt", "--steps", "640", "--out", "run"])).success();
    let [whole, alone] = ["run/latest.safetensors", "alone.safetensors"];
    folder.run(&["export", whole, "--to", "weights", "--out", alone]).success();
    let of = |checkpoint: &str, command: &[&str]| {
        folder.run(&[command, &["--checkpoint", checkpoint]].concat()).success().replace(checkpoint, "")
    };
    let eval = ["eval", "language", "--episodes", "5", "--text", "verses.txt", "--json"];
    for command in [&["generate", "--tokens", "20"][..], &eval] {
        assert_eq!(of(whole, command), of(alone, command));
    }
    let bytes = [whole, alone].map(|name| std::fs::read(folder.path().join(name)).unwrap());
    assert!(2 * bytes[1].len() < bytes[0].len(), "{} of {} bytes", bytes[1].len(), bytes[0].len());
    let (header, tensors) = vivarium_lab::checkpoint::read(&bytes[1]).unwrap();
    assert_eq!(header.config["data"], "verses.txt", "the folder of the text is not part of the file");
    assert!(tensors.into_vec().iter().all(|tensor| !tensor.name.starts_with("adam/")));
    folder.run(&["export", whole, "--to", "weights", "--out", alone]).refused(2, &["--force"]);
}

#[test]
fn the_language_model_of_the_program_writes_text() {
    let folder = ProgramFolder::new("language-shipped");
    let text = folder.run(&["generate", "--prompt", "The capital of", "--tokens", "20"]).success();
    assert!(text.starts_with("The capital of") && text.trim_end().len() > 30, "{text}");
    // Its training text is built in.
    folder.run(&["eval", "language", "--episodes", "2"]).success();
}

/// Checks that `vivarium eval` does not open the path of the training text in a checkpoint. Checkpoints are untrusted,
/// and the path may name any file.
#[test]
fn paths_in_checkpoints_are_never_opened() {
    let folder = folder_with_text("language-text");
    folder.run(&train(&["--set", "data=verses.txt", "--steps", "64", "--out", "run"])).success();
    let eval = ["eval", "language", "--checkpoint", "run/latest.safetensors", "--episodes", "2"];
    folder.run(&eval).refused(2, &["'verses.txt'", "--text verses.txt"]);
    std::fs::rename(folder.path().join("verses.txt"), folder.path().join("elsewhere.txt")).unwrap();
    folder.run(&[&eval[..], &["--text", "elsewhere.txt"]].concat()).success();
    folder.run(&[&eval[..], &["--text", "absent.txt"]].concat()).refused(1, &["absent.txt", "no such file"]);
    // A text other than the training text is rejected; the error contains the path that the user gave.
    std::fs::write(folder.path().join("other.txt"), "Another text.\n".repeat(999)).unwrap();
    let other = folder.run(&[&eval[..], &["--text", "other.txt"]].concat());
    other.refused(1, &["--text other.txt: this is not the original training text"]);
    let of_others = ["eval", "cartpole", "--checkpoint", "absent", "--text", "elsewhere.txt"];
    folder.run(&of_others).refused(2, &["--text", "language"]);
}

/// Checks that control characters in options and files are printed as escapes such as `\u001b`, and never reach the
/// terminal.
#[test]
fn escape_sequences_of_a_file_are_shown_and_not_sent() {
    let folder = folder_with_text("language-escapes");
    let odd = "data=verses\u{1b}]0;owned\u{7}.txt";
    let refused = folder.run(&train(&["--set", odd]));
    assert!(refused.err.contains("verses\\u001b]0;owned\\u0007.txt"), "{}", refused.err);
    assert!(!refused.err.contains('\u{1b}') && !refused.err.contains('\u{7}'), "{}", refused.err);

    // A run with modified files.
    folder.run(&train(&["--set", "data=verses.txt", "--steps", "64", "--out", "run"])).success();
    let about = folder.path().join("run/run.json");
    let text = std::fs::read_to_string(&about).unwrap();
    std::fs::write(&about, text.replacen("\"language\"", "\"\\u001b[2Jlanguage\"", 1)).unwrap();
    for command in [&["monitor", "run"][..], &["train", "--resume", "run"]] {
        let said = folder.run(command);
        let both = format!("{}{}", said.out, said.err);
        assert!(both.contains("u001b[2Jlanguage") && !both.contains('\u{1b}'), "{both}");
    }

    // The model is trained on, and generates, control characters.
    let odd = "\u{1b}[31mred\u{9b}\u{7}\u{202e} text\n".repeat(400);
    std::fs::write(folder.path().join("odd.txt"), odd).unwrap();
    let characters =
        ["--set", "data=odd.txt", "--set", "learner.vocabulary=0", "--steps", "64", "--out", "odd"];
    folder.run(&train(&characters)).success();
    let generate = [
        "generate",
        "--checkpoint",
        "odd/latest.safetensors",
        "--tokens",
        "200",
        "--temperature",
        "2",
        "--top-k",
        "0",
    ];
    let text = folder.run(&generate).success();
    assert!(text.contains("\\u001b") && text.contains("\\u202e"), "{text}");
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()) && !text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn the_quiz_asks_about_the_encyclopedia() {
    let folder = ProgramFolder::new("language-quiz");
    folder.run(&train(&["--steps", "640", "--out", "run"])).success();
    let table = folder
        .run(&["eval", "language", "--checkpoint", "run/best.safetensors", "--episodes", "8"])
        .success();
    assert!(table.contains("quiz accuracy (guessing: 25 %)") && table.contains("of 8"), "{table}");
}

#[test]
fn unreadable_files_are_reported_before_any_write() {
    let folder = folder_with_text("language-usage");
    std::fs::create_dir(folder.path().join("nothing")).unwrap();
    std::fs::write(folder.path().join("empty.txt"), "").unwrap();
    std::fs::write(folder.path().join("packed.gz"), [0x1f, 0x8b, 8, 0]).unwrap();
    let refused: &[(&str, &[&str])] = &[
        ("data=absent.txt", &["absent.txt", "no such file or folder"]),
        ("data=nothing", &["nothing", "has no text files", ".txt"]),
        ("data=empty.txt", &["empty.txt", "the training text is empty"]),
        ("data=packed.gz", &["packed.gz", "decompress it first"]),
        ("learner.heads=3", &["learner.heads", "divide"]),
        ("preset=huge", &["huge", "encyclopedia, tiny, shakespeare-char"]),
    ];
    for (field, words) in refused {
        folder.run(&train(&["--set", field])).refused(2, words);
    }
    std::fs::write(folder.path().join("short.txt"), "a few words").unwrap();
    let short = folder.run(&train(&["--set", "data=short.txt"]));
    short.refused(2, &["data = short.txt: the text is too short", "needs 17"]);
    // Invalid bytes beyond the first block; characters cross all block borders.
    for (name, tokenizer) in [("bpe.txt", "learner.vocabulary=300"), ("char.txt", "learner.vocabulary=0")] {
        let mut bytes = "é the night was long\n".repeat(150_000).into_bytes();
        let at = bytes.len() - 9;
        bytes[at] = 0xff;
        std::fs::write(folder.path().join(name), &bytes).unwrap();
        let data = format!("data={name}");
        let refused = folder.run(&train(&["--set", &data, "--set", tokenizer]));
        refused.refused(
            2,
            &[&format!("data = {name}: {name} is not UTF-8 at byte {at}"), "save the text as UTF-8"],
        );
    }
    assert!(!folder.path().join("runs").exists(), "a refused run leaves no folder");
}

/// Checks that the preset `shakespeare-char` is rejected unless the command line sets the config field `data`. The
/// preset is named after Shakespeare's works, so training on another text by default would be misleading.
#[test]
fn a_preset_for_a_user_text_is_rejected_without_a_text() {
    let folder = folder_with_text("language-shakespeare");
    let shakespeare = ["--set", "preset=shakespeare-char"];
    folder
        .run(&train(&shakespeare))
        .refused(2, &["preset = shakespeare-char", "--set data=FILE", "--set data= ", "encyclopedia"]);
    assert!(!folder.path().join("runs").exists());
    let steps = ["--steps", "64"];
    let own = folder.run(&train(&[&shakespeare[..], &["--set", "data=verses.txt"], &steps].concat()));
    assert!(own.code == Some(0) && own.err.contains("text verses.txt"), "{own:?}");
    let built_in = folder.run(&train(&[&shakespeare[..], &["--set", "data="], &steps].concat()));
    assert!(
        built_in.code == Some(0) && built_in.err.contains("text the built-in encyclopedia"),
        "{built_in:?}"
    );
}

#[test]
fn invalid_generate_commands_have_distinct_errors() {
    let folder = folder_with_text("language-generate");
    folder.run(&train(&["--set", "data=verses.txt", "--steps", "64", "--out", "run"])).success();
    let file = "run/latest.safetensors";
    let long = "the night was long. ".repeat(9);
    let refused: &[(i32, &[&str], &[&str])] = &[
        (
            2,
            &["--checkpoint", file, "--prompt", &long],
            &["--prompt: the prompt has ", "context length is 16"],
        ),
        (2, &["--checkpoint", file, "--temperature", "-1"], &["--temperature", "from 0 to 100"]),
        (2, &["--checkpoint", file, "--tokens", "0"], &["--tokens"]),
        (1, &["--checkpoint", "absent"], &["absent"]),
        (1, &["--checkpoint", "verses.txt"], &["verses.txt", "not a safetensors file"]),
    ];
    for (code, arguments, words) in refused {
        folder.run(&[&["generate"], *arguments].concat()).refused(*code, words);
    }
}
