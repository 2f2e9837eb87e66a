//! The tests of the public interface, in one program, so that it is compiled and linked once.

mod any_config;
mod bad_input;
mod presets;
mod training;
