//! Backgammon: the rules of the game, of money play and of matches with the doubling cube.
//!
//! All types use the view of one player. A [`Side`] holds one player's checkers, counted from that player's ace point.
//! A [`Position`] holds the sides of the player on roll and of the opponent, so passing the turn swaps both sides. A
//! *place* is a point (1 to 24), the bar (25) or off (0).
//!
//! - [`Plays`]: all legal plays of a roll, one for each resulting position.
//! - [`State`]: game state for tree search, with chance nodes, decisions (at most [`ACTIONS`] actions) and outcomes.
//! - [`Turn`]: an interactive turn, checker by checker.
//! - [`BearOff`]: exact one-sided bear-off table. [`RaceRolls`]: one-sided race rollouts.
//! - [`Match`]: match IDs of GNU Backgammon; position IDs are [`Position::id`]. [`Xgid`]: XGIDs of eXtreme Gammon.
//!   [`Setup`]: any of these texts. [`Rawboard`]: boards of FIBS.
//! - [`record`]: records of matches, in the formats .mat and SGF.
//! - [`doubling`]: match equity table, and doubling decisions from cubeless probabilities.
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
pub mod doubling;
mod id;
mod match_id;
mod match_play;
mod notation;
mod outcome;
mod plays;
mod position;
mod race;
mod rawboard;
pub mod record;
mod setup;
mod side;
mod state;
mod turn;
mod xgid;

pub use action::{ACTIONS, Action, LegalActions, MAX_ACTIONS};
pub use bearoff::BearOff;
pub use dice::{Dice, DiceError, Roll};
pub use id::IdError;
pub use match_id::{CrawfordError, DoublingCubeOwner, Match, MatchIdError};
pub use notation::PlayNotationError;
pub use outcome::{Outcome, RelativePlayer, Win};
pub use plays::{CheckerMove, MAX_PLAYS, Moves, Play, Plays};
pub use position::{Position, PositionClass, PositionError};
pub use race::RaceRolls;
pub use rawboard::{Rawboard, RawboardError};
pub use setup::{Setup, SetupError};
pub use side::{BAR, CHECKERS, OFF, PLACES, POINTS, Side};
pub use state::{State, TurnPhase};
pub use turn::{MoveTarget, Turn, TurnError};
pub use xgid::{Xgid, XgidError};
