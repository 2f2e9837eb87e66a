//! Board games that a network learns by playing itself: the learner, its opponents, and a table at which a person plays.
//!
//! [`protocol::games`](crate::protocol::games) says what there is to see and to do.

mod contest;
mod documents;
mod experiment;
mod guard;
mod ladder;
mod networks;
mod people;
mod picture;
mod rules;
mod saved;
mod sitting;
mod table;
mod thought;
mod wall;

pub(crate) use contest::MOST_PAIRS;
pub(crate) use experiment::GameExperiment;
pub(crate) use people::{fixed, label};
pub(crate) use rules::Playable;
pub(crate) use thought::LARGEST_SEARCH;
pub(crate) use wall::LARGEST_WALL;
