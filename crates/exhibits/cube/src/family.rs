//! Registry entry of the cube experiments: the functions that create and restore `cube2` and `cube3`.

use crate::CubeExhibit;
use crate::cube2::Cube2Learner;
use crate::cube3::Cube3Learner;
use crate::exhaustive::ExhaustiveEvaluator;
use crate::experiment::CubeExperiment;
use crate::learner::CubeLearner;
use crate::measures::{Cube2Measures, Cube3Measures};
use crate::policy::CubePolicy;
use crate::random_cube_tests::RandomCubeTests;
use serde_json::Value;
use vivarium_lab::checkpoint::Header;
use vivarium_lab::measures::Measures;
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry, NetworkExport};

/// Registry entry of the cube experiments `cube2` (2×2×2) and `cube3` (3×3×3).
pub static FAMILY: Family<CubeExhibit> =
    Family { kind: "cube", experiments: &[CUBE2, CUBE3], any: |exhibit| exhibit };

const CUBE2: FamilyEntry<CubeExhibit> = FamilyEntry {
    name: Cube2Learner::NAME,
    schema: Cube2Learner::schema,
    create: |config, seed| {
        Ok(Box::new(CubeExperiment::<Cube2Learner, ExhaustiveEvaluator>::new(config, seed)?))
    },
    open: |header, tensors| {
        Ok(Box::new(CubeExperiment::<Cube2Learner, ExhaustiveEvaluator>::open(header, tensors)?))
    },
};

const CUBE3: FamilyEntry<CubeExhibit> = FamilyEntry {
    name: Cube3Learner::NAME,
    schema: Cube3Learner::schema,
    create: |config, seed| Ok(Box::new(CubeExperiment::<Cube3Learner, RandomCubeTests>::new(config, seed)?)),
    open: |header, tensors| {
        Ok(Box::new(CubeExperiment::<Cube3Learner, RandomCubeTests>::open(header, tensors)?))
    },
};

/// Static descriptions (config fields, metrics, charts, evaluations) of the cube experiments, for the command line.
pub static DESCRIPTIONS: Descriptions = Descriptions {
    title: "Cubes",
    experiments: &[description::<Cube2Learner>(&Cube2Measures), description::<Cube3Learner>(&Cube3Measures)],
};

const fn description<L: CubeLearner>(measures: &'static dyn Measures) -> Description {
    Description { name: L::NAME, info: L::experiment, measures }
}

/// Export of the trained networks of the cube experiments.
pub static NETWORK_EXPORTS: &[NetworkExport] = &[export::<Cube2Learner>(), export::<Cube3Learner>()];

const fn export<L: CubeLearner>() -> NetworkExport {
    NetworkExport {
        name: L::NAME,
        schema: L::schema,
        network: |header, tensors| {
            L::Policy::restore(&header.config, &tensors.into_vec())?.inference_network(&header.config)
        },
        weights: |header, tensors| {
            let policy = L::Policy::restore(&header.config, &tensors.into_vec())?;
            Ok((Header { more: Value::Null, ..header }, policy.save()))
        },
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
        let config = FAMILY.configure(Cube2Learner::NAME, &json!({})).unwrap();
        assert_eq!(cube2::parse(&config), Ok((DqnConfig::cube2(), CubeParams::default())));
        let config = FAMILY.configure(Cube3Learner::NAME, &json!({})).unwrap();
        assert_eq!(cube3::parse(&config).map(|(own, _)| own), Ok(Cube3Config::default()));
    }

    #[test]
    fn the_demonstrations_preset_is_the_learners() {
        let config = FAMILY.configure(Cube2Learner::NAME, &json!({ "preset": "demonstrations" })).unwrap();
        assert_eq!(cube2::parse(&config).map(|(own, _)| own), Ok(DqnConfig::cube2_with_demonstrations()));
    }
}
