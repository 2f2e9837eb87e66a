//! Yielding to the browser's event loop.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &js_sys::Function, milliseconds: f64);
}

/// Yields until the pending tasks of this worker have run, such as GPU callbacks.
pub async fn pause() {
    let after = Promise::new(&mut |done, _| set_timeout(&done, 0.0));
    // This promise never rejects.
    let _ = JsFuture::from(after).await;
}
