//! Where the games of a match begin.

use vivarium_envs::backgammon::State;
use vivarium_envs::connect_four::{COLUMNS, ConnectFour};
use vivarium_kernels::rng::Stream;
use vivarium_mcts::Game;

/// A game that matches are played of.
pub trait Contest: Game + Send + Sync {
    /// The state in which both games of a pair begin.
    fn begin(random: &mut Stream) -> Self;
}

/// Backgammon: the start of a game. The dice make every game another one.
impl Contest for State {
    fn begin(_: &mut Stream) -> Self {
        Self::START
    }
}

/// Connect Four: four stones in random columns, without which two players who draw no lots would play the same game again
/// and again. No row of four is possible yet.
impl Contest for ConnectFour {
    fn begin(random: &mut Stream) -> Self {
        const STONES: usize = 4;
        (0..STONES).fold(Self::START, |game, _| game.after(random.below(COLUMNS as u32) as usize))
    }
}
