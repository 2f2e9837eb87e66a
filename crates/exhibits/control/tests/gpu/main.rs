//! Training on a GPU, in one program, so that it is compiled and linked once.

#[path = "../../../../gpu/tests/shared/open.rs"]
mod common;
mod dqn;
mod training;
