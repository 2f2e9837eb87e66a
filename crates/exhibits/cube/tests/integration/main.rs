//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod bad_input;
mod checkpoints;
mod cube;
mod cubes;
#[path = "../../../tests/shared/refused.rs"]
mod refused;
