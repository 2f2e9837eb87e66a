//! Registry entry of the control experiments: one entry per environment of the table in `vivarium_envs`.

use crate::ControlExhibit;
use crate::entries::describe::{ControlWorld, describe, schema};
use crate::experiment::ControlExperiment;
use crate::measures::ControlMeasures;
use serde_json::Value;
use std::marker::PhantomData;
use vivarium_envs::each_world;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::registry::{Description, Descriptions, Family, FamilyEntry};

/// Registry entry of the control experiments. Each experiment has the name of its environment.
pub static FAMILY: Family<ControlExhibit> =
    Family { kind: "control", experiments: &each_world!(entry()), any: |exhibit| exhibit };

const fn entry<W: ControlWorld>() -> FamilyEntry<ControlExhibit> {
    FamilyEntry { name: W::NAME, schema: schema::<W>, create: create::<W>, open: open::<W> }
}

fn create<W: ControlWorld>(config: Value, seed: u64) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::<W>::new(config, seed)?))
}

fn open<W: ControlWorld>(header: &Header, tensors: Tensors) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::<W>::open(header, tensors)?))
}

/// Static descriptions of the control experiments.
pub static DESCRIPTIONS: Descriptions =
    Descriptions { title: "Classic control", has_own_eval: false, experiments: &each_world!(description()) };

const fn description<W: ControlWorld>() -> Description {
    Description { name: W::NAME, info: describe::<W>, measures: &ControlMeasures::<W>(PhantomData) }
}
