//! Cubes that a network learns to solve: the learner, what it is examined in, and a cube on a table.
//!
//! [`protocol::cube`](crate::protocol::cube) says what there is to see and to do.

mod checkpoint;
mod evaluator;
mod exams;
mod experiment;
mod learner;
mod map;
mod networks;
mod picture;
mod puzzle;
mod random_cubes;
mod session;
mod solving;
mod table;
mod three;
mod two;

pub(crate) use experiment::CubeExperiment;
pub(crate) use learner::Learner;
pub(crate) use three::Three;
pub(crate) use two::Two;
