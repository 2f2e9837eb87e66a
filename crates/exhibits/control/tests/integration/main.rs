//! Tests of the public interface, in one binary to save link time.

mod any_config;
#[path = "../../../tests/shared/any_input.rs"]
mod any_input;
mod bad_input;
#[path = "../../../tests/shared/changed.rs"]
mod changed;
mod frozen_lake;
#[path = "../../../tests/shared/notice.rs"]
mod notice;
mod presets;
#[path = "../../../tests/shared/steps.rs"]
mod steps;
mod training;
