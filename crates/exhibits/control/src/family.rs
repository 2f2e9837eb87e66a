//! Registry entry of the control experiments: one entry per environment of the table in `vivarium_envs`.

use crate::ControlExhibit;
use crate::entries::describe::{ControlSpec, ControlWorld, describe, schema};
use crate::experiment::ControlExperiment;
use crate::learners::network;
use crate::measures::ControlMeasures;
use serde_json::Value;
use vivarium_envs::{EnvSpec, each_world};
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry, NetworkExport};

/// Registry entry of the control experiments. Each experiment has the name of its environment.
pub static FAMILY: Family<ControlExhibit> =
    Family { kind: "control", experiments: &each_world!(entry()), any: |exhibit| exhibit };

const fn entry<W: ControlWorld>() -> FamilyEntry<ControlExhibit> {
    FamilyEntry { name: W::NAME, schema: schema::<W>, create: create::<W>, open: open::<W> }
}

fn create<W: ControlWorld>(config: Value, seed: u64) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::new(ControlSpec::of::<W>(), config, seed)?))
}

fn open<W: ControlWorld>(header: &Header, tensors: Tensors) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::open(ControlSpec::of::<W>(), header, tensors)?))
}

/// Static descriptions (config fields, metrics, charts, evaluations) of the control experiments, for the command line.
pub static DESCRIPTIONS: Descriptions =
    Descriptions { title: "Classic control", experiments: &each_world!(description()) };

const fn description<W: ControlWorld>() -> Description {
    Description {
        name: W::NAME,
        info: describe::<W>,
        measures: const { &ControlMeasures(EnvSpec::of::<W>()) },
    }
}

/// Export of the trained networks of the control experiments.
pub static NETWORK_EXPORTS: &[NetworkExport] = &each_world!(export());

const fn export<W: ControlWorld>() -> NetworkExport {
    NetworkExport {
        name: W::NAME,
        schema: schema::<W>,
        network: |header, tensors| network(ControlSpec::of::<W>(), header, tensors),
        weights: |header, _| {
            let remedy = "the format weights is for board games, cubes and language models; use onnx";
            Err(LabError::invalid("experiment", header.experiment, remedy))
        },
    }
}
