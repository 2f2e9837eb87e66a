//! Players of backgammon that know no network.

mod pips;
mod pubeval;
mod weights;

pub use pips::Pips;
pub use pubeval::Pubeval;
