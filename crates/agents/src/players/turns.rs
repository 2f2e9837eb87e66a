//! Complete turns of a player. A turn may consist of several decisions, such as the two halves of a double in
//! backgammon.

use vivarium_mcts::{Game, GameStatus};

/// Calls `each` for every complete turn of the player to move, with the branch index of the turn's first move and the
/// state after the turn. That state is a chance node, a decision of the opponent, or the end of the game. In
/// backgammon the turns are all plays of a roll; a play of a double may occur more than once.
pub fn each_turn<G: Game>(state: &G, each: &mut dyn FnMut(usize, &G)) {
    let mut scratch = G::Scratch::default();
    state.branches(&mut scratch, |branch, _| {
        let after = state.after(branch);
        if after.status() == GameStatus::Decision && after.player() == state.player() {
            each_turn(&after, &mut |_, end| each(branch, end));
        } else {
            each(branch, &after);
        }
    });
}

/// Returns the branch index of the first move of the best turn, which leads to the state with the highest `worth`. Ties
/// go to the first turn. Returns 0 if there is no legal move.
pub fn best_turn<G: Game, W: PartialOrd>(state: &G, mut worth: impl FnMut(&G) -> W) -> usize {
    let mut best: Option<(usize, W)> = None;
    each_turn(state, &mut |branch, end| {
        let worth = worth(end);
        if best.as_ref().is_none_or(|(_, most)| worth > *most) {
            best = Some((branch, worth));
        }
    });
    best.map_or(0, |(branch, _)| branch)
}
