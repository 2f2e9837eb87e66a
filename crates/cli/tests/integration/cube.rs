//! Cubes on the command line: short training, evaluation and solving.

use crate::common::{ProgramFolder, signal_and_wait};
use std::io::{BufRead as _, BufReader, Read as _};

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
fn the_exact_solver_solves_cube2_in_the_fewest_turns() {
    let folder = ProgramFolder::new("solve-cube2");
    let said = folder.run(&["solve", "cube2", "R U F", "--method", "exact"]).success();
    assert_eq!(said.trim(), "F' U' R'");
    // A half turn is written as one turn.
    for metric in ["half", "quarter"] {
        let said = folder.run(&["solve", "cube2", "R2", "--method", "exact", "--metric", metric]).success();
        assert_eq!(said.trim(), "R2");
    }
    // A rotation of the whole cube is undone first.
    let said = folder.run(&["solve", "cube2", "R L"]).success();
    assert_eq!(said.trim(), "x R2");
    let solved = "UUUURRRRFFFFDDDDLLLLBBBB";
    assert_eq!(
        folder.run(&["solve", "cube2", "--stickers", solved]).success().trim(),
        "This cube is solved."
    );
    let said = folder.run(&["solve", "cube2", "U'", "--stickers", solved]).success();
    assert_eq!(said.trim(), "U");
}

#[test]
fn scrambles_are_printed_one_a_line() {
    let folder = ProgramFolder::new("scramble");
    let scramble = |cube: &str, more: &[&str]| {
        let said = folder.run(&[&["scramble", cube], more].concat()).success();
        said.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    for (cube, method) in [("cube2", "exact"), ("cube3", "two-phase")] {
        let three = scramble(cube, &["--count", "3", "--seed", "1"]);
        assert_eq!(three.len(), 3);
        assert_eq!(scramble(cube, &["--seed", "1"]), three[..1]);
        assert_ne!(scramble(cube, &["--seed", "2"]), three[..1]);
        // The default seed is random, and printed on standard error.
        let random = folder.run(&["scramble", cube]);
        let seed = random.err.trim().rsplit(' ').next().unwrap().to_owned();
        let random = random.success();
        assert_eq!(scramble(cube, &["--seed", &seed]).join("\n"), random.trim());
        assert_ne!(folder.run(&["scramble", cube]).success(), random);
        // The program reads its own scrambles.
        let solution = folder.run(&["solve", cube, &three[0], "--method", method]).success();
        assert!(solution.split_whitespace().count() >= 4, "{solution}");
    }
    let said = folder.run(&["scramble", "2x2x2", "--seed", "1", "--json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["scramble"], scramble("cube2", &["--seed", "1"])[0].as_str());
    let stickers = said["stickers"].as_str().unwrap();
    let solution = |given: &[&str]| {
        let solve = ["solve", "222", "--method", "exact", "--metric", "HTM"];
        folder.run(&[&solve[..], given].concat()).success()
    };
    assert_eq!(solution(&["--stickers", stickers]), solution(&[said["scramble"].as_str().unwrap()]));
    folder.run(&["scramble", "cube4"]).refused(2, &["cube4 is not a cube", "did you mean"]);
    folder.run(&["scramble", "cube2", "--count", "0"]).refused(2, &["--count", "from 1 to 1000000"]);
}

#[test]
fn algorithms_are_analyzed_one_by_one_and_in_batches() {
    let folder = ProgramFolder::new("algorithm");
    assert_eq!(folder.run(&["alg", "[R, U]", "--print", "expanded"]).success(), "R U R' U'\n");
    assert_eq!(folder.run(&["alg", "2R", "R'", "--cube", "2x2x2", "--print", "HTM"]).success(), "2\n");
    let batch = folder.run_with(&["alg", "-"], "R R // twice\n# comment\nR (U\nx U5\n");
    assert_eq!((batch.code, batch.out.as_str()), (Some(1), "R2\ninvalid\nx U\n"));
    assert!(
        batch.err.contains("line 3: algorithm: \"(U\" at character 3: this bracket is not closed"),
        "{batch:?}"
    );
    let said = folder.run_with(&["alg", "-", "--json"], "M2\n").success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!((&said["line"], &said["order"], &said["htm"]), (&1.into(), &2.into(), &2.into()));
    folder.run(&["alg", "R Q"]).refused(2, &["algorithm: \"Q\" at character 3", "U R F D L B"]);
}

#[test]
fn two_phase_solves_cube3_without_a_network() {
    let folder = ProgramFolder::new("solve-two-phase");
    let solve = |turns: &str, more: &[&str]| {
        let said =
            folder.run(&[&["solve", "cube3", turns, "--method", "two-phase"], more].concat()).success();
        said.trim().to_owned()
    };
    assert_eq!(solve("[R, U] // sexy move", &[]), "U R U' R'");
    assert_eq!(solve("M2", &["--metric", "quarter"]), "x2 R2 L2");
    assert_eq!(solve("x y", &[]), "x' z'");
    // The solution depends on the state only; a shorter inverse of the scramble is printed for comparison.
    let permutation = "R U R' U' R' F R2 U' R' U' R U R' F'";
    let few = &["--nodes", "1e3"];
    assert_eq!(solve(permutation, few), solve(&format!("({permutation})3"), few));
    assert_eq!(solve("(R U R' U')6", &[]), "This cube is solved.");
    let superflip = "UBULURUFU RURFRBRDR FUFLFRFDF DFDLDRDBD LULBLFLDL BUBRBLBDB";
    let said = folder.run(&[
        "solve",
        "cube3",
        "--method",
        "two-phase",
        "--stickers",
        superflip,
        "--nodes",
        "100000",
    ]);
    assert!((20..=22).contains(&said.success().split_whitespace().count()));
    let moves = "U R2 F B R B2 R U2 L B2 R U' D' R2 F R' L B2 U2 F2";
    let said = folder.run(&["solve", "cube3", moves, "--method", "two-phase", "--nodes", "1"]);
    assert!(said.err.contains("For comparison, the inverse of the scramble: 20 moves"), "{said:?}");
}

#[test]
fn a_long_search_prints_improvements_and_ctrl_c_prints_the_best_solution() {
    let folder = ProgramFolder::new("solve-stopped");
    let scramble = "R U F2 L' D B' U2 R F' D2 L B U' F R2 D' L2 B2 U F'";
    let mut child = folder.start(&["solve", "cube3", scramble, "--method", "two-phase", "--nodes", "1e11"]);
    let mut errors = BufReader::new(child.stderr.take().unwrap());
    let mut first = String::new();
    errors.read_line(&mut first).unwrap();
    assert!(first.contains(" moves after "), "{first}");
    let said = signal_and_wait(child, "-INT");
    assert_eq!(said.code, Some(130), "{said:?}");
    assert!((15..=30).contains(&said.out.split_whitespace().count()), "{said:?}");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("stopped by SIGINT"), "{rest}");
}

#[test]
fn the_networks_of_the_program_solve_cubes() {
    let folder = ProgramFolder::new("solve-shipped");
    for cube in ["cube2", "cube3"] {
        let solved = folder.run(&["solve", cube, "R U F'", "--threads", "2"]);
        assert!(solved.err.contains("Verified"), "{solved:?}");
        // The best known solution is beside the solution of the network.
        let best = match cube {
            "cube2" => "without search; the minimum is 3.",
            _ => "For comparison, two-phase search of 200K nodes: no shorter solution.",
        };
        assert!(solved.err.contains(best), "{solved:?}");
        assert_eq!(solved.success().trim(), "F U' R'");
    }
    // The solution of the network is longer here than the one of the two-phase search.
    let scramble = "R U2 F2 L' D B R2 F U' L2 B2 D R F' U2 L";
    let solved = folder.run(&["solve", "cube3", scramble, "--beam", "64", "--threads", "2"]);
    let comparison = solved.err.lines().find(|line| line.contains("For comparison")).unwrap().to_owned();
    let rival = comparison.trim_end_matches('.').rsplit(": ").next().unwrap().to_owned();
    assert!(rival.split(' ').count() <= 20, "{comparison}");
    let both = folder.run(&["alg", &format!("{scramble} {rival}"), "--json"]).success();
    assert!(both.contains("\"order\":1"), "{both}");
    let said =
        folder.run(&["solve", "cube3", scramble, "--beam", "64", "--threads", "2", "--json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        (&said["comparison"]["solution"], &said["minimum"]),
        (&rival.as_str().into(), &serde_json::Value::Null)
    );
    assert_eq!(said["comparison"]["how"], "two-phase search of 200K nodes");
    assert!(said["comparison"]["half_turns"].as_u64() < said["half_turns"].as_u64(), "{said}");
    assert!(said["comparison"]["quarter_turns"].is_u64());
    let batch =
        folder.run_with(&["solve", "cube3", "-", "--beam", "64", "--threads", "2"], scramble).success();
    let row: Vec<_> = batch.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(
        [row[1], row[3]],
        [&said["half_turns"], &said["comparison"]["half_turns"]].map(|n| n.to_string())
    );
    let evaluated = folder.run(&["eval", "cube3", "--episodes", "1", "--json"]);
    let said: serde_json::Value = serde_json::from_str(&evaluated.success()).unwrap();
    assert_eq!(
        (&said["trained_steps"], &said["checkpoint"]),
        (&105_996_800.into(), &serde_json::Value::Null)
    );
}

/// Checks the reported number of training steps of a pretrained network. The file has weights only; its header contains
/// the number.
#[test]
fn a_pretrained_network_is_reported_with_its_training() {
    let folder = ProgramFolder::new("shipped-cube");
    let network = concat!(env!("CARGO_MANIFEST_DIR"), "/../../www/src/assets/networks/cube3.safetensors");
    let said = folder.run(&["eval", "cube3", "--checkpoint", network, "--episodes", "1", "--json"]).success();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["trained_steps"], 105_996_800);
}

#[test]
fn invalid_solve_commands_have_distinct_errors() {
    let folder = ProgramFolder::new("solve-usage");
    std::fs::write(folder.path().join("bad.safetensors"), [7u8; 64]).unwrap();
    let twisted = "UUUFRRRRUFFFDDDDLLLLBBBB";
    let refused: &[(i32, &[&str], &[&str])] = &[
        (2, &["cube4", "R"], &["cube4 is not a cube", "did you mean"]),
        (2, &["cube2"], &["no cube given", "--stickers"]),
        (2, &["cube2", "r U"], &["\"r\" at character 1", "no wide turns; write R"]),
        (2, &["cube2", "U M"], &["\"M\" at character 3", "no middle layer"]),
        (2, &["cube3", "R Q"], &["\"Q\" at character 3", "U R F D L B"]),
        (2, &["cube3", "(R U", "--method", "two-phase"], &["\"(R U\" at character 1", "not closed"]),
        (
            2,
            &["cube2", "R", "--method", "two-phase"],
            &["--method two-phase", "cube3 only", "--method exact"],
        ),
        (2, &["cube3", "R", "--method", "exact"], &["--method exact", "cube2 only", "--method two-phase"]),
        (2, &["cube2", "R", "--method", "exact", "--checkpoint", "x"], &["--checkpoint", "no network"]),
        (2, &["cube3", "R", "--method", "two-phase", "--beam", "8"], &["--beam", "no network"]),
        (2, &["cube3", "R", "--nodes", "8"], &["--nodes", "two-phase"]),
        (2, &["cube3", "R", "--method", "two-phase", "--nodes", "0"], &["--nodes", "from 1 to"]),
        (2, &["cube2", "--stickers", "UUU"], &["--stickers", "there are 3 stickers; this cube has 24"]),
        (2, &["cube2", "--stickers", twisted], &["--stickers", "the corner at "]),
        (2, &["cube3", "(R U)x2"], &["\"x2\" at character 6", "write (R U)2"]),
        (2, &["cube2", "R", "--beam", "8"], &["--beam", "cube2"]),
        (2, &["cube2", "R", "--engine", "gpu"], &["--engine", "cube2"]),
        (2, &["cube2", "R", "--adapter", "H200"], &["--engine", "cube2"]),
        (2, &["cube3", "R", "--beam", "0"], &["--beam", "from 1 to"]),
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
    folder.run(&["export", &checkpoint, "--to", "weights", "--out", "alone"]).success();
    let said = folder.run(&[&eval[..], &["--json"]].concat()).success();
    let whole: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(whole["evaluation"]["cubes"], 3_674_160);
    assert_eq!(whole["evaluation"]["depths"].as_array().map(Vec::len), Some(15));
    let said = folder.run(&["eval", "cube2", "--checkpoint", "alone", "--json"]).success();
    let alone: serde_json::Value = serde_json::from_str(said.trim()).unwrap();
    assert_eq!(whole["evaluation"], alone["evaluation"]);
    assert!(whole["trained_steps"].as_u64() > Some(0) && whole["trained_steps"] == alone["trained_steps"]);
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
    // A run folder stands for its best checkpoint, or its latest checkpoint before the first evaluation.
    for checkpoint in [&checkpoint, "run"] {
        let solve = ["solve", "cube3", "R", "--checkpoint", checkpoint, "--beam", "64"];
        assert_eq!(folder.run(&solve).success().trim(), "R'");
    }
    let eval = |checkpoint: &str| {
        let eval = ["eval", "--checkpoint", checkpoint, "--episodes", "1", "--json"];
        serde_json::from_str::<serde_json::Value>(&folder.run(&eval).success()).unwrap()
    };
    assert_eq!(eval("run"), eval("run/best.safetensors"));
    std::fs::rename(folder.path().join("run/best.safetensors"), folder.path().join("best")).unwrap();
    assert_eq!(eval("run")["checkpoint"], "run/latest.safetensors");
    std::fs::rename(folder.path().join("best"), folder.path().join("run/best.safetensors")).unwrap();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    folder.run(&["solve", "cube3", "R", "--checkpoint", "empty"]).refused(1, &["empty is not a run folder"]);
    let far = ["solve", "cube3", "R U F D L B R U F D L B R U F", "--checkpoint", &checkpoint, "--beam", "1"];
    folder.run(&far).refused(1, &["no solution", "--beam 4"]);
    let eval = ["eval", "cube3", "--checkpoint", &checkpoint, "--episodes", "1", "--json"];
    let said: serde_json::Value = serde_json::from_str(folder.run(&eval).success().trim()).unwrap();
    assert_eq!((&said["evaluation"]["cubes"], &said["evaluation"]["width"]), (&1.into(), &1024.into()));
    folder.run(&["export", &checkpoint, "--to", "weights", "--out", "alone"]).success();
    let eval = ["eval", "cube3", "--checkpoint", "alone", "--episodes", "1", "--json"];
    let alone: serde_json::Value = serde_json::from_str(folder.run(&eval).success().trim()).unwrap();
    assert_eq!(
        [&alone["evaluation"], &alone["trained_steps"]],
        [&said["evaluation"], &said["trained_steps"]]
    );
}

#[test]
fn a_batch_of_cubes_continues_after_an_invalid_line() {
    let folder = ProgramFolder::new("solve-batch");
    let scrambles = "# scrambles\nR U F\n\nR U Q\nR2 // half turn\n";
    for (cube, method) in
        [("cube2", "exact"), ("cube2", "network"), ("cube3", "two-phase"), ("cube3", "network")]
    {
        let batch = ["solve", cube, "-", "--method", method, "--threads", "2"];
        let solved = folder.run_with(&batch, scrambles);
        assert_eq!(solved.code, Some(1), "{solved:?}");
        let table =
            "  line  htm  qtm best  solution\n     2    3    3    3  F' U' R'\n     5    1    2    1  R2\n";
        assert_eq!(solved.out, table, "{cube} {method}");
        assert!(solved.err.contains("vivarium: line 4: scramble: "), "{solved:?}");
        assert!(solved.err.contains("vivarium: 1 of 3 lines failed"), "{solved:?}");

        let said = folder.run_with(&[&batch[..], &["--json"]].concat(), scrambles).out;
        let rows: Vec<serde_json::Value> =
            said.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), 2, "{said}");
        assert_eq!((&rows[1]["line"], &rows[1]["solution"]), (&5.into(), &"R2".into()));
        assert_eq!((&rows[1]["half_turns"], &rows[1]["quarter_turns"]), (&1.into(), &2.into()));
        // The best known solution: the minimum, or the solution of the two-phase search.
        let best = match (cube, method) {
            ("cube3", "network") => &rows[1]["comparison"]["half_turns"],
            _ => &rows[1]["minimum"],
        };
        assert_eq!(best, 1, "{cube} {method}: {said}");
    }
    let stickers = "UUUURRRRFFFFDDDDLLLLBBBB\n";
    let said = folder.run_with(&["solve", "cube2", "U'", "--stickers", "-", "--method", "exact"], stickers);
    assert_eq!(said.success().lines().last(), Some("     1    1    1    1  U"));
    folder.run(&["solve", "cube2", "-", "--stickers", "-"]).refused(2, &["specify - only once"]);
}
