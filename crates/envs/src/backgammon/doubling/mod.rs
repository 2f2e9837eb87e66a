//! Doubling cube: decisions to double, take or pass, computed from cubeless probabilities.
//!
//! The networks of this project are cubeless: they predict how a game ends if it is played without a doubling cube. This module
//! adds the doubling cube by Janowski's formula (R. Janowski, "Take-Points in Money Games", 1993,
//! <https://bkgm.com/articles/Janowski/cubeformulae.pdf>). The value of a position lies between two extremes:
//!
//! - *dead cube*: no player doubles again; the value is the cubeless one.
//! - *live cube*: each player doubles at the exact point where the opponent is indifferent between take and pass. The
//!   value is a piecewise linear function of the winning probability.
//!
//! The *cube life* x, from 0 (dead) to 1 (live), interpolates between both. In bear-offs, where x would be wrong,
//! [`DoublingDecision::of_position`] computes all rolls, plays and doubles to the end of the game, or of the next turns, for
//! money and in matches. In a match, [`MatchEquityTable`] converts points to match winning probabilities; take points then
//! depend on score and doubling cube.
//!
//! ```
//! use vivarium_envs::backgammon::doubling::{CUBE_LIFE, DoublingAction, DoublingContext, DoublingDecision};
//! use vivarium_envs::backgammon::Match;
//!
//! let money = DoublingContext::new(&Match::MONEY)?;
//! let decision = DoublingDecision::new([0.72, 0.15, 0.0, 0.1, 0.0], &money, CUBE_LIFE);
//! assert_eq!(decision.action(), DoublingAction::DoubleTake);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bearoff;
mod context;
mod decision;
mod equity;
mod match_equity;
mod model;
mod recursion;
mod two_sided;

pub use bearoff::DoublingMethod;
pub use context::{DoublingContext, DoublingError};
pub use decision::{DoublingAction, DoublingDecision};
pub use equity::{EquityContext, ScoreError, better_first};
pub use match_equity::{MAX_MATCH_LENGTH, MatchEquityError, MatchEquityTable};
pub use recursion::{GAMMON_RATE, OPENING_DEVIATION, TABLE_CUBE_LIFE};
pub use two_sided::TwoSidedBearOff;

/// Default cube life x of contact positions in Janowski's formula.
pub const CUBE_LIFE: f64 = 0.68;
