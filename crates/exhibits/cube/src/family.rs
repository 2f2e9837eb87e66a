//! Registry entry of the cube experiments.

use crate::CubeExhibit;
use crate::cube2::Cube2Training;
use crate::cube3::Cube3Training;
use crate::exhaustive::ExhaustiveEvaluator;
use crate::experiment::CubeExperiment;
use crate::random_cube_tests::RandomCubeTests;
use crate::training::CubeTraining;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::{Family, FamilyEntry};

/// Registry entry of the cube experiments.
pub static FAMILY: Family<CubeExhibit> =
    Family { kind: "cube", experiments: &[CUBE2, CUBE3], any: |exhibit| exhibit };

const CUBE2: FamilyEntry<CubeExhibit> = FamilyEntry {
    name: Cube2Training::NAME,
    schema: Cube2Training::schema,
    create: |config, seed| {
        Ok(Box::new(CubeExperiment::<Cube2Training, ExhaustiveEvaluator>::new(config, seed)?))
    },
    open: |header, tensors| {
        Ok(Box::new(CubeExperiment::<Cube2Training, ExhaustiveEvaluator>::open(header, tensors)?))
    },
};

const CUBE3: FamilyEntry<CubeExhibit> = FamilyEntry {
    name: Cube3Training::NAME,
    schema: Cube3Training::schema,
    create: |config, seed| Ok(Box::new(CubeExperiment::<Cube3Training, RandomCubeTests>::new(config, seed)?)),
    open: |header, tensors| {
        Ok(Box::new(CubeExperiment::<Cube3Training, RandomCubeTests>::open(header, tensors)?))
    },
};

/// Returns the static description of experiment `name`.
///
/// # Panics
/// If `name` is not one of the cube experiments.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    match name {
        Cube2Training::NAME => Cube2Training::experiment(),
        Cube3Training::NAME => Cube3Training::experiment(),
        other => panic!("{other} is no cube experiment"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::{cube2, cube3};
    use serde_json::json;
    use vivarium_agents::cube3::Cube3Config;
    use vivarium_agents::dqn::{CubeParams, DqnConfig};

    #[test]
    fn defaults_are_the_learners_defaults() {
        let config = FAMILY.configure(Cube2Training::NAME, &json!({})).unwrap();
        assert_eq!(
            cube2::parse(&config),
            Ok((DqnConfig::default_for(Cube2Training::NAME), CubeParams::default()))
        );
        let config = FAMILY.configure(Cube3Training::NAME, &json!({})).unwrap();
        assert_eq!(cube3::parse(&config).map(|(own, _)| own), Ok(Cube3Config::default()));
    }

    #[test]
    fn the_demonstrations_preset_is_the_learners() {
        let config = FAMILY.configure(Cube2Training::NAME, &json!({ "preset": "demonstrations" })).unwrap();
        assert_eq!(cube2::parse(&config).map(|(own, _)| own), Ok(DqnConfig::cube2_with_demonstrations()));
    }
}
