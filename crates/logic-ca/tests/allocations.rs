//! A learner takes the memory that it is said to need. Learning keeps no more of it after the first epoch, and allocates
//! little: what the hard automaton's gates are compiled in, which change from epoch to epoch.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;

use counting_allocator::counted;
use vivarium_graph::Cpu;
use vivarium_logic_ca::{LogicCa, LogicConfig, Preset, memory};

/// One test, for two would count each other's allocations.
#[test]
fn a_learner_takes_what_it_needs_and_no_more_later() {
    takes_what_it_is_said_to_need();
    epochs_allocate_little_and_keep_nothing();
}

fn takes_what_it_is_said_to_need() {
    let of = |preset, width, height, batch, steps| LogicConfig {
        width,
        height,
        batch,
        steps,
        ..LogicConfig::of(preset)
    };
    for config in [
        LogicConfig::of(Preset::Life),
        LogicConfig::of(Preset::Letter),
        of(Preset::Checkerboard, 100, 90, 1, 40),
        of(Preset::CheckerboardAsync, 64, 64, 3, 20),
        of(Preset::Lizard, 20, 20, 8, 12),
    ] {
        // What trial needs is made when it begins, and has a test of its own.
        let config = LogicConfig { local_search_epochs: 0, ..config };
        let needed = memory::needed(&config);
        let (_learner, found) = counted(|| LogicCa::new(config, 1).expect("the config is allowed"));
        let found = found.kept as f64 / needed as f64;
        assert!((0.75..1.0).contains(&found), "{found} of {needed} bytes");
    }
}

fn epochs_allocate_little_and_keep_nothing() {
    let small = |preset| LogicConfig {
        width: 10,
        height: 10,
        steps: 3,
        update: vec![150, 80, 40, 20, 10, 8],
        ..LogicConfig::of(preset)
    };
    for threads in [1, 2] {
        let cpu = Cpu::new(threads);
        for config in
            [small(Preset::Checkerboard), small(Preset::CheckerboardAsync), LogicConfig::of(Preset::Life)]
        {
            let mut learner = LogicCa::new(config, 1).expect("the config is allowed");
            // Inside the pool: entering it from outside may cost rayon a block of its queue now and then.
            cpu.install(|| {
                for _ in 0..5 {
                    learner.learn(&cpu).expect("the loss is finite");
                }
                let (_, found) = counted(|| {
                    for _ in 0..10 {
                        learner.learn(&cpu).expect("the loss is finite");
                    }
                });
                // The code of one epoch may be longer than that of another.
                assert!(found.kept.abs() < 4096, "{found:?} in ten epochs on {threads} threads");
                assert!(found.count < 1000, "{found:?} in ten epochs on {threads} threads");
            });
        }
    }
}
