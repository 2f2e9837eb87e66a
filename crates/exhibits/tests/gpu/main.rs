//! Tests of all learners on the GPU, in one program to compile and link once.

mod engine_changes;
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
