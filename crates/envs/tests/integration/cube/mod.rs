//! Tests of the cubes against a reference implementation, known state counts and known turn sequences.

mod algorithms;
mod checks;
mod notation;
mod reference;
mod scrambles;
mod stickers;
mod three;
mod two;
mod two_phase;
mod walks;
