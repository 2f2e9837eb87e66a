//! Tests of the public interface, in one binary to save link time.

mod backgammon;
mod connect_four;
mod cube;
mod frozen_lake;
mod gymnasium;
mod random;
#[path = "../shared/reference.rs"]
mod reference;
mod rules;
#[path = "../shared/two_sided.rs"]
mod two_sided;
mod vector;
