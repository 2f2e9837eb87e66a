//! Cubes that a network learns to solve: the learner, what it is examined in, and a cube on a table.
//!
//! [`protocol::cube`](crate::protocol::cube) says what there is to see and to do.

mod exams;
mod experiment;
mod learner;
mod map;
mod networks;
mod picture;
mod puzzle;
mod random_cubes;
mod saved;
mod solving;
mod table;
mod three;
mod trials;
mod two;
mod watching;

pub(crate) use experiment::CubeExperiment;
pub(crate) use learner::Learner;
pub(crate) use three::Three;
pub(crate) use two::Two;
