//! Reads the networks of cube checkpoints for `vivarium solve`.

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
pub fn read_cube2(path: &Path) -> Result<(dqn::Network, CubeParams), CliError> {
    let (config, tensors) = read_config_and_tensors(path, "cube2")?;
    let params: CubeParams = parse_config(path, &config)?;
    let own: DqnConfig = parse_config(path, &config)?;
    let network = dqn::restore_network::<CubeProblem>(&own, &params, &tensors);
    Ok((network.map_err(|error| file_error(path, error.to_string()))?, params))
}

/// Reads the policy network of a `cube3` checkpoint. Returns the network and the turn metric (quarter or half turns)
/// in which the network was trained.
///
/// # Errors
/// [`CliError::Failed`] naming the file and its defect.
pub fn read_cube3(path: &Path) -> Result<(cube3::Cube3Network, TurnMetric), CliError> {
    let (config, tensors) = read_config_and_tensors(path, "cube3")?;
    let own: Cube3Config = parse_config(path, &config)?;
    checkpoint::check_min_values(&tensors, own.least_parameters())
        .map_err(|error| file_error(path, error.to_string()))?;
    let network = cube3::Cube3Network::restore(&own, &tensors);
    Ok((network.map_err(|error| file_error(path, error.to_string()))?, own.metric))
}

/// Reads a checkpoint of the experiment `name`. Returns the config and the tensors.
fn read_config_and_tensors(path: &Path, name: &str) -> Result<(Value, Vec<Tensor>), CliError> {
    let refuse = |error: String| file_error(path, error);
    let (header, tensors) =
        checkpoint::read(&run::read_checkpoint(path)?).map_err(|error| refuse(error.to_string()))?;
    if header.experiment != name {
        return Err(refuse(format!("this is a checkpoint of {}, not of {name}", header.experiment)));
    }
    let config = FAMILY.config_of(&header).map_err(|error| refuse(error.to_string()))?;
    Ok((config, tensors.into_vec()))
}

/// Parses the fields of config type `C`, such as the config of the learner, from `config`. `path` is the path of the
/// checkpoint, for errors.
fn parse_config<C: Config>(path: &Path, config: &Value) -> Result<C, CliError> {
    C::from_json(config).map_err(|error: ConfigError| file_error(path, error.to_string()))
}

fn file_error(path: &Path, why: String) -> CliError {
    CliError::failed(format!("{}: {why}", path.display()))
}
