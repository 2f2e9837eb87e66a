//! Tests of the forward pass of AlphaZero networks, against an evaluation of the same graph in `f64`.

use vivarium_agents::alphazero::{
    AlphaZeroGraph, AlphaZeroNetwork, ForwardPass, InputRow, NetworkSize, SelfPlayGame,
};
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::{Roll, State, TurnPhase, Xgid};
use vivarium_envs::connect_four::ConnectFour;
use vivarium_graph::reference;
use vivarium_kernels::simd;
use vivarium_mcts::{Game, GameStatus, Leaves};

/// Returns a network with enlarged weights of its heads, so that its outputs are not nearly uniform.
fn network<G: SelfPlayGame>(level: simd::Level, size: NetworkSize) -> AlphaZeroNetwork<G> {
    let mut network = AlphaZeroNetwork::new(size, 7).unwrap().at_level(level);
    let mut parameters = network.parameters().clone();
    for name in ["policy.weight", "value.weight"] {
        parameters.get_mut(name).unwrap().iter_mut().for_each(|weight| *weight *= 30.0);
    }
    for name in ["policy.bias", "value.bias"] {
        let numbers = parameters.get_mut(name).unwrap().iter_mut().enumerate();
        numbers.for_each(|(index, bias)| *bias = 0.1 * (index as f32).sin());
    }
    network.write(parameters.flat());
    network
}

fn leaves<G: Game>(states: &[G]) -> Leaves<G> {
    let (mut leaves, mut scratch) = (Leaves::new(states.len()), G::Scratch::default());
    for &state in states {
        let mut actions = Vec::new();
        if state.status() == GameStatus::Decision {
            state.branches(&mut scratch, |action, _| actions.push(action));
        }
        leaves.push(state, actions);
    }
    leaves
}

/// Sparse input row of a state that checks that elements are written in ascending order of their columns.
struct Rising {
    next: usize,
}

impl InputRow for Rising {
    fn push_first<const N: usize>(&mut self, len: usize, numbers: [(usize, f32); N]) {
        for &(place, number) in &numbers[..len] {
            assert!(place >= self.next, "{place} after {}", self.next - 1);
            assert_ne!(number, 0.0, "at {place}");
            self.next = place + 1;
        }
    }
}

fn is_written_in_order<G: SelfPlayGame>(states: &[G]) {
    for state in states {
        let mut row = Rising { next: 0 };
        state.write_inputs(&mut row);
        assert!(row.next <= G::INPUTS);
    }
}

fn agrees_with_the_reference<G: SelfPlayGame>(states: &[G], size: NetworkSize) {
    let rows = states.len();
    let mut inputs = vec![0.0; rows * G::INPUTS];
    states.iter().zip(inputs.chunks_exact_mut(G::INPUTS)).for_each(|(state, row)| state.encode(row));
    let inputs: Vec<f64> = inputs.into_iter().map(f64::from).collect();
    let leaves = leaves(states);
    for level in simd::levels() {
        let network = network::<G>(level, size);
        let AlphaZeroGraph { graph, logits, heads, .. } = network.definition();
        let parameters: Vec<f64> = network.parameters().flat().iter().copied().map(f64::from).collect();
        let slices: [&[f64]; 5] = [&inputs, &[], &[], &[], &[]];
        let expected = reference::evaluate(graph, &parameters, rows, &slices, &[*logits, *heads]);

        // A smaller capacity than the number of states, so that several batches are needed.
        let mut forward = ForwardPass::new(&network, rows / 3 + 1);
        let mut logits = vec![f32::NAN; leaves.actions().len()];
        let (mut values, mut heads) = (vec![f32::NAN; rows], vec![f32::NAN; rows * G::HEADS]);
        forward.evaluate(&network, &leaves, &mut logits, &mut values);
        forward.heads(&network, states, &mut heads);
        let (mut spread, mut seen) = (0f64, 0);
        for row in 0..rows {
            for (&action, &logit) in
                leaves.actions()[leaves.range(row)].iter().zip(&logits[leaves.range(row)])
            {
                let wanted = expected[0][row * G::ACTIONS + action as usize];
                assert!(
                    (f64::from(logit) - wanted).abs() < 1e-4,
                    "row {row}, action {action}: {logit} {wanted}"
                );
                spread = spread.max(wanted.abs());
                seen += 1;
            }
            let heads = &heads[row * G::HEADS..][..G::HEADS];
            let outputs = &expected[1][row * G::HEADS..][..G::HEADS];
            let mut wanted: Vec<f32> = outputs.iter().map(|&output| output as f32).collect();
            states[row].remove_impossible_outcomes(&mut wanted);
            for (head, wanted) in heads.iter().zip(&wanted) {
                assert!((head - wanted).abs() < 1e-5, "row {row}: {head} {wanted}");
            }
            assert!((values[row] - G::equity(heads)).abs() < 1e-5);
        }
        assert!(spread > 0.3 && seen > 2 * rows, "{spread} {seen}");
    }
}

#[test]
fn backgammon_agrees_with_the_reference() {
    let states: Vec<State> = super::backgammon::states(3).into_iter().step_by(9).collect();
    agrees_with_the_reference(&states, NetworkSize::REFERENCE);
    agrees_with_the_reference(&states, NetworkSize { width: 40, blocks: 1 });
}

#[test]
fn outcomes_that_the_rules_exclude_have_probability_0() {
    let all = super::backgammon::states(40);
    let late: Vec<State> = all.into_iter().filter(|state| state.outcome().is_none()).collect();
    let network = network::<State>(simd::level(), NetworkSize::SMALL);
    let mut forward = ForwardPass::new(&network, 64);
    let (mut heads, mut values) = (vec![f32::NAN; 5 * late.len()], vec![f32::NAN; late.len()]);
    forward.heads(&network, &late, &mut heads);
    let leaves = leaves(&late);
    let mut logits = vec![0.0; leaves.actions().len()];
    forward.evaluate(&network, &leaves, &mut logits, &mut values);
    // Number of states in which the rules exclude gammons, and of states in which they exclude only backgammons.
    let mut excluded = [0; 2];
    for ((state, heads), value) in late.iter().zip(heads.as_chunks::<5>().0).zip(values) {
        let [mine, theirs] = [state.position.mine().counts(), state.position.theirs().counts()];
        let rearmost = |side: &[u8]| side.iter().rposition(|&count| count > 0).unwrap_or(0);
        let contact = rearmost(&mine) + rearmost(&theirs) > 24;
        for (loser, gammon) in [(theirs, 1), (mine, 3)] {
            let possible = [loser[0] == 0, loser[0] == 0 && (contact || rearmost(&loser) > 18)];
            excluded[0] += usize::from(!possible[0]);
            excluded[1] += usize::from(possible == [true, false]);
            assert_eq!([heads[gammon], heads[gammon + 1]].map(|head| head > 0.0), possible, "{state:?}");
        }
        assert!((value - State::equity(heads)).abs() < 1e-5);
    }
    assert!(excluded.iter().all(|&states| states > 100), "{excluded:?}");
}

#[test]
fn a_search_counts_no_gammon_of_a_player_who_has_borne_off_a_checker() {
    let position = Xgid::parse("XGID=-a-BaBC-B---bC---c-d-b-AB-:0:0:1:00:0:0:0:0:8").unwrap().position;
    let state = State { position, phase: TurnPhase::Play(Roll::new(3, 1).unwrap()), player: 0 };
    // A network whose probabilities of wins are 1/2, of gammons and backgammons of both players 1.
    let mut network = network::<State>(simd::level(), NetworkSize::SMALL);
    let mut parameters = network.parameters().clone();
    parameters.get_mut("value.weight").unwrap().fill(0.0);
    parameters.get_mut("value.bias").unwrap().copy_from_slice(&[0.0, 20.0, 20.0, 20.0, 20.0]);
    network.write(parameters.flat());
    for simulations in [0, 100] {
        let mut player = NetworkPlayer::new(&network, simulations).unwrap();
        // The player on roll wins 1 point and loses 3 points. With the impossible gammons, the value is 0.
        let value = player.value(&state).unwrap();
        assert!((value + 2.0).abs() < 1e-4, "{simulations}: {value}");
    }
}

#[test]
fn connect_four_agrees_with_the_reference() {
    let states =
        ["", "4", "44", "4433", "112233", "1727354"].map(|moves| ConnectFour::from_moves(moves).unwrap());
    agrees_with_the_reference(&states, NetworkSize::SMALL);
}

#[test]
fn inputs_are_written_in_ascending_order() {
    is_written_in_order(&super::backgammon::states(20));
    let games = ["", "4", "44", "4433", "112233", "1727354"];
    is_written_in_order(&games.map(|moves| ConnectFour::from_moves(moves).unwrap()));
}

#[test]
fn the_reference_network_has_about_283_000_weights() {
    let definition = AlphaZeroGraph::new::<State>(NetworkSize::REFERENCE);
    let weights = definition.graph.parameter_count();
    assert!((281_000..285_000).contains(&weights), "{weights}");
}

#[test]
fn weights_can_be_replaced() {
    let level = simd::level();
    let trained = network::<ConnectFour>(level, NetworkSize::SMALL);
    let mut other = AlphaZeroNetwork::new(NetworkSize::SMALL, 8).unwrap();
    let leaves = leaves(&[ConnectFour::START]);
    let evaluated = |network: &AlphaZeroNetwork<ConnectFour>| {
        let (mut logits, mut values) = ([0.0; 7], [0.0]);
        ForwardPass::new(network, 1).evaluate(network, &leaves, &mut logits, &mut values);
        (logits, values)
    };
    assert_ne!(evaluated(&other), evaluated(&trained));
    other.write(trained.weights());
    assert_eq!(evaluated(&other), evaluated(&trained));
}
