//! Backgammon players without a network, and reference decisions that measure a player's equity loss.

mod decisions;
mod pips;
mod pubeval;
mod weights;

pub use decisions::{DecisionError, EquityLoss, RatedDecision};
pub use pips::Pips;
pub use pubeval::Pubeval;
