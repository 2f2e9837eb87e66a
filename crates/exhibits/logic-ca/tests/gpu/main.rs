//! Tests of training on a GPU, in one program to compile and link once.

#[path = "../../../tests/shared/close.rs"]
mod close;
#[path = "../../../../gpu/tests/shared/open.rs"]
mod common;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../../../tests/shared/steps.rs"]
mod steps;
mod training;
