//! Whole turns of a player, which may take several decisions.

use vivarium_mcts::{Game, Status};

/// Calls `each` for every way to end the turn of the player to move: with the branch that it begins with and the state that
/// it leads to, in which chance or the opponent is next or the game is over. In backgammon that is every play; a double's
/// may come several times.
pub fn each_turn<G: Game>(state: &G, each: &mut dyn FnMut(usize, &G)) {
    let mut scratch = G::Scratch::default();
    state.branches(&mut scratch, |branch, _| {
        let after = state.after(branch);
        if after.status() == Status::Decision && after.player() == state.player() {
            each_turn(&after, &mut |_, end| each(branch, end));
        } else {
            each(branch, &after);
        }
    });
}

/// The branch that begins the turn after which `worth`, seen by the player who moves, is greatest; of equals the first. 0
/// where there is nothing to choose from.
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
