//! Backgammon: the rules of cubeless money play.
//!
//! Everything is seen from a player's own side. A [`Side`] is one player's checkers, counted from that
//! player's ace point; a [`Position`] is the side of the player on roll and that of the opponent, so that
//! handing over the turn is swapping the two. [`Plays`] holds all plays of a roll, one for each position that
//! they lead to, and [`State`] is the game as a search sees it: chance, decisions as one of [`ACTIONS`]
//! numbers, outcomes. A [`Turn`] is a person's turn, checker by checker.
//!
//! ```
//! use vivarium_envs::backgammon::{Plays, Position, Roll};
//!
//! let mut plays = Plays::new();
//! plays.generate(&Position::START, Roll::new(3, 1)?);
//! let five_point = plays.find(&Position::START, "8/5 6/5")?;
//! assert_eq!(five_point.after.mirrored().id(), "sGfwATDgc/ABMA");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod action;
mod bearoff;
mod board;
mod dice;
mod id;
mod match_id;
mod notation;
mod outcome;
mod plays;
mod position;
mod side;
mod state;
mod turn;

pub use action::{ACTIONS, Action, Actions, MOST_ACTIONS};
pub use bearoff::BearOff;
pub use dice::{Dice, DiceError, Roll};
pub use id::IdError;
pub use match_id::{CubeOwner, Match, MatchIdError};
pub use notation::NotationError;
pub use outcome::{Outcome, Player, Win};
pub use plays::{CheckerMove, MAX_PLAYS, Moves, Play, Plays};
pub use position::{Class, Position, PositionError};
pub use side::{BAR, CHECKERS, OFF, PLACES, POINTS, Side};
pub use state::{Phase, State};
pub use turn::{Target, Turn, TurnError};
