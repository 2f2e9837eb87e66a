//! Value targets of a finished game: TD(λ) returns (Sutton 1988, <https://doi.org/10.1007/BF00115009>).

use super::game::{MAX_HEADS, SelfPlayGame};
use super::replay::Sample;

/// A state in the history of a game, from which a training sample is made when the game is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PastState<G> {
    pub sample: Sample<G>,
    /// Value estimate of the state at the time of the decision, as value heads for the player to move; `None` at chance
    /// nodes.
    pub estimate: Option<[f32; MAX_HEADS]>,
    /// Whether the move was exploratory: not the best move. If so, the target of this state ignores the rest of the
    /// game.
    pub explored: bool,
}

/// Computes the TD(λ) value targets of a game's history. `value` is the outcome in points for the player to move in
/// `last`.
///
/// The targets are computed from the last state to the first: z_t = λ·z_{t+1} + (1 − λ)·v_t with λ = `trace` and the
/// estimate v_t of the decision. With λ = 1 the target is the outcome of the game. λ is 0 at exploratory moves, and
/// the exact value replaces the target in states of an endgame table. The heads are flipped where the player to move
/// changes, which is not the case between the halves of a double in backgammon.
pub(crate) fn fill_targets<G: SelfPlayGame>(history: &mut [PastState<G>], last: &G, value: f32, trace: f32) {
    let mut goal = [0.0; MAX_HEADS];
    let goal = &mut goal[..G::HEADS];
    G::outcome_heads(value, goal);
    let mut player = last.player();
    for past in history.iter_mut().rev() {
        let to_move = past.sample.state.player();
        if to_move != player {
            G::flip_heads(goal);
            player = to_move;
        }
        if let Some(estimate) = &past.estimate {
            let trace = if past.explored { 0.0 } else { trace };
            goal.iter_mut().zip(estimate).for_each(|(goal, now)| *goal = trace * *goal + (1.0 - trace) * now);
        }
        past.sample.state.exact_heads(goal);
        past.sample.heads[..G::HEADS].copy_from_slice(goal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::{LegalActions, Position, Roll, State, TurnPhase};
    use vivarium_envs::connect_four::ConnectFour;

    fn past<G>(state: G, estimate: Option<[f32; MAX_HEADS]>, explored: bool) -> PastState<G> {
        PastState { sample: Sample { state, heads: [9.0; MAX_HEADS], policy_len: 0 }, estimate, explored }
    }

    /// Returns the four states of a backgammon turn with a double: before the roll, first half, second half, and the
    /// opponent's state before the next roll.
    fn double() -> [State; 4] {
        let before = State { position: Position::START, phase: TurnPhase::Roll, player: 1 };
        let first = before.rolled(Roll::new(2, 2).unwrap());
        let mut actions = LegalActions::new();
        first.actions(&mut actions);
        let second = first.after(actions[0]);
        assert!(matches!(second.phase, TurnPhase::SecondHalf(_)));
        second.actions(&mut actions);
        [before, first, second, second.after(actions[0])]
    }

    #[test]
    fn targets_flip_with_the_player_but_not_within_a_double() {
        let mut history = double().map(|state| past(state, None, false));
        // Player 0 loses a gammon.
        let last = State { player: 0, ..State::START };
        fill_targets(&mut history, &last, -2.0, 1.0);
        let [won, lost] = [[1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0]];
        assert_eq!(history.map(|past| past.sample.heads), [won, won, won, lost]);
    }

    #[test]
    fn estimates_affect_the_decision_and_all_earlier_states() {
        let [_, first, second, after] = double();
        let estimate = [0.6, 0.2, 0.0, 0.1, 0.0];
        let mut history =
            [past(first, None, false), past(second, Some(estimate), false), past(after, None, false)];
        let last = State { player: 1, ..State::START };
        fill_targets(&mut history, &last, 1.0, 0.75);
        let close = |found: [f32; MAX_HEADS], expected: [f32; MAX_HEADS]| {
            assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?} {expected:?}");
        };
        // The target of the decision is a quarter of the estimate plus three quarters of the outcome. The target of the
        // state after the decision is the outcome.
        close(history[2].sample.heads, [0.0; MAX_HEADS]);
        close(history[1].sample.heads, [0.9, 0.05, 0.0, 0.025, 0.0]);
        close(history[0].sample.heads, [0.9, 0.05, 0.0, 0.025, 0.0]);
    }

    #[test]
    fn exact_values_replace_outcomes() {
        let side = |point: usize| {
            let mut counts = [0; 26];
            (counts[0], counts[point]) = (14, 1);
            counts
        };
        // 27 of the 36 rolls bear off a checker on the six point; all rolls bear off the opponent's checker on the ace
        // point.
        let position = Position::new(side(6), side(1)).unwrap();
        let before = State { position, phase: TurnPhase::Roll, player: 0 };
        let decision = before.rolled(Roll::new(2, 1).unwrap());
        let mut history = [before, decision].map(|state| past(state, None, false));
        fill_targets(&mut history, &State { player: 0, ..State::START }, 1.0, 1.0);
        let [known, played] = history.map(|past| past.sample.heads);
        assert!((known[0] - 0.75).abs() < 1e-6 && known[1..] == [0.0; 4], "{known:?}");
        assert_eq!(played, [1.0, 0.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn exploratory_moves_cut_the_trace() {
        let start = ConnectFour::START;
        let states = [start, start.after(3), start.after(3).after(3)];
        let believed = |win: f32, lose: f32| Some([win, lose, 0.0, 0.0, 0.0]);
        let mut history = [
            past(states[0], believed(0.5, 0.25), false),
            past(states[1], believed(0.75, 0.0), true),
            past(states[2], None, false),
        ];
        fill_targets(&mut history, &states[2].after(0), -1.0, 0.5);
        let heads = history.map(|past| [past.sample.heads[0], past.sample.heads[1]]);
        // The player of the last move wins. One move earlier, the opponent estimated a win probability of 0.75 and made
        // an exploratory move.
        assert_eq!(heads, [[0.25, 0.5], [0.75, 0.0], [1.0, 0.0]]);
    }
}
