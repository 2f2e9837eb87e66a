//! Registry entry of the logic automaton.

use crate::LogicExhibit;
use crate::entries::{NAME, info, schema};
use crate::experiment::LogicExperiment;
use crate::measures::LogicMeasures;
use vivarium_lab::LabError;
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry, NetworkExport};

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

/// Static description and evaluations of the logic automaton.
pub static DESCRIPTIONS: Descriptions = Descriptions {
    title: "Logic cellular automata",
    experiments: &[Description { name: NAME, info, measures: &LogicMeasures }],
};

/// Refusal to export a network, with the format that a circuit has.
pub static NETWORK_EXPORTS: &[NetworkExport] = &[NetworkExport {
    name: NAME,
    schema,
    network: |_, _| Err(no_network()),
    weights: |_, _| Err(no_network()),
}];

fn no_network() -> LabError {
    let remedy = "a logic automaton has no neural network, and ONNX has no form of its gates; export its circuit \
                  with `vivarium eval logic-ca --checkpoint FILE --circuit FILE`";
    LabError::invalid("experiment", NAME, remedy)
}
