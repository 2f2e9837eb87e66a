//! The browser's clock.

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// Milliseconds since some moment, never going back.
    #[wasm_bindgen(js_namespace = performance)]
    pub fn now() -> f64;
}

/// Seconds since that moment.
pub fn seconds() -> f64 {
    now() / 1e3
}
