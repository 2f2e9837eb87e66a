//! Registry entry of the control experiments: one entry per environment of the table in `vivarium_envs`.

use crate::ControlExhibit;
use crate::entries::describe::{ControlWorld, describe, schema};
use crate::experiment::ControlExperiment;
use serde_json::Value;
use vivarium_envs::each_world;
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::{Family, FamilyEntry};

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

/// Returns the static description of experiment `name`.
///
/// # Panics
/// If `name` is not one of the control experiments.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    (description(name).info)()
}

/// Static properties of a control experiment that the web page does not need.
pub(crate) struct ControlDescription {
    name: &'static str,
    info: fn() -> ExperimentInfo,
    /// Approximately the worst return of the environment, and the mean return at which it counts as solved.
    pub(crate) returns: [f32; 2],
}

/// Returns the static properties of experiment `name`, which must be one of the control experiments.
pub(crate) fn description(name: &str) -> ControlDescription {
    fn of<W: ControlWorld>() -> ControlDescription {
        ControlDescription { name: W::NAME, info: describe::<W>, returns: [W::RETURNS.0, W::SOLVED] }
    }
    let found = each_world!(of()).into_iter().find(|description| description.name == name);
    found.unwrap_or_else(|| panic!("{name} is no control experiment"))
}
