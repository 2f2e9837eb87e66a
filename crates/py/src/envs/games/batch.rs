//! Batch of games: episodes, time limit, autoreset, and division among threads.

use super::rules::{EpisodeKey, GameRules, GameSettings, PlayResult};
use crate::envs::autoreset_mode::AutoresetMode;
use crate::envs::worker_threads::WorkerThreads;
use pyo3::prelude::*;
use vivarium_kernels::rng;

/// Minimum number of environments per thread.
const SMALLEST_PART: usize = 64;

/// Options of a batch of game environments, fixed when the batch is created.
#[derive(Clone, Copy)]
pub(crate) struct BatchOptions {
    pub(crate) num_envs: usize,
    pub(crate) autoreset: AutoresetMode,
    /// Episodes are truncated after this many steps; `None` for no limit.
    pub(crate) step_limit: Option<u32>,
    /// Whether an illegal action loses the game. Otherwise, the caller checks that all actions are legal.
    pub(crate) illegal_loses: bool,
    pub(crate) num_threads: usize,
}

/// Output buffers of a step, with one row per environment.
pub(crate) struct GameStepOut<'a> {
    /// Observations of the states after the step, `[num_envs, observation]`.
    pub(crate) observation: &'a mut [u8],
    /// Rewards of the players who acted, `[num_envs]`.
    pub(crate) reward: &'a mut [f32],
    /// Whether the step has ended the game, `[num_envs]`.
    pub(crate) terminated: &'a mut [bool],
    /// Whether the step has reached the time limit, `[num_envs]`.
    pub(crate) truncated: &'a mut [bool],
}

/// Batch of games of any kind.
pub(crate) trait AnyGameBatch: Send + Sync {
    /// Changes the settings of all later episodes; episodes in progress keep their settings.
    fn set_settings(&mut self, settings: GameSettings);
    /// Begins the next episode in every environment.
    fn reset(&mut self);
    /// Begins the next episode in environment `index`.
    fn reset_env(&mut self, index: usize);
    /// Returns whether the episode of environment `index` has ended and the next episode has not begun.
    fn has_ended(&self, index: usize) -> bool;
    /// Returns the masks of legal actions, `[num_envs, actions]`: 1 for a legal action, else 0. After the end of a
    /// game, no action is legal.
    fn masks(&self) -> &[i8];
    /// Returns the player to move in environment `index`.
    fn player(&self, index: usize) -> u8;
    /// Writes the observation of environment `index` to `row`. The observation is from the view of `player`; `None`
    /// stands for the player to move.
    fn write_observation(&self, index: usize, player: Option<u8>, row: &mut [u8]);
    /// Steps every environment with its element of `actions`, `[num_envs]`. Actions must be below the number of
    /// actions. The interpreter lock is released during the call.
    fn step(&mut self, py: Python<'_>, actions: &[f32], out: GameStepOut<'_>) -> PyResult<()>;
    /// Writes the final observation of the latest episode that ended in environment `index` to `row` and the legal
    /// actions of its final state to `mask`. Returns the player to move in the final state.
    fn write_final(&self, index: usize, row: &mut [u8], mask: &mut [i8]) -> u8;
}

/// Batch of games `G`. Results do not depend on the number of threads.
pub(crate) struct GameBatch<G> {
    options: BatchOptions,
    settings: GameSettings,
    envs: Vec<GameEpisode<G>>,
    masks: Vec<i8>,
    threads: WorkerThreads,
}

/// Episode of one environment.
#[derive(Clone, Copy)]
struct GameEpisode<G> {
    game: G,
    /// Seed of the environment.
    seed: u64,
    /// Index of the environment's next episode.
    next_episode: u32,
    /// Number of steps of the episode so far.
    age: u32,
    ended: bool,
    /// Final state of the last episode that ended, and whether the game was over (false: the episode was truncated).
    last: (G, bool),
}

impl<G: GameRules> GameEpisode<G> {
    fn new(settings: &GameSettings, seed: u64) -> Self {
        let game = G::begin(settings, EpisodeKey { seed, episode: 0 });
        Self { game, seed, next_episode: 1, age: 0, ended: false, last: (game, false) }
    }

    /// Begins the next episode, and writes its legal actions to `mask`.
    fn begin(&mut self, settings: &GameSettings, mask: &mut [i8]) {
        self.game = G::begin(settings, EpisodeKey { seed: self.seed, episode: self.next_episode });
        self.next_episode = self.next_episode.wrapping_add(1);
        (self.age, self.ended) = (0, false);
        self.game.write_legal(mask);
    }

    /// Steps the environment, and updates its `mask` of legal actions. Returns the result of the action, and whether
    /// the episode is truncated.
    fn step(
        &mut self,
        options: &BatchOptions,
        settings: &GameSettings,
        action: usize,
        mask: &mut [i8],
    ) -> (PlayResult, bool) {
        if self.ended && options.autoreset == AutoresetMode::NextStep {
            self.begin(settings, mask);
            return (PlayResult { reward: 0.0, terminated: false }, false);
        }
        let result = if mask[action] != 0 {
            self.game.play(action)
        } else {
            PlayResult { reward: -G::LARGEST_REWARD, terminated: true }
        };
        self.age += 1;
        let truncated = options.step_limit.is_some_and(|limit| self.age >= limit);
        self.ended = result.terminated || truncated;
        if self.ended {
            self.last = (self.game, result.terminated);
        }
        if self.ended && options.autoreset == AutoresetMode::SameStep {
            self.begin(settings, mask);
        } else {
            write_mask(&self.game, result.terminated, mask);
        }
        (result, truncated)
    }
}

/// Writes the legal actions of a game to `mask`: none if the game is over.
fn write_mask<G: GameRules>(game: &G, is_over: bool, mask: &mut [i8]) {
    if is_over {
        mask.fill(0);
    } else {
        game.write_legal(mask);
    }
}

impl<G: GameRules> GameBatch<G> {
    /// Creates a batch of games, each at the start of its first episode.
    pub(crate) fn new(options: BatchOptions, settings: GameSettings, seed: u64) -> Self {
        let env = |index: usize| GameEpisode::<G>::new(&settings, rng::derive(seed, index as u32));
        let envs: Vec<_> = (0..options.num_envs).map(env).collect();
        let mut masks = vec![0; options.num_envs * G::ACTIONS];
        for (env, mask) in envs.iter().zip(masks.chunks_exact_mut(G::ACTIONS)) {
            env.game.write_legal(mask);
        }
        Self { options, settings, envs, masks, threads: WorkerThreads::default() }
    }
}

impl<G: GameRules> AnyGameBatch for GameBatch<G> {
    fn set_settings(&mut self, settings: GameSettings) {
        self.settings = settings;
    }

    fn reset(&mut self) {
        (0..self.envs.len()).for_each(|index| self.reset_env(index));
    }

    fn reset_env(&mut self, index: usize) {
        let mask = &mut self.masks[index * G::ACTIONS..][..G::ACTIONS];
        self.envs[index].begin(&self.settings, mask);
    }

    fn has_ended(&self, index: usize) -> bool {
        self.envs[index].ended
    }

    fn masks(&self) -> &[i8] {
        &self.masks
    }

    fn player(&self, index: usize) -> u8 {
        self.envs[index].game.player()
    }

    fn write_observation(&self, index: usize, player: Option<u8>, row: &mut [u8]) {
        let game = &self.envs[index].game;
        game.write_observation(&self.settings, player.unwrap_or_else(|| game.player()), row);
    }

    fn step(&mut self, py: Python<'_>, actions: &[f32], out: GameStepOut<'_>) -> PyResult<()> {
        let Self { options, settings, envs, masks, threads } = self;
        let part_len = envs.len().div_ceil(options.num_threads).max(SMALLEST_PART);
        threads.prepare(envs.len().div_ceil(part_len) - 1)?;
        let width = out.observation.len() / envs.len();
        py.detach(|| {
            let games = envs.chunks_mut(part_len).zip(masks.chunks_mut(part_len * G::ACTIONS));
            let inputs = games.zip(actions.chunks(part_len));
            let flags = out.terminated.chunks_mut(part_len).zip(out.truncated.chunks_mut(part_len));
            let outs = out.observation.chunks_mut(part_len * width).zip(out.reward.chunks_mut(part_len));
            let (options, settings) = (&*options, &*settings);
            threads.run(inputs.zip(outs.zip(flags)).map(
                |(((envs, masks), actions), ((observation, reward), (terminated, truncated)))| {
                    let out = GameStepOut { observation, reward, terminated, truncated };
                    move || step_part(options, settings, envs, masks, actions, out)
                },
            ));
        });
        Ok(())
    }

    fn write_final(&self, index: usize, row: &mut [u8], mask: &mut [i8]) -> u8 {
        let (game, is_over) = &self.envs[index].last;
        game.write_observation(&self.settings, game.player(), row);
        write_mask(game, *is_over, mask);
        game.player()
    }
}

/// Steps the environments of one thread.
fn step_part<G: GameRules>(
    options: &BatchOptions,
    settings: &GameSettings,
    envs: &mut [GameEpisode<G>],
    masks: &mut [i8],
    actions: &[f32],
    out: GameStepOut<'_>,
) {
    let width = out.observation.len() / envs.len();
    let rows = out.observation.chunks_exact_mut(width).zip(masks.chunks_exact_mut(G::ACTIONS));
    for (index, (env, (row, mask))) in envs.iter_mut().zip(rows).enumerate() {
        let (result, truncated) = env.step(options, settings, actions[index] as usize, mask);
        out.reward[index] = result.reward;
        out.terminated[index] = result.terminated;
        out.truncated[index] = truncated;
        env.game.write_observation(settings, env.game.player(), row);
    }
}
