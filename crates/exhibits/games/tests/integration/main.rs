//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod bad_input;
#[path = "../../../tests/shared/changed.rs"]
mod changed;
mod games;
#[path = "../../../tests/shared/refused.rs"]
mod refused;
mod saved_session;
mod table;
