//! Registry entry of the control experiments.

use crate::ControlExhibit;
use crate::entries::describe::{ControlWorld, describe, schema};
use crate::experiment::ControlExperiment;
use serde_json::Value;
use vivarium_envs::{Acrobot, CartPole, MountainCar, Pendulum, World};
use vivarium_lab::LabError;
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::Family;

/// Names of the control experiments, equal to the names of their environments.
const NAMES: &[&str] = &[CartPole::NAME, MountainCar::NAME, Pendulum::NAME, Acrobot::NAME];

/// Calls a function that is generic over the environment type, with the type of the environment named `$name`.
macro_rules! for_world {
    ($name:expr, $function:ident($($argument:expr),*)) => {
        match $name {
            vivarium_envs::CartPole::NAME => $function::<vivarium_envs::CartPole>($($argument),*),
            vivarium_envs::MountainCar::NAME => $function::<vivarium_envs::MountainCar>($($argument),*),
            vivarium_envs::Pendulum::NAME => $function::<vivarium_envs::Pendulum>($($argument),*),
            _ => $function::<vivarium_envs::Acrobot>($($argument),*),
        }
    };
}
pub(crate) use for_world;

/// Registry entry of the control experiments.
pub static FAMILY: Family<ControlExhibit> = Family {
    kind: "control",
    names: NAMES,
    schema: |name| for_world!(name, schema()),
    create: |name, config, seed| for_world!(name, create(config, seed)),
    open: |header, tensors| for_world!(header.experiment.as_str(), open(header, tensors)),
    any: |exhibit| exhibit,
};

/// Returns the static description of experiment `name`, which must be one of the control experiments.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    for_world!(name, describe())
}

fn create<W: ControlWorld>(config: Value, seed: u64) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::<W>::new(config, seed)?))
}

fn open<W: ControlWorld>(header: &Header, tensors: Tensors) -> Result<Box<ControlExhibit>, LabError> {
    Ok(Box::new(ControlExperiment::<W>::open(header, tensors)?))
}
