//! Initial states of match games.

use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

/// Game in which two players can play a match.
pub trait MatchGame: Game + Send + Sync {
    /// Returns the initial state of a pair of games, drawn with `random`.
    fn begin(random: &mut Stream) -> Self;
}

/// A pair begins at the standard starting position; the dice provide variety.
impl MatchGame for State {
    fn begin(_: &mut Stream) -> Self {
        Self::START
    }
}

/// A pair begins with four stones in random columns. Without these stones, two deterministic players would repeat the
/// same game. Four stones, two of each player, cannot end the game.
impl MatchGame for ConnectFour {
    fn begin(random: &mut Stream) -> Self {
        const STONES: usize = 4;
        (0..STONES).fold(Self::START, |game, _| game.after(random.below(COLUMNS as u32) as usize))
    }
}
