//! The learner of 3×3×3 on the GPU does what the one on the CPU does, within rounding.

use crate::common::gpu;
use crate::tensors::{assert_close, numbers};
use vivarium_agents::LearnerError;
use vivarium_agents::cube3::gpu_trainer::{Advance, GpuTrainer};
use vivarium_agents::cube3::{Cube3Config, Cube3Learner, Report};
use vivarium_graph::{Cpu, Values};

/// Small and quick.
fn config() -> Cube3Config {
    Cube3Config { width: 24, blocks: 1, depth: 6, scrambles: 5, iteration: 4, ..Cube3Config::default() }
}

/// A whole iteration.
fn iterate(trainer: &mut GpuTrainer, cpu: &Cpu, learner: &mut Cube3Learner) -> Report {
    loop {
        if let Advance::Finished(report) = trainer.advance(cpu, learner).unwrap() {
            return report;
        }
    }
}

#[test]
fn it_learns_as_on_the_cpu_and_goes_on_there_from_within_an_iteration() {
    let cpu = Cpu::new(2);
    let [mut there, mut here] = [0, 1].map(|_| Cube3Learner::new(config(), 7).unwrap());
    // It moves within an iteration.
    for learner in [&mut there, &mut here] {
        assert_eq!(learner.advance(&cpu).unwrap(), None);
    }
    let mut trainer = GpuTrainer::new(gpu(), &there).unwrap();
    for iteration in 1..=5 {
        let (found, expected) = (iterate(&mut trainer, &cpu, &mut there), here.iterate(&cpu).unwrap());
        assert_eq!(found.counters, expected.counters);
        assert_eq!(found.counters.iterations, iteration);
        assert_eq!(found.accuracy_by_depth, expected.accuracy_by_depth);
        assert_close(&[found.loss, found.gradient_norm], &[expected.loss, expected.gradient_norm]);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    // What was under way there is left out here.
    assert!(matches!(trainer.advance(&cpu, &mut there).unwrap(), Advance::Stepped));
    drop(trainer);
    assert_close(&numbers(there.save()), &numbers(here.save()));
    let [there, here] = [there, here].map(|mut learner| learner.iterate(&cpu).unwrap());
    assert_close(&[there.loss], &[here.loss]);
}

#[test]
fn live_fields_count_there() {
    let cpu = Cpu::new(1);
    let [mut there, mut here] = [0, 1].map(|_| Cube3Learner::new(config(), 3).unwrap());
    let mut trainer = GpuTrainer::new(gpu(), &there).unwrap();
    iterate(&mut trainer, &cpu, &mut there);
    here.iterate(&cpu).unwrap();
    let slower = Cube3Config { learning_rate: 1e-4, averaging: 7, weight_decay: 0.1, ..config() };
    there.set_config(slower.clone()).unwrap();
    here.set_config(slower).unwrap();
    iterate(&mut trainer, &cpu, &mut there);
    here.iterate(&cpu).unwrap();
    assert_close(&numbers(there.save()), &numbers(here.save()));
}

#[test]
fn what_is_not_finite_ends_training_there_and_spoils_nothing_here() {
    let cpu = Cpu::new(1);
    let mut learner = Cube3Learner::new(Cube3Config { learning_rate: 1.0, ..config() }, 3).unwrap();
    let spoilt: Vec<_> = learner
        .save()
        .into_iter()
        .map(|mut tensor| {
            if let Values::F32(values) = &mut tensor.values
                && tensor.name.starts_with("weights/")
            {
                values.fill(f32::MAX);
            }
            tensor
        })
        .collect();
    let broken = Cube3Learner::restore(config(), 3, &spoilt).unwrap();
    let mut trainer = GpuTrainer::new(gpu(), &broken).unwrap();
    let before = numbers(learner.save());
    for _ in 0..2 {
        let error = loop {
            if let Err(error) = trainer.advance(&cpu, &mut learner) {
                break error;
            }
        };
        assert!(matches!(error, LearnerError::NotFinite(_)), "{error}");
    }
    assert_eq!(numbers(learner.save()), before);
}
