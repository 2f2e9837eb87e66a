//! Registry entry of the logic automaton.

use crate::LogicExhibit;
use crate::entries::{NAME, schema};
use crate::experiment::LogicExperiment;
use vivarium_lab::registry::{Family, FamilyEntry};

/// Registry entry of the logic automaton: creates, opens and evaluates its experiments.
pub static FAMILY: Family<LogicExhibit> = Family {
    kind: "logic_ca",
    experiments: &[FamilyEntry {
        name: NAME,
        schema,
        create: |config, seed| Ok(Box::new(LogicExperiment::new(config, seed)?)),
        open: |header, tensors| Ok(Box::new(LogicExperiment::open(header, tensors)?)),
    }],
    any: |exhibit| exhibit,
};
