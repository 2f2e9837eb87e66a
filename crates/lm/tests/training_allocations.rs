//! Training does not allocate after the first step, and reports its memory. A separate test binary, because all allocations of
//! the process are counted.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../../../tests/fixtures/counting_allocator.rs"]
mod counting_allocator;
#[path = "../../../tests/fixtures/started.rs"]
mod started;

use counting_allocator::counted;
use started::started;
use vivarium_lm::{LanguageConfig, LanguageOptimizer, LanguageTrainer};

#[test]
fn steps_allocate_nothing_after_the_first() {
    let config = LanguageConfig { context: 32, layers: 2, width: 64, batch: 8, ..LanguageConfig::default() };
    let tokens: Vec<u32> = (0..config.batch * (config.context + 1)).map(|i| i * 7 % 300).collect();
    let engines = [1, 2].map(started);
    let runs = [
        (0, LanguageOptimizer::AdamW),
        (1, LanguageOptimizer::AdamW),
        (0, LanguageOptimizer::Muon),
        (1, LanguageOptimizer::Muon),
    ];
    for (engine, optimizer) in runs {
        let cpu = &engines[engine];
        let threads = cpu.threads();
        let config = LanguageConfig { optimizer, ..config.clone() };
        // On a thread of the pool: rayon allocates for calls from outside.
        cpu.install(|| {
            let (mut trainer, made) = counted(|| {
                let mut trainer = LanguageTrainer::new(config.clone(), 300, 1).unwrap();
                trainer.step(cpu, &tokens).unwrap();
                trainer
            });
            let held = trainer.bytes();
            let ((), later) = counted(|| {
                for _ in 0..10 {
                    trainer.step(cpu, &tokens).unwrap();
                    trainer.begin_step(&tokens).unwrap();
                    while trainer.advance(cpu).unwrap().is_none() {}
                }
            });
            assert_eq!((later.count, later.kept), (0, 0), "on {threads} threads");
            assert_eq!(trainer.bytes(), held);
            // `bytes` equals the allocated memory except for names and the compiled plan.
            let untold = made.kept - held as isize;
            assert!((0..100_000).contains(&untold), "{held} bytes reported, {} allocated", made.kept);
        });
    }
}
