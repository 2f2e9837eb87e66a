//! What holds for every learner on the GPU, in one program, so that it is compiled and linked once.

#[path = "../shared/field.rs"]
mod field;
mod learners;
mod lost;
mod memory;
#[path = "../shared/on.rs"]
mod on;
#[path = "../../../gpu/tests/shared/open.rs"]
mod open;
#[path = "../shared/rows.rs"]
mod rows;
