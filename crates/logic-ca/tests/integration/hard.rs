//! Hard circuits: extraction, simplification and simulation, each against a reference implementation.

use crate::common::{self, ReferenceAutomaton, circuits, random_circuit, random_words, trained_like};
use proptest::prelude::*;
use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_kernels::simd::levels;
use vivarium_logic_ca::hard::{Boards, BoardsError, Circuit, CompiledCircuit, Gate, UpdateMask, life};
use vivarium_logic_ca::{Architecture, Border, Grid, Wiring, gate};

/// Asserts that two circuits are equivalent: on all inputs if there are at most 2¹⁸, else on 65,536 random ones.
fn assert_equal(left: &Circuit, right: &Circuit, seed: u64) {
    let inputs = left.inputs();
    assert_eq!(inputs, right.inputs());
    if inputs <= 18 {
        for first in (0..1u64 << inputs).step_by(64) {
            let word = |input: usize| (0..64).fold(0, |word, bit| word | ((first + bit) >> input & 1) << bit);
            let words: Vec<u64> = (0..inputs).map(word).collect();
            assert_eq!(left.evaluate(&words), right.evaluate(&words), "inputs from {first} on");
        }
    } else {
        let mut stream = Stream::new(seed, 99);
        for _ in 0..1024 {
            let words = random_words(inputs, &mut stream);
            assert_eq!(left.evaluate(&words), right.evaluate(&words));
        }
    }
}

type Pass = fn(&Circuit) -> Circuit;

/// Asserts that each simplification pass and all passes together preserve the outputs of a circuit.
fn assert_passes_keep(circuit: &Circuit, seed: u64) {
    let passes: [(&str, Pass); 6] = [
        ("fold constants", Circuit::fold_constants),
        ("fold pass-throughs", Circuit::fold_pass_throughs),
        ("merge equal", Circuit::merge_equal),
        ("fold nested", Circuit::fold_nested),
        ("prune dead", Circuit::prune_dead),
        ("all", Circuit::simplified),
    ];
    for (name, pass) in passes {
        let after = pass(circuit);
        // The gates are still in topological order.
        Circuit::new(after.channels(), after.gates().to_vec(), after.outputs().to_vec()).expect(name);
        assert_equal(circuit, &after, seed);
    }
    // A single pass may revive a dead gate; all passes together never increase the number.
    assert!(circuit.simplified().gates().len() <= circuit.statistics().live);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn passes_preserve_random_circuits(circuit in circuits(1..=2, 0..60)) {
        assert_passes_keep(&circuit, 1);
    }

    #[test]
    fn simplified_circuits_are_irredundant(circuit in circuits(1..=3, 0..80)) {
        let simple = circuit.simplified();
        let inputs = simple.inputs();
        let mut seen = std::collections::BTreeSet::new();
        for (number, gate) in simple.gates().iter().enumerate() {
            let own = (inputs + number) as u32;
            prop_assert!(simple.live()[own as usize], "g{number} is dead");
            let constant = matches!(gate.function, 0 | 15);
            let unary = matches!(gate.function, 3 | 5 | 10 | 12);
            // Constants and inverters remain at outputs only; inverters only of inputs or of gates needed in both
            // polarities.
            prop_assert!(!matches!(gate.function, 3 | 5), "g{number} is a pass-through");
            if constant || unary {
                prop_assert!(simple.outputs().contains(&own), "g{number} is no output");
                prop_assert!(simple.gates().iter().all(|reader| reader.reads().all(|value| value != own)));
            } else {
                prop_assert!(gate.a != gate.b);
            }
            prop_assert!(seen.insert((gate.function, gate.a, gate.b)), "g{number} is duplicated");
        }
    }
}

#[test]
fn passes_preserve_large_circuits() {
    let (architecture, _) = common::checkerboard();
    for pass_through in [0.0, 0.5, 0.9] {
        let circuit = trained_like(pass_through, 3);
        assert_eq!(circuit.gates().len(), architecture.gates_per_cell());
        assert_passes_keep(&circuit, 5);
    }
    assert_passes_keep(&random_circuit(16, 4000, 7), 6);
}

#[test]
fn passes_simplify_known_patterns() {
    let gate = |function, a, b| Gate { function, a, b };
    let one = |gates, output| Circuit::new(1, gates, vec![output]).unwrap();
    // AND with TRUE, OR with FALSE: i3.
    let constants = one(vec![gate(15, 0, 0), gate(1, 3, 9), gate(0, 1, 1), gate(7, 10, 11)], 12);
    assert_eq!(constants.simplified(), one(vec![], 3));
    // x AND NOT x is FALSE for every x.
    let never = one(vec![gate(2, 4, 4), gate(1, 9, 5)], 10);
    assert_eq!(never.simplified(), one(vec![gate(0, 0, 0)], 9));
    // Inverters before a gate change its function: NOT(NOT i0 AND NOT i1) is OR.
    let inverters = one(vec![gate(12, 0, 0), gate(10, 8, 1), gate(1, 9, 10), gate(12, 11, 11)], 12);
    let simple = inverters.simplified();
    assert_eq!(simple.gates(), [gate(7, 0, 1)]);
    // The same gate twice, once with swapped inputs; the XOR of both is FALSE.
    let twice = one(vec![gate(2, 0, 1), gate(4, 1, 0), gate(6, 9, 10)], 11);
    assert_eq!(twice.simplified().gates(), [gate(0, 0, 0)]);
    // i0 AND (i0 OR i1) is i0.
    let absorbed = one(vec![gate(7, 0, 1), gate(1, 0, 9)], 10);
    assert_eq!(absorbed.simplified(), one(vec![], 0));
    // A dead gate.
    let dead = one(vec![gate(1, 0, 1), gate(6, 2, 3)], 10);
    assert_eq!(dead.prune_dead().gates(), [gate(6, 2, 3)]);
}

#[test]
fn complements_of_one_gate_are_merged() {
    let of = |function| Gate { function, a: 0, b: 1 };
    let circuit = Circuit::new(3, vec![of(8), of(7), of(7)], vec![27, 28, 29]).expect("a circuit");
    let simple = circuit.simplified();
    assert_equal(&circuit, &simple, 1);
    assert_eq!(simple.gates().len(), 2);
    assert_eq!(simple.outputs()[1], simple.outputs()[2]);
}

#[test]
fn statistics_count_gates_by_function_and_depth() {
    let gate = |function, a, b| Gate { function, a, b };
    // g0 and g1 read inputs; g2 reads g0; g3 names g2 but ignores it; g4 is dead.
    let gates = vec![gate(1, 0, 1), gate(15, 0, 0), gate(7, 9, 2), gate(3, 9, 11), gate(6, 11, 5)];
    let circuit = Circuit::new(1, gates, vec![12]).unwrap();
    let statistics = circuit.statistics();
    assert_eq!((statistics.gates, statistics.live, statistics.live_inputs), (5, 2, 2));
    assert_eq!(statistics.by_depth, [2, 2, 1]);
    assert_eq!(statistics.live_by_depth, [1, 1]);
    assert_eq!(statistics.depth(), 2);
    for (function, count) in [(1, 1), (15, 1), (7, 1), (3, 1), (6, 1), (0, 0)] {
        assert_eq!(statistics.functions[function], count);
    }
    assert_eq!(statistics.live_functions.iter().sum::<usize>(), 2);
    // All passes together leave the one live gate and no pass-through.
    assert_eq!(circuit.simplified().statistics().live, 1);
}

/// Checks that each gate of a circuit has the function of its trained gate, and that each gate of the simplified
/// circuit has a valid original gate.
#[test]
fn every_gate_is_traced_to_its_trained_gate() {
    let architecture =
        Architecture { channels: 2, kernels: 3, perceive: vec![8, 2], update: vec![14, 7, 4, 2] };
    let wiring = Wiring::new(&architecture, 5);
    let mut stream = Stream::new(8, 0);
    let functions: Vec<u8> = (0..architecture.gates()).map(|_| stream.below(16) as u8).collect();
    let whole = Circuit::from_functions(&architecture, &wiring, &functions).unwrap();
    let learned = Circuit::trained_gate_indices(&architecture);
    assert_eq!(learned.len(), whole.gates().len());
    for (gate, &of) in whole.gates().iter().zip(&learned) {
        assert_eq!(gate.function, functions[of as usize]);
    }
    let (simple, origins) = whole.simplified_with_origins();
    assert_eq!(simple, whole.simplified());
    assert_eq!(origins.len(), simple.gates().len());
    assert!(simple.gates().len() > 2 && origins.is_sorted_by(|a, b| a < b), "{origins:?}");
    assert!(origins.iter().all(|&gate| (gate as usize) < whole.gates().len()));
    // The origin of an irreducible circuit is itself.
    let (again, own) = simple.simplified_with_origins();
    assert_eq!((again.gates().len(), own), (origins.len(), (0..origins.len() as u32).collect()));
}

#[test]
fn extraction_follows_the_wiring() {
    let architecture =
        Architecture { channels: 3, kernels: 2, perceive: vec![8, 4, 2], update: vec![12, 8, 4, 3] };
    architecture.check().unwrap();
    let wiring = Wiring::new(&architecture, 4);
    let mut stream = Stream::new(1, 0);
    let logits: Vec<f32> = (0..architecture.gates() * 16).map(|_| stream.normal()).collect();
    let functions: Vec<u8> = logits.as_chunks::<16>().0.iter().map(gate::argmax_function).collect();
    let circuit = Circuit::from_functions(&architecture, &wiring, &functions).unwrap();
    assert_eq!(circuit.gates().len(), architecture.gates_per_cell());
    let layer = |wires: &[[u32; 2]], values: &[u64], functions: &mut std::slice::Iter<'_, u8>| -> Vec<u64> {
        wires
            .iter()
            .zip(functions)
            .map(|(&[a, b], &function)| {
                Gate { function, a: 0, b: 0 }.word(values[a as usize], values[b as usize])
            })
            .collect()
    };
    for _ in 0..20 {
        let inputs = random_words(27, &mut stream);
        let mut values: Vec<u64> = (0..3).map(|channel| inputs[9 * channel + 4]).collect();
        for channel in 0..3 {
            let mut of_kernels = vec![inputs[9 * channel..9 * channel + 9].to_vec(); 2];
            let mut functions = functions.iter();
            for wires in &wiring.perceive {
                for values in &mut of_kernels {
                    *values = layer(wires, values, &mut functions);
                }
            }
            for output in 0..2 {
                values.extend(of_kernels.iter().map(|values| values[output]));
            }
        }
        let mut of_update = functions[2 * (8 + 4 + 2)..].iter();
        for wires in &wiring.update {
            values = layer(wires, &values, &mut of_update);
        }
        assert_eq!(circuit.evaluate(&inputs), values);
    }
}

const SIZES: [(usize, usize, usize); 9] = [
    (1, 1, 1),
    (3, 3, 3),
    (2, 4, 7),
    (1, 5, 62),
    (1, 3, 64),
    (2, 2, 65),
    (1, 40, 33),
    (1, 3, 300),
    (2, 9, 513),
];

/// Steps random boards with a compiled circuit and with the reference automaton, and compares all bits.
fn assert_steps(circuit: &Circuit, grid: Grid, cpu: &Cpu, update_mask: Option<UpdateMask>, seed: u64) {
    let mut stream = Stream::new(seed, 0);
    let channels = circuit.channels();
    let mut boards = Boards::new(grid, channels).unwrap();
    let mut slow = ReferenceAutomaton::random(circuit, grid, &mut stream);
    for channel in 0..channels {
        boards.set_channel(channel, slow.state[channel].iter().copied());
    }
    let mut compiled = CompiledCircuit::new(circuit);
    for step in 0..3 {
        compiled.step(cpu, &mut boards, update_mask, step);
        slow.step(update_mask, step);
        for (channel, bits) in slow.state.iter().enumerate() {
            let found: Vec<bool> = boards.channel(channel).collect();
            assert_eq!(&found, bits, "{grid:?}, step {step}, channel {channel}");
        }
    }
}

#[test]
fn boards_match_the_reference_automaton() {
    let circuits = [random_circuit(1, 25, 1), random_circuit(3, 90, 2), trained_like(0.6, 2).simplified()];
    for threads in [1, 3] {
        let cpu = Cpu::new(threads);
        for (number, circuit) in circuits.iter().enumerate() {
            for (boards, height, width) in SIZES {
                for border in [Border::Periodic, Border::Fixed] {
                    let grid = Grid { boards, height, width, border };
                    assert_steps(circuit, grid, &cpu, None, number as u64);
                    let update_mask = UpdateMask { rate: 0.6, seed: 11 };
                    assert_steps(circuit, grid, &cpu, Some(update_mask), number as u64);
                }
            }
        }
    }
}

#[test]
fn results_are_independent_of_threads() {
    let circuit = trained_like(0.5, 4);
    for border in [Border::Periodic, Border::Fixed] {
        for (boards, height, width) in [(1, 150, 200), (1, 97, 401), (40, 16, 16)] {
            let grid = Grid { boards, height, width, border };
            let run = |threads, update_mask, circuit: &Circuit| {
                let cpu = Cpu::new(threads);
                let mut boards = Boards::new(grid, 8).unwrap();
                let mut stream = Stream::new(3, 0);
                for channel in 0..8 {
                    boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
                }
                let mut compiled = CompiledCircuit::new(circuit);
                (0..4).for_each(|step| compiled.step(&cpu, &mut boards, update_mask, step));
                (0..8).map(|channel| boards.channel(channel).collect::<Vec<_>>()).collect::<Vec<_>>()
            };
            for update_mask in [None, Some(UpdateMask { rate: 0.6, seed: 5 })] {
                let alone = run(1, update_mask, &circuit);
                assert!(alone == run(2, update_mask, &circuit) && alone == run(5, update_mask, &circuit));
                assert!(alone == run(1, update_mask, &circuit.simplified()), "pruned and unpruned differ");
            }
        }
    }
}

#[test]
fn a_step_in_parts_equals_a_whole_step() {
    let circuit = random_circuit(3, 90, 2);
    for (boards, height, width) in [(1, 97, 401), (1, 20, 1024), (40, 16, 16)] {
        for border in [Border::Periodic, Border::Fixed] {
            for update_mask in [None, Some(UpdateMask { rate: 0.6, seed: 5 })] {
                let grid = Grid { boards, height, width, border };
                let run = |threads, size: usize| {
                    let cpu = Cpu::new(threads);
                    let mut boards = Boards::new(grid, 3).unwrap();
                    let mut stream = Stream::new(3, 0);
                    for channel in 0..3 {
                        boards.set_channel(channel, (0..grid.lanes()).map(|_| stream.below(2) == 1));
                    }
                    let mut compiled = CompiledCircuit::new(&circuit);
                    for step in 0..3 {
                        let before: Vec<bool> = boards.channel(1).collect();
                        for first in (0..boards.blocks()).step_by(size) {
                            assert!(
                                boards.channel(1).eq(before.iter().copied()),
                                "cells changed before the last part was done"
                            );
                            let part = first..boards.blocks().min(first + size);
                            compiled.step_part(&cpu, &mut boards, update_mask, step, part);
                        }
                    }
                    (0..3).map(|channel| boards.channel(channel).collect::<Vec<_>>()).collect::<Vec<_>>()
                };
                let whole = run(1, usize::MAX);
                for (threads, size) in [(1, 1), (1, 7), (3, 5), (3, 34)] {
                    assert!(whole == run(threads, size), "{grid:?}, {threads} threads, {size} blocks a part");
                }
            }
        }
    }
}

#[test]
fn update_masks_have_the_fire_rate() {
    let numbers = |step, first: usize, count| {
        let mut numbers = vec![0.0; count];
        UpdateMask { rate: 0.6, seed: 1 }.draw(levels()[0], step, first, &mut numbers);
        numbers
    };
    let all = numbers(7, 0, 100_000);
    let mask_words = all.iter().filter(|&&number| number < 0.6).count();
    assert!((59_300..60_700).contains(&mask_words), "{mask_words}");
    assert_eq!(all[1000..1100], numbers(7, 1000, 100));
    assert_ne!(all[..100], numbers(8, 0, 100));
}

#[test]
fn setting_a_cell_updates_its_margin_copies() {
    // One living cell on a small torus is in the neighborhoods of all its neighbors.
    let place_zero = Circuit::new(1, vec![], vec![0]).unwrap();
    let cpu = Cpu::new(1);
    for (height, width) in [(1, 1), (2, 2), (3, 5), (4, 70)] {
        for border in [Border::Periodic, Border::Fixed] {
            let grid = Grid { boards: 2, height, width, border };
            for lane in 0..grid.lanes() {
                let mut boards = Boards::new(grid, 1).unwrap();
                boards.set(0, lane, true);
                assert!(boards.get(0, lane));
                assert_eq!(boards.count(0), 1);
                // The circuit copies the upper left neighbor.
                CompiledCircuit::new(&place_zero).step(&cpu, &mut boards, None, 0);
                for other in 0..grid.lanes() {
                    assert_eq!(
                        boards.get(0, other),
                        grid.neighbor(other, 0) == Some(lane),
                        "{grid:?} {lane} {other}"
                    );
                }
                boards.clear();
                assert_eq!(boards.count(0), 0);
            }
        }
    }
}

#[test]
fn row_words_round_trip() {
    let grid = Grid { boards: 2, height: 3, width: 130, border: Border::Periodic };
    let mut boards = Boards::new(grid, 2).unwrap();
    let mut stream = Stream::new(8, 0);
    let bits: Vec<bool> = (0..grid.lanes()).map(|_| stream.below(2) == 1).collect();
    boards.set_channel(1, bits.iter().copied());
    for row in 0..6 {
        let words: Vec<u64> = boards.row_words(1, row).collect();
        assert_eq!(words.len(), 3);
        for column in 0..192 {
            let expected = column < 130 && bits[row * 130 + column];
            assert_eq!(words[column / 64] >> (column % 64) & 1 == 1, expected);
        }
    }
    // Sets the channel again from the same words, with random bits beyond the end of each row. One step then checks
    // that the margin copies are correct.
    let words = (0..6).flat_map(|row| boards.row_words(1, row).collect::<Vec<_>>());
    let words: Vec<u64> =
        words.enumerate().map(|(i, word)| if i % 3 == 2 { word | !3 } else { word }).collect();
    let mut copy = Boards::new(grid, 2).unwrap();
    copy.set_channel_words(1, words);
    let mut exchange = CompiledCircuit::new(&Circuit::new(2, Vec::new(), vec![9, 17]).unwrap());
    for boards in [&mut boards, &mut copy] {
        exchange.step(&Cpu::new(1), boards, None, 0);
    }
    for channel in 0..2 {
        assert!(boards.channel(channel).eq(copy.channel(channel)));
        assert!(boards.count(channel) > 0);
    }
}

#[test]
fn invalid_board_sizes_are_rejected() {
    let grid = |boards, height, width| Grid { boards, height, width, border: Border::Fixed };
    let refused = |grid, channels| Boards::new(grid, channels).unwrap_err();
    assert_eq!(refused(grid(1, 0, 3), 1), BoardsError::Empty("height"));
    assert_eq!(refused(grid(0, 3, 3), 1), BoardsError::Empty("boards"));
    assert_eq!(refused(grid(1, 3, 3), 0), BoardsError::Empty("channels"));
    for (height, width) in [(1 << 20, 1 << 20), (usize::MAX, 2), (2, usize::MAX), (usize::MAX, usize::MAX)] {
        let error = refused(grid(1, height, width), 8);
        assert!(matches!(error, BoardsError::TooLarge { .. }));
        assert!(error.to_string().contains("1024 MiB"), "{error}");
    }
}

#[test]
fn the_hand_made_circuit_is_life() {
    let circuit = life::circuit();
    assert!(life::mistakes(&circuit).is_empty());
    assert!(life::mistakes(&circuit.simplified()).is_empty());
    // The check finds a single wrong case: all nine cells alive.
    let mut gates = circuit.gates().to_vec();
    let mut all = 0;
    for place in 1..9 {
        gates.push(Gate { function: 1, a: all, b: place });
        all = 8 + gates.len() as u32;
    }
    gates.push(Gate { function: 6, a: circuit.outputs()[0], b: all });
    let output = 8 + gates.len() as u32;
    assert_eq!(life::mistakes(&Circuit::new(1, gates, vec![output]).unwrap()), [511]);
    // The expected number of living neighborhoods: C(8,3) with a dead center, and C(8,2) + C(8,3) with a living center.
    assert_eq!((0..life::CASES).filter(|&case| life::rule(case)).count(), 56 + 28 + 56);
}

#[test]
fn a_glider_moves_diagonally() {
    let grid = Grid { boards: 1, height: 9, width: 11, border: Border::Periodic };
    let mut boards = Boards::new(grid, 1).unwrap();
    let at = |row: usize, column: usize| row % 9 * 11 + column % 11;
    let glider = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
    glider.iter().for_each(|&(row, column)| boards.set(0, at(row, column), true));
    let mut compiled = CompiledCircuit::new(&life::circuit().simplified());
    for step in 0..4 * 30 {
        compiled.step(&Cpu::new(1), &mut boards, None, step);
    }
    assert_eq!(boards.count(0), 5);
    assert!(glider.iter().all(|&(row, column)| boards.get(0, at(row + 30, column + 30))));
}
