//! Tests of training on a GPU, in one binary to save link time.

#[path = "../../../tests/shared/close.rs"]
mod close;
#[path = "../../../../gpu/tests/shared/open.rs"]
mod common;
mod dqn;
#[path = "../../../tests/shared/notice.rs"]
mod notice;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../../../tests/shared/rows.rs"]
mod rows;
#[path = "../../../tests/shared/steps.rs"]
mod steps;
mod training;
