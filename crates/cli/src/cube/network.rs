//! Reads the networks of cube checkpoints, with which `vivarium solve` solves cubes.

use crate::error::CliError;
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

/// Reads the Q-network and the environment parameters of a `cube2` checkpoint.
///
/// # Errors
/// [`CliError::Failed`] naming the file and its defect.
pub fn two(path: &Path) -> Result<(dqn::Network, CubeParams), CliError> {
    let (config, tensors) = read(path, "cube2")?;
    let params: CubeParams = learned_with(path, &config)?;
    let own: DqnConfig = learned_with(path, &config)?;
    let network = dqn::restore_network::<CubeProblem>(&own, &params, &tensors);
    Ok((network.map_err(|error| refused(path, error.to_string()))?, params))
}

/// Reads the policy network of a `cube3` checkpoint, and the turn metric that the network was trained in.
///
/// # Errors
/// [`CliError::Failed`] naming the file and its defect.
pub fn three(path: &Path) -> Result<(cube3::Cube3Network, TurnMetric), CliError> {
    let (config, tensors) = read(path, "cube3")?;
    let own: Cube3Config = learned_with(path, &config)?;
    checkpoint::check_min_values(&tensors, own.least_parameters())
        .map_err(|error| refused(path, error.to_string()))?;
    let network = cube3::Cube3Network::restore(&own, &tensors);
    Ok((network.map_err(|error| refused(path, error.to_string()))?, own.metric))
}

/// Reads a checkpoint of the experiment `name`, and returns its config and its tensors.
fn read(path: &Path, name: &str) -> Result<(Value, Vec<Tensor>), CliError> {
    let refuse = |error: String| refused(path, error);
    let (header, tensors) =
        checkpoint::read(&run::read_checkpoint(path)?).map_err(|error| refuse(error.to_string()))?;
    if header.experiment != name {
        return Err(refuse(format!("this is a checkpoint of {}, not of {name}", header.experiment)));
    }
    let config = FAMILY.config_of(&header).map_err(|error| refuse(error.to_string()))?;
    Ok((config, tensors.into_vec()))
}

/// Parses the fields of type `C`, such as the learner's config, in `config`, the config of the checkpoint at `path`.
fn learned_with<C: Config>(path: &Path, config: &Value) -> Result<C, CliError> {
    C::from_json(config).map_err(|error: ConfigError| refused(path, error.to_string()))
}

fn refused(path: &Path, why: String) -> CliError {
    CliError::failed(format!("{}: {why}", path.display()))
}
