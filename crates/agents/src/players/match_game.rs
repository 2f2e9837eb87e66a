//! Initial states of match games.

use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

/// A game that matches can be played in.
pub trait MatchGame: Game + Send + Sync {
    /// Returns the initial state of a pair of games.
    fn begin(random: &mut Stream) -> Self;
}

/// The standard starting position; the dice provide variety.
impl MatchGame for State {
    fn begin(_: &mut Stream) -> Self {
        Self::START
    }
}

/// Four stones in random columns. Without them, two deterministic players would repeat the same game. Four in a row is
/// not possible yet.
impl MatchGame for ConnectFour {
    fn begin(random: &mut Stream) -> Self {
        const STONES: usize = 4;
        (0..STONES).fold(Self::START, |game, _| game.after(random.below(COLUMNS as u32) as usize))
    }
}
