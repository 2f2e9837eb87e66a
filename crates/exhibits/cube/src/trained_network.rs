//! Networks of checkpoint files, to solve cubes without a run.

use crate::family::FAMILY;
use serde_json::Value;
use vivarium_agents::cube3::{Cube3Config, Cube3Network};
use vivarium_agents::dqn::{self, CubeParams, CubeProblem, DqnConfig, best};
use vivarium_config::Config;
use vivarium_envs::cube::{Cube2, FaceTurn, TurnMetric};
use vivarium_graph::{Cpu, Tensor};
use vivarium_lab::checkpoint;
use vivarium_lab::error::LabError;

/// Maximum number of moves that the greedy policy of a Q-network may make.
const MAX_GREEDY_MOVES: usize = 200;

/// Solver of the 2×2×2 cube: greedy policy of the Q-network in a `cube2` checkpoint.
pub struct Cube2Solver {
    network: dqn::Network,
    params: CubeParams,
}

impl Cube2Solver {
    /// Loads the Q-network of a `cube2` checkpoint file.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] if the file is invalid or belongs to another experiment.
    pub fn open(bytes: &[u8]) -> Result<Self, LabError> {
        let (config, tensors) = read_config_and_tensors(bytes, "cube2")?;
        let params: CubeParams = read_section(&config)?;
        let own: DqnConfig = read_section(&config)?;
        let network = dqn::restore_network::<CubeProblem>(&own, &params, &tensors);
        let network = network.map_err(|error| LabError::from(error).in_checkpoint())?;
        Ok(Self { network, params })
    }

    /// Computes the Q-values of each of `cubes`, one for each quarter turn in the order of
    /// [`Cube2::turns`]: `[cubes, turns]`.
    #[must_use]
    pub fn values(&self, cpu: &Cpu, cubes: &[Cube2]) -> Vec<f32> {
        let Self { network, params } = self;
        let canonical: Vec<_> = cubes.iter().map(|&cube| params.canonical(cube)).collect();
        let mut found = vec![0.0; cubes.len() * CubeProblem::ACTIONS];
        dqn::values::<CubeProblem>(cpu, network, params, &canonical, &mut found);
        let mut values = vec![0.0; found.len()];
        let rows =
            found.chunks_exact(CubeProblem::ACTIONS).zip(values.chunks_exact_mut(CubeProblem::ACTIONS));
        for ((found, values), &cube) in rows.zip(cubes) {
            for (action, &value) in found.iter().enumerate() {
                values[usize::from(params.original_action(cube, action as u8))] = value;
            }
        }
        values
    }

    /// Solves `start` by the turn with the highest Q-value in each state.
    ///
    /// # Errors
    /// The number of moves after which the policy repeats a state, or exceeds the maximum number of moves.
    pub fn solution(&self, cpu: &Cpu, start: Cube2) -> Result<Vec<FaceTurn>, usize> {
        let Self { network, params } = self;
        let (mut turns, mut met, mut cube) = (Vec::new(), Vec::new(), start);
        while !cube.is_solved() {
            if met.contains(&cube) || met.len() > MAX_GREEDY_MOVES {
                return Err(met.len());
            }
            met.push(cube);
            let mut values = [0.0; CubeProblem::ACTIONS];
            dqn::values::<CubeProblem>(cpu, network, params, &[params.canonical(cube)], &mut values);
            let action = params.original_action(cube, best(&values) as u8);
            let turn = Cube2::turns(TurnMetric::Quarter)[usize::from(action)];
            turns.push(turn);
            cube = cube.turned(turn);
        }
        Ok(turns)
    }
}

/// Reads the policy network of a `cube3` checkpoint file. Returns the network and the turn metric (quarter or half turns)
/// in which the network was trained.
///
/// # Errors
/// [`LabError::Checkpoint`] if the file is invalid or belongs to another experiment.
pub fn read_cube3_network(bytes: &[u8]) -> Result<(Cube3Network, TurnMetric), LabError> {
    let (config, tensors) = read_config_and_tensors(bytes, "cube3")?;
    let own: Cube3Config = read_section(&config)?;
    checkpoint::check_min_values(&tensors, own.least_parameters())?;
    let network = Cube3Network::restore(&own, &tensors);
    Ok((network.map_err(|error| LabError::from(error).in_checkpoint())?, own.metric))
}

/// Reads a checkpoint of the experiment `name`. Returns the config and the tensors.
fn read_config_and_tensors(bytes: &[u8], name: &str) -> Result<(Value, Vec<Tensor>), LabError> {
    let (header, tensors) = checkpoint::read(bytes)?;
    if header.experiment != name {
        let message = format!("it belongs to {}; a checkpoint of {name} is required", header.experiment);
        return Err(LabError::checkpoint(message));
    }
    Ok((FAMILY.config_of(&header)?, tensors.into_vec()))
}

/// Reads the fields of config type `C`, such as the config of the learner, from a complete config.
fn read_section<C: Config>(config: &Value) -> Result<C, LabError> {
    C::from_json(config).map_err(|error| LabError::from(error).in_checkpoint())
}
