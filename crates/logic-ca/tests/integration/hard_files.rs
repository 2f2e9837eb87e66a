//! Circuit files: JSON round trips, error messages, and Verilog simulated with Icarus Verilog.

use crate::common::{circuits, random_circuit, random_words, trained_like};
use proptest::prelude::*;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::gate::NAMES;
use vivarium_logic_ca::hard::{Circuit, Gate, life};

proptest! {
    #[test]
    fn json_round_trip_preserves_circuits(circuit in circuits(1..=3, 0..40)) {
        prop_assert_eq!(&Circuit::from_json(&circuit.to_json()).unwrap(), &circuit);
        let compact = serde_json::to_string(&circuit).unwrap();
        prop_assert_eq!(&serde_json::from_str::<Circuit>(&compact).unwrap(), &circuit);
    }

    #[test]
    fn gates_may_be_in_any_order(circuit in circuits(1..=2, 1..40), seed in any::<u64>()) {
        let mut order: Vec<usize> = (0..circuit.gates().len()).collect();
        Stream::new(seed, 0).shuffle(&mut order);
        // Gate `order[i]` has number i in the file.
        let name = |value: u32| match (value as usize).checked_sub(circuit.inputs()) {
            None => format!("i{value}"),
            Some(gate) => format!("g{}", order.iter().position(|&old| old == gate).unwrap()),
        };
        let gate = |&old: &usize| {
            let Gate { function, a, b } = circuit.gates()[old];
            serde_json::json!({"function": NAMES[usize::from(function)], "a": name(a), "b": name(b)})
        };
        let mut file: serde_json::Value = serde_json::from_str(&circuit.to_json()).unwrap();
        file["gates"] = order.iter().map(gate).collect();
        file["outputs"] = circuit.outputs().iter().map(|&value| name(value)).collect();
        let read = Circuit::from_json(&file.to_string()).unwrap();
        let mut stream = Stream::new(seed, 1);
        for _ in 0..4 {
            let words = random_words(circuit.inputs(), &mut stream);
            prop_assert_eq!(read.evaluate(&words), circuit.evaluate(&words));
        }
    }

    #[test]
    fn parsing_never_panics(text in ".{0,200}", at in any::<prop::sample::Index>(), byte in any::<char>()) {
        prop_assert!(Circuit::from_json(&text).is_err());
        // A valid file with one replaced character is another circuit or an error.
        let mut good: Vec<char> = life::circuit().to_json().chars().collect();
        let at = at.index(good.len());
        good[at] = byte;
        let _ = Circuit::from_json(&good.into_iter().collect::<String>());
    }
}

#[test]
fn invalid_files_are_rejected_with_problem_and_allowed_values() {
    let file = |channels: usize, gates: &str, outputs: &str| {
        format!(
            r#"{{"format": "vivarium logic circuit", "version": 1, "channels": {channels}, "gates": [{gates}], "outputs": [{outputs}]}}"#
        )
    };
    let gate =
        |function: &str, a: &str, b: &str| format!(r#"{{"function": "{function}", "a": "{a}", "b": "{b}"}}"#);
    let gates = |gates: &[String]| gates.join(", ");
    let good = gate("AND", "i0", "i8");
    let two = |second: String| file(1, &gates(&[good.clone(), second]), r#""g1""#);
    assert!(Circuit::from_json(&two(gate("XOR", "g0", "i4"))).is_ok());

    let long_cycle: Vec<String> =
        (0..100).map(|i| gate("OR", &format!("g{}", (i + 1) % 100), "i0")).collect();
    let cases: Vec<(String, &[&str])> = vec![
        (two(gate("ANDD", "g0", "i4")), &["gate g1", "\"ANDD\"", "AND, A AND NOT B"]),
        (two(gate(&"x".repeat(5000), "g0", "i4")), &["gate g1", "xxx…"]),
        (two(gate("AND", "g2", "i4")), &["gate g1, input a", "wire g2", "i0 to i8 or g0 to g1"]),
        (two(gate("AND", "g0", "i9")), &["gate g1, input b", "wire i9", "i0 to i8"]),
        (two(gate("AND", "g0", "i04")), &["gate g1, input b", "wire i04"]),
        (two(gate("AND", "g0", "i+4")), &["gate g1, input b", "wire i+4"]),
        (two(gate("AND", "", "i4")), &["gate g1, input a"]),
        (two(gate("AND", "é", "i4")), &["gate g1, input a", "é"]),
        (two(gate("AND", "g99999999999999999999999", "i4")), &["gate g1, input a"]),
        (two(r#"{"function": "AND", "a": "g0"}"#.into()), &["gate g1, input b", "missing"]),
        (two(r#"{"function": "AND", "a": "g0", "b": "i0", "c": "i1"}"#.into()), &["unknown field `c`"]),
        (two(gate("AND", "g1", "i4")), &["gate g1 depends on itself", "g1 → g1"]),
        (
            file(
                1,
                &gates(&[gate("AND", "g1", "i0"), gate("AND", "i0", "g2"), gate("OR", "g0", "i1")]),
                r#""i0""#,
            ),
            &["depends on itself", "g0 → g1 → g2 → g0"],
        ),
        (file(1, &gates(&long_cycle), r#""g0""#), &["depends on itself", "100 gates", "→ g0"]),
        (file(1, &good, r#""g1""#), &["output 0", "wire g1", "g0 to g0"]),
        (file(1, "", r#""g0""#), &["output 0", "i0 to i8"]),
        (file(2, &good, r#""g0""#), &["1 outputs", "2 are needed, one per channel"]),
        (file(0, "", ""), &["channels is 0", "1 to 7281"]),
        (file(usize::MAX, "", ""), &["channels is", "1 to 7281"]),
        (file(7281, &gates(&vec![good.clone(); 8]), ""), &["8 gates", "at most 7 gates"]),
        (
            file(1, &good, r#""g0""#).replace("circuit\"", "circus\""),
            &["format", "\"vivarium logic circus\""],
        ),
        (
            file(1, &good, r#""g0""#).replace("\"version\": 1", "\"version\": 2"),
            &["version is 2", "version 1"],
        ),
        (file(1, &good, r#""g0""#).replace("channels", "chanels"), &["not a circuit file", "chanels"]),
        ("[]".into(), &["not a circuit file"]),
        (String::new(), &["not a circuit file"]),
    ];
    for (text, expected) in cases {
        let error = Circuit::from_json(&text).expect_err(&text).to_string();
        for part in expected {
            assert!(error.contains(part), "{error}\nlacks {part}");
        }
        assert!(error.len() < 400, "{error}");
    }
}

#[test]
fn a_deep_circuit_in_reverse_order_is_parsed() {
    // 60,000 gates, each reads the next one in the file.
    let count = 60_000;
    let mut gates = String::new();
    for gate in 0..count {
        let below = if gate + 1 == count { "i0".into() } else { format!("g{}", gate + 1) };
        let comma = if gate == 0 { "" } else { ", " };
        let _ = write!(gates, r#"{comma}{{"function": "NOT A", "a": "{below}", "b": "i1"}}"#);
    }
    let text = format!(
        r#"{{"format": "vivarium logic circuit", "version": 1, "channels": 1, "gates": [{gates}], "outputs": ["g0"]}}"#
    );
    let circuit = Circuit::from_json(&text).unwrap();
    let mut inputs = [0; 9];
    inputs[0] = 0b1010;
    assert_eq!(circuit.evaluate(&inputs), [0b1010]);
    assert_eq!(circuit.simplified().gates().len(), 0);
}

/// Simulates the Verilog module of a circuit with Icarus Verilog. Inputs and outputs of each case have bit 0 first.
fn simulate(circuit: &Circuit, cases: &[Vec<bool>]) -> Vec<Vec<bool>> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("verilog-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_string();
    // Most significant bit first, as in Verilog literals.
    let mut vectors = String::new();
    for case in cases {
        case.iter().rev().for_each(|&bit| vectors.push(if bit { '1' } else { '0' }));
        vectors.push('\n');
    }
    let (inputs, outputs, count) = (circuit.inputs() - 1, circuit.channels() - 1, cases.len() - 1);
    let bench = format!(
        "module bench;\n  reg [{inputs}:0] cases [0:{count}];\n  reg [{inputs}:0] in;\n  wire [{outputs}:0] out;\n  \
         integer i;\n  vivarium_cell cell_under_test(.in(in), .out(out));\n  initial begin\n    \
         $readmemb(\"{}\", cases);\n    for (i = 0; i <= {count}; i = i + 1) begin\n      in = cases[i]; #1;\n      \
         $display(\"%b\", out);\n    end\n  end\nendmodule\n",
        file("cases.txt")
    );
    std::fs::write(file("cases.txt"), vectors).unwrap();
    std::fs::write(file("bench.v"), bench).unwrap();
    std::fs::write(file("cell.v"), circuit.to_verilog()).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| {
            panic!("{program}: {error}. These tests need Icarus Verilog: sudo apt-get install iverilog")
        });
        let (text, errors) =
            (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && errors.is_empty(), "{program}: {text}{errors}");
        text.into_owned()
    };
    let warnings = run(
        "iverilog",
        &["-g2001", "-Wall", "-s", "bench", "-o", &file("bench"), &file("cell.v"), &file("bench.v")],
    );
    assert_eq!(warnings, "");
    let text = run("vvp", &["-n", &file("bench")]);
    let line = |line: &str| line.chars().rev().map(|bit| bit == '1').collect();
    assert!(text.chars().all(|c| "01\n".contains(c)), "undefined outputs: {text}");
    std::fs::remove_dir_all(folder).unwrap();
    text.lines().map(line).collect()
}

/// Compares a circuit's Verilog module with the circuit read back from JSON. Each word has one bit of 64 test cases.
fn assert_agree(circuit: &Circuit, words: &[Vec<u64>]) {
    let bits =
        |words: &[u64], bit: u32| -> Vec<bool> { words.iter().map(|word| word >> bit & 1 == 1).collect() };
    let cases: Vec<Vec<bool>> = words.iter().flat_map(|words| (0..64).map(|bit| bits(words, bit))).collect();
    let simulated = simulate(circuit, &cases);
    let read = Circuit::from_json(&circuit.to_json()).unwrap();
    let evaluated: Vec<Vec<bool>> = words
        .iter()
        .flat_map(|words| {
            let outputs = read.evaluate(words);
            (0..64).map(move |bit| bits(&outputs, bit))
        })
        .collect();
    assert_eq!(simulated.len(), evaluated.len());
    for (case, (simulated, evaluated)) in simulated.iter().zip(&evaluated).enumerate() {
        assert_eq!(simulated, evaluated, "case {case}: {:?}", cases[case]);
    }
}

// One test, because the simulations share a folder.
#[test]
fn verilog_json_and_evaluation_agree() {
    // All sixteen functions of i0 and i1; each affects the output in some case.
    for function in 0..16 {
        let gates = vec![Gate { function, a: 0, b: 1 }];
        let circuit = Circuit::new(1, gates, vec![9]).unwrap();
        let mut words = vec![0; 9];
        (words[0], words[1]) = (0b0101, 0b0011);
        assert_agree(&circuit, &[words]);
    }
    // Game of Life on all neighborhoods.
    let all: Vec<Vec<u64>> = (0..8u64)
        .map(|high| {
            (0..9)
                .map(|place| (0..64).fold(0, |word, low| word | ((high * 64 + low) >> place & 1) << low))
                .collect()
        })
        .collect();
    let life = life::circuit();
    assert_agree(&life, &all);
    let cases: Vec<Vec<bool>> =
        (0..512).map(|case| (0..9).map(|place| case >> place & 1 == 1).collect()).collect();
    for (case, output) in simulate(&life.simplified(), &cases).iter().enumerate() {
        assert_eq!(output, &[life::rule(case as u16)], "{case}");
    }
    // Larger circuits on random cases; an output that is an input; an extracted circuit, full and pruned.
    let mut stream = Stream::new(4, 0);
    let through = Circuit::new(2, vec![], vec![17, 0]).unwrap();
    let unpruned = trained_like(0.5, 6);
    for circuit in [through, random_circuit(3, 300, 1), unpruned.simplified(), unpruned] {
        let words: Vec<Vec<u64>> = (0..8).map(|_| random_words(circuit.inputs(), &mut stream)).collect();
        assert_agree(&circuit, &words);
    }
}
