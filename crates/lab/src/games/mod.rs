//! Board games that a network learns by playing itself: the learner, its opponents, and a table at which a person plays.
//!
//! [`protocol::games`](crate::protocol::games) says what there is to see and to do.

mod checkpoint;
mod contest;
mod documents;
mod experiment;
mod guard;
mod ladder;
mod networks;
mod picture;
mod player_pool;
mod rules;
mod session;
mod table;
mod thought;
mod wall;

pub(crate) use contest::MOST_PAIRS;
pub(crate) use experiment::GameExperiment;
pub(crate) use player_pool::{fixed, label};
pub(crate) use rules::Playable;
pub(crate) use thought::LARGEST_SEARCH;
pub(crate) use wall::LARGEST_WALL;
