//! All exhibits, for front ends: those that a build holds, and what is known about them without making them.

use vivarium_lab::LabError;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::measures::Measures;
use vivarium_lab::registry::{AnyFamily, Registry};

/// The experiments of this build.
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

/// What a family says of its experiments without making them. The page's modules have no use for it.
type About = (fn(&str) -> ExperimentInfo, fn(&str) -> Measures);

/// In the order of [`FAMILIES`].
const ABOUT: &[About] = &[
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

fn about(name: &str) -> Result<About, LabError> {
    let kind = REGISTRY.family(name)?.kind();
    let families = FAMILIES.iter().zip(ABOUT);
    families
        .filter(|(family, _)| family.kind() == kind)
        .map(|(_, about)| *about)
        .next()
        .ok_or_else(|| LabError::invalid("experiment", name, "it belongs to no family"))
}

/// Everything about an experiment that does not change while it runs.
///
/// # Errors
/// [`LabError::Invalid`] naming the experiments there are.
pub fn info(name: &str) -> Result<ExperimentInfo, LabError> {
    about(name).map(|(info, _)| info(name))
}

/// How an experiment is measured.
///
/// # Errors
/// [`LabError::Invalid`] naming the experiments there are.
pub fn measures(name: &str) -> Result<Measures, LabError> {
    about(name).map(|(_, measures)| measures(name))
}
