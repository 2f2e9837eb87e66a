//! Training on a GPU, in one program, so that it is compiled and linked once.

#[path = "../../../../gpu/tests/shared/open.rs"]
mod common;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../integration/texts.rs"]
mod texts;
mod training;
