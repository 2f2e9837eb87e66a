//! The control experiments.

mod cartpole;
pub(crate) mod describe;
pub(crate) mod dqn;
mod mountain_car;
mod pendulum;
pub(crate) mod ppo;

use super::Family;
use crate::checkpoint::{Header, Tensors};
use crate::control::ControlExperiment;
use crate::error::LabError;
use crate::experiment::Experiment;
use crate::info::ExperimentInfo;
use describe::{Exhibit, describe};
use serde_json::Value;
use vivarium_envs::{CartPole, MountainCar, Pendulum};

pub(super) const FAMILY: Family =
    Family { names: &["cartpole", "mountain-car", "pendulum"], info, check, create, open };

fn info(name: &str) -> ExperimentInfo {
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

fn create(name: &str, config: Value, seed: u64) -> Result<Box<dyn Experiment>, LabError> {
    fn new<W: Exhibit>(config: Value, seed: u64) -> Result<Box<dyn Experiment>, LabError> {
        Ok(Box::new(ControlExperiment::<W>::new(config, seed)?))
    }
    match name {
        "cartpole" => new::<CartPole>(config, seed),
        "mountain-car" => new::<MountainCar>(config, seed),
        _ => new::<Pendulum>(config, seed),
    }
}

fn open(header: &Header, tensors: Tensors) -> Result<Box<dyn Experiment>, LabError> {
    fn restore<W: Exhibit>(header: &Header, tensors: Tensors) -> Result<Box<dyn Experiment>, LabError> {
        Ok(Box::new(ControlExperiment::<W>::open(header, tensors)?))
    }
    match header.experiment.as_str() {
        "cartpole" => restore::<CartPole>(header, tensors),
        "mountain-car" => restore::<MountainCar>(header, tensors),
        _ => restore::<Pendulum>(header, tensors),
    }
}
