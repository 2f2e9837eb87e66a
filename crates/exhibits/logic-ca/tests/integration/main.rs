//! Tests of the public interface, in one program to compile and link once.

#[path = "../../../tests/shared/any_input.rs"]
mod any_input;
mod automaton;
mod bad_input;
#[path = "../../../tests/shared/changed.rs"]
mod changed;
mod files;
mod frames;
#[path = "../../../tests/shared/notice.rs"]
mod notice;
mod sandbox;
#[path = "../../../tests/shared/steps.rs"]
mod steps;
mod training;
