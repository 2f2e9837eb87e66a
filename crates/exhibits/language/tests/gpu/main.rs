//! Tests of GPU training, in one binary to reduce link time.

#[path = "../../../../gpu/tests/shared/open.rs"]
mod common;
#[path = "../../../tests/shared/on.rs"]
mod on;
#[path = "../integration/texts.rs"]
mod texts;
mod training;
