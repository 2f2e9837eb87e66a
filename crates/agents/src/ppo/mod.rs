//! Proximal policy optimisation (Schulman et al. 2017) over many environments at once.

pub mod advantage;
pub mod config;
pub mod field;
pub mod normalise;
