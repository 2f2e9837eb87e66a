//! The cube of 2×2×2 as a problem.

use super::problem::{Demonstration, End, Inputs, Problem, Step};
use crate::error::LearnerError;
use std::sync::{Arc, LazyLock};
use vivarium_envs::cube::{Cube2, Distances, Metric, Size, Symmetries, Undo, Walk};
use vivarium_graph::{Saved, Tensor, Values};
use vivarium_kernels::Level;
use vivarium_kernels::rng::Stream;

/// What a move costs. A shortest solution has at most 14, so that values lie between −1.4 and 0.
pub const MOVE: f32 = -0.1;

/// The hardest scramble, in moves; from any state there is a solution that is no longer.
const FARTHEST: u32 = 14;

/// Moves that an episode may take beyond those that it was scrambled with.
const PATIENCE: u32 = 6;

/// The solver: of what learns, demonstrations alone ask it.
static SOLVER: LazyLock<Arc<Distances>> = LazyLock::new(|| Arc::new(Distances::new(Metric::Quarter)));
static SYMMETRIES: LazyLock<Symmetries> = LazyLock::new(Symmetries::new);

vivarium_config::config! {
    /// What can be chosen about the cube.
    #[derive(Clone, Copy)]
    pub struct CubeParams {
        ["cube"]
        /// States that look alike from another side or in a mirror are one to the network, so that there are six times fewer
        /// to learn.
        symmetries: bool = true, "Symmetries", flag();
        /// What the network reads of a cube: the color of each sticker, or which corners are where for every two positions
        /// together, which tells more and costs hardly more.
        features: Features = Features::Pairs, "Features", choice(Features::NAMES);
    }
}

vivarium_config::choice! {
    /// What the network reads of a cube.
    pub enum Features {
        /// The color of each sticker: [`Cube2::indices`].
        Stickers = "stickers",
        /// Which corners are where, and how they are twisted, for every two positions together: [`Cube2::pairs`].
        Pairs = "pairs",
    }
}

/// Cubes of 2×2×2, turned by quarters: actions are the places of U, U', R, R', F, F' among the
/// [turns](Cube2::turns).
///
/// An episode begins with a scramble of as many moves as its level says, or in any state at the level beyond them, and ends
/// with the solved cube. Each move costs the same, so that a state is worth what its distance from there costs.
#[derive(Clone, Debug)]
pub struct Cubes {
    params: CubeParams,
    seed: u64,
    cubes: Vec<Cube2>,
    /// Moves that each may still take.
    left: Vec<u32>,
    /// The number of each one's next episode.
    next_episodes: Vec<u32>,
}

/// Names of the tensors.
const LEFT: &str = "cube/moves_left";
const NEXT_EPISODES: &str = "cube/next_episode";

impl CubeParams {
    /// The state that stands for a state: one that looks alike, or itself.
    #[inline]
    #[must_use]
    pub fn seen(self, cube: Cube2) -> Cube2 {
        if self.symmetries { SYMMETRIES.representative(cube) } else { cube }
    }

    /// The action in a state that is its representative's `action`.
    #[must_use]
    pub fn unseen(self, cube: Cube2, action: u8) -> u8 {
        if !self.symmetries {
            return action;
        }
        let turns = Cube2::turns(Metric::Quarter);
        let turn = SYMMETRIES.unseen(cube, turns[usize::from(action)]);
        turns.iter().position(|&candidate| candidate == turn).unwrap_or(0) as u8
    }
}

impl Cubes {
    /// How far all states are from the solved one, in quarter turns. The first call takes a fraction of a second.
    pub fn distances() -> Arc<Distances> {
        SOLVER.clone()
    }

    /// Begins a lane's next episode.
    fn begin(&mut self, lane: usize, level: u32) {
        let mut random = Stream::new(self.seed, lane as u32);
        // An episode draws far fewer numbers than this.
        random.step = self.next_episodes[lane].wrapping_mul(1 << 8);
        let cube = loop {
            let cube =
                if level > FARTHEST { Cube2::random(&mut random) } else { scramble(&mut random, level) };
            if !cube.is_solved() {
                break cube;
            }
        };
        self.cubes[lane] = self.params.seen(cube);
        self.left[lane] = level.min(FARTHEST) + PATIENCE;
        self.next_episodes[lane] = self.next_episodes[lane].wrapping_add(1);
    }
}

/// So many random moves away from the solved state.
fn scramble(random: &mut Stream, moves: u32) -> Cube2 {
    let mut walk = Walk::new(Size::Two, Metric::Quarter, Undo::Never);
    (0..moves).fold(Cube2::SOLVED, |cube, _| cube.turned(walk.next(random).1))
}

impl Problem for Cubes {
    type Params = CubeParams;
    type State = Cube2;

    const NAME: &'static str = "cube2";
    const ACTIONS: usize = 6;
    const LEVELS: u32 = FARTHEST + 1;
    const SOLVER: bool = true;
    const WORDS: usize = 1;

    fn inputs(params: &CubeParams) -> Inputs {
        match params.features {
            Features::Stickers => Inputs { count: Cube2::STICKERS, features: Some(Cube2::INPUTS) },
            Features::Pairs => Inputs { count: Cube2::PAIRS, features: Some(Cube2::PAIR_FEATURES) },
        }
    }

    fn new(&params: &CubeParams, seed: u64, levels: &[u32]) -> Result<Self, LearnerError> {
        let lanes = levels.len();
        let (cubes, left, next_episodes) = (vec![Cube2::SOLVED; lanes], vec![0; lanes], vec![0; lanes]);
        let mut all = Self { params, seed, cubes, left, next_episodes };
        levels.iter().enumerate().for_each(|(lane, &level)| all.begin(lane, level));
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
        steps: &mut Vec<Step<Cube2>>,
    ) -> Result<(), LearnerError> {
        let turns = Cube2::turns(Metric::Quarter);
        steps.clear();
        for (lane, &action) in actions.iter().enumerate() {
            let reached = self.params.seen(self.cubes[lane].turned(turns[usize::from(action)]));
            self.cubes[lane] = reached;
            self.left[lane] -= 1;
            let end = match (reached.is_solved(), self.left[lane]) {
                (true, _) => End::Terminated,
                (false, 0) => End::Truncated,
                _ => End::No,
            };
            if end != End::No {
                self.begin(lane, levels[lane]);
            }
            steps.push(Step { reached, now: self.cubes[lane], reward: MOVE, end });
        }
        Ok(())
    }

    fn encode(params: &CubeParams, state: &Cube2, row: &mut [f32]) {
        let mut write =
            |features: &[u16]| row.iter_mut().zip(features).for_each(|(to, &from)| *to = from.into());
        match params.features {
            Features::Stickers => write(&state.indices()),
            Features::Pairs => write(&state.pairs()),
        }
    }

    /// Half of the time any state, otherwise scrambles of any length: what is near the end of a solution is part of many.
    fn demonstration(&self, random: &mut Stream) -> Option<Demonstration<Cube2>> {
        loop {
            let cube = match random.below(2) {
                0 => Cube2::random(random),
                _ => {
                    let moves = 1 + random.below(FARTHEST);
                    scramble(random, moves)
                }
            };
            let state = self.params.seen(cube);
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
        Cube2::from_rank(words[0]).filter(|&cube| self.params.seen(cube) == cube)
    }

    fn save(&self) -> Vec<Tensor> {
        let tensor = |name, values: &[u32]| Tensor::flat(name, Values::U32(values.to_vec()));
        vec![tensor(LEFT, &self.left), tensor(NEXT_EPISODES, &self.next_episodes)]
    }

    fn restore(&mut self, saved: &Saved<'_>, states: &[Cube2]) -> Result<(), LearnerError> {
        let (left, shape) = (saved.find(LEFT)?, [self.cubes.len()]);
        let numbers = left.integers(&shape)?;
        if numbers.iter().any(|number| !(1..=FARTHEST + PATIENCE).contains(number)) {
            return Err(left.wrong(format!("all of them must be from 1 to {}", FARTHEST + PATIENCE)).into());
        }
        let next_episodes = saved.find(NEXT_EPISODES)?.integers(&shape)?;
        self.cubes.copy_from_slice(states);
        self.left.copy_from_slice(numbers);
        self.next_episodes.copy_from_slice(next_episodes);
        Ok(())
    }
}
