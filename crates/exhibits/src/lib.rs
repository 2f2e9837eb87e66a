//! All exhibits, for front ends: the registry of those that a build holds.

use vivarium_lab::registry::{AnyFamily, Registry};

/// The experiments of this build.
pub const REGISTRY: Registry = Registry { families: FAMILIES, all: &ALL };

const FAMILIES: &[&dyn AnyFamily] = &[
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

/// The names of all experiments, whatever the build holds.
const ALL: [&str; 9] = [
    "cartpole",
    "mountain-car",
    "pendulum",
    "logic-ca",
    "backgammon",
    "connect-four",
    "cube2",
    "cube3",
    "language",
];
