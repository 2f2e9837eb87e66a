//! Integration tests of the crate in one program, which compiles and links only once. The modules `common` and `suite`
//! are shared with the tests of `vivarium-gpu` and `vivarium-web`.

#[path = "../common/mod.rs"]
mod common;
mod definitions;
#[path = "../engine/mod.rs"]
mod engine;
mod networks;
#[cfg(not(target_arch = "wasm32"))]
mod onnx;
#[cfg(not(target_arch = "wasm32"))]
mod row_independence;
#[path = "../suite/mod.rs"]
mod suite;
