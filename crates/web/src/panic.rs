//! A panic must reach the person.
//!
//! After a panic the module's memory cannot be trusted, and where a thread of the pool panics the worker would wait for
//! it for ever. So whichever thread panics sends a message to the page itself, on a broadcast channel, and the page starts a new
//! worker from the last copy of the state.

use std::sync::OnceLock;
use wasm_bindgen::prelude::*;
use web_sys::BroadcastChannel;

static CHANNEL: OnceLock<String> = OnceLock::new();

/// Prepares the module, once: from now on a panic is sent to the broadcast channel of this name.
#[wasm_bindgen]
pub fn start(channel: String) {
    if CHANNEL.set(channel).is_ok() {
        std::panic::set_hook(Box::new(|info| {
            console_error_panic_hook::hook(info);
            report(&info.to_string());
        }));
    }
}

fn report(message: &str) {
    if let Some(channel) = CHANNEL.get().and_then(|name| BroadcastChannel::new(name).ok()) {
        // A failure to report cannot be reported.
        let _ = channel.post_message(&JsValue::from_str(message));
    }
}
