//! Tests that the training of logic automata on the GPU agrees with the CPU.

use vivarium_graph::Cpu;
use vivarium_kernels::rng::Stream;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::gpu_trainer::LogicGpuTrainer;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicPreset, State};
use wasm_bindgen_test::wasm_bindgen_test;

/// Tolerance after ten epochs, relative to the largest magnitude in an array. The engines add the same terms in
/// different orders, and AdamW divides by the roots of small sums. A wrong update mask causes differences that are a
/// hundred times larger.
const TOLERANCE: f32 = 5e-3;

#[track_caller]
fn same(what: &str, found: &[f32], expected: &[f32]) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (found - expected).abs() / largest;
        assert!(error < TOLERANCE, "{what} {index}: {found}, not {expected}");
    }
}

/// Returns a learner with asynchronous updates, small boards (for software adapters), and soft gates with random
/// function probabilities.
fn undecided() -> LogicCa {
    let config = LogicConfig {
        width: 6,
        height: 5,
        channels: 3,
        kernels: 3,
        update: vec![16, 10, 6, 3],
        steps: 4,
        learning_rate: 0.1,
        ..LogicConfig::of(LogicPreset::CheckerboardAsync)
    };
    let mut learner = LogicCa::new(config, 5).expect("a sound config");
    let state = learner.state();
    let mut stream = Stream::new(5, 99);
    let logits = state.logits.iter().map(|_| 2.0 * stream.normal()).collect();
    learner.restore(&State { logits, ..state }).expect("a state of this learner");
    learner
}

#[wasm_bindgen_test]
async fn a_logic_automaton_trains_as_on_the_cpu() {
    let cpu = Cpu::new(1);
    let mut learner = undecided();
    let gpu = crate::gpu().await;
    let mut resident = LogicGpuTrainer::new(&gpu, &learner).unwrap_or_else(|error| panic!("{error}"));
    let mut functions = Vec::new();
    for _ in 0..10 {
        let expected = learner.iterate(&cpu).expect("the learner works");
        let report = resident.next().await.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(report.epoch, expected.epoch);
        same("soft loss", &[report.soft_loss as f32], &[expected.soft_loss as f32]);
        // Results of hard circuits are equal bit for bit.
        assert_eq!(report.hard_loss, expected.hard_loss);
        assert_eq!(report.gates.functions, expected.gates.functions);
        let (found, expected_state) = (resident.state(), learner.state());
        same("logit", &found.logits, &expected_state.logits);
        same("first moment", &found.first_moment, &expected_state.first_moment);
        same("second moment", &found.second_moment, &expected_state.second_moment);
        functions.push(expected.gates.functions);
    }
    let recording = resident.recording().expect("the recording of a small board is read back");
    for step in 0..=recording.steps() {
        for channel in 0..recording.channels() {
            assert_eq!(recording.hard(step, channel), learner.recording().hard(step, channel), "step {step}");
        }
    }
    assert_ne!(functions[9], functions[0], "gates learn");
}
