//! Learner: reproducibility, resuming, live changes, and training success.

use vivarium_graph::Cpu;
use vivarium_logic_ca::config::InitialState;
use vivarium_logic_ca::{Advance, Learner};
use vivarium_logic_ca::{
    Border, LogicCa, LogicConfig, LogicError, LogicPreset, LogicWork, Report, TargetKind, TargetPattern,
};

/// Returns a small config with several boards, asynchronous updates and several steps.
fn small() -> LogicConfig {
    LogicConfig {
        width: 6,
        height: 5,
        batch: 3,
        steps: 4,
        fire_rate: 0.7,
        channels: 4,
        kernels: 3,
        update: vec![24, 16, 8, 4],
        ..LogicConfig::of(LogicPreset::Checkerboard)
    }
}

/// Returns the config with another target pattern.
fn with_target(target: &TargetPattern, config: &LogicConfig) -> LogicConfig {
    LogicConfig { target: TargetKind::Drawn, drawing: target.to_text(), ..config.clone() }
}

fn learn(learner: &mut LogicCa, cpu: &Cpu, epochs: usize) -> Vec<Report> {
    (0..epochs).map(|_| learner.iterate(cpu).unwrap()).collect()
}

#[test]
fn results_are_independent_of_threads_and_slices() {
    let mut one = LogicCa::new(small(), 3).unwrap();
    let reports = learn(&mut one, &Cpu::new(1), 6);
    for threads in [2, 3] {
        let mut other = LogicCa::new(small(), 3).unwrap();
        assert_eq!(learn(&mut other, &Cpu::new(threads), 6), reports);
        assert_eq!(other.state(), one.state());
    }
    let mut other_seed = LogicCa::new(small(), 4).unwrap();
    assert_ne!(learn(&mut other_seed, &Cpu::new(1), 6), reports);
}

#[test]
fn restored_state_continues_identically() {
    let cpu = Cpu::new(1);
    let mut whole = LogicCa::new(small(), 3).unwrap();
    learn(&mut whole, &cpu, 3);
    let state = whole.state();
    let expected = learn(&mut whole, &cpu, 4);

    let mut other = LogicCa::new(small(), 3).unwrap();
    other.restore(&state).unwrap();
    assert_eq!(other.state(), state);
    // The recorded rollout is of the board of the next epoch.
    other.record_rollout(&cpu).unwrap();
    let recorded = other.recording().clone();
    assert_eq!(other.state(), state);
    assert_eq!(learn(&mut other, &cpu, 1), expected[..1]);
    for step in 0..=recorded.steps() {
        assert_eq!(recorded.soft(step, 0), other.recording().soft(step, 0));
        assert_eq!(recorded.hard(step, 0), other.recording().hard(step, 0));
    }
    assert_eq!(learn(&mut other, &cpu, 3), expected[1..]);
    assert_eq!(other.state(), whole.state());
    assert_eq!(other.hard_circuit(), whole.hard_circuit());
}

/// Calls `advance` until a call has ended with work of the kind `work`, in the middle of an epoch.
fn advance_into(learner: &mut LogicCa, cpu: &Cpu, work: LogicWork) {
    loop {
        match learner.advance(cpu).unwrap() {
            Advance::Unfinished(done) if done == work => return,
            Advance::Unfinished(_) => {}
            _ => panic!("an epoch should take several slices"),
        }
    }
}

#[test]
fn state_within_an_epoch_is_that_of_its_start() {
    let cpu = Cpu::new(1);
    for (work, epochs) in [(LogicWork::Backward, 1), (LogicWork::LocalSearch, 2)] {
        // The config is large enough for several slices per epoch. The first epoch is gradient descent, the second
        // local search.
        let config = LogicConfig { epochs: 1, ..LogicConfig::of(LogicPreset::Checkerboard) };
        let mut learner = LogicCa::new(config.clone(), 1).unwrap();
        learn(&mut learner, &cpu, epochs - 1);
        let before = learner.state();
        advance_into(&mut learner, &cpu, work);
        assert_eq!(learner.state(), before);
        let mut whole = LogicCa::new(config, 1).unwrap();
        let reports = learn(&mut whole, &cpu, epochs);
        assert_eq!(learner.iterate(&cpu).unwrap(), reports[epochs - 1]);
        assert_eq!(learner.state(), whole.state());
    }
}

#[test]
fn config_change_restarts_the_epoch() {
    let cpu = Cpu::new(1);
    let config = LogicConfig { epochs: 1, ..LogicConfig::of(LogicPreset::Checkerboard) };
    let mut begun = LogicCa::new(config.clone(), 1).unwrap();
    begun.iterate(&cpu).unwrap();
    let before = begun.state();
    for other in [
        LogicConfig { learning_rate: 0.01, ..config.clone() },
        LogicConfig { epochs: 50, ..config.clone() },
        LogicConfig { local_search_epochs: 0, ..config.clone() },
    ] {
        let mut learner = LogicCa::new(config.clone(), 1).unwrap();
        learner.restore(&before).unwrap();
        advance_into(&mut learner, &cpu, LogicWork::LocalSearch);
        learner.set_config(other.clone()).unwrap();
        let mut expected = LogicCa::new(other, 1).unwrap();
        expected.restore(&before).unwrap();
        assert_eq!(learn(&mut learner, &cpu, 2), learn(&mut expected, &cpu, 2));
        assert_eq!(learner.state(), expected.state());
    }
}

#[test]
fn local_search_follows_gradient_descent() {
    let config = LogicConfig { epochs: 2, local_search_epochs: 4, ..small() };
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(config.clone(), 3).unwrap();
    learn(&mut learner, &cpu, 2);
    assert!(learner.is_in_local_search());
    assert_eq!((learner.last_epoch(), learner.state().failed_epochs.len()), (6, 0));
    let mut other = LogicCa::new(config, 3).unwrap();
    other.restore(&learner.state()).unwrap();
    let reports = learn(&mut learner, &cpu, 1);
    // Local search has set every gate to a single function, which the next report shows.
    let decided = learn(&mut learner, &cpu, 1)[0];
    assert!((decided.gates.confidence - 0.9993).abs() < 1e-3 && reports[0].gates != decided.gates);
    assert_eq!(learner.state().failed_epochs, [2, 3]);
    let state = learner.state();
    let expected = learn(&mut learner, &cpu, 3);
    // A run that is resumed at any point, with any number of threads, has the same result.
    let two = Cpu::new(2);
    learn(&mut other, &two, 2);
    assert_eq!(other.state(), state);
    other.restore(&state).unwrap();
    assert_eq!(learn(&mut other, &two, 3), expected);
    // A new target restarts gradient descent.
    let all = TargetPattern { width: 6, height: 5, channels: 2, bits: vec![true; 60] };
    learner.set_config(with_target(&all, learner.config())).unwrap();
    assert!(!learner.is_in_local_search());
    assert_eq!((learner.last_epoch(), learner.state().failed_epochs.len()), (13, 0));
}

#[test]
fn states_of_other_learners_are_rejected_without_effect() {
    let mut learner = LogicCa::new(small(), 1).unwrap();
    let state = learner.state();
    let refused = |learner: &mut LogicCa, change: &dyn Fn(&mut vivarium_logic_ca::State)| {
        let mut changed = state.clone();
        changed.epoch = 9;
        change(&mut changed);
        let error = learner.restore(&changed).unwrap_err();
        assert_eq!(learner.state(), state);
        error.to_string()
    };
    let error = refused(&mut learner, &|state| state.logits.truncate(7));
    assert!(error.contains("logits") && error.contains('7'), "{error}");
    let error = refused(&mut learner, &|state| state.second_moment[5] = f32::NAN);
    assert!(error.contains("second moments") && error.contains("NaN"), "{error}");
    let error = refused(&mut learner, &|state| state.schedule_start = 10);
    assert!(error.contains("epoch 10") && error.contains('9'), "{error}");
    let error = refused(&mut learner, &|state| state.failed_epochs = vec![1; 9]);
    assert!(error.contains("failed epochs") && error.contains('8'), "{error}");
}

#[test]
fn learning_rate_and_target_can_change_during_training() {
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(small(), 1).unwrap();
    learn(&mut learner, &cpu, 1);
    learner.set_config(LogicConfig { learning_rate: 0.01, final_learning_rate: 0.01, ..small() }).unwrap();
    assert!((learner.iterate(&cpu).unwrap().learning_rate - 0.01).abs() < 1e-8);
    let error = learner.set_config(LogicConfig { steps: 5, ..small() }).unwrap_err();
    assert!(matches!(error, LogicError::Config(ref error) if error.field == "task.steps"), "{error}");

    // Target: all ones in two channels. The wrong bits are the zeros.
    let all = TargetPattern { width: 6, height: 5, channels: 2, bits: vec![true; 60] };
    learner.set_config(with_target(&all, &small())).unwrap();
    assert_eq!(learner.target(), Some(&all));
    let two = learner.iterate(&cpu).unwrap();
    assert!(two.hard_loss > 0.0 && two.hard_loss <= 180.0, "{}", two.hard_loss);
    // After a return to one channel, the gradient of the second channel is cleared: the learner equals a learner that
    // never had a second channel.
    let one = TargetPattern { width: 2, height: 2, channels: 1, bits: vec![true, false, true, true] };
    learner.set_config(with_target(&one, &small())).unwrap();
    let mut other = LogicCa::new(small(), 1).unwrap();
    other.set_config(learner.config().clone()).unwrap();
    other.restore(&learner.state()).unwrap();
    assert_eq!(learn(&mut other, &cpu, 2), learn(&mut learner, &cpu, 2));
    assert_eq!(other.state(), learner.state());

    let error = learner.set_config(with_target(&TargetPattern::lizard(), &small())).unwrap_err().to_string();
    assert!(error.contains("20×20") && error.contains("6×5"), "{error}");
}

#[test]
fn hard_metrics_match_the_hard_automaton() {
    // Initial gates are pass-throughs: the automaton shifts values.
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(small(), 1).unwrap();
    let report = learner.iterate(&cpu).unwrap();
    let cells = 3.0 * 30.0;
    assert!((report.hard_accuracy - (1.0 - report.hard_loss / cells)).abs() < 1e-12);
    assert_eq!(report.gates.functions.iter().sum::<u32>() as usize, learner.architecture().gates());
    let (a, b) = (report.gates.functions[3] as usize, report.gates.functions[5] as usize);
    assert!(b > 0 && a + b == learner.architecture().gates());
    assert!((report.gates.confidence - 0.9993).abs() < 1e-3);
    // With nearly one-hot gates soft and hard automaton agree closely.
    assert!((report.soft_loss - report.hard_loss).abs() < 3.0, "{report:?}");
}

#[test]
fn correct_circuits_are_not_updated() {
    // Pass-throughs keep an empty board empty, so the initial circuit is correct.
    let nothing = TargetPattern { width: 6, height: 5, channels: 1, bits: vec![false; 30] };
    let config = with_target(&nothing, &LogicConfig { start: InitialState::Zeros, ..small() });
    let mut learner = LogicCa::new(config.clone(), 1).unwrap();
    let (cpu, before) = (Cpu::new(1), learner.state());
    let report = learner.iterate(&cpu).unwrap();
    assert!(report.hard_loss == 0.0 && report.soft_loss > 0.0, "{report:?}");
    assert_eq!(learner.state(), vivarium_logic_ca::State { epoch: 1, streak: 1, ..before });
    learn(&mut learner, &cpu, config.finish_streak() as usize - 1);
    assert!(learner.is_finished());
    // A new target resumes training.
    let all = TargetPattern { bits: vec![true; 30], ..nothing };
    learner.set_config(with_target(&all, &config)).unwrap();
    let before = learner.state();
    learn(&mut learner, &cpu, 1);
    assert!(!learner.is_finished() && learner.state().logits != before.logits);
    // AdamW's bias correction does not count epochs without a step: the first step moves each logit by the learning
    // rate.
    let after = learner.state();
    assert_eq!((before.steps, after.steps), (0, 1));
    let moved = before.logits.iter().zip(&after.logits).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
    let rate = learner.config().learning_rate;
    assert!((0.9 * rate..1.2 * rate).contains(&moved), "{moved} {rate}");
}

#[test]
fn recording_has_both_automata_from_one_initial_state() {
    let cpu = Cpu::new(1);
    let config = LogicConfig { hard_share: 0.0, ..small() };
    let mut learner = LogicCa::new(config, 1).unwrap();
    learn(&mut learner, &cpu, 1);
    let recording = learner.recording().clone();
    assert_eq!((recording.steps(), recording.channels()), (4, 4));
    let mut ones = 0;
    for step in 0..=4 {
        for channel in 0..4 {
            // With nearly one-hot gates soft cells equal hard ones within rounding.
            let (soft, hard) = (recording.soft(step, channel), recording.hard(step, channel));
            assert_eq!((soft.len(), hard.len()), (30, 30));
            assert!(soft.iter().zip(hard).all(|(&soft, &hard)| soft.abs_diff(hard) < 16), "{step} {channel}");
            ones += hard.iter().filter(|&&bit| bit == 255).count();
        }
    }
    assert!((150..450).contains(&ones), "{ones} of 600 bits are on");

    learn(&mut learner, &cpu, 1);
    assert_ne!(recording.hard(0, 0), learner.recording().hard(0, 0));
}

#[test]
fn life_is_trained_to_full_accuracy() {
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(LogicConfig::of(LogicPreset::Life), 1).unwrap();
    for _ in 0..100 {
        learn(&mut learner, &cpu, 30);
        let evaluation = learner.evaluate(&cpu, 0, 0).unwrap();
        assert_eq!(evaluation.boards, 512);
        if evaluation.wrong_bits == 0 {
            assert!((evaluation.accuracy - 1.0).abs() < 1e-12);
            return;
        }
    }
    panic!("after 3000 epochs: {:?}", learner.evaluate(&cpu, 0, 0));
}

#[test]
fn a_pattern_grows_from_a_seed() {
    let config = LogicConfig {
        width: 5,
        height: 5,
        border: Border::Fixed,
        batch: 1,
        start: InitialState::Seed,
        steps: 4,
        channels: 16,
        kernels: 4,
        update: vec![96, 96, 96, 96, 64, 32, 16],
        epochs: 600,
        local_search_epochs: 200,
        ..LogicConfig::of(LogicPreset::Checkerboard)
    };
    let cpu = Cpu::new(1);
    let mut learner = LogicCa::new(config, 1).unwrap();
    let first = learner.iterate(&cpu).unwrap();
    let by_gradient = learn(&mut learner, &cpu, 600);
    let best = |loss: fn(&Report) -> f64| by_gradient.iter().map(loss).fold(f64::INFINITY, f64::min);
    assert!(best(|report| report.soft_loss) < 0.4 * first.soft_loss, "{first:?} {:?}", by_gradient.last());
    assert!(best(|report| report.hard_loss) <= 0.6 * first.hard_loss, "{first:?} {:?}", by_gradient.last());
    // Local search corrects the remaining errors.
    let by_trial = learn(&mut learner, &cpu, 200);
    assert!(by_trial[199].hard_loss <= 2.0, "{:?}", by_trial.last());
}
