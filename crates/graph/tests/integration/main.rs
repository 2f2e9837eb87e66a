//! The tests of the public interface, in one program, so that it is compiled and linked once. What the GPU crate and the page's
//! crate test their engines with, too, lies beside it.

#[path = "../common/mod.rs"]
mod common;
mod definitions;
#[path = "../engine/mod.rs"]
mod engine;
mod networks;
#[cfg(not(target_arch = "wasm32"))]
mod onnx;
#[path = "../suite/mod.rs"]
mod suite;
