//! Tests of [`NetworkPlayer`]: matches and exact values of players with untrained networks.

use std::sync::Arc;
use vivarium_agents::alphazero::{AlphaZeroNetwork, NetworkSize, SelfPlayGame};
use vivarium_agents::players::{
    Decision, MatchGame, MatchScore, NetworkPlayer, PairedMatch, Player, PlayerError, Random, each_turn,
};
use vivarium_envs::backgammon::{BAR, PLACES, Position, Roll, State, TurnPhase};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_mcts::{Game, SearchError};

const SMALL: NetworkSize = NetworkSize { width: 32, blocks: 1 };

fn network<G: SelfPlayGame>(seed: u64) -> Arc<AlphaZeroNetwork<G>> {
    Arc::new(AlphaZeroNetwork::new(SMALL, seed).unwrap())
}

fn player<G: SelfPlayGame>(seed: u64, simulations: u32) -> NetworkPlayer<G, Arc<AlphaZeroNetwork<G>>> {
    NetworkPlayer::new(network(seed), simulations).unwrap()
}

#[test]
fn a_network_against_itself_scores_exactly_even() {
    fn even<G: SelfPlayGame + MatchGame>(simulations: u32) {
        let mut games = PairedMatch::<G>::new(5, 0..6);
        games.play([&mut player(1, simulations), &mut player(1, simulations)]).unwrap();
        assert!(games.points().iter().all(|[one, other]| *one == -other), "{:?}", games.points());
    }
    even::<State>(0);
    even::<State>(6);
    even::<ConnectFour>(0);
    even::<ConnectFour>(20);
}

#[test]
fn a_match_does_not_depend_on_batching() {
    let points = |pairs| {
        let mut games = PairedMatch::<State>::new(2, pairs);
        games.play([&mut player(3, 5), &mut Random]).unwrap();
        games.points()
    };
    assert_eq!(points(0..4), [points(0..1), points(1..4)].concat());
}

#[test]
fn without_search_the_best_turn_is_chosen() {
    let mut player = player::<State>(7, 0);
    for roll in Roll::ALL {
        let state = State { position: Position::START, phase: TurnPhase::Play(roll), player: 1 };
        let evaluated_turns = player.evaluated_turns(&state);
        let mut ends = 0;
        each_turn(&state, &mut |_, end| {
            ends += 1;
            assert_eq!(evaluated_turns.iter().filter(|ending| ending.state == *end).count(), 1);
        });
        assert!(
            evaluated_turns.len() <= ends && evaluated_turns.len() > 3,
            "{} of {ends}",
            evaluated_turns.len()
        );
        let best = evaluated_turns.iter().map(|ending| ending.equity).fold(f32::MIN, f32::max);
        let chosen = player.choose(&[Decision { state, random: 0 }]).unwrap()[0];
        let reached = evaluated_turns.iter().filter(|ending| ending.branch == chosen);
        assert!(reached.map(|ending| ending.equity).any(|equity| equity == best), "{roll}");
        for ending in &evaluated_turns {
            let equity = State::equity(&ending.heads[..State::HEADS]);
            assert!((equity - ending.equity).abs() < 1e-6, "{ending:?}");
        }
    }
}

#[test]
fn terminal_states_have_their_exact_value() {
    // Three in a row: column 4, counted from 1, wins.
    let game = ConnectFour::from_moves("112233").unwrap();
    let mut alone = player::<ConnectFour>(2, 0);
    let evaluated_turns = alone.evaluated_turns(&game);
    let win = evaluated_turns.iter().find(|ending| ending.branch == 3).unwrap();
    assert_eq!(win.equity, 1.0);
    for simulations in [0, 300] {
        let chosen = player(2, simulations).choose(&[Decision { state: game, random: 0 }]).unwrap();
        assert_eq!(chosen, [3], "{simulations} simulations");
    }
}

#[test]
fn search_with_an_untrained_network_beats_random() {
    let mut games = PairedMatch::<ConnectFour>::new(1, 0..25);
    games.play([&mut player(4, 150), &mut Random]).unwrap();
    let score = MatchScore::of(&games.points(), ConnectFour::MAX_VALUE);
    assert!(score.win_rate.low > 0.8, "{score:?}");
}

#[test]
fn forced_moves_are_not_searched() {
    // On the bar against a closed board: no checker can move.
    let (mut mine, mut theirs) = ([0; PLACES], [0; PLACES]);
    (mine[BAR], mine[6]) = (1, 14);
    (1..=6).for_each(|point| theirs[point] = 2);
    theirs[7] = 3;
    let position = Position::new(mine, theirs).unwrap();
    let state = State { position, phase: TurnPhase::Play(Roll::new(4, 2).unwrap()), player: 0 };
    for simulations in [0, 4] {
        let chosen = player::<State>(1, simulations).choose(&[Decision { state, random: 0 }]).unwrap();
        assert_eq!(chosen, [0], "{simulations} simulations");
    }
}

#[test]
fn rejects_searches_larger_than_memory() {
    let Err(error) = NetworkPlayer::<State, _>::new(network(1), u32::MAX) else {
        panic!("a search of {} simulations was begun", u32::MAX);
    };
    assert!(matches!(error, SearchError::OutOfRange { .. } | SearchError::Memory { .. }), "{error}");
    assert!(!PlayerError::from(error).to_string().is_empty());
}
