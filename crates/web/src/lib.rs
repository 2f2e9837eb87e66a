//! The browser door: a [`Session`] in a web worker drives an experiment for the page.
//!
//! What is small crosses the border as JSON text, since both sides have a parser already; what is large crosses as
//! typed arrays that the worker can hand on without copying them again.

mod bench;
mod clock;
#[cfg(feature = "gpu")]
mod gpu;
mod panic;
mod problem;
mod session;
#[cfg(feature = "language")]
mod text;

pub use panic::start;
pub use session::Session;

/// Starts the pool of threads; must be awaited before a [`Session`] with several threads is made.
#[cfg(all(target_arch = "wasm32", feature = "threads"))]
pub use wasm_bindgen_rayon::init_thread_pool;
