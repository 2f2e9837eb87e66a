//! Browser front end: functions that the page needs on request only. They are in wasm modules of their own, so that the modules
//! of the families do not contain them. Each feature of the crate is a module:
//!
//! - `tools`: exporters, records of matches, and solvers of cubes.
//! - `analysis`: analysis of matches, and rollouts of positions.
//!
//! A function that fails throws a [`ThrownProblem`](vivarium_lab::protocol::ThrownProblem).

#[cfg(feature = "analysis")]
mod analysis;
#[cfg(feature = "tools")]
mod cubes;
mod error;
#[cfg(feature = "tools")]
mod exporters;
mod played;
#[cfg(feature = "tools")]
mod records;
#[cfg(feature = "analysis")]
mod rollout;

use wasm_bindgen::prelude::*;

/// Prints panics to the console of the browser.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}
