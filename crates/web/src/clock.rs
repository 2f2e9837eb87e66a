//! Clock of the browser.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Returns the monotonic time in milliseconds (`performance.now`).
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;
}

/// Returns the monotonic time in seconds (`performance.now`).
pub fn seconds() -> f64 {
    now() / 1e3
}
