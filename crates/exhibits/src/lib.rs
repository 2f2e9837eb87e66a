//! Registry of all experiments of a build, and their static descriptions.
//!
//! - [`REGISTRY`]: creates and restores experiments by name.
//! - [`info`]: config fields, presets, metrics and readings of an experiment.
//! - [`measures`]: evaluation measures and report formats of an experiment.
//!
//! Each family is a crate and a feature: `control`, `logic-ca`, `games`, `cube`, `language`.
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
use vivarium_lab::registry::{AnyFamily, Registry};

/// Registry of all experiments of this build.
pub static REGISTRY: Registry = Registry { families: FAMILIES };

static FAMILIES: &[&dyn AnyFamily] = &[
    #[cfg(feature = "control")]
    &vivarium_exhibit_control::FAMILY,
    #[cfg(feature = "logic-ca")]
    &vivarium_exhibit_logic_ca::FAMILY,
    #[cfg(feature = "games")]
    &vivarium_exhibit_games::FAMILY,
    #[cfg(feature = "cube")]
    &vivarium_exhibit_cube::FAMILY,
    #[cfg(feature = "language")]
    &vivarium_exhibit_language::FAMILY,
];

/// Functions that return, for an experiment's name, its static description and its measures, one pair per family. The
/// web page does not call these functions, therefore the linker removes them.
type Descriptions = (fn(&str) -> ExperimentInfo, fn(&str) -> Measures);

/// Description functions of the families, in the order of [`FAMILIES`].
const DESCRIPTIONS: &[Descriptions] = &[
    #[cfg(feature = "control")]
    (vivarium_exhibit_control::info, vivarium_exhibit_control::measures),
    #[cfg(feature = "logic-ca")]
    (vivarium_exhibit_logic_ca::info, vivarium_exhibit_logic_ca::measures),
    #[cfg(feature = "games")]
    (vivarium_exhibit_games::info, vivarium_exhibit_games::measures),
    #[cfg(feature = "cube")]
    (vivarium_exhibit_cube::info, vivarium_exhibit_cube::measures),
    #[cfg(feature = "language")]
    (vivarium_exhibit_language::info, vivarium_exhibit_language::measures),
];

fn descriptions(name: &str) -> Result<Descriptions, LabError> {
    let kind = REGISTRY.family(name)?.kind();
    let families = FAMILIES.iter().zip(DESCRIPTIONS);
    families
        .filter(|(family, _)| family.kind() == kind)
        .map(|(_, descriptions)| *descriptions)
        .next()
        .ok_or_else(|| LabError::invalid("experiment", name, "the experiment belongs to no family"))
}

/// Returns the static description of an experiment.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn info(name: &str) -> Result<ExperimentInfo, LabError> {
    descriptions(name).map(|(info, _)| info(name))
}

/// Returns the evaluation measures and report formats of an experiment.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn measures(name: &str) -> Result<Measures, LabError> {
    descriptions(name).map(|(_, measures)| measures(name))
}
