//! Heat maps of policy and value over two state dimensions.

use super::learner::ControlAlgorithm;
use super::preview::signed;
use crate::entries::describe::ControlSpec;
use crate::protocol::MapRequest;
use std::ops::Range;
use vivarium_envs::ActionSpace;
use vivarium_kernels::Level;

/// Maximum number of cells per side of a heat map.
const MOST_CELLS_A_SIDE: u32 = 128;

/// Maximum number of heat-map cells that are updated per frame: a 64×64 map in one frame, a larger map over several
/// frames.
const CELLS_A_FRAME: usize = 4096;

/// Heat maps of policy and value over two state dimensions, x and y. Arrays are indexed `[y][x]`; row 0 has the
/// smallest y.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeatMap {
    request: Option<MapRequest>,
    /// Index `y · size + x` of the next heat-map cell to update.
    next: usize,
    /// Action of the policy in the state of each cell, −1 to 1. Discrete actions: probability of the last action minus
    /// probability of the first action. Continuous action: mean of the action as a fraction of the largest action.
    pub(crate) policy: Vec<f32>,
    /// Value estimate (expected discounted return) of the state of each cell.
    pub(crate) value: Vec<f32>,
    /// Probability of each discrete action per cell, `[y][x][action]`; empty unless requested.
    pub(crate) actions: Vec<f32>,
}

impl HeatMap {
    /// Returns the number of cells per side of the heat maps; 0 if no heat maps have been computed.
    pub(crate) fn size(&self) -> u32 {
        self.request.map_or(0, |request| request.size)
    }

    /// Updates the heat maps that `request` describes: the next [`CELLS_A_FRAME`] cells, or all cells if the request
    /// has changed. `spec` describes the environment. `state` holds one value per state dimension; cells have these
    /// values in all dimensions that are not on an axis. An invalid request results in empty maps.
    pub(crate) fn refresh(
        &mut self,
        level: Level,
        algorithm: &dyn ControlAlgorithm,
        spec: &ControlSpec,
        request: MapRequest,
        state: &[f32],
    ) {
        let dimensions = spec.env.state_len as u32;
        if request.x >= dimensions || request.y >= dimensions || request.x == request.y || request.size == 0 {
            *self = Self::default();
            return;
        }
        let request = MapRequest { size: request.size.min(MOST_CELLS_A_SIDE), ..request };
        let count = action_count(spec.env.actions, &request);
        let all = (request.size * request.size) as usize;
        let cells = if self.request == Some(request) {
            self.next..all.min(self.next + CELLS_A_FRAME)
        } else {
            *self = Self {
                request: Some(request),
                next: 0,
                policy: vec![0.0; all],
                value: vec![0.0; all],
                actions: vec![0.0; all * count],
            };
            0..all
        };
        self.next = if cells.end == all { 0 } else { cells.end };
        let states = states_of(spec, request, state, cells.clone());
        let mut observations = vec![0.0; cells.len() * spec.env.observation_len];
        if (spec.observe)(level, &states, &mut observations).is_err() {
            return; // Unreachable: both buffers hold one row per cell.
        }
        let policy_and_value = algorithm.policy_and_value(&observations);
        self.value[cells.clone()].copy_from_slice(&policy_and_value.values);
        if count > 0 {
            let actions = &mut self.actions[cells.start * count..cells.end * count];
            actions.copy_from_slice(&policy_and_value.policy);
        }
        let policy = &mut self.policy[cells];
        match spec.env.actions {
            ActionSpace::Discrete(count) => {
                for (cell, probabilities) in
                    policy.iter_mut().zip(policy_and_value.policy.chunks_exact(count))
                {
                    *cell = probabilities[count - 1] - probabilities[0];
                }
            }
            ActionSpace::Box { .. } => {
                for (cell, &mean) in policy.iter_mut().zip(&policy_and_value.policy) {
                    *cell = signed(spec.env.actions, mean);
                }
            }
        }
    }
}

/// Returns the states of the heat-map cells `cells`, one row per cell. `state` holds the values of all dimensions that
/// are not on an axis.
fn states_of(spec: &ControlSpec, request: MapRequest, state: &[f32], cells: Range<usize>) -> Vec<f32> {
    let size = request.size as usize;
    let center = |dimension: u32, cell: usize| {
        let range = &spec.env.state[dimension as usize];
        range.low + (range.high - range.low) * (cell as f32 + 0.5) / size as f32
    };
    let mut states = Vec::with_capacity(cells.len() * spec.env.state_len);
    for cell in cells {
        let row = states.len();
        states.extend_from_slice(state);
        states[row + request.x as usize] = center(request.x, cell % size);
        states[row + request.y as usize] = center(request.y, cell / size);
    }
    states
}

/// Returns the number of discrete actions whose probabilities are stored for each cell of the heat map; 0 if the
/// request does not include probabilities.
fn action_count(space: ActionSpace, request: &MapRequest) -> usize {
    match space {
        ActionSpace::Discrete(count) if request.actions => count,
        ActionSpace::Discrete(_) | ActionSpace::Box { .. } => 0,
    }
}
