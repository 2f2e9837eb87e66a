//! Exhaustive evaluation of policies on the 2×2×2 cube: the policy is followed from each of the 3,674,160 states until
//! the cube is solved or a state recurs.
//!
//! A deterministic policy defines a functional graph: one edge leaves each state. [`PolicyEvaluation`] collects the
//! moves of a policy and follows the edges; [`NetworkEvaluation`] computes the moves with a network on all threads.
//! The result is a [`PolicyScore`].

mod network_evaluation;
mod policy_evaluation;
mod score;

pub use network_evaluation::{GreedyPolicy, NetworkEvaluation};
pub use policy_evaluation::{PolicyEvaluation, PolicyOutcome};
pub use score::{CycleStatistics, DepthScore, PolicyScore};
