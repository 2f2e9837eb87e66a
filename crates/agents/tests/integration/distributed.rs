//! Self-play and learning of AlphaZero as two parts, connected by bytes.

use crate::configs::alphazero as config;
use vivarium_agents::alphazero::{
    AlphaZero, AlphaZeroConfig, BatchWindow, ReplayLearner, Report, SampleError, SelfPlay, SelfPlayBatch,
    SelfPlayGame,
};
use vivarium_agents::{Advance, Learner};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_graph::Cpu;

/// Plays a self-play round with the weights of `learner`.
fn play_round<G: SelfPlayGame>(cpu: &Cpu, play: &mut SelfPlay<G>, learner: &ReplayLearner<G>) -> Vec<u8> {
    let counters = learner.counters();
    play.set_weights(learner.newest().weights(), counters.games, counters.samples);
    play.round(cpu).unwrap();
    play.take_batch().to_bytes()
}

fn batch<G: SelfPlayGame>(bytes: &[u8]) -> SelfPlayBatch<G> {
    SelfPlayBatch::from_bytes(bytes).unwrap()
}

#[test]
fn two_parts_compute_the_weights_of_the_learner() {
    fn check<G: SelfPlayGame>() {
        let cpu = Cpu::new(2);
        let config = AlphaZeroConfig { match_every: 0, games_before_search: 10, ..config() };
        let mut whole = AlphaZero::<G>::new(config.clone(), 5).unwrap();
        for _ in 0..4 {
            whole.iterate(&cpu).unwrap();
        }
        let expected = whole.counters();
        let mut learner = ReplayLearner::<G>::new(config.clone(), 5).unwrap();
        let mut play = SelfPlay::<G>::new(config, 5).unwrap();
        while learner.counters().samples < expected.samples {
            let bytes = play_round(&cpu, &mut play, &learner);
            learner.learn(&cpu).unwrap();
            assert!(learner.add_batch(&batch(&bytes)));
        }
        let counters = learner.counters();
        assert!(counters.updates > 20 && counters.simulations > 0, "{counters:?}");
        assert_eq!(counters.updates, expected.updates);
        assert_eq!(counters.samples, expected.samples);
        assert_eq!(counters.games, expected.games);
        assert_eq!(counters.decisions, expected.decisions);
        assert!(learner.newest().weights() == whole.newest().weights(), "{}", G::NAME);
    }
    check::<ConnectFour>();
    check::<State>();
}

/// Plays and learns until `count` generations have ended.
fn generations<G: SelfPlayGame>(
    cpu: &Cpu,
    play: &mut SelfPlay<G>,
    learner: &mut ReplayLearner<G>,
    count: usize,
) -> Vec<Report> {
    let mut reports = Vec::new();
    while reports.len() < count {
        match learner.advance(cpu).unwrap() {
            Advance::Waiting => {
                let bytes = play_round(cpu, play, learner);
                assert!(learner.add_batch(&batch(&bytes)));
            }
            Advance::Unfinished(_) => {}
            Advance::Finished(report) => reports.push(report),
        }
    }
    reports
}

#[test]
fn a_learner_reports_generations_and_is_restored() {
    let cpu = Cpu::new(2);
    let mut learner = ReplayLearner::<ConnectFour>::new(config(), 5).unwrap();
    let mut play = SelfPlay::new(config(), 6).unwrap();
    let reports = generations(&cpu, &mut play, &mut learner, 4);
    assert!(reports.iter().all(|report| report.games > 0 && report.counters.updates > 0));
    // A promotion match follows every second generation.
    assert_eq!(
        reports.iter().map(|report| report.score.is_some()).collect::<Vec<_>>(),
        [false, true, false, true]
    );
    let counters = learner.counters();
    assert!(counters.learned <= counters.samples && counters.learned + 64 > counters.samples, "{counters:?}");

    let saved = learner.save();
    let mut restored = ReplayLearner::<ConnectFour>::restore(config(), 5, &saved).unwrap();
    restored.set_added_batches(learner.added_batches().clone());
    assert!(restored.save() == saved);
    assert_eq!(restored.newest().weights(), learner.newest().weights());
    generations(&cpu, &mut play, &mut restored, 1);
    assert_eq!(restored.counters().generations, 5);
    // The learner of one process restores the same state.
    assert_eq!(
        AlphaZero::<ConnectFour>::restore(config(), 5, &saved).unwrap().counters().games,
        counters.games
    );
}

#[test]
fn a_batch_counts_once() {
    let cpu = Cpu::new(1);
    let mut learner = ReplayLearner::<State>::new(config(), 5).unwrap();
    let mut play = SelfPlay::<State>::new(config(), 6).unwrap();
    let mut batches = Vec::new();
    while batches.len() < 3 {
        if play.round(&cpu).unwrap().games() > 0 {
            batches.push(batch::<State>(&play.take_batch().to_bytes()));
        }
    }
    let [first, second, third] = &batches[..] else { panic!("three batches") };
    assert_eq!([first, second, third].map(|batch| (batch.seed, batch.number)), [(6, 0), (6, 1), (6, 2)]);
    let added = [first, first, third, second, third, second].map(|batch| learner.add_batch(batch));
    assert_eq!(added, [true, false, true, true, false, false]);
    let games: u64 = batches.iter().map(|batch| batch.samples.games()).sum();
    let samples: usize = batches.iter().map(|batch| batch.samples.len()).sum();
    assert_eq!((learner.counters().games, learner.counters().samples), (games, samples as u64));
    // Another `SelfPlay` counts its batches from 0.
    assert!(learner.add_batch(&SelfPlayBatch { seed: 7, ..first.clone() }));
}

#[test]
fn a_window_contains_the_last_64_batches() {
    let mut window = BatchWindow::default();
    let mut add = |number| window.add(number);
    assert!(add(0) && add(63), "the window has room for 64");
    assert!(add(1) && !add(0) && !add(1));
    assert!(add(64) && !add(0), "0 lies before the window");
    assert!(add(2) && !add(1) && !add(63));
    assert!(add(1000) && add(937) && !add(936) && !add(64));
    assert!(add(u64::MAX - 1) && !add(1000) && !add(u64::MAX - 1) && add(u64::MAX - 2));
}

#[test]
fn damaged_samples_are_rejected() {
    let cpu = Cpu::new(1);
    let mut play = SelfPlay::<State>::new(config(), 6).unwrap();
    while play.round(&cpu).unwrap().is_empty() {}
    let batch = play.take_batch();
    let bytes = batch.to_bytes();
    assert_eq!(SelfPlayBatch::<State>::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    let error = |bytes: &[u8]| SelfPlayBatch::<State>::from_bytes(bytes).unwrap_err();
    assert_eq!(error(b"something else"), SampleError::Format);
    assert_eq!(error(&[0; 500]), SampleError::Format);
    assert!(matches!(
        SelfPlayBatch::<ConnectFour>::from_bytes(&bytes),
        Err(SampleError::Game("connect-four"))
    ));
    let got = bytes.len() - 1;
    assert_eq!(error(&bytes[..got]), SampleError::Length { got, expected: bytes.len() as u64 });
    // The first sample begins after the header.
    const HEADER: usize = 128;
    let spoiled = |at: usize, with: &[u8]| {
        let mut spoiled = bytes.clone();
        spoiled[at..at + with.len()].copy_from_slice(with);
        error(&spoiled)
    };
    assert!(matches!(spoiled(40, &u64::MAX.to_le_bytes()), SampleError::Length { .. }));
    assert_eq!(spoiled(56, &f64::NAN.to_le_bytes()), SampleError::Number("a statistic"));
    assert_eq!(spoiled(HEADER, &[255; 16]), SampleError::Number("a state"));
    assert_eq!(spoiled(HEADER + 16, &[44]), SampleError::Number("a state"));
    assert_eq!(spoiled(HEADER + 17, &2f32.to_le_bytes()), SampleError::Number("a value target"));
    assert_eq!(
        spoiled(HEADER + 37, &u16::MAX.to_le_bytes()),
        SampleError::Number("the length of a policy target")
    );
    let last = bytes.len() - 4;
    assert_eq!(spoiled(last, &u16::MAX.to_le_bytes()), SampleError::Number("an action"));
}

#[test]
fn states_are_packed() {
    assert_eq!(ConnectFour::unpack(1 << 6, 0), None, "a cell above the board");
    assert_eq!(ConnectFour::unpack(1 << 1, 0), None, "a stone above an empty cell");
    assert_eq!(ConnectFour::unpack(1 << 64 | 1, 0), None, "a cell that both players occupy");
    assert_eq!(ConnectFour::unpack(0, 2), None, "a third player");
    let game = ConnectFour::from_moves("44536267").unwrap();
    let (bits, tag) = game.pack();
    assert_eq!(ConnectFour::unpack(bits, tag), Some(game));
    let state = State::START;
    let (bits, _) = state.pack();
    for tag in 0..=255 {
        let unpacked = State::unpack(bits, tag);
        assert_eq!(unpacked.is_some(), tag & 127 < 44, "{tag}");
        assert!(unpacked.is_none_or(|state| state.pack() == (bits, tag)), "{tag}");
    }
}
