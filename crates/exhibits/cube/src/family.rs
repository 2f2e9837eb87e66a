//! The cubes by name.

use crate::CubeExhibit;
use crate::exhaustive::ExhaustiveEvaluator;
use crate::experiment::CubeExperiment;
use crate::learner::Learner;
use crate::random_cubes::Tests;
use crate::three::Three;
use crate::two::Two;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::Family;

/// The cubes.
pub static FAMILY: Family<CubeExhibit> = Family {
    kind: "cube",
    names: &[Two::NAME, Three::NAME],
    schema: |name| if is_two(name) { Two::schema() } else { Three::schema() },
    create: |name, config, seed| {
        Ok(if is_two(name) {
            Box::new(CubeExperiment::<Two, ExhaustiveEvaluator>::new(config, seed)?)
        } else {
            Box::new(CubeExperiment::<Three, Tests>::new(config, seed)?)
        })
    },
    open: |header, tensors| {
        Ok(if is_two(&header.experiment) {
            Box::new(CubeExperiment::<Two, ExhaustiveEvaluator>::open(header, tensors)?)
        } else {
            Box::new(CubeExperiment::<Three, Tests>::open(header, tensors)?)
        })
    },
    any: |exhibit| exhibit,
};

fn is_two(name: &str) -> bool {
    name == Two::NAME
}

/// Everything about the experiment `name`, one of the family's, that does not change while it runs.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    if is_two(name) { Two::experiment() } else { Three::experiment() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entries::{three, two};
    use serde_json::json;
    use vivarium_agents::cube3::Cube3Config;
    use vivarium_agents::dqn::{CubeParams, DqnConfig};

    #[test]
    fn the_defaults_are_the_learners_own() {
        let config = FAMILY.configure(Two::NAME, &json!({})).unwrap();
        assert_eq!(two::read(&config), Ok((DqnConfig::default_for(Two::NAME), CubeParams::default())));
        let config = FAMILY.configure(Three::NAME, &json!({})).unwrap();
        assert_eq!(three::read(&config).map(|(own, _)| own), Ok(Cube3Config::default()));
    }

    #[test]
    fn demonstrations_are_taken_as_the_learner_has_them() {
        let config = FAMILY.configure(Two::NAME, &json!({ "preset": "demonstrations" })).unwrap();
        assert_eq!(two::read(&config).map(|(own, _)| own), Ok(DqnConfig::cube2_with_demonstrations()));
    }
}
