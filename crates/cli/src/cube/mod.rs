//! `vivarium solve`: cube solving in the terminal.

mod network;
pub mod solve;
