//! Provenance of training runs: what `run.json` records about program, machine, sessions and changed settings.

use crate::common::{ProgramFolder, signal, train_cartpole as train, wait_for_rows};
use serde_json::Value;
use std::path::Path;

fn json(run: &Path, file: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(run.join(file)).unwrap()).unwrap()
}

/// Returns the commit in the output of `--version`; `None` if the build did not know the commit.
fn commit_of(version: &str) -> Option<&str> {
    Some(version.trim_end().split_once(" (commit ")?.1.strip_suffix(')').unwrap())
}

#[test]
fn a_run_records_program_machine_and_sessions() {
    let folder = ProgramFolder::new("provenance");
    let run = folder.path().join("run");
    folder.run(&train(&["--steps", "1024", "--seed", "3", "--out", "run"])).success();
    let first = json(&run, "run.json");
    let session = &first["sessions"][0];
    let command: Vec<_> =
        session["command"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
    assert!(
        command[0].ends_with("vivarium")
            && command[1..] == train(&["--steps", "1024", "--seed", "3", "--out", "run"])
    );
    for text in ["program", "host", "processor"] {
        assert!(session[text].as_str().is_some_and(|text| !text.is_empty()), "{text} in {session}");
    }
    assert!(session["cpu_features"].is_array(), "{session}");
    // The commit is that of --version; a program without a commit records null.
    let version = folder.run(&["--version"]).success();
    assert_eq!(session["commit"].as_str(), commit_of(&version), "{session}");
    assert_eq!((&first["experiment"], &first["seed"]), (&"cartpole".into(), &3.into()));
    assert_eq!((&session["engine"], &session["threads"]), (&"cpu".into(), &2.into()));
    assert_eq!((&session["first_step"], &session["last_step"]), (&0.into(), &1024.into()));
    assert_eq!((&session["end"], &session["changes"]), (&"steps".into(), &serde_json::json!({})));
    let time = |value: &Value| value.as_f64().unwrap();
    assert!(
        time(&first["started"]) > 1.7e9 && time(&session["started"]) <= time(&session["ended"]),
        "{session}"
    );

    // Resuming appends a session and changes nothing else.
    let config = json(&run, "config.json");
    let resume = ["train", "--resume", "run", "--steps", "2048", "--threads", "1"];
    let unchanged = folder.run(&resume);
    assert!(!unchanged.err.contains("Changed"), "{unchanged:?}");
    unchanged.success();
    let resume = ["train", "--resume", "run", "--steps", "4096", "--set", "world.gravity=12"];
    let changed = folder.run(&resume);
    assert!(changed.err.contains("Changed since the previous session"), "{changed:?}");
    assert!(changed.err.contains("world.gravity from 9.8 to 12"), "{changed:?}");
    changed.success();
    folder.run(&["train", "--resume", "run", "--steps", "4608"]).success();
    let last = json(&run, "run.json");
    assert_eq!(last["seed"], 3);
    assert_eq!(json(&run, "config.json"), config, "the config at the start of the run was overwritten");
    let copy = folder.run(&["train", "--config", "run", "--steps", "512", "--out", "copy"]);
    assert!(copy.err.contains("without later changes of world.gravity"), "{copy:?}");
    assert_eq!((&last["started"], &last["sessions"][0]), (&first["started"], session));
    let sessions = last["sessions"].as_array().unwrap();
    let changes: Vec<_> = sessions.iter().map(|session| session["changes"].clone()).collect();
    let gravity = serde_json::json!({ "world.gravity": { "from": 9.8, "to": 12.0 } });
    assert_eq!(changes, [serde_json::json!({}), serde_json::json!({}), gravity, serde_json::json!({})]);
    assert_eq!((&sessions[1]["threads"], &sessions[3]["first_step"]), (&1.into(), &4096.into()));
}

#[test]
fn the_end_of_a_session_is_recorded() {
    let folder = ProgramFolder::new("session-end");
    let run = folder.path().join("run");
    let mut child = folder.start(&train(&["--until", "return>=1e9", "--out", "run"]));
    wait_for_rows(&run, 3);
    signal(&child, "-TERM");
    child.wait().unwrap();
    let mut child = folder.start(&["train", "--resume", "run", "--until", "return>=1e9"]);
    let rows = std::fs::read_to_string(run.join("metrics.jsonl")).unwrap().lines().count();
    wait_for_rows(&run, rows + 3);
    signal(&child, "-KILL");
    child.wait().unwrap();
    let sessions = json(&run, "run.json")["sessions"].clone();
    assert_eq!((&sessions[0]["end"], &sessions[1]["end"]), (&"SIGTERM".into(), &Value::Null));
    assert!(sessions[0]["ended"].is_number() && sessions[1]["ended"].is_null(), "{sessions}");
}

#[test]
fn the_metadata_of_an_earlier_version_is_extended() {
    let folder = ProgramFolder::new("former-metadata");
    let run = folder.path().join("run");
    folder.run(&train(&["--steps", "512", "--out", "run"])).success();
    let former = serde_json::json!({
        "experiment": "cartpole", "seed": 1, "engine": "cpu", "threads": 2, "started": 1.5e9, "program": "vivarium 0.1.0"
    });
    std::fs::write(run.join("run.json"), former.to_string()).unwrap();
    folder.run(&["train", "--resume", "run", "--steps", "1024"]).success();
    let now = json(&run, "run.json");
    assert_eq!((&now["started"], now["sessions"].as_array().unwrap().len()), (&1.5e9.into(), 1));
}

#[test]
fn the_version_has_the_commit_of_the_sources() {
    let folder = ProgramFolder::new("version");
    let said = folder.run(&["--version"]).success();
    let version = concat!("vivarium ", env!("CARGO_PKG_VERSION"));
    assert!(said.starts_with(version), "{said}");
    // Sources outside of a repository have no commit.
    if Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.git").exists() {
        assert!(commit_of(&said).is_some_and(|commit| commit.len() >= 12), "{said}");
    }
    assert!(folder.run(&["info"]).success().starts_with(said.trim_end()));
}

/// Checks that the documented command builds the container with a commit: the image has no repository.
#[test]
fn the_container_is_built_with_the_commit() {
    let read = |path: &str| {
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
    };
    let build = read("Dockerfile");
    let (argument, command) = (build.find("ARG VIVARIUM_COMMIT"), build.find("-p vivarium-cli"));
    assert!(argument.is_some() && argument < command, "{build}");
    assert!(read("docs/operation.md").contains("docker build --build-arg VIVARIUM_COMMIT=$(git rev-parse"));
}
