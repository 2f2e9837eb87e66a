//! Tests of the public interface, in one binary to save link time.

mod backgammon;
mod connect_four;
mod cube;
mod frozen_lake;
mod gymnasium;
mod random;
mod rules;
mod vector;
