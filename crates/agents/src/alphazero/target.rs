//! What the states of a game were worth, seen from its end.

use super::game::{Learnable, MOST_HEADS};
use super::replay::Sample;

/// A state of a game that is under way, to be learnt from once the game is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moment<G> {
    pub sample: Sample<G>,
    /// Of a decision: what it seemed to be worth when it was made, as value heads of the player to move.
    pub estimate: Option<[f32; MOST_HEADS]>,
    /// The move made was not the one that seemed best: what came after tells less of this state.
    pub explored: bool,
}

/// Fills in the targets of a game's moments, in order, from its last state, which is over with this value for
/// the player who would be to move.
///
/// Going backwards, a target is a mix of what the decision seemed worth then and of the target after it, which
/// counts `trace`: TD(λ) (Sutton, 1988) with λ = `trace`; at 1 it is the outcome alone. Nothing flows back through a
/// move that was made to explore. Heads are turned where the player to move changes, and only there: both
/// halves of a double in backgammon are one player's.
pub(crate) fn fill_targets<G: Learnable>(moments: &mut [Moment<G>], last: &G, value: f32, trace: f32) {
    let mut goal = [0.0; MOST_HEADS];
    let goal = &mut goal[..G::HEADS];
    G::heads_of(value, goal);
    let mut player = last.player();
    for moment in moments.iter_mut().rev() {
        let to_move = moment.sample.state.player();
        if to_move != player {
            G::turn(goal);
            player = to_move;
        }
        if let Some(estimate) = &moment.estimate {
            let trace = if moment.explored { 0.0 } else { trace };
            goal.iter_mut().zip(estimate).for_each(|(goal, now)| *goal = trace * *goal + (1.0 - trace) * now);
        }
        moment.sample.heads[..G::HEADS].copy_from_slice(goal);
    }
}
