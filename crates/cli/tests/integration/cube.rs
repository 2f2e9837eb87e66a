//! Cubes on the command line: short training, evaluation and solving.

use crate::common::ProgramFolder;

/// Trains `experiment` for 2,000 steps with the config fields `fields`, and returns the path of the best checkpoint.
fn train_briefly(folder: &ProgramFolder, experiment: &str, fields: &[&str]) -> String {
    let train = ["train", experiment, "--out", "run", "--threads", "1", "--steps", "2000"];
    let set = fields.iter().flat_map(|field| ["--set", field]);
    folder.run(&train.into_iter().chain(set).collect::<Vec<_>>()).success();
    "run/best.safetensors".into()
}

const SMALL_CUBE2: [&str; 6] = [
    "dqn.hidden=[16]",
    "cube.features=stickers",
    "dqn.num_envs=64",
    "dqn.warm_up=256",
    "dqn.minibatch=128",
    "dqn.iteration=4",
];
const SMALL_CUBE3: [&str; 4] =
    ["learner.width=16", "learner.blocks=0", "learner.scrambles=4", "learner.iteration=5"];

#[test]
fn a_small_cube_is_solved_in_the_fewest_turns() {
    let folder = ProgramFolder::new("solve-cube2");
    let said = folder.run(&["solve", "cube2", "R U F"]).success();
    assert_eq!(said.trim(), "F' U' R'");
    // Half turns are two quarter turns; lower case is accepted.
    let said = folder.run(&["solve", "cube2", "r2"]).success();
    assert_eq!(said.trim(), "R R");
    let solved = "UUUURRRRFFFFDDDDLLLLBBBB";
    assert_eq!(
        folder.run(&["solve", "cube2", "--stickers", solved]).success().trim(),
        "This cube is solved."
    );
    let said = folder.run(&["solve", "cube2", "U'", "--stickers", solved]).success();
    assert_eq!(said.trim(), "U");
}

/// Checks the reported number of training steps of a pretrained network. The file has weights only; its header contains
/// the number.
#[test]
fn a_pretrained_network_is_reported_with_its_training() {
    let folder = ProgramFolder::new("shipped-cube");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/cube3.safetensors");
    let said = folder.run(&["eval", "cube3", "--checkpoint", network, "--episodes", "1", "--json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["trained_steps"], 28_038_400);
}

#[test]
fn invalid_solve_commands_have_distinct_errors() {
    let folder = ProgramFolder::new("solve-usage");
    std::fs::write(folder.path().join("bad.safetensors"), [7u8; 64]).unwrap();
    let twisted = "UUUFRRRRUFFFDDDDLLLLBBBB";
    let refused: &[(i32, &[&str], &[&str])] = &[
        (2, &["cube4", "R"], &["cube4 is not a cube", "did you mean"]),
        (2, &["cube2"], &["no cube given", "--stickers"]),
        (2, &["cube2", "R L"], &["turn 2", "the down-back-left corner"]),
        (2, &["cube3", "R X"], &["turn 2", "U R F D L B"]),
        (2, &["cube2", "--stickers", "UUU"], &["--stickers", "there are 3 stickers; this cube has 24"]),
        (2, &["cube2", "--stickers", twisted], &["--stickers", "the corner at "]),
        (2, &["cube2", "R", "--beam", "8"], &["--beam", "cube2"]),
        (2, &["cube2", "R", "--engine", "gpu"], &["--engine", "cube2"]),
        (2, &["cube2", "R", "--adapter", "H200"], &["--engine", "cube2"]),
        (2, &["cube3", "R", "--beam", "0"], &["--beam", "from 1 to"]),
        (2, &["cube3", "R"], &["--checkpoint FILE"]),
        (1, &["cube3", "R", "--checkpoint", "absent"], &["absent"]),
        (1, &["cube2", "R", "--checkpoint", "bad.safetensors"], &["not a safetensors file"]),
    ];
    for (code, arguments, words) in refused {
        folder.run(&[&["solve"], *arguments].concat()).refused(*code, words);
    }
}

#[test]
fn a_network_of_all_states_is_trained_and_evaluated() {
    let folder = ProgramFolder::new("train-cube2");
    let checkpoint = train_briefly(&folder, "cube2", &SMALL_CUBE2);
    let eval = ["eval", "cube2", "--checkpoint", &checkpoint, "--threads", "2"];
    let said = folder.run(&[&eval[..], &["--json", "--network", "alone"]].concat()).success();
    let whole: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(whole["evaluation"]["cubes"], 3_674_160);
    assert_eq!(whole["evaluation"]["depths"].as_array().map(Vec::len), Some(15));
    let said = folder.run(&["eval", "cube2", "--checkpoint", "alone", "--json"]).success();
    let alone: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(whole["evaluation"], alone["evaluation"]);
    let table = folder.run(&eval).success();
    assert!(table.contains("all 3.67M states") && table.contains("\n        14        276"), "{table}");
    // One move from solved, the policy either solves the cube or cycles; both are reported.
    folder
        .run(&["solve", "cube3", "R", "--checkpoint", "alone"])
        .refused(1, &["it belongs to cube2; a checkpoint of cube3 is required"]);
}

#[test]
fn a_network_that_guesses_the_last_turn_searches() {
    let folder = ProgramFolder::new("train-cube3");
    let checkpoint = train_briefly(&folder, "cube3", &SMALL_CUBE3);
    let said = folder.run(&["solve", "cube3", "R", "--checkpoint", &checkpoint, "--beam", "64"]).success();
    assert_eq!(said.trim(), "R'");
    let far = ["solve", "cube3", "R U F D L B R U F D L B R U F", "--checkpoint", &checkpoint, "--beam", "1"];
    folder.run(&far).refused(1, &["no solution", "--beam 4"]);
    let eval = ["eval", "cube3", "--checkpoint", &checkpoint, "--episodes", "1", "--json"];
    let said: serde_json::Value = serde_json::from_str(folder.run(&eval).success().trim()).unwrap();
    assert_eq!((&said["evaluation"]["cubes"], &said["evaluation"]["width"]), (&1.into(), &1024.into()));
}
