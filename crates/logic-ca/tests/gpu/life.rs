//! A learner on the GPU from its beginning to its end: moved there and back, changed while it runs, kept for long, lost.

use crate::common::{gpu, learn, narrow, open, undecided};
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;
use vivarium_logic_ca::gpu_trainer::{Advance, GpuTrainer};
use vivarium_logic_ca::{Aim, LogicCa, LogicConfig, LogicError, Preset, State, Target};

fn tiny() -> LogicConfig {
    LogicConfig { width: 5, height: 4, steps: 3, ..narrow(Preset::CheckerboardAsync) }
}

/// The config with another pattern to learn.
fn wanting(target: &Target, config: &LogicConfig) -> LogicConfig {
    LogicConfig { target: Aim::Drawn, drawing: target.to_text(), ..config.clone() }
}

/// Nearly as much as after as many epochs on one engine alone.
#[track_caller]
fn close(found: &State, expected: &State) {
    assert_eq!(found.epoch, expected.epoch);
    for (found, expected) in found.logits.iter().zip(&expected.logits) {
        assert!((found - expected).abs() < 2e-3, "{found}, not {expected}");
    }
}

#[test]
fn a_run_goes_on_when_it_changes_its_engine() {
    let cpu = Cpu::new(1);
    let (mut whole, mut moved) = (undecided(&tiny(), 1), undecided(&tiny(), 1));
    for _ in 0..2 {
        moved.learn(&cpu).unwrap();
    }
    let mut trainer = GpuTrainer::new(gpu(), &moved).unwrap();
    assert_eq!(*trainer.state(), moved.state(), "it was only moved");
    // Others are under way on the device when it is left: they are done again.
    for _ in 0..3 {
        learn(&mut trainer);
    }
    moved.adopt(trainer.state()).unwrap();
    for _ in 0..2 {
        moved.learn(&cpu).unwrap();
    }
    let mut trainer = GpuTrainer::new(gpu(), &moved).unwrap();
    assert_eq!(learn(&mut trainer).epoch, 8);
    for _ in 0..8 {
        whole.learn(&cpu).unwrap();
    }
    close(trainer.state(), &whole.state());
}

#[test]
fn the_same_run_comes_out_twice_bit_for_bit() {
    let run = || {
        let mut trainer = GpuTrainer::new(gpu(), &undecided(&tiny(), 2)).unwrap();
        let reports: Vec<_> = (0..5).map(|_| learn(&mut trainer)).collect();
        (reports, trainer.state().clone())
    };
    assert!(run() == run());
}

#[test]
fn an_epoch_in_slices_is_the_same_and_can_be_left_between_two_of_them() {
    for config in [tiny(), narrow(Preset::Life), narrow(Preset::Lizard)] {
        let learner = undecided(&config, 7);
        let mut whole = GpuTrainer::in_slices(gpu(), &learner, usize::MAX).unwrap();
        let mut sliced = GpuTrainer::in_slices(gpu(), &learner, 1).unwrap();
        assert!(sliced.cost().dispatches >= whole.cost().dispatches);
        for _ in 0..3 {
            assert_eq!(sliced.advance().unwrap(), Advance::Waiting, "a slice is not an epoch");
            assert_eq!(learn(&mut sliced), learn(&mut whole));
            assert!(sliced.state() == whole.state());
        }
    }
}

#[test]
fn a_software_adapter_can_be_left_within_an_epoch_that_takes_it_long() {
    let learner = LogicCa::new(LogicConfig::of(Preset::Lizard), 9).unwrap();
    let mut trainer = GpuTrainer::new(gpu(), &learner).unwrap();
    let is_waiting = trainer.advance().unwrap() == Advance::Waiting;
    assert_eq!(is_waiting, gpu().report().software, "an epoch is one submission on a GPU alone");
}

#[test]
fn a_target_that_changes_within_an_epoch_is_that_of_the_next_one() {
    let config = LogicConfig { hard_share: 0.0, ..tiny() };
    let target = Target { width: 3, height: 2, channels: 1, bits: vec![true; 6] };
    let drawn = wanting(&target, &config);
    let mut changed = GpuTrainer::in_slices(gpu(), &undecided(&config, 8), 1).unwrap();
    let mut same = GpuTrainer::in_slices(gpu(), &undecided(&config, 8), usize::MAX).unwrap();
    assert_eq!(changed.advance().unwrap(), Advance::Waiting);
    changed.set_config(drawn.clone()).unwrap();
    // The first epoch was begun with the former target.
    assert_eq!(learn(&mut changed), learn(&mut same));
    assert!(changed.state().logits == same.state().logits);
    let mut fresh = undecided(&drawn, 8);
    fresh.adopt(changed.state()).unwrap();
    let (found, expected) = (learn(&mut changed), fresh.learn(&Cpu::new(1)).unwrap());
    assert!((found.soft_loss - expected.soft_loss).abs() < 1e-3, "{found:?} {expected:?}");
    assert_eq!(found.hard_loss, expected.hard_loss);
}

#[test]
fn live_fields_and_the_target_change_a_running_learner() {
    let config = LogicConfig { final_learning_rate: 0.05, ..tiny() };
    let mut trainer = GpuTrainer::new(gpu(), &undecided(&config, 3)).unwrap();
    learn(&mut trainer);
    trainer
        .set_config(LogicConfig { learning_rate: 1e-4, final_learning_rate: 1e-4, ..config.clone() })
        .unwrap();
    // Epochs that were under way still have the old one.
    let rates: Vec<_> = (0..4).map(|_| learn(&mut trainer).learning_rate as f32).collect();
    assert!(rates[0] > 1e-2 && rates[3] == 1e-4, "{rates:?}");
    let error = trainer.set_config(LogicConfig { steps: 9, ..config.clone() }).unwrap_err();
    assert!(matches!(error, LogicError::Config(error) if error.field == "task.steps"));

    let two = Target { width: 3, height: 2, channels: 2, bits: [true, false, true].repeat(4) };
    let drawn = wanting(&two, &config);
    trainer.set_config(drawn.clone()).unwrap();
    while trainer.state().epoch < 8 {
        learn(&mut trainer);
    }
    let mut learner = undecided(&drawn, 3);
    learner.adopt(trainer.state()).unwrap();
    let (found, expected) = (learn(&mut trainer), learner.learn(&Cpu::new(1)).unwrap());
    assert!((found.soft_loss - expected.soft_loss).abs() < 1e-3, "{found:?} {expected:?}");
    assert_eq!(found.hard_loss, expected.hard_loss);
    let wide = Target { width: 6, height: 1, channels: 1, bits: vec![true; 6] };
    let error = trainer.set_config(wanting(&wide, &config)).unwrap_err();
    assert!(matches!(error, LogicError::Config(ref error) if error.field == "task.width"), "{error}");
}

#[test]
fn long_runs_make_nothing_new_on_the_device() {
    let gpu = open();
    let config = LogicConfig { width: 3, height: 3, steps: 2, ..tiny() };
    let mut trainer = GpuTrainer::new(&gpu, &undecided(&config, 4)).unwrap();
    learn(&mut trainer);
    let (memory, kernels) = (gpu.memory(), gpu.kernels_compiled());
    for _ in 0..200 {
        learn(&mut trainer);
    }
    assert_eq!((gpu.memory(), gpu.kernels_compiled()), (memory, kernels));
    assert_eq!(trainer.state().epoch, 201);
    assert!(trainer.state().logits.iter().all(|logit| logit.is_finite()));
    // Another of the same kind takes the memory that this one leaves.
    drop(trainer);
    let _again = GpuTrainer::new(&gpu, &undecided(&config, 4)).unwrap();
    assert_eq!(gpu.kernels_compiled(), kernels);
}

#[test]
fn a_lost_device_is_an_error_and_the_last_state_is_kept() {
    let gpu = open();
    let mut learner = undecided(&tiny(), 5);
    let mut trainer = GpuTrainer::new(&gpu, &learner).unwrap();
    learn(&mut trainer);
    let kept = trainer.state().clone();
    gpu.destroy();
    for _ in 0..2 {
        let error = trainer.advance().unwrap_err();
        assert!(matches!(error, LogicError::Gpu(GpuError::Lost { .. })), "{error}");
    }
    assert_eq!(*trainer.state(), kept);
    // The CPU goes on from there.
    learner.adopt(&kept).unwrap();
    assert_eq!(learner.learn(&Cpu::new(1)).unwrap().epoch, 2);
    assert!(matches!(GpuTrainer::new(&gpu, &learner), Err(LogicError::Gpu(GpuError::Lost { .. }))));
}

#[test]
fn divergence_is_an_error_and_the_logits_stay_finite() {
    let mut learner = undecided(&tiny(), 6);
    let mut state = learner.state();
    // Finite, but their difference is not.
    for (i, logit) in state.logits.iter_mut().enumerate() {
        *logit = if i % 2 == 0 { -3e38 } else { 3e38 };
    }
    learner.adopt(&state).unwrap();
    let mut trainer = GpuTrainer::new(gpu(), &learner).unwrap();
    let found = trainer.advance();
    // Whatever an engine makes of them: they are not spoiled.
    if let Err(error) = found {
        assert!(matches!(error, LogicError::NotFinite(NotFinite { updates: 0, .. })), "{error}");
        assert_eq!(*trainer.state(), state);
    }
    assert!(trainer.state().logits.iter().all(|logit| logit.is_finite()));
}

#[test]
fn circuits_too_large_for_the_kernels_are_refused_by_the_field() {
    let refused = |config: LogicConfig| {
        let learner = LogicCa::new(config, 1).unwrap();
        match GpuTrainer::new(gpu(), &learner).map(|_| ()) {
            Err(LogicError::Config(error)) => error,
            other => panic!("{other:?}"),
        }
    };
    let base = tiny();
    let update = vec![4096, 2048, 1024, 512, 256, 128, 64];
    let many = LogicConfig { channels: 64, kernels: 64, perceive: vec![8, 1], update, ..base.clone() };
    let error = refused(many);
    assert_eq!(error.field, "circuit.update");
    assert!(error.allowed.contains("GPU"), "{error}");
    let error = refused(LogicConfig { perceive: vec![8, 28, 64, 2], ..base });
    assert_eq!(error.field, "circuit.perceive");
}

#[test]
fn an_epoch_tells_what_it_costs() {
    let cost = |config: &LogicConfig| {
        GpuTrainer::new(gpu(), &LogicCa::new(config.clone(), 1).unwrap()).unwrap().cost()
    };
    // One for the draw, one for the gates, two for each step, the hard steps in one, the judgment, the film and the optimizer.
    let sixteen = LogicConfig { width: 16, height: 16, steps: 7, ..tiny() };
    assert_eq!(cost(&sixteen).dispatches, 2 + 2 * 7 + 4);
    // A workgroup has boards of these to itself: as many steps as there are.
    let three = LogicConfig { width: 3, height: 3, steps: 7, ..tiny() };
    assert_eq!(cost(&three).dispatches, 2 + 2 + 4);
    // No more comes back for a longer epoch but the film of its further steps.
    let longer = cost(&LogicConfig { steps: 9, ..sixteen.clone() }).bytes_copied;
    assert_eq!(longer - cost(&sixteen).bytes_copied, 2 * 2 * 3 * 256);
}
