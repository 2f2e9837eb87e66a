//! Giving control back to the browser.

use js_sys::Promise;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(call: &js_sys::Function, milliseconds: f64);
}

/// Lets everything happen that waits to happen in this worker, such as the GPU's answers.
pub async fn pause() {
    let after = Promise::new(&mut |done, _| set_timeout(&done, 0.0));
    // This promise is always kept.
    let _ = JsFuture::from(after).await;
}
