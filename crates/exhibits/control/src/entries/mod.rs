//! The control experiments.

mod cartpole;
pub(crate) mod describe;
pub(crate) mod dqn;
mod mountain_car;
mod pendulum;
pub(crate) mod ppo;

use crate::ControlExhibit;
use crate::experiment::ControlExperiment;
use describe::{ControlWorld, describe, schema};
use serde_json::Value;
use vivarium_envs::{CartPole, MountainCar, Pendulum};
use vivarium_lab::checkpoint::{Header, Tensors};
use vivarium_lab::error::LabError;
use vivarium_lab::info::ExperimentInfo;
use vivarium_lab::registry::Family;

/// The experiments of control.
pub const FAMILY: Family<ControlExhibit> = Family {
    kind: "control",
    names: &["cartpole", "mountain-car", "pendulum"],
    schema: |name| match name {
        "cartpole" => schema::<CartPole>(),
        "mountain-car" => schema::<MountainCar>(),
        _ => schema::<Pendulum>(),
    },
    check,
    create,
    open,
    any: |exhibit| exhibit,
};

/// Everything about the experiment `name`, one of the family's, that does not change while it runs.
#[must_use]
pub fn info(name: &str) -> ExperimentInfo {
    match name {
        "cartpole" => describe::<CartPole>(),
        "mountain-car" => describe::<MountainCar>(),
        _ => describe::<Pendulum>(),
    }
}

/// Checks what must hold between the fields of a whole config, each of which is in its range.
///
/// # Errors
/// [`LabError::Invalid`] where they do not go together.
pub(crate) fn check(config: &Value) -> Result<(), LabError> {
    ppo::read(config)?;
    // What has no such section has one learner alone.
    if config.get("dqn").is_some() { dqn::read(config).map(drop) } else { Ok(()) }
}

fn create(name: &str, config: Value, seed: u64) -> Result<Box<ControlExhibit>, LabError> {
    fn new<W: ControlWorld>(config: Value, seed: u64) -> Result<Box<ControlExhibit>, LabError> {
        Ok(Box::new(ControlExperiment::<W>::new(config, seed)?))
    }
    match name {
        "cartpole" => new::<CartPole>(config, seed),
        "mountain-car" => new::<MountainCar>(config, seed),
        _ => new::<Pendulum>(config, seed),
    }
}

fn open(header: &Header, tensors: Tensors) -> Result<Box<ControlExhibit>, LabError> {
    fn restore<W: ControlWorld>(header: &Header, tensors: Tensors) -> Result<Box<ControlExhibit>, LabError> {
        Ok(Box::new(ControlExperiment::<W>::open(header, tensors)?))
    }
    match header.experiment.as_str() {
        "cartpole" => restore::<CartPole>(header, tensors),
        "mountain-car" => restore::<MountainCar>(header, tensors),
        _ => restore::<Pendulum>(header, tensors),
    }
}
