//! Registry of all experiments of a build, and their static descriptions.
//!
//! A *family* is a group of experiments with one kind of learner, such as `games`. An *exhibit* is an experiment that
//! front ends display and control.
//!
//! - [`REGISTRY`]: creates and restores experiments by name.
//! - [`info`]: config fields, presets, metrics and readings (displayed values) of an experiment.
//! - [`network`], [`onnx`], [`weights_only`]: the trained network of a checkpoint, for export.
//! - [`measures`]: evaluations of an experiment: measures, schedule, report formats.
//!
//! Each family is a crate that a Cargo feature enables. The macro `families!` lists all families.
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

use vivarium_lab::checkpoint::{self, Header};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::Measures;
use vivarium_lab::registry::{
    AnyFamily, Description, Descriptions, NetworkExport, Registry, unknown_experiment,
};
use vivarium_lab::{InferenceNetwork, LabError};

/// Registry of the experiments of all families that this build contains.
pub static REGISTRY: Registry = Registry { families: FAMILIES };

/// Declares the families in display order, each by its Cargo feature and its crate.
macro_rules! families {
    ($($feature:literal: $family:ident),* $(,)?) => {
        static FAMILIES: &[&dyn AnyFamily] = &[$(#[cfg(feature = $feature)] &$family::FAMILY),*];

        /// Static descriptions of the experiments of this build, grouped by family.
        pub const DESCRIPTIONS: &[&Descriptions] = &[$(#[cfg(feature = $feature)] &$family::DESCRIPTIONS),*];

        static NETWORK_EXPORTS: &[&[NetworkExport]] = &[$(#[cfg(feature = $feature)] $family::NETWORK_EXPORTS),*];

        /// Declares the TypeScript types of the protocols of all families in this build.
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

/// Returns the trained network of a checkpoint of any experiment, in the form from which ONNX files are exported, and
/// the header of the checkpoint.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid; [`LabError::Invalid`] with the remedy if the experiment has no
/// network.
pub fn network(bytes: &[u8]) -> Result<(Header, InferenceNetwork), LabError> {
    let (header, tensors) = checkpoint::read(bytes)?;
    export(&header.experiment)?.network(header, tensors)
}

/// Returns the export of the experiment `name`, which a checkpoint names.
fn export(name: &str) -> Result<&'static NetworkExport, LabError> {
    let exports = || NETWORK_EXPORTS.iter().copied().flatten();
    let found = exports().find(|export| export.name == name);
    found.ok_or_else(|| unknown_experiment(name, exports().map(|export| export.name)).in_checkpoint())
}

/// Converts a checkpoint of any experiment to a checkpoint with weights only: config, seed, training steps and the
/// network with which the experiment plays, solves or generates text.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid; [`LabError::Invalid`] with the remedy if the experiment does not
/// open files with weights only.
pub fn weights_only(bytes: &[u8]) -> Result<Vec<u8>, LabError> {
    let (header, tensors) = checkpoint::read(bytes)?;
    let (header, tensors) = export(&header.experiment)?.weights_only(header, tensors)?;
    Ok(checkpoint::write(&header, &tensors))
}

/// Returns the trained network of a checkpoint of any experiment as the bytes of an ONNX file. Its properties are the
/// experiment, the number of training steps, the seed, and the version of this program.
///
/// # Errors
/// The same errors as [`network`], and [`LabError::Invalid`] if the network cannot be exported as ONNX.
pub fn onnx(bytes: &[u8]) -> Result<Vec<u8>, LabError> {
    let (Header { experiment, steps, seed, .. }, network) = network(bytes)?;
    let [steps, seed] = [steps, seed].map(|number| number.to_string());
    let metadata = [
        ("experiment", experiment.as_str()),
        ("steps", &steps),
        ("seed", &seed),
        ("version", env!("CARGO_PKG_VERSION")),
    ];
    network.onnx(&metadata).map_err(|error| LabError::invalid("experiment", &experiment, error.to_string()))
}

fn description(name: &str) -> Result<&'static Description, LabError> {
    let found = DESCRIPTIONS.iter().find_map(|family| family.find(name));
    found.map_or_else(|| Err(unknown_experiment(name, REGISTRY.names())), Ok)
}

/// Returns the static description of the experiment `name`.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn info(name: &str) -> Result<ExperimentInfo, LabError> {
    description(name).map(|known| (known.info)())
}

/// Returns the evaluation of the experiment `name`: measures, schedule and report formats.
///
/// # Errors
/// [`LabError::Invalid`] with the list of experiments if the name is unknown.
pub fn measures(name: &str) -> Result<&'static dyn Measures, LabError> {
    description(name).map(|known| known.measures)
}
