//! Cubes: of 2×2×2 solved by deep Q-learning, of 3×3×3 by self-supervision and a search.

pub(crate) mod three;
pub(crate) mod two;

use super::Family;
use crate::config;
use crate::cube::{CubeExperiment, Learner, Three, Two};
use crate::former;
use crate::info::{ExperimentInfo, WorldInfo};

pub(super) const FAMILY: Family = Family {
    names: &[Two::NAME, Three::NAME],
    info: |name| if is_two(name) { describe::<Two>() } else { describe::<Three>() },
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
};

fn is_two(name: &str) -> bool {
    name == Two::NAME
}

/// Everything about the experiment that does not change while it runs.
pub(crate) fn describe<L: Learner>() -> ExperimentInfo {
    let fields = L::fields();
    let defaults = config::defaults(&fields);
    ExperimentInfo {
        name: L::NAME.into(),
        title: L::TITLE.into(),
        summary: L::SUMMARY.into(),
        world: WorldInfo::Cube(L::info()),
        former_paths: former::paths_of(&fields),
        presets: L::presets(),
        metrics: L::metrics(),
        defaults,
        fields,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::configure;
    use serde_json::json;
    use vivarium_agents::cube3::Cube3Config;
    use vivarium_agents::dqn::{CubeParams, DqnConfig};

    #[test]
    fn the_defaults_are_the_learners_own() {
        let config = configure(Two::NAME, &json!({})).unwrap();
        assert_eq!(two::read(&config), Ok((DqnConfig::default_for(Two::NAME), CubeParams::default())));
        let config = configure(Three::NAME, &json!({})).unwrap();
        assert_eq!(three::read(&config).map(|(own, _)| own), Ok(Cube3Config::default()));
    }

    #[test]
    fn demonstrations_are_taken_as_the_learner_has_them() {
        let config = configure(Two::NAME, &json!({ "preset": "demonstrations" })).unwrap();
        assert_eq!(two::read(&config).map(|(own, _)| own), Ok(DqnConfig::cube2_with_lessons()));
    }
}
