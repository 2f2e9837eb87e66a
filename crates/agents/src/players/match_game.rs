//! Initial states of the games of a match.

use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

/// Game that two players can play as a match: in pairs of games with the same initial state.
pub trait MatchGame: Game + Send + Sync {
    /// Returns the initial state of both games of a pair. `random` draws all random decisions.
    fn begin(random: &mut Stream) -> Self;
}

/// All pairs of games begin at the standard starting position of backgammon; the dice provide variety.
impl MatchGame for State {
    fn begin(_: &mut Stream) -> Self {
        Self::START
    }
}

/// A pair of games begins with four stones in random columns. Without these stones, two deterministic players would
/// repeat the same game. Four stones, two of each player, cannot end the game.
impl MatchGame for ConnectFour {
    fn begin(random: &mut Stream) -> Self {
        const STONES: usize = 4;
        (0..STONES).fold(Self::START, |game, _| game.after(random.below(COLUMNS as u32) as usize))
    }
}
