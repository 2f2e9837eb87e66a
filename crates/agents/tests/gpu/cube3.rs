//! The learner of 3×3×3 on the GPU does what the one on the CPU does, within rounding.

use crate::common::gpu;
use crate::tensors::{assert_close, numbers};
use vivarium_agents::LearnerError;
use vivarium_agents::cube3::gpu_trainer::{Advance, GpuTrainer};
use vivarium_agents::cube3::{Cube3Config, Cube3Learner, GpuScrambles, Report, Scrambles};
use vivarium_envs::cube::{Cube3, Metric};
use vivarium_gpu::{Recorder, floats};
use vivarium_graph::{Cpu, Values};

/// Small and quick.
fn config() -> Cube3Config {
    Cube3Config { width: 24, blocks: 1, depth: 6, scrambles: 5, iteration: 4, ..Cube3Config::default() }
}

#[test]
fn scrambles_are_those_of_the_cpu_to_the_last_bit() {
    let (gpu, seed) = (gpu(), 0x89ab_cdef_0123_4567);
    for (metric, symmetries) in
        [(Metric::Quarter, true), (Metric::Half, true), (Metric::Quarter, false), (Metric::Half, false)]
    {
        let config = Cube3Config { metric, symmetries, depth: 30, scrambles: 7, ..Cube3Config::default() };
        let (rows, states) = (config.batch(), config.batch() * Cube3::INPUTS);
        let there = GpuScrambles::new(gpu, &config).unwrap();
        let inputs = gpu.zeros("inputs", states + rows).unwrap();
        let mut recorder = Recorder::new(gpu);
        there.record(&mut recorder, &inputs, [0, states]).unwrap();
        let program = recorder.finish().unwrap();
        let mut here = Scrambles::new(&config);
        // Streams of the last ones are wider than a word, in the middle of the batch and from its start.
        for step in [0, 1, 613_566_756, u64::MAX / 7] {
            there.choose(gpu, seed, step);
            gpu.submit(|encoder| encoder.run(&program)).unwrap();
            let words = gpu.read_blocking(&inputs, 0..states + rows).unwrap();
            here.draw(&Cpu::new(2), seed, step);
            let [expected, undo] = here.inputs();
            for (row, expected) in expected.chunks_exact(Cube3::INPUTS).enumerate() {
                let found = &floats(&words)[row * Cube3::INPUTS..][..Cube3::INPUTS];
                assert!(
                    found == expected,
                    "{metric:?}, {symmetries}: row {row} of step {step} is another state"
                );
            }
            assert_eq!(&floats(&words)[states..], undo, "{metric:?}, {symmetries}: step {step}");
        }
    }
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
