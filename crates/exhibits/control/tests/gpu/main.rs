//! Training on a GPU, in one program, so that it is compiled and linked once.

#[path = "../../../tests/shared/device.rs"]
mod common;
mod training;
