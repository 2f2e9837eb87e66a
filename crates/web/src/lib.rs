//! Browser front end: wasm-bindgen bindings that run an experiment in a web worker of the page.
//!
//! - [`WebSession`] (in JavaScript `Session`): opens, trains, evaluates and saves one experiment, and returns its
//!   frames.
//! - [`start`]: installs the panic hook. Panics are sent to the page on a broadcast channel.
//!
//! Commands, view requests, replies, metrics, documents and errors are passed as plain objects (`serde-wasm-bindgen`).
//! Arrays of numbers are typed arrays, whose buffers the worker transfers to the page.
//!
//! One module is built for each family of learners (features of the crate `vivarium-exhibits`), with
//! and without threads, and one with the GPU engine (feature `gpu`). All modules have the same methods. The TypeScript
//! types of all messages are generated from [`vivarium_lab::protocol`].
//!
//! ```
//! use vivarium_exhibits::REGISTRY;
//!
//! // `Session.create` resolves names and configs through the registry of this build.
//! let experiment = REGISTRY.create("cartpole", &serde_json::json!({}), 1).unwrap();
//! assert_eq!(experiment.progress().steps, 0);
//! ```

mod bench;
mod clock;
#[cfg(feature = "comparison")]
mod comparison;
mod convert;
mod error;
#[cfg(feature = "gpu")]
mod gpu;
mod panic;
mod session;
mod sources;

pub use panic::start;
pub use session::WebSession;

/// Starts the thread pool of the wasm module. JavaScript must await this function before it creates a [`WebSession`]
/// with several threads.
#[cfg(all(target_arch = "wasm32", feature = "threads"))]
pub use wasm_bindgen_rayon::init_thread_pool;
