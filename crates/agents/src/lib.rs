//! Learners: proximal policy optimisation.

pub mod ppo;
