//! Life cycle of the GPU trainer: switches between CPU and GPU, config changes during a run, long runs, device loss.

use crate::common::{gpu, narrow, open, random_learner, train_epoch};
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;
use vivarium_logic_ca::gpu_trainer::LogicGpuTrainer;
use vivarium_logic_ca::{Advance, Learner};
use vivarium_logic_ca::{LogicCa, LogicConfig, LogicError, LogicPreset, State, TargetKind, TargetPattern};

fn tiny() -> LogicConfig {
    LogicConfig { width: 5, height: 4, steps: 3, ..narrow(LogicPreset::CheckerboardAsync) }
}

/// Returns the config with another target pattern.
fn with_target(target: &TargetPattern, config: &LogicConfig) -> LogicConfig {
    LogicConfig { target: TargetKind::Drawn, drawing: target.to_text(), ..config.clone() }
}

/// Asserts that two states agree within rounding.
#[track_caller]
fn close(found: &State, expected: &State) {
    assert_eq!(found.epoch, expected.epoch);
    for (found, expected) in found.logits.iter().zip(&expected.logits) {
        assert!((found - expected).abs() < 2e-3, "{found}, not {expected}");
    }
}

#[test]
fn a_run_continues_on_another_engine() {
    let cpu = Cpu::new(1);
    let (mut whole, mut moved) = (random_learner(&tiny(), 1), random_learner(&tiny(), 1));
    for _ in 0..2 {
        moved.iterate(&cpu).unwrap();
    }
    let mut trainer = LogicGpuTrainer::new(gpu(), &moved).unwrap();
    assert_eq!(*trainer.state(), moved.state(), "the copy to the GPU changes the state");
    // Releasing the device discards the epochs in flight, which are then repeated.
    for _ in 0..3 {
        train_epoch(&mut trainer);
    }
    moved.restore(trainer.state()).unwrap();
    for _ in 0..2 {
        moved.iterate(&cpu).unwrap();
    }
    let mut trainer = LogicGpuTrainer::new(gpu(), &moved).unwrap();
    assert_eq!(train_epoch(&mut trainer).epoch, 8);
    for _ in 0..8 {
        whole.iterate(&cpu).unwrap();
    }
    close(trainer.state(), &whole.state());
}

#[test]
fn runs_are_reproducible_bit_for_bit() {
    let run = || {
        let mut trainer = LogicGpuTrainer::new(gpu(), &random_learner(&tiny(), 2)).unwrap();
        let reports: Vec<_> = (0..5).map(|_| train_epoch(&mut trainer)).collect();
        (reports, trainer.state().clone())
    };
    assert!(run() == run());
}

#[test]
fn slicing_preserves_results_and_allows_interruption() {
    for config in [tiny(), narrow(LogicPreset::Life), narrow(LogicPreset::Lizard)] {
        let learner = random_learner(&config, 7);
        let mut whole = LogicGpuTrainer::with_slice_limit(gpu(), &learner, usize::MAX).unwrap();
        let mut sliced = LogicGpuTrainer::with_slice_limit(gpu(), &learner, 1).unwrap();
        assert!(sliced.cost().dispatches >= whole.cost().dispatches);
        for _ in 0..3 {
            assert_eq!(sliced.advance().unwrap(), Advance::Waiting, "a slice is not an epoch");
            assert_eq!(train_epoch(&mut sliced), train_epoch(&mut whole));
            assert!(sliced.state() == whole.state());
        }
    }
}

#[test]
fn long_epochs_are_sliced_on_software_adapters() {
    let learner = LogicCa::new(LogicConfig::of(LogicPreset::Lizard), 9).unwrap();
    let mut trainer = LogicGpuTrainer::new(gpu(), &learner).unwrap();
    let is_waiting = trainer.advance().unwrap() == Advance::Waiting;
    assert_eq!(is_waiting, gpu().adapter_info().software, "an epoch is one submission on a GPU alone");
}

#[test]
fn target_change_applies_to_the_next_epoch() {
    let config = LogicConfig { hard_share: 0.0, ..tiny() };
    let target = TargetPattern { width: 3, height: 2, channels: 1, bits: vec![true; 6] };
    let drawn = with_target(&target, &config);
    let mut changed = LogicGpuTrainer::with_slice_limit(gpu(), &random_learner(&config, 8), 1).unwrap();
    let mut same = LogicGpuTrainer::with_slice_limit(gpu(), &random_learner(&config, 8), usize::MAX).unwrap();
    assert_eq!(changed.advance().unwrap(), Advance::Waiting);
    changed.set_config(drawn.clone()).unwrap();
    // The first epoch began with the old target.
    assert_eq!(train_epoch(&mut changed), train_epoch(&mut same));
    assert!(changed.state().logits == same.state().logits);
    let mut fresh = random_learner(&drawn, 8);
    fresh.restore(changed.state()).unwrap();
    let (found, expected) = (train_epoch(&mut changed), fresh.iterate(&Cpu::new(1)).unwrap());
    assert!((found.soft_loss - expected.soft_loss).abs() < 1e-3, "{found:?} {expected:?}");
    assert_eq!(found.hard_loss, expected.hard_loss);
}

#[test]
fn live_fields_and_target_can_change_during_a_run() {
    let config = LogicConfig { final_learning_rate: 0.05, ..tiny() };
    let mut trainer = LogicGpuTrainer::new(gpu(), &random_learner(&config, 3)).unwrap();
    train_epoch(&mut trainer);
    trainer
        .set_config(LogicConfig { learning_rate: 1e-4, final_learning_rate: 1e-4, ..config.clone() })
        .unwrap();
    // Epochs in flight still have the old learning rate.
    let rates: Vec<_> = (0..4).map(|_| train_epoch(&mut trainer).learning_rate as f32).collect();
    assert!(rates[0] > 1e-2 && rates[3] == 1e-4, "{rates:?}");
    let error = trainer.set_config(LogicConfig { steps: 9, ..config.clone() }).unwrap_err();
    assert!(matches!(error, LogicError::Config(error) if error.field == "task.steps"));

    let two = TargetPattern { width: 3, height: 2, channels: 2, bits: [true, false, true].repeat(4) };
    let drawn = with_target(&two, &config);
    trainer.set_config(drawn.clone()).unwrap();
    while trainer.state().epoch < 8 {
        train_epoch(&mut trainer);
    }
    let mut learner = random_learner(&drawn, 3);
    learner.restore(trainer.state()).unwrap();
    let (found, expected) = (train_epoch(&mut trainer), learner.iterate(&Cpu::new(1)).unwrap());
    assert!((found.soft_loss - expected.soft_loss).abs() < 1e-3, "{found:?} {expected:?}");
    assert_eq!(found.hard_loss, expected.hard_loss);
    let wide = TargetPattern { width: 6, height: 1, channels: 1, bits: vec![true; 6] };
    let error = trainer.set_config(with_target(&wide, &config)).unwrap_err();
    assert!(matches!(error, LogicError::Config(ref error) if error.field == "task.width"), "{error}");
}

#[test]
fn long_runs_allocate_nothing_on_the_device() {
    let gpu = open();
    let config = LogicConfig { width: 3, height: 3, steps: 2, ..tiny() };
    let mut trainer = LogicGpuTrainer::new(&gpu, &random_learner(&config, 4)).unwrap();
    train_epoch(&mut trainer);
    let (memory, kernels) = (gpu.memory(), gpu.kernels_compiled());
    for _ in 0..200 {
        train_epoch(&mut trainer);
    }
    assert_eq!((gpu.memory(), gpu.kernels_compiled()), (memory, kernels));
    assert_eq!(trainer.state().epoch, 201);
    assert!(trainer.state().logits.iter().all(|logit| logit.is_finite()));
    // Another trainer of the same size reuses the released memory.
    drop(trainer);
    let _again = LogicGpuTrainer::new(&gpu, &random_learner(&config, 4)).unwrap();
    assert_eq!(gpu.kernels_compiled(), kernels);
}

#[test]
fn device_loss_is_an_error_and_the_last_state_remains() {
    let gpu = open();
    let mut learner = random_learner(&tiny(), 5);
    let mut trainer = LogicGpuTrainer::new(&gpu, &learner).unwrap();
    train_epoch(&mut trainer);
    let kept = trainer.state().clone();
    gpu.destroy();
    for _ in 0..2 {
        let error = trainer.advance().unwrap_err();
        assert!(matches!(error, LogicError::Gpu(GpuError::Lost { .. })), "{error}");
    }
    assert_eq!(*trainer.state(), kept);
    // The CPU learner resumes from the last reported state.
    learner.restore(&kept).unwrap();
    assert_eq!(learner.iterate(&Cpu::new(1)).unwrap().epoch, 2);
    assert!(matches!(LogicGpuTrainer::new(&gpu, &learner), Err(LogicError::Gpu(GpuError::Lost { .. }))));
}

#[test]
fn divergence_is_an_error_and_the_logits_stay_finite() {
    let mut learner = random_learner(&tiny(), 6);
    let mut state = learner.state();
    // The logits are finite, but the differences between them are not.
    for (i, logit) in state.logits.iter_mut().enumerate() {
        *logit = if i % 2 == 0 { -3e38 } else { 3e38 };
    }
    learner.restore(&state).unwrap();
    let mut trainer = LogicGpuTrainer::new(gpu(), &learner).unwrap();
    let found = trainer.advance();
    // After divergence, the logits are unchanged.
    if let Err(error) = found {
        assert!(matches!(error, LogicError::NotFinite(NotFinite { updates: 0, .. })), "{error}");
        assert_eq!(*trainer.state(), state);
    }
    assert!(trainer.state().logits.iter().all(|logit| logit.is_finite()));
}

#[test]
fn too_large_circuits_are_rejected_with_the_field() {
    let refused = |config: LogicConfig| {
        let learner = LogicCa::new(config, 1).unwrap();
        match LogicGpuTrainer::new(gpu(), &learner).map(|_| ()) {
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
fn epoch_cost_is_reported() {
    let cost = |config: &LogicConfig| {
        LogicGpuTrainer::new(gpu(), &LogicCa::new(config.clone(), 1).unwrap()).unwrap().cost()
    };
    // Dispatches: one for the draw, one for the gates, two for each step, one for all steps of the hard circuit, one
    // each for the loss, the recording and the optimizer.
    let sixteen = LogicConfig { width: 16, height: 16, steps: 7, ..tiny() };
    assert_eq!(cost(&sixteen).dispatches, 2 + 2 * 7 + 4);
    // A workgroup evaluates whole boards: one dispatch for all soft steps forward, and one backward.
    let three = LogicConfig { width: 3, height: 3, steps: 7, ..tiny() };
    assert_eq!(cost(&three).dispatches, 2 + 2 + 4);
    // A longer epoch only reads back a longer recording.
    let longer = cost(&LogicConfig { steps: 9, ..sixteen.clone() }).bytes_copied;
    assert_eq!(longer - cost(&sixteen).bytes_copied, 2 * 2 * 3 * 256);
}
