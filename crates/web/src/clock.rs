//! The browser's clock.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Monotonic time in milliseconds.
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;
}

/// Returns the monotonic time in seconds.
pub fn seconds() -> f64 {
    now() / 1e3
}
