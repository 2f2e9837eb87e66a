//! Panic hook that reports panics to the page.
//!
//! After a panic the memory of the wasm module is unreliable. If a thread of the pool panics, the worker waits for the
//! thread forever. The panicking thread therefore posts a message to the page on a broadcast channel. The page then
//! starts a new worker, which restores the last copy of the state.

use std::sync::OnceLock;
use wasm_bindgen::prelude::*;
use web_sys::BroadcastChannel;

static CHANNEL: OnceLock<String> = OnceLock::new();

/// Installs a panic hook that posts panic messages to the broadcast channel `channel`. Only the first call has an
/// effect.
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
        // A failed post is ignored, because there is no other way to report the panic.
        let _ = channel.post_message(&JsValue::from_str(message));
    }
}
