//! Tests of the public interface, in one binary to reduce link time.

mod bad_input;
mod checkpoints;
mod playground;
mod texts;
mod training;
mod views;
