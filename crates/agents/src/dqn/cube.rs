//! The 2×2×2 cube as a problem of deep Q-learning.

use super::problem::{Demonstration, DqnProblem, EnvStep, EpisodeEnd, NetworkInputs};
use super::report::DqnCounters;
use crate::error::LearnerError;
use std::sync::{Arc, LazyLock};
use vivarium_envs::cube::{
    Backtracking, Cube2, Cube2Symmetries, CubeSize, DistanceTable, RandomWalk, TurnMetric,
};
use vivarium_graph::{SavedTensors, Tensor, TensorData};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Reward per move. Optimal solutions have at most 14 moves; optimal undiscounted values lie between −1.4 and 0.
pub const MOVE: f32 = -0.1;

/// Longest scramble, in moves; no state needs more moves to solve.
const FARTHEST: u32 = 14;

/// Number of moves that an episode may take beyond the length of its scramble.
const PATIENCE: u32 = 6;

/// Exact solver: distance of every state from the solved state, in quarter turns. The learner uses the solver for
/// demonstrations only.
static SOLVER: LazyLock<Arc<DistanceTable>> =
    LazyLock::new(|| Arc::new(DistanceTable::new(TurnMetric::Quarter)));
static SYMMETRIES: LazyLock<Cube2Symmetries> = LazyLock::new(Cube2Symmetries::new);

vivarium_config::config! {
    /// Options of the cube problem.
    #[derive(Clone, Copy)]
    pub struct CubeParams {
        ["cube"]
        /// Replaces each state by a canonical representative under rotations and reflections. This reduces the number
        /// of states to a sixth.
        symmetries: bool = true, "Symmetries", flag();
        /// Network inputs of a cube: the color of each sticker, or, for each pair of positions, the two corners and
        /// their twists.
        features: CubeFeatures = CubeFeatures::Pairs, "Features", choice(CubeFeatures::NAMES);
    }
}

vivarium_config::choice! {
    /// Network inputs of a cube.
    pub enum CubeFeatures {
        /// Color of each sticker: [`Cube2::indices`].
        Stickers = "stickers",
        /// For each pair of positions, the two corners and their twists: [`Cube2::pairs`].
        Pairs = "pairs",
    }
}

/// Batch of 2×2×2 cubes with quarter turns. Actions 0 to 5 are U, U', R, R', F, F', as in [`Cube2::turns`].
///
/// An episode begins with a scramble of `level` moves, or with a uniformly random state at the highest level, and
/// terminates at the solved cube. Every move has the reward [`MOVE`]; the optimal undiscounted value of a state is its
/// distance times that reward.
#[derive(Clone, Debug)]
pub struct CubeProblem {
    params: CubeParams,
    seed: u64,
    cubes: Vec<Cube2>,
    /// `[num_envs]`: number of moves until the time limit of the present episode.
    left: Vec<u32>,
    /// `[num_envs]`: index of each environment's next episode.
    next_episodes: Vec<u32>,
}

/// Names of the tensors that [`DqnProblem::save`] returns for the cube.
const LEFT: &str = "cube/moves_left";
const NEXT_EPISODES: &str = "cube/next_episode";

impl CubeParams {
    /// Returns the network's input state for `cube`: the symmetry representative of `cube`, or `cube` itself if
    /// symmetries are disabled.
    #[inline]
    #[must_use]
    pub fn canonical(self, cube: Cube2) -> Cube2 {
        if self.symmetries { SYMMETRIES.representative(cube) } else { cube }
    }

    /// Maps an action of the symmetry representative of `cube` to the corresponding action of `cube`.
    #[must_use]
    pub fn original_action(self, cube: Cube2, action: u8) -> u8 {
        if !self.symmetries {
            return action;
        }
        let turns = Cube2::turns(TurnMetric::Quarter);
        let turn = SYMMETRIES.turn_of_original(cube, turns[usize::from(action)]);
        turns.iter().position(|&candidate| candidate == turn).unwrap_or(0) as u8
    }
}

impl CubeProblem {
    /// Returns the distances of all states from the solved state, in quarter turns. The first call computes them, which
    /// takes less than a second.
    pub fn distances() -> Arc<DistanceTable> {
        SOLVER.clone()
    }

    /// Begins the next episode of environment `env`, at level of difficulty `level`.
    fn begin(&mut self, env: usize, level: u32) {
        let mut random = Stream::new(self.seed, env as u32);
        // Each episode has its own range of 256 blocks of random numbers, more than a scramble uses.
        random.step = self.next_episodes[env].wrapping_mul(1 << 8);
        let cube = loop {
            let cube =
                if level > FARTHEST { Cube2::random(&mut random) } else { scramble(&mut random, level) };
            if !cube.is_solved() {
                break cube;
            }
        };
        self.cubes[env] = self.params.canonical(cube);
        self.left[env] = level.min(FARTHEST) + PATIENCE;
        self.next_episodes[env] = self.next_episodes[env].wrapping_add(1);
    }
}

/// Returns the solved state after `moves` random moves.
fn scramble(random: &mut Stream, moves: u32) -> Cube2 {
    let mut walk = RandomWalk::new(CubeSize::Two, TurnMetric::Quarter, Backtracking::Never);
    (0..moves).fold(Cube2::SOLVED, |cube, _| cube.turned(walk.next(random).1))
}

impl DqnProblem for CubeProblem {
    type Params = CubeParams;
    type State = Cube2;

    const NAME: &'static str = "cube2";
    const ACTIONS: usize = 6;
    const LEVELS: u32 = FARTHEST + 1;
    const SOLVER: bool = true;
    const WORDS: usize = 1;

    /// Returns the progress of a run: the number of samples of all gradient steps. For the cube, samples replace
    /// environment steps as the unit of progress.
    fn steps(counters: &DqnCounters) -> u64 {
        counters.samples
    }

    fn inputs(params: &CubeParams) -> NetworkInputs {
        match params.features {
            CubeFeatures::Stickers => NetworkInputs { count: Cube2::STICKERS, features: Some(Cube2::INPUTS) },
            CubeFeatures::Pairs => {
                NetworkInputs { count: Cube2::PAIRS, features: Some(Cube2::PAIR_FEATURES) }
            }
        }
    }

    fn new(&params: &CubeParams, seed: u64, levels: &[u32]) -> Result<Self, LearnerError> {
        let num_envs = levels.len();
        let (cubes, left, next_episodes) =
            (vec![Cube2::SOLVED; num_envs], vec![0; num_envs], vec![0; num_envs]);
        let mut all = Self { params, seed, cubes, left, next_episodes };
        levels.iter().enumerate().for_each(|(env, &level)| all.begin(env, level));
        Ok(all)
    }

    fn states(&self, _: Level) -> Result<Vec<Cube2>, LearnerError> {
        Ok(self.cubes.clone())
    }

    fn step(
        &mut self,
        _: Level,
        actions: &[u8],
        levels: &[u32],
        steps: &mut Vec<EnvStep<Cube2>>,
    ) -> Result<(), LearnerError> {
        let turns = Cube2::turns(TurnMetric::Quarter);
        steps.clear();
        for (env, &action) in actions.iter().enumerate() {
            let reached = self.params.canonical(self.cubes[env].turned(turns[usize::from(action)]));
            self.cubes[env] = reached;
            self.left[env] -= 1;
            let end = match (reached.is_solved(), self.left[env]) {
                (true, _) => EpisodeEnd::Terminated,
                (false, 0) => EpisodeEnd::Truncated,
                _ => EpisodeEnd::No,
            };
            if end != EpisodeEnd::No {
                self.begin(env, levels[env]);
            }
            steps.push(EnvStep { reached, now: self.cubes[env], reward: MOVE, end });
        }
        Ok(())
    }

    fn encode(params: &CubeParams, state: &Cube2, row: &mut [f32]) {
        let mut write =
            |features: &[u16]| row.iter_mut().zip(features).for_each(|(to, &from)| *to = from.into());
        match params.features {
            CubeFeatures::Stickers => write(&state.indices()),
            CubeFeatures::Pairs => write(&state.pairs()),
        }
    }

    /// Draws a demonstration. Half of the demonstrations have uniformly random states, half have states of scrambles of
    /// random length. States near the solved state are rare among random states, but occur in every solution.
    fn demonstration(&self, random: &mut Stream) -> Option<Demonstration<Cube2>> {
        loop {
            let cube = match random.below(2) {
                0 => Cube2::random(random),
                _ => {
                    let moves = 1 + random.below(FARTHEST);
                    scramble(random, moves)
                }
            };
            let state = self.params.canonical(cube);
            if !state.is_solved() {
                let value = MOVE * f32::from(SOLVER.of(state));
                return Some(Demonstration { state, best: SOLVER.optimal(state).into(), value });
            }
        }
    }

    fn pack(state: &Cube2, words: &mut [u32]) {
        words[0] = state.rank();
    }

    fn unpack(&self, words: &[u32]) -> Option<Cube2> {
        Cube2::from_rank(words[0]).filter(|&cube| self.params.canonical(cube) == cube)
    }

    fn save(&self) -> Vec<Tensor> {
        let tensor = |name, values: &[u32]| Tensor::flat(name, TensorData::U32(values.to_vec()));
        vec![tensor(LEFT, &self.left), tensor(NEXT_EPISODES, &self.next_episodes)]
    }

    fn restore(&mut self, saved: &SavedTensors<'_>, states: &[Cube2]) -> Result<(), LearnerError> {
        let (left, shape) = (saved.find(LEFT)?, [self.cubes.len()]);
        let numbers = left.integers(&shape)?;
        if numbers.iter().any(|number| !(1..=FARTHEST + PATIENCE).contains(number)) {
            return Err(left
                .invalid(format!("all of them must be from 1 to {}", FARTHEST + PATIENCE))
                .into());
        }
        let next_episodes = saved.find(NEXT_EPISODES)?.integers(&shape)?;
        self.cubes.copy_from_slice(states);
        self.left.copy_from_slice(numbers);
        self.next_episodes.copy_from_slice(next_episodes);
        Ok(())
    }
}
