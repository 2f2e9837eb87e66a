//! The GPU engine in a real browser: the engine test suite, environments, and learners against the CPU.
//!
//! `wasm-pack test --headless --chrome crates/web --features gpu --test device`
#![cfg(all(target_arch = "wasm32", feature = "gpu"))]

mod agents;
#[path = "../../../graph/tests/common/mod.rs"]
mod common;
#[path = "../../../graph/tests/engine/mod.rs"]
mod cpu;
mod engine;
mod learners;
mod logic_ca;
#[path = "../../../graph/tests/suite/networks.rs"]
mod networks;
#[path = "../../../graph/tests/suite/operations.rs"]
mod operations;
#[path = "../../../agents/tests/gpu/ppo.rs"]
mod ppo;
mod suites;
#[path = "../../../agents/tests/gpu/tensors.rs"]
mod tensors;
mod worlds;

use js_sys::{Function, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test_configure;

// The tests run in a dedicated worker, as in the page.
wasm_bindgen_test_configure!(run_in_dedicated_worker);

thread_local! {
    static GPU: std::cell::RefCell<Option<vivarium_gpu::Gpu>> = const { std::cell::RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &Function, milliseconds: f64);
}

/// Yields control to the event loop, so that the browser delivers results of the GPU.
async fn pause() {
    let after = Promise::new(&mut |done, _| set_timeout(&done, 0.0));
    JsFuture::from(after).await.expect("it is always kept");
}

/// Returns the GPU, which all tests share. Panics if the browser has no adapter.
async fn gpu() -> vivarium_gpu::Gpu {
    if let Some(gpu) = GPU.with_borrow(Clone::clone) {
        return gpu;
    }
    let choice = vivarium_gpu::AdapterChoice::Best;
    let gpu = vivarium_gpu::Gpu::open(&choice).await.unwrap_or_else(|error| panic!("{error}"));
    GPU.set(Some(gpu.clone()));
    gpu
}
