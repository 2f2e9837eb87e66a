//! The memory of a learner matches the estimate. After the first epoch training allocates only the compiled hard
//! circuit, and frees it again.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_graph::Cpu;
use vivarium_logic_ca::Learner;
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicPreset, memory};

/// One test, because concurrent tests would count each other's allocations.
#[test]
fn memory_matches_the_estimate_and_does_not_grow() {
    memory_matches_the_estimate();
    epochs_allocate_little_and_free_it();
}

fn memory_matches_the_estimate() {
    let of = |preset, width, height, batch, steps| LogicConfig {
        width,
        height,
        batch,
        steps,
        ..LogicConfig::of(preset)
    };
    for config in [
        LogicConfig::of(LogicPreset::Life),
        LogicConfig::of(LogicPreset::Letter),
        of(LogicPreset::Checkerboard, 100, 90, 1, 40),
        of(LogicPreset::CheckerboardAsync, 64, 64, 3, 20),
        of(LogicPreset::Lizard, 20, 20, 8, 12),
    ] {
        // Local search allocates when it begins; it has its own test.
        let config = LogicConfig { local_search_epochs: 0, ..config };
        let needed = memory::needed(&config);
        let (_learner, found) = counted(|| LogicCa::new(config, 1).expect("the config is allowed"));
        let found = found.kept as f64 / needed as f64;
        assert!((0.75..1.0).contains(&found), "{found} of {needed} bytes");
    }
}

fn epochs_allocate_little_and_free_it() {
    let small = |preset| LogicConfig {
        width: 10,
        height: 10,
        steps: 3,
        update: vec![150, 80, 40, 20, 10, 8],
        ..LogicConfig::of(preset)
    };
    for threads in [1, 2] {
        let cpu = Cpu::new(threads);
        for config in [
            small(LogicPreset::Checkerboard),
            small(LogicPreset::CheckerboardAsync),
            LogicConfig::of(LogicPreset::Life),
        ] {
            let mut learner = LogicCa::new(config, 1).expect("the config is allowed");
            // The measured code runs inside the thread pool, because a call from outside may allocate a queue block in
            // rayon.
            cpu.install(|| {
                for _ in 0..5 {
                    learner.iterate(&cpu).expect("the loss is finite");
                }
                let (_, found) = counted(|| {
                    for _ in 0..10 {
                        learner.iterate(&cpu).expect("the loss is finite");
                    }
                });
                // The compiled circuits of different epochs differ in size.
                assert!(found.kept.abs() < 4096, "{found:?} in ten epochs on {threads} threads");
                assert!(found.count < 1000, "{found:?} in ten epochs on {threads} threads");
            });
        }
    }
}
