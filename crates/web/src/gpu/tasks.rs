//! Yields control to the event loop of the browser.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &js_sys::Function, milliseconds: f64);
}

/// Returns after the pending tasks of this worker, such as GPU callbacks, have run.
pub async fn pause() {
    let after = Promise::new(&mut |done, _| set_timeout(&done, 0.0));
    // This promise never rejects.
    let _ = JsFuture::from(after).await;
}
