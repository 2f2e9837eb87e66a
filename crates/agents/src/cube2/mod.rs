//! The exhaustive evaluation of a policy for the cube of 2×2×2: its move in every state, followed to the end.
//!
//! A policy that makes the same move whenever it meets a state turns all states into a graph in which one arrow leaves
//! each. A [`PolicyEvaluation`] collects the arrows and follows them; a [`NetworkEvaluation`] computes them with a network, on
//! every core.

mod network_evaluation;
mod policy_evaluation;
mod score;

pub use network_evaluation::{Greedy, NetworkEvaluation};
pub use policy_evaluation::{Outcome, PolicyEvaluation};
pub use score::{Cycles, DepthScore, Score};
