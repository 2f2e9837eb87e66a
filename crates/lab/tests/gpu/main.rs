//! Experiments on a GPU, in one program, so that it is compiled and linked once.

mod common;
mod control;
mod language;
mod logic_ca;
#[path = "../integration/texts.rs"]
mod texts;
