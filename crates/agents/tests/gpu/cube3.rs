//! Compares EfficientCube on the GPU with EfficientCube on the CPU; results agree within rounding.

use crate::common::{finish, gpu, open};
use crate::tensors::{assert_close, numbers};
use std::collections::HashMap;
use vivarium_agents::LearnerError;
use vivarium_agents::cube3::gpu_trainer::Cube3GpuTrainer;
use vivarium_agents::cube3::{
    BeamSearch, BeamSearchSettings, Cube3Config, Cube3Learner, Cube3Network, GpuBeamSearch, GpuScrambleBatch,
    Report, ScrambleBatch, SearchStatus,
};
use vivarium_agents::{Advance, Learner};
use vivarium_envs::cube::{Backtracking, Cube3, CubeSize, RandomWalk, TurnMetric};
use vivarium_gpu::{GpuRecorder, floats};
use vivarium_graph::{Cpu, TensorData};
use vivarium_kernels::rng::Stream;

/// Returns an EfficientCube config with a small network and few scrambles, for fast tests.
fn config() -> Cube3Config {
    Cube3Config { width: 24, blocks: 1, depth: 6, scrambles: 5, iteration: 4, ..Cube3Config::default() }
}

#[test]
fn scrambles_equal_the_cpu_bit_by_bit() {
    let (gpu, seed) = (gpu(), 0x89ab_cdef_0123_4567);
    for (metric, symmetries) in [
        (TurnMetric::Quarter, true),
        (TurnMetric::Half, true),
        (TurnMetric::Quarter, false),
        (TurnMetric::Half, false),
    ] {
        let config = Cube3Config { metric, symmetries, depth: 30, scrambles: 7, ..Cube3Config::default() };
        let (rows, states) = (config.batch(), config.batch() * Cube3::INPUTS);
        let there = GpuScrambleBatch::new(gpu, &config).unwrap();
        let inputs = gpu.zeros("inputs", states + rows).unwrap();
        let mut recorder = GpuRecorder::new(gpu);
        there.record(&mut recorder, &inputs, [0, states]).unwrap();
        let program = recorder.finish().unwrap();
        let mut here = ScrambleBatch::new(&config);
        // Stream numbers exceed 32 bits from the middle of the batch, and from its start.
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

/// Runs one training iteration on the GPU, and returns its report.
fn iterate(trainer: &mut Cube3GpuTrainer, cpu: &Cpu, learner: &mut Cube3Learner) -> Report {
    finish(|| trainer.advance(cpu, learner)).0
}

#[test]
fn training_agrees_with_the_cpu_and_resumes_within_an_iteration() {
    let cpu = Cpu::new(2);
    let [mut there, mut here] = [0, 1].map(|_| Cube3Learner::new(config(), 7).unwrap());
    // Both learners make a part of an iteration on the CPU, before one of them moves to the GPU.
    for learner in [&mut there, &mut here] {
        assert_eq!(learner.advance(&cpu).unwrap(), Advance::Unfinished(()));
    }
    let mut trainer = Cube3GpuTrainer::new(gpu(), &there).unwrap();
    for iteration in 1..=5 {
        let (found, expected) = (iterate(&mut trainer, &cpu, &mut there), here.iterate(&cpu).unwrap());
        assert_eq!(found.counters, expected.counters);
        assert_eq!(found.counters.iterations, iteration);
        assert_eq!(found.accuracy_by_depth, expected.accuracy_by_depth);
        assert_close(&[found.loss, found.gradient_norm], &[expected.loss, expected.gradient_norm]);
        assert_close(&numbers(there.save()), &numbers(here.save()));
    }
    // The unfinished iteration on the GPU is discarded.
    assert!(matches!(trainer.advance(&cpu, &mut there).unwrap(), Advance::Unfinished(())));
    drop(trainer);
    assert_close(&numbers(there.save()), &numbers(here.save()));
    let [there, here] = [there, here].map(|mut learner| learner.iterate(&cpu).unwrap());
    assert_close(&[there.loss], &[here.loss]);
}

#[test]
fn live_fields_take_effect() {
    let cpu = Cpu::new(1);
    let [mut there, mut here] = [0, 1].map(|_| Cube3Learner::new(config(), 3).unwrap());
    let mut trainer = Cube3GpuTrainer::new(gpu(), &there).unwrap();
    iterate(&mut trainer, &cpu, &mut there);
    here.iterate(&cpu).unwrap();
    let slower = Cube3Config { learning_rate: 1e-4, ema_steps: 7, weight_decay: 0.1, ..config() };
    there.set_config(slower.clone()).unwrap();
    here.set_config(slower).unwrap();
    iterate(&mut trainer, &cpu, &mut there);
    here.iterate(&cpu).unwrap();
    assert_close(&numbers(there.save()), &numbers(here.save()));
}

#[test]
fn divergence_stops_training_and_leaves_the_cpu_learner_intact() {
    let cpu = Cpu::new(1);
    let mut learner = Cube3Learner::new(Cube3Config { learning_rate: 1.0, ..config() }, 3).unwrap();
    let spoiled: Vec<_> = learner
        .save()
        .into_iter()
        .map(|mut tensor| {
            if let TensorData::F32(values) = &mut tensor.values
                && tensor.name.starts_with("weights/")
            {
                values.fill(f32::MAX);
            }
            tensor
        })
        .collect();
    let broken = Cube3Learner::restore(config(), 3, &spoiled).unwrap();
    let mut trainer = Cube3GpuTrainer::new(gpu(), &broken).unwrap();
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

/// Returns a network after a short training on the CPU.
fn taught(metric: TurnMetric, symmetries: bool) -> Cube3Network {
    let little = Cube3Config { scrambles: 64, width: 32, iteration: 150, ..config() };
    let mut learner = Cube3Learner::new(Cube3Config { metric, symmetries, ..little }, 5).unwrap();
    learner.iterate(&Cpu::new(2)).unwrap();
    learner.averaged_network().unwrap()
}

/// Returns cubes scrambled by 0, 1, 2 … moves.
fn scrambled(metric: TurnMetric, count: usize) -> Vec<Cube3> {
    let mut random = Stream::new(8, 0);
    let mut walk = RandomWalk::new(CubeSize::Three, metric, Backtracking::Never);
    let scramble = |moves| (0..moves).fold(Cube3::SOLVED, |cube, _| cube.turned(walk.next(&mut random).1));
    (0..count).map(scramble).collect()
}

#[test]
fn searches_agree_with_the_cpu() {
    let cpu = Cpu::new(2);
    for (metric, symmetries) in
        [(TurnMetric::Quarter, true), (TurnMetric::Half, true), (TurnMetric::Half, false)]
    {
        let network = taught(metric, symmetries);
        let settings = BeamSearchSettings { metric, width: 40, max_moves: 9 };
        let search = |&cube: &Cube3| BeamSearch::new(settings, cube);
        let cubes = scrambled(metric, 9);
        let mut there: Vec<BeamSearch> = cubes.iter().map(search).collect();
        // The capacity is below the pending states, and chunks end in the middle of a search.
        let mut device = GpuBeamSearch::with_chunk_rows(gpu(), &network, metric, 150, 64).unwrap();
        while there.iter().any(|search| search.status() == SearchStatus::Searching) {
            assert!(device.advance(&cpu, &mut there).unwrap(), "blocks on native targets");
        }
        let mut solved = 0;
        for (there, mut here) in there.iter().zip(cubes.iter().map(search)) {
            here.run(&cpu, &network);
            assert_eq!((there.status(), there.solution()), (here.status(), here.solution()));
            assert_eq!((there.moves(), there.evaluated()), (here.moves(), here.evaluated()));
            for (found, expected) in there.beam().zip(here.beam()) {
                assert!((found.1 - expected.1).abs() < 1e-3, "{} in place of {}", found.1, expected.1);
            }
            solved += usize::from(here.status() == SearchStatus::Solved);
        }
        assert!(solved > 5, "{solved} were solved");
    }
}

#[test]
fn a_completed_search_frees_capacity() {
    let (cpu, metric) = (Cpu::new(2), TurnMetric::Quarter);
    let network = taught(metric, true);
    let settings = BeamSearchSettings { metric, width: 20, max_moves: 9 };
    let cubes = scrambled(metric, 8);
    let mut waiting = cubes[3..].iter();
    let mut searches: Vec<BeamSearch> =
        cubes[..3].iter().map(|&cube| BeamSearch::new(settings, cube)).collect();
    let mut device = GpuBeamSearch::with_chunk_rows(gpu(), &network, metric, 60, 16).unwrap();
    let mut found = Vec::new();
    while !searches.is_empty() {
        device.advance(&cpu, &mut searches).unwrap();
        searches.retain_mut(|search| {
            if search.status() == SearchStatus::Searching {
                return true;
            }
            found.push((search.moves(), search.solution().map(<[_]>::to_vec)));
            waiting.next().map(|&cube| search.restart(cube)).is_some()
        });
    }
    let expected = cubes.iter().map(|&cube| {
        let mut search = BeamSearch::new(settings, cube);
        search.run(&cpu, &network);
        (search.moves(), search.solution().map(<[_]>::to_vec))
    });
    let mut expected: Vec<_> = expected.collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn move_probabilities_agree_with_the_cpu() {
    let cpu = Cpu::new(1);
    for (metric, symmetries) in [(TurnMetric::Quarter, true), (TurnMetric::Half, false)] {
        let network = taught(metric, symmetries);
        let mut device = GpuBeamSearch::new(gpu(), &network, metric, 1).unwrap();
        let mut random = Stream::new(3, 0);
        for _ in 0..20 {
            // After one move, entries have the probabilities of the moves.
            let settings = BeamSearchSettings { metric, width: 100, max_moves: 1 };
            let mut there = BeamSearch::new(settings, Cube3::random(&mut random));
            let mut here = there.clone();
            device.run(&cpu, &mut there).unwrap();
            here.run(&cpu, &network);
            let expected: HashMap<Cube3, f32> = here.beam().collect();
            assert_eq!(there.beam().count(), Cube3::turns(metric).len());
            for (cube, found) in there.beam() {
                let expected = expected[&cube];
                assert!((found - expected).abs() < 1e-4, "{found} in place of {expected}");
            }
        }
    }
}

#[test]
fn device_loss_is_reported_by_every_call() {
    let (gpu, cpu) = (open(), Cpu::new(1));
    let network = taught(TurnMetric::Quarter, true);
    let mut device = GpuBeamSearch::new(&gpu, &network, TurnMetric::Quarter, 64).unwrap();
    let mut search = BeamSearch::new(BeamSearchSettings::default(), Cube3::random(&mut Stream::new(1, 0)));
    device.advance(&cpu, std::slice::from_mut(&mut search)).unwrap();
    gpu.destroy();
    for _ in 0..3 {
        device.advance(&cpu, std::slice::from_mut(&mut search)).unwrap_err();
        assert_eq!(search.status(), SearchStatus::Searching);
    }
    assert_ne!(search.run(&cpu, &network), SearchStatus::Searching, "the search continues on the CPU");
}
