//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod bad_input;
mod cube;
mod cubes;
mod kept;
#[path = "../../../tests/shared/refused.rs"]
mod refused;
