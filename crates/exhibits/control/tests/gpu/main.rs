//! Training on a GPU, in one program, so that it is compiled and linked once.

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
