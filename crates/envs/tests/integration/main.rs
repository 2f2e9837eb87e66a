//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod backgammon;
mod connect_four;
mod cube;
mod gymnasium;
mod random;
mod rules;
mod vector;
