//! Tests of the public interface, in one program to compile and link once.

mod bad_input;
#[path = "../../../tests/shared/changed.rs"]
mod changed;
mod doubling;
mod expectimax;
mod games;
#[path = "../../../tests/shared/refused.rs"]
mod refused;
mod saved_session;
mod table;
