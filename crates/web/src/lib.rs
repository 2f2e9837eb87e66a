//! The browser door: wasm-bindgen modules for the page's workers.
