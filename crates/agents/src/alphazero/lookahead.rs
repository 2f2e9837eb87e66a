//! One-ply lookahead: the network evaluates the afterstate of every legal move.

use super::game::{MAX_HEADS, SelfPlayGame};
use vivarium_mcts::GameStatus;

/// Value of a legal move, as estimated by a one-ply lookahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActionValue {
    /// Action index of the legal move.
    pub action: usize,
    /// Equity (expected points) of the state after the move, for the player who moves.
    pub equity: f32,
    /// Outcome probabilities for the player who moves. The first [`SelfPlayGame::HEADS`] entries are used.
    pub heads: [f32; MAX_HEADS],
}

/// One-ply lookahead over many games in one batch of network evaluations, with reusable buffers.
///
/// In backgammon an afterstate is a position before the opponent's roll or before the second half of a double.
/// Therefore the values do not depend on the next roll.
pub struct Lookahead<G: SelfPlayGame> {
    scratch: G::Scratch,
    /// Afterstates that the network has to evaluate: all afterstates in which the game is not over.
    states: Vec<G>,
    /// For each afterstate in `states`: the index in `action_values` of the action that leads to the afterstate.
    of: Vec<usize>,
    /// Outcome probabilities of `states`, `[states, HEADS]`.
    heads: Vec<f32>,
    action_values: Vec<ActionValue>,
    /// For each element of `action_values`: whether the opponent is to move after the action.
    turned: Vec<bool>,
    /// `[roots]`: end of each root state's legal moves in `action_values`. The moves begin where the moves of the
    /// previous root state end.
    ends: Vec<usize>,
}

impl<G: SelfPlayGame> Default for Lookahead<G> {
    fn default() -> Self {
        Self {
            scratch: G::Scratch::default(),
            states: Vec::new(),
            of: Vec::new(),
            heads: Vec::new(),
            action_values: Vec::new(),
            turned: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl<G: SelfPlayGame> Lookahead<G> {
    /// Evaluates all legal moves of each root state. Calls `evaluate_states` with the afterstates and with an output
    /// buffer `[states, HEADS]`. `evaluate_states` writes to the buffer the outcome probabilities for the player to
    /// move in each afterstate.
    pub fn evaluate(
        &mut self,
        roots: impl Iterator<Item = G>,
        evaluate_states: impl FnOnce(&[G], &mut [f32]),
    ) {
        self.begin(roots);
        let (states, heads) = self.evaluation();
        evaluate_states(states, heads);
        self.finish();
    }

    /// Begins an [evaluation](Self::evaluate): collects the afterstates of all legal moves of the root states.
    pub fn begin(&mut self, roots: impl Iterator<Item = G>) {
        let Self { scratch, states, of, heads, action_values, turned, ends } = self;
        states.clear();
        of.clear();
        action_values.clear();
        ends.clear();
        turned.clear();
        for root in roots {
            root.branches(scratch, |action, _| {
                let after = root.after(action);
                let mut action_value = ActionValue { action, equity: 0.0, heads: [0.0; MAX_HEADS] };
                match after.status() {
                    GameStatus::Over(value) => G::outcome_heads(value, &mut action_value.heads[..G::HEADS]),
                    GameStatus::Decision | GameStatus::Chance => {
                        of.push(action_values.len());
                        states.push(after);
                    }
                }
                turned.push(after.player() != root.player());
                action_values.push(action_value);
            });
            ends.push(action_values.len());
        }
        heads.resize(states.len() * G::HEADS, 0.0);
    }

    /// Returns the afterstates that [`begin`](Self::begin) collected, and an output buffer `[states, HEADS]`. The
    /// caller writes to the buffer the outcome probabilities for the player to move in each afterstate.
    pub fn evaluation(&mut self) -> (&[G], &mut [f32]) {
        (&self.states, &mut self.heads)
    }

    /// Ends an [evaluation](Self::evaluate): computes the action values from the outcome probabilities that the
    /// caller wrote to the buffer of [`evaluation`](Self::evaluation).
    pub fn finish(&mut self) {
        let Self { of, heads, action_values, turned, .. } = self;
        for (&of, heads) in of.iter().zip(heads.chunks_exact(G::HEADS)) {
            action_values[of].heads[..G::HEADS].copy_from_slice(heads);
        }
        for (action_value, &turned) in action_values.iter_mut().zip(turned.iter()) {
            let heads = &mut action_value.heads[..G::HEADS];
            if turned {
                G::flip_heads(heads);
            }
            action_value.equity = G::equity(heads);
        }
    }

    /// Returns the value of each legal move of a root state, in the order of the game's legal moves. `root` is the
    /// position of the state in the evaluated batch.
    pub fn action_values(&self, root: usize) -> &[ActionValue] {
        let first = if root == 0 { 0 } else { self.ends[root - 1] };
        &self.action_values[first..self.ends[root]]
    }
}

/// Returns the index of the action with the highest equity; ties go to the first action. Returns 0 if `action_values`
/// is empty.
pub fn best(action_values: &[ActionValue]) -> usize {
    // `max_by` returns the last of several maxima, so the reversed order gives the first.
    let best = action_values.iter().rev().max_by(|a, b| a.equity.total_cmp(&b.equity));
    best.map_or(0, |best| best.action)
}

/// Computes the policy π(a) ∝ e^(equity of a / `unit`), a softmax over the equities with the temperature `unit` in
/// points. Calls `each` with the index and the probability of every action.
pub(crate) fn softmax_policy(action_values: &[ActionValue], unit: f32, mut each: impl FnMut(usize, f32)) {
    let best = action_values.iter().map(|action_value| action_value.equity).fold(f32::NEG_INFINITY, f32::max);
    let weight = |action_value: &ActionValue| ((action_value.equity - best) / unit).exp();
    let total: f32 = action_values.iter().map(weight).sum();
    action_values.iter().for_each(|action_value| each(action_value.action, weight(action_value) / total));
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{Position, Roll, State, TurnPhase};
    use vivarium_envs::connect_four::ConnectFour;

    #[test]
    fn terminal_afterstates_skip_the_network_and_heads_are_flipped() {
        // The player to move wins in column 4, counted from 1.
        let game = ConnectFour::from_moves("112233").unwrap();
        let mut lookahead = Lookahead::default();
        lookahead.evaluate([game, ConnectFour::START].into_iter(), |states, heads| {
            assert_eq!(states.len(), 13);
            heads.chunks_exact_mut(2).for_each(|heads| heads.copy_from_slice(&[0.75, 0.25]));
        });
        assert_eq!(best(lookahead.action_values(0)), 3);
        for action_value in lookahead.action_values(0) {
            assert_eq!(action_value.equity, if action_value.action == 3 { 1.0 } else { -0.5 });
        }
        assert_eq!(lookahead.action_values(1).len(), 7);
        assert_eq!(best(lookahead.action_values(1)), 0, "ties go to the first action");
    }

    #[test]
    fn heads_are_not_flipped_within_a_double() {
        let before = State { position: Position::START, phase: TurnPhase::Roll, player: 0 };
        for (roll, equity) in [((4, 4), 0.5), ((4, 3), -0.5)] {
            let state = before.rolled(Roll::new(roll.0, roll.1).unwrap());
            let mut lookahead = Lookahead::default();
            lookahead.evaluate([state].into_iter(), |_, heads| {
                heads
                    .chunks_exact_mut(5)
                    .for_each(|heads| heads.copy_from_slice(&[0.75, 0.0, 0.0, 0.0, 0.0]));
            });
            assert!(lookahead.action_values(0).len() > 3);
            assert!(
                lookahead.action_values(0).iter().all(|action_value| action_value.equity == equity),
                "{roll:?}"
            );
        }
    }

    #[test]
    fn softmax_policy_decays_with_equity_loss() {
        let action_value = |action, equity| ActionValue { action, equity, heads: [0.0; MAX_HEADS] };
        let action_values =
            [action_value(4, 0.1), action_value(9, 0.1 + 0.02 * 3f32.ln()), action_value(2, -5.0)];
        let mut shares = Vec::new();
        softmax_policy(&action_values, 0.02, |action, probability| shares.push((action, probability)));
        for ((action, probability), expected) in shares.into_iter().zip([(4, 0.25), (9, 0.75), (2, 0.0)]) {
            assert!(
                action == expected.0 && (probability - expected.1).abs() < 1e-4,
                "{action}: {probability}"
            );
        }
    }
}
