//! What holds for every learner on the GPU, in one program, so that it is compiled and linked once.

mod learners;
mod lost;
mod memory;
#[path = "../../../gpu/tests/shared/open.rs"]
mod open;
