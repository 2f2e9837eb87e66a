//! The AlphaZero learner: reproducible from config and seed, saved and restored, and able to learn.

use crate::configs::alphazero as config;
use vivarium_agents::Learner;
use vivarium_agents::LearnerError;
use vivarium_agents::alphazero::{
    AlphaZero, AlphaZeroConfig, AlphaZeroNetwork, ForwardPass, Lookahead, NetworkSource, Report,
    SelfPlayGame, best, read_network,
};
use vivarium_agents::players::{Decision, MatchScore, Minimax, PairedMatch, Player, PlayerError, Random};
use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::ConnectFour;
use vivarium_graph::{Cpu, Tensor, TensorData, TensorError};
use vivarium_mcts::Game;

fn learner<G: SelfPlayGame>() -> AlphaZero<G> {
    AlphaZero::new(config(), 5).unwrap()
}

fn run<G: SelfPlayGame>(threads: usize) -> (Vec<Report>, Vec<Tensor>) {
    let cpu = Cpu::new(threads);
    let mut learner = learner::<G>();
    let reports = (0..4).map(|_| learner.iterate(&cpu).unwrap()).collect();
    (reports, learner.save())
}

#[test]
fn results_do_not_depend_on_threads() {
    fn check<G: SelfPlayGame>() {
        let one = run::<G>(1);
        let [first, second] = [&one.0[0], &one.0[1]];
        assert!(
            first.counters.simulations > 0
                && first.counters.lookahead_states > 0
                && first.counters.updates > 0
        );
        assert!(first.score.is_none() && second.score.is_some_and(|score| score.games == 8));
        for threads in [2, 5] {
            assert!(one == run::<G>(threads), "{} differs on {threads} threads", G::NAME);
        }
    }
    check::<ConnectFour>();
    check::<State>();
}

#[test]
fn training_matches_the_replay_ratio() {
    let cpu = Cpu::new(2);
    let mut learner = learner::<ConnectFour>();
    let mut last = None;
    for _ in 0..4 {
        let counters = learner.iterate(&cpu).unwrap().counters;
        assert!(counters.learned <= counters.samples);
        assert_eq!(counters.learned, 64 * counters.updates);
        last = Some(counters);
    }
    let counters = last.unwrap();
    assert!(counters.learned + 512 > counters.samples, "{counters:?}");
    assert_eq!(counters.begun, counters.games + 12);
}

#[test]
fn restored_learners_are_equal_and_deterministic() {
    fn check<G: SelfPlayGame>() {
        let cpu = Cpu::new(2);
        let mut learner = learner::<G>();
        for _ in 0..3 {
            learner.iterate(&cpu).unwrap();
        }
        let saved = learner.save();
        let restored = || AlphaZero::<G>::restore(config(), 5, &saved).unwrap();
        let begun = |tensors: &[Tensor]| match &tensors.last().unwrap().values {
            TensorData::U64(counters) => counters[0],
            other => panic!("{other:?}"),
        };
        let (mut one, mut other) = (restored(), restored());
        // The restored run starts games with new numbers; everything else is equal.
        let again = one.save();
        assert_eq!(begun(&again), begun(&saved) + 12);
        assert!(again[..again.len() - 1] == saved[..saved.len() - 1]);
        assert_eq!(one.counters().updates, learner.counters().updates);
        for _ in 0..2 {
            assert_eq!(one.iterate(&cpu).unwrap(), other.iterate(&cpu).unwrap(), "{}", G::NAME);
        }
        assert!(one.save() == other.save());
        assert!(one.save()[0] != saved[0], "training continues");
    }
    check::<ConnectFour>();
    check::<State>();
}

#[test]
fn best_network_is_exported_and_adopted() {
    let cpu = Cpu::new(1);
    let mut teacher = learner::<ConnectFour>();
    while teacher.counters().promotions == 0 {
        teacher.iterate(&cpu).unwrap();
    }
    let tensors = teacher.save_best();
    let mut learner = AlphaZero::<ConnectFour>::new(config(), 6).unwrap();
    let (network, source) = read_network(learner.best(), &tensors).unwrap();
    assert_eq!(source, NetworkSource::Alone);
    assert_eq!(network.parameters().flat(), teacher.best().parameters().flat());
    // In a checkpoint, the best network plays, or the newest one before the first promotion.
    let (network, source) = read_network(learner.best(), &teacher.save()).unwrap();
    assert_eq!(source, NetworkSource::Promoted);
    assert_eq!(network.parameters().flat(), teacher.best().parameters().flat());
    let (_, source) = read_network(learner.best(), &learner.save()).unwrap();
    assert_eq!(source, NetworkSource::Newest);
    learner.adopt_best(&tensors).unwrap();
    for network in [learner.best(), learner.newest()] {
        assert_eq!(network.parameters().flat(), teacher.best().parameters().flat());
    }
    learner.iterate(&cpu).unwrap();
}

#[test]
fn rejects_tensors_that_do_not_fit() {
    let learner = learner::<ConnectFour>();
    let saved = learner.save();
    let problem = |tensors: &[Tensor]| match AlphaZero::<ConnectFour>::restore(config(), 5, tensors) {
        Err(LearnerError::State(TensorError { tensor, problem })) => (tensor, problem),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was taken"),
    };
    let (tensor, text) = problem(&saved[1..]);
    assert_eq!((&tensor, text.as_str()), (&saved[0].name, "it is missing"));
    let mut spoiled = saved.clone();
    if let TensorData::F32(values) = &mut spoiled[2].values {
        values[0] = f32::NAN;
    }
    let (tensor, text) = problem(&spoiled);
    assert!(tensor == saved[2].name && text.contains("not finite"), "{tensor}: {text}");
    let mut spoiled = saved.clone();
    spoiled[0].shape.reverse();
    assert!(problem(&spoiled).1.contains("is needed"));
    let mut spoiled = saved.clone();
    spoiled.last_mut().unwrap().values = TensorData::U64(vec![1; 3]);
    assert_eq!(problem(&spoiled).0, "counters");

    let refused = |change: fn(&mut AlphaZeroConfig)| {
        let mut config = config();
        change(&mut config);
        AlphaZero::<State>::new(config, 1).err().unwrap().to_string()
    };
    let text = refused(|c| (c.games, c.workers, c.simulations) = (1024, 8, 10_000));
    assert!(text.contains("simulations = 10000") && text.contains("MiB"), "{text}");
    assert!(refused(|c| c.trace = -1.0).contains("trace = -1"));
}

#[test]
fn only_live_fields_can_change() {
    let cpu = Cpu::new(1);
    let mut learner = learner::<ConnectFour>();
    learner.iterate(&cpu).unwrap();
    let before = learner.counters();
    learner.set_config(AlphaZeroConfig { simulations: 32, search_share: 1.0, ..config() }).unwrap();
    learner.iterate(&cpu).unwrap();
    let after = learner.counters();
    // Decisions with more than one action are searched from here on; few decisions are forced.
    let simulations = (after.simulations - before.simulations) as f64;
    assert!(simulations > 24.0 * (after.decisions - before.decisions) as f64);
    let error = learner.set_config(AlphaZeroConfig { width: 32, ..config() }).unwrap_err();
    assert!(error.to_string().contains("width = 32"), "{error}");
}

/// Player that chooses its moves by one-ply lookahead with a network.
struct Looking<'a> {
    network: &'a AlphaZeroNetwork<ConnectFour>,
    forward: ForwardPass<ConnectFour>,
}

impl Player<ConnectFour> for Looking<'_> {
    fn choose(&mut self, decisions: &[Decision<ConnectFour>]) -> Result<Vec<usize>, PlayerError> {
        let mut lookahead = Lookahead::default();
        let roots = decisions.iter().map(|decision| decision.state);
        lookahead.evaluate(roots, |states, heads| self.forward.heads(self.network, states, heads));
        Ok((0..decisions.len()).map(|root| best(lookahead.action_values(root))).collect())
    }
}

/// Returns the score of a network with one-ply lookahead in a match against `opponent`.
fn score(network: &AlphaZeroNetwork<ConnectFour>, opponent: &mut dyn Player<ConnectFour>) -> MatchScore {
    let mut player = Looking { network, forward: ForwardPass::new(network, 64) };
    let mut games = PairedMatch::new(3, 0..100);
    games.play([&mut player, opponent]).unwrap();
    MatchScore::of(&games.points(), ConnectFour::MAX_VALUE)
}

#[test]
fn a_minibatch_may_be_as_large_as_the_replay() {
    let config = AlphaZeroConfig { minibatch: 1024, replay_capacity: 1024, ..config() };
    let mut learner = AlphaZero::<ConnectFour>::new(config, 5).unwrap();
    let cpu = Cpu::new(2);
    for _ in 0..6 {
        learner.iterate(&cpu).unwrap();
    }
    assert!(learner.counters().updates > 0);
}

#[test]
fn connect_four_is_learned_from_scratch() {
    let cpu = Cpu::new(2);
    let config = AlphaZeroConfig {
        width: 32,
        blocks: 1,
        workers: 4,
        games: 16,
        simulations: 24,
        minibatch: 128,
        generation: 8_192,
        learning_rate: 3e-3,
        match_every: 2,
        match_pairs: 40,
        ..ConnectFour::config()
    };
    let mut learner = AlphaZero::<ConnectFour>::new(config, 1).unwrap();
    let before = score(learner.newest(), &mut Minimax { plies: 2 });
    for _ in 0..16 {
        learner.iterate(&cpu).unwrap();
    }
    let after = score(learner.newest(), &mut Minimax { plies: 2 });
    assert!(before.win_rate.high < 0.5, "{before:?}");
    assert!(after.win_rate.low > 0.5, "{after:?}");
    assert!(score(learner.newest(), &mut Random).win_rate.low > 0.9);
    assert!(learner.counters().promotions > 0);
}
