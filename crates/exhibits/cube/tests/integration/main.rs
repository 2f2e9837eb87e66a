//! Tests of the public interface of the cube experiments, in one test binary to compile and link once.

mod bad_input;
mod checkpoints;
mod cube;
mod cubes;
#[path = "../../../tests/shared/refused.rs"]
mod refused;
