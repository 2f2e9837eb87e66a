//! The browser front end: a [`Session`] in a web worker drives an experiment for the page.
//!
//! Commands, views, replies, metrics, documents and errors cross as objects (`serde-wasm-bindgen`); arrays of numbers cross
//! as typed arrays that the worker transfers to the page without copying them again.

mod bench;
mod border;
mod clock;
#[cfg(feature = "gpu")]
mod gpu;
mod panic;
mod problem;
mod session;
mod text;

pub use panic::start;
pub use session::Session;

/// Starts the pool of threads; must be awaited before a [`Session`] with several threads is made.
#[cfg(all(target_arch = "wasm32", feature = "threads"))]
pub use wasm_bindgen_rayon::init_thread_pool;
