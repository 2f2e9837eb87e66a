//! The network of a checkpoint, to solve with.

use crate::failure::Failure;
use crate::run;
use serde_json::Value;
use std::path::Path;
use vivarium_agents::cube3::{self, Cube3Config};
use vivarium_agents::dqn::{self, CubeParams, CubeProblem, DqnConfig};
use vivarium_config::{Config, ConfigError};
use vivarium_envs::cube::TurnMetric;
use vivarium_exhibit_cube::FAMILY;
use vivarium_graph::Tensor;
use vivarium_lab::checkpoint;

/// A network of deep Q-learning, and how it sees the cube of 2×2×2.
///
/// # Errors
/// [`Failure::Failed`] naming the file and what is wrong with it.
pub fn two(path: &Path) -> Result<(dqn::Network, CubeParams), Failure> {
    let (config, tensors) = read(path, "cube2")?;
    let params: CubeParams = learned_with(path, &config)?;
    let own: DqnConfig = learned_with(path, &config)?;
    let network = dqn::restore_network::<CubeProblem>(&own, &params, &tensors);
    Ok((network.map_err(|error| refused(path, error.to_string()))?, params))
}

/// A network that log_probabilities what leads back on the cube of 3×3×3, and its moves.
///
/// # Errors
/// [`Failure::Failed`] naming the file and what is wrong with it.
pub fn three(path: &Path) -> Result<(cube3::Cube3Network, TurnMetric), Failure> {
    let (config, tensors) = read(path, "cube3")?;
    let own: Cube3Config = learned_with(path, &config)?;
    checkpoint::check_min_values(&tensors, own.least_parameters())
        .map_err(|error| refused(path, error.to_string()))?;
    let network = cube3::Cube3Network::restore(&own, &tensors);
    Ok((network.map_err(|error| refused(path, error.to_string()))?, own.metric))
}

/// The config and the tensors of a checkpoint of the experiment `name`.
fn read(path: &Path, name: &str) -> Result<(Value, Vec<Tensor>), Failure> {
    let refuse = |error: String| refused(path, error);
    let (header, tensors) =
        checkpoint::read(&run::read_checkpoint(path)?).map_err(|error| refuse(error.to_string()))?;
    if header.experiment != name {
        return Err(refuse(format!("this is a checkpoint of {}, not of {name}", header.experiment)));
    }
    let config = FAMILY.config_of(&header).map_err(|error| refuse(error.to_string()))?;
    Ok((config, tensors.into_vec()))
}

/// What the network was learned with, from the whole config.
fn learned_with<C: Config>(path: &Path, config: &Value) -> Result<C, Failure> {
    C::from_json(config).map_err(|error: ConfigError| refused(path, error.to_string()))
}

fn refused(path: &Path, why: String) -> Failure {
    Failure::failed(format!("{}: {why}", path.display()))
}
