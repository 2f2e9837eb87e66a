//! The 2×2×2 cube as an environment of deep Q-learning.

use super::problem::{Demonstration, DqnProblem, EnvSteps, EpisodeEnd, NetworkInputs, ProblemSpec};
use super::report::DqnCounters;
use crate::error::LearnerError;
use std::sync::{Arc, LazyLock};
use vivarium_envs::cube::{
    Backtracking, Cube2, Cube2Symmetries, CubeSize, DistanceTable, RandomWalk, TurnMetric,
};
use vivarium_graph::{SavedTensors, Tensor, TensorData};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// Reward of each move. Every state can be solved in at most 14 moves, so optimal undiscounted values are from −1.4
/// to 0.
pub const MOVE: f32 = -0.1;

/// Maximum length of a scramble, in quarter turns: the largest distance of any state from the solved state.
const FARTHEST: u32 = 14;

/// Number of moves after which an episode is truncated, in addition to the number of moves of its scramble.
const PATIENCE: u32 = 6;

/// Table of the distance of every state from the solved state, in quarter turns. The learner uses the table for
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
        /// of states to about a sixth.
        symmetries: bool = true, "Symmetries", flag();
        /// Network inputs of a cube: the color of each sticker, or, for each pair of positions, the two corners and
        /// their twists.
        features: CubeFeatures = CubeFeatures::Pairs, "Features", choice(CubeFeatures::NAMES);
    }
}

vivarium_config::choice! {
    /// Encoding of a 2×2×2 cube as indices of active features, the network's inputs.
    pub enum CubeFeatures {
        /// One active feature per sticker, which encodes the color of the sticker: [`Cube2::indices`].
        Stickers = "stickers",
        /// One active feature per pair of corner positions, which encodes the two corners at these positions and how
        /// they are twisted: [`Cube2::pairs`].
        Pairs = "pairs",
    }
}

/// Batch of 2×2×2 cubes, as a problem of deep Q-learning. Actions 0 to 5 are the quarter turns U, U', R, R', F, F',
/// as in [`Cube2::turns`].
///
/// An episode begins with a scramble of `level` moves, or with a uniformly random state at the highest level, and
/// terminates at the solved cube. Every move has the reward [`MOVE`]; the optimal undiscounted value of a state is
/// its distance times that reward.
#[derive(Clone, Debug)]
pub struct CubeProblem {
    params: CubeParams,
    seed: u64,
    cubes: Vec<Cube2>,
    /// `[num_envs]`: number of moves that remain until the current episode is truncated.
    left: Vec<u32>,
    /// `[num_envs]`: index of each environment's next episode, counted from 0.
    next_episodes: Vec<u32>,
}

/// Name of the checkpoint tensor that holds the number of moves that remain in each environment's episode,
/// `[num_envs]`.
const LEFT: &str = "cube/moves_left";
/// Name of the checkpoint tensor that holds the index of each environment's next episode, `[num_envs]`.
const NEXT_EPISODES: &str = "cube/next_episode";

impl CubeParams {
    /// Returns the state that represents `cube` in the network's inputs: the representative of all states that are
    /// symmetric to `cube`, or `cube` itself if the option `symmetries` is off.
    #[inline]
    #[must_use]
    pub fn canonical(self, cube: Cube2) -> Cube2 {
        if self.symmetries { SYMMETRIES.representative(cube) } else { cube }
    }

    /// Returns the action of `cube` that corresponds to `action` in the state that [`canonical`](Self::canonical)
    /// returns.
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
    /// Name of the environment.
    pub const NAME: &'static str = "cube2";
    /// Number of actions: the quarter turns.
    pub const ACTIONS: usize = 6;
    /// Highest level of difficulty of an episode, which begins with a uniformly random state.
    pub const LEVELS: u32 = FARTHEST + 1;

    /// Returns the table of the distance of every state from the solved state, in quarter turns. The first call
    /// computes the table, which takes less than a second.
    pub fn distances() -> Arc<DistanceTable> {
        SOLVER.clone()
    }

    /// Begins the next episode of environment `env` at level of difficulty `level`, the number of moves of the
    /// scramble.
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

/// Returns a scrambled cube: the solved state after `moves` random quarter turns.
fn scramble(random: &mut Stream, moves: u32) -> Cube2 {
    let mut walk = RandomWalk::new(CubeSize::Two, TurnMetric::Quarter, Backtracking::Never);
    (0..moves).fold(Cube2::SOLVED, |cube, _| cube.turned(walk.next(random).1))
}

impl DqnProblem for CubeProblem {
    type Params = CubeParams;
    type Element = Cube2;

    /// Returns the progress of a run with the counters `counters`: the number of samples in the minibatches of all
    /// gradient steps. For the cube, samples replace environment steps as the unit of progress.
    fn steps(counters: &DqnCounters) -> u64 {
        counters.samples
    }

    fn spec(params: &CubeParams) -> ProblemSpec {
        let (count, features) = match params.features {
            CubeFeatures::Stickers => (Cube2::STICKERS, Cube2::INPUTS),
            CubeFeatures::Pairs => (Cube2::PAIRS, Cube2::PAIR_FEATURES),
        };
        ProblemSpec {
            name: Self::NAME,
            actions: Self::ACTIONS,
            state_len: 1,
            inputs: NetworkInputs { count, features: Some(features) },
            levels: Self::LEVELS,
            has_solver: true,
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
        steps: &mut EnvSteps<Cube2>,
    ) -> Result<(), LearnerError> {
        let turns = Cube2::turns(TurnMetric::Quarter);
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
            (steps.reached[env], steps.ends[env]) = (reached, end);
        }
        steps.now.copy_from_slice(&self.cubes);
        steps.rewards.fill(MOVE);
        Ok(())
    }

    fn encode(params: &CubeParams, state: &[Cube2], row: &mut [f32]) {
        let mut write =
            |features: &[u16]| row.iter_mut().zip(features).for_each(|(to, &from)| *to = from.into());
        match params.features {
            CubeFeatures::Stickers => write(&state[0].indices()),
            CubeFeatures::Pairs => write(&state[0].pairs()),
        }
    }

    /// Draws a random state with its optimal actions. Half of the states are uniformly random, half are scrambles of
    /// random length. States near the solved state are rare among random states, but occur in every solution.
    fn demonstration(&self, random: &mut Stream, emit: impl FnOnce(&[Cube2])) -> Option<Demonstration> {
        loop {
            let cube = match random.below(2) {
                0 => Cube2::random(random),
                _ => {
                    let moves = 1 + random.below(FARTHEST);
                    scramble(random, moves)
                }
            };
            let cube = self.params.canonical(cube);
            if !cube.is_solved() {
                emit(&[cube]);
                let value = MOVE * f32::from(SOLVER.of(cube));
                return Some(Demonstration { best: SOLVER.optimal(cube).into(), value });
            }
        }
    }

    fn pack(cube: Cube2) -> u32 {
        cube.rank()
    }

    fn unpack(&self, word: u32) -> Option<Cube2> {
        Cube2::from_rank(word).filter(|&cube| self.params.canonical(cube) == cube)
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
