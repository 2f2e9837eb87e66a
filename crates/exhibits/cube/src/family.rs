//! Registry entry of the cube experiments.

use crate::CubeExhibit;
use crate::cube2::Cube2Training;
use crate::cube3::Cube3Training;
use crate::exhaustive::ExhaustiveEvaluator;
use crate::experiment::CubeExperiment;
use crate::random_cube_tests::RandomCubeTests;
use crate::training::CubeTraining;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::Family;

/// Registry entry of the cube experiments.
pub static FAMILY: Family<CubeExhibit> = Family {
    kind: "cube",
    names: &[Cube2Training::NAME, Cube3Training::NAME],
    schema: |name| if is_two(name) { Cube2Training::schema() } else { Cube3Training::schema() },
    create: |name, config, seed| {
        Ok(if is_two(name) {
            Box::new(CubeExperiment::<Cube2Training, ExhaustiveEvaluator>::new(config, seed)?)
        } else {
            Box::new(CubeExperiment::<Cube3Training, RandomCubeTests>::new(config, seed)?)
        })
    },
    open: |header, tensors| {
        Ok(if is_two(&header.experiment) {
            Box::new(CubeExperiment::<Cube2Training, ExhaustiveEvaluator>::open(header, tensors)?)
        } else {
            Box::new(CubeExperiment::<Cube3Training, RandomCubeTests>::open(header, tensors)?)
        })
    },
    any: |exhibit| exhibit,
};

fn is_two(name: &str) -> bool {
    name == Cube2Training::NAME
}

/// Returns the static description of experiment `name`, which must be one of the family.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    if is_two(name) { Cube2Training::experiment() } else { Cube3Training::experiment() }
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
