//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod automaton;
mod bad_input;
mod files;
mod frames;
mod stage;
mod training;
