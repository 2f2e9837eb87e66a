//! Cubes: of 2×2×2 solved by deep Q-learning, of 3×3×3 by self-supervision and a search.

pub(crate) mod three;
pub(crate) mod two;

use crate::CubeExhibit;
use crate::experiment::CubeExperiment;
use crate::learner::Learner;
use crate::three::Three;
use crate::two::Two;
use vivarium_lab::info::{ExperimentInfo, Schema};
use vivarium_lab::registry::Family;

/// The cubes.
pub static FAMILY: Family<CubeExhibit> = Family {
    kind: "cube",
    names: &[Two::NAME, Three::NAME],
    schema: |name| if is_two(name) { schema::<Two>() } else { schema::<Three>() },
    check: |config| {
        // The sections tell the two apart.
        if config.get("dqn").is_some() { two::read(config).map(drop) } else { three::read(config).map(drop) }
    },
    create: |name, config, seed| {
        Ok(if is_two(name) {
            Box::new(CubeExperiment::<Two>::new(config, seed)?)
        } else {
            Box::new(CubeExperiment::<Three>::new(config, seed)?)
        })
    },
    open: |header, tensors| {
        Ok(if is_two(&header.experiment) {
            Box::new(CubeExperiment::<Two>::open(header, tensors)?)
        } else {
            Box::new(CubeExperiment::<Three>::open(header, tensors)?)
        })
    },
    any: |exhibit| exhibit,
};

fn is_two(name: &str) -> bool {
    name == Two::NAME
}

/// What configs the experiment may have.
pub(crate) fn schema<L: Learner>() -> Schema {
    Schema { fields: L::fields(), presets: L::presets() }
}

/// Everything about the experiment `name`, one of the family's, that does not change while it runs.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    if is_two(name) { describe::<Two>() } else { describe::<Three>() }
}

fn describe<L: Learner>() -> ExperimentInfo {
    ExperimentInfo::new([L::NAME, L::TITLE, L::SUMMARY], &L::info(), schema::<L>(), L::metrics())
}

#[cfg(test)]
mod tests {
    use super::*;
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
