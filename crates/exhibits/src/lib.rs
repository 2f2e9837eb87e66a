//! Registry of all experiments of a build, and their static descriptions.
//!
//! - [`REGISTRY`]: creates and restores experiments by name.
//! - [`info`]: config fields, presets, metrics and readings of an experiment.
//! - [`measures`]: evaluations of an experiment: measures, schedule, report formats.
//!
//! Each family is a crate and a feature. The macro `families!` declares the only list of them.
//!
//! ```
//! # #[cfg(feature = "control")]
//! # fn main() -> Result<(), vivarium_lab::LabError> {
//! use serde_json::json;
//! use vivarium_exhibits::REGISTRY;
//! use vivarium_lab::Experiment;
//!
//! let experiment = REGISTRY.create("cartpole", &json!({ "preset": "moon" }), 1)?;
//! assert_eq!(experiment.name(), "cartpole");
//! assert_eq!(experiment.config()["world"]["gravity"], 1.62);
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "control"))]
//! # fn main() {}
//! ```

use vivarium_lab::LabError;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::Measures;
use vivarium_lab::registry::{AnyFamily, Description, Descriptions, Registry};

/// Registry of all experiments of this build.
pub static REGISTRY: Registry = Registry { families: FAMILIES };

/// Declares the families, in display order: the feature of each and its crate.
macro_rules! families {
    ($($feature:literal: $family:ident),* $(,)?) => {
        static FAMILIES: &[&dyn AnyFamily] = &[$(#[cfg(feature = $feature)] &$family::FAMILY),*];

        /// Static descriptions of the families of this build and their experiments.
        pub const DESCRIPTIONS: &[&Descriptions] = &[$(#[cfg(feature = $feature)] &$family::DESCRIPTIONS),*];

        /// Declares the TypeScript types of the families' protocols.
        #[cfg(feature = "typescript")]
        pub fn declare_types(types: &mut vivarium_lab::typescript::TypeDeclarations) {
            $(#[cfg(feature = $feature)] $family::protocol::declare(types);)*
        }
    };
}

families! {
    "control": vivarium_exhibit_control,
    "logic-ca": vivarium_exhibit_logic_ca,
    "games": vivarium_exhibit_games,
    "cube": vivarium_exhibit_cube,
    "language": vivarium_exhibit_language,
}

fn description(name: &str) -> Result<&'static Description, LabError> {
    let found = DESCRIPTIONS.iter().find_map(|family| family.find(name));
    found.map_or_else(|| Err(REGISTRY.unknown(name)), Ok)
}

/// Returns the static description of an experiment.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn info(name: &str) -> Result<ExperimentInfo, LabError> {
    description(name).map(|known| (known.info)())
}

/// Returns the measures, the schedule and the report formats of an experiment's evaluations.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn measures(name: &str) -> Result<&'static dyn Measures, LabError> {
    description(name).map(|known| known.measures)
}
