//! The examiner of whoever solves the cube of 2×2×2: it asks about every state, and follows every answer.
//!
//! A policy that makes the same move whenever it meets a state turns all states into a graph in which one arrow leaves
//! each. An [`Exam`] collects the arrows and follows them; an [`Examiner`] asks a network for them, on every core.

mod exam;
mod examiner;
mod score;

pub use exam::{Exam, Outcome};
pub use examiner::{Examiner, Greedy};
pub use score::{Cycles, DepthScore, Score};
