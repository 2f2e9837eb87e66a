//! The class `NativeGameVectorEnv`: a batch of games or puzzles with NumPy arrays as outputs.

use super::batch::{AnyGameBatch, BatchOptions, GameStepOut};
use super::rules::GameSettings;
use super::table::{GameRow, find_game};
use crate::envs::actions::read_actions;
use crate::envs::aligned::aligned_zeros;
use crate::envs::arguments::{check_counts, check_step_limit, env_index, read_mask};
use crate::envs::autoreset_mode::AutoresetMode;
use crate::error::{episode_ended, in_use, reset_needed};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2, PyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use vivarium_envs::ActionSpace;

/// Maximum number of random turns of a scramble.
const LONGEST_SCRAMBLE: u32 = 1000;
/// Maximum number of legal actions that an error message lists.
const LISTED_ACTIONS: usize = 12;

/// Arrays that a step returns: observations, rewards `[num_envs]`, and flags `[num_envs]` of terminated and of truncated
/// episodes.
type GameArrays<'py> = (
    Bound<'py, PyArrayDyn<u8>>,
    Bound<'py, PyArray1<f32>>,
    Bound<'py, PyArray1<bool>>,
    Bound<'py, PyArray1<bool>>,
);

/// Observations `[n, …]`, masks of legal actions `[n, actions]`, and players to move `[n]` of some environments.
type GameViews<'py> = (Bound<'py, PyArrayDyn<u8>>, Bound<'py, PyArray2<i8>>, Bound<'py, PyArray1<i64>>);

/// Output arrays that all steps share if `copy=False`.
struct ReusedGameArrays {
    observations: Py<PyArrayDyn<u8>>,
    reward: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

/// Batch of games or puzzles: the native part of the vector environments of `vivarium_ml.envs`.
///
/// `game` is the name of the game, such as `"connect-four"`. With `illegal_loses`, an illegal action loses the game;
/// otherwise it is an error. With `copy=False`, each step returns the same arrays with new contents.
#[pyclass(module = "vivarium_ml._core")]
pub(crate) struct NativeGameVectorEnv {
    row: &'static GameRow,
    options: BatchOptions,
    settings: GameSettings,
    copy: bool,
    /// Shape of an observation.
    shape: Vec<usize>,
    /// Largest value in an observation.
    high: u8,
    /// Batch of games; `None` before the first reset.
    batch: Option<Box<dyn AnyGameBatch>>,
    actions: Vec<f32>,
    reused: Option<ReusedGameArrays>,
}

impl NativeGameVectorEnv {
    /// Returns the batch of games.
    ///
    /// # Errors
    /// `gymnasium.error.ResetNeeded` before the first reset.
    fn batch(&self, py: Python<'_>) -> PyResult<&dyn AnyGameBatch> {
        self.batch.as_deref().ok_or_else(|| reset_needed(py))
    }

    fn batch_mut(&mut self, py: Python<'_>) -> PyResult<&mut Box<dyn AnyGameBatch>> {
        self.batch.as_mut().ok_or_else(|| reset_needed(py))
    }

    /// Allocates an array for the observations of `count` environments.
    fn observation_array<'py>(&self, py: Python<'py>, count: usize) -> Bound<'py, PyArrayDyn<u8>> {
        let shape: Vec<usize> = std::iter::once(count).chain(self.shape.iter().copied()).collect();
        aligned_zeros(py, shape)
    }

    /// Returns the output arrays of the next step: the arrays of the previous step if `copy=False`, otherwise new
    /// arrays.
    fn arrays<'py>(&mut self, py: Python<'py>) -> GameArrays<'py> {
        if let Some(ReusedGameArrays { observations, reward, terminated, truncated }) = &self.reused {
            return (
                observations.bind(py).clone(),
                reward.bind(py).clone(),
                terminated.bind(py).clone(),
                truncated.bind(py).clone(),
            );
        }
        let num_envs = self.options.num_envs;
        let observations = self.observation_array(py, num_envs);
        let reward = aligned_zeros(py, [num_envs]);
        let flags = || aligned_zeros(py, [num_envs]);
        let (terminated, truncated) = (flags(), flags());
        if !self.copy {
            self.reused = Some(ReusedGameArrays {
                observations: observations.clone().unbind(),
                reward: reward.clone().unbind(),
                terminated: terminated.clone().unbind(),
                truncated: truncated.clone().unbind(),
            });
        }
        (observations, reward, terminated, truncated)
    }

    /// Returns the current observations. If `copy=False`, they are written to the array of the previous step.
    fn observations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let observations =
            if self.copy { self.observation_array(py, self.options.num_envs) } else { self.arrays(py).0 };
        let batch = self.batch(py)?;
        let width: usize = self.shape.iter().product();
        for (index, row) in observations.try_readwrite()?.as_slice_mut()?.chunks_exact_mut(width).enumerate()
        {
            batch.write_observation(index, None, row);
        }
        Ok(observations)
    }

    /// Sets the number of random turns of all later scrambles; `None` leaves the number unchanged.
    ///
    /// # Errors
    /// `ValueError` for a number that is out of range.
    fn set_scramble_length(&mut self, length: Option<u32>) -> PyResult<()> {
        let Some(length) = length else { return Ok(()) };
        check_scramble_length(length)?;
        self.settings.scramble_length = length;
        if let Some(batch) = &mut self.batch {
            batch.set_settings(self.settings);
        }
        Ok(())
    }

    /// Returns an error if an action is illegal. Actions of environments that this step only resets are not checked.
    fn check_legal(&self, batch: &dyn AnyGameBatch) -> PyResult<()> {
        let masks = batch.masks().chunks_exact(self.row.actions);
        for (index, (mask, &action)) in masks.zip(&self.actions).enumerate() {
            if mask[action as usize] == 0 && !batch.has_ended(index) {
                let legal: Vec<String> = (0..mask.len())
                    .filter(|&action| mask[action] != 0)
                    .map(|action| action.to_string())
                    .collect();
                let more = if legal.len() > LISTED_ACTIONS { ", …" } else { "" };
                let listed = legal[..legal.len().min(LISTED_ACTIONS)].join(", ");
                let message = format!(
                    "the action {action} of environment {index} is illegal; legal is one of {listed}{more} (see \
                     \"action_mask\" of the info)"
                );
                return Err(PyValueError::new_err(message));
            }
        }
        Ok(())
    }
}

/// Checks the number of random turns of a scramble.
///
/// # Errors
/// `ValueError` for a number that is out of range.
fn check_scramble_length(length: u32) -> PyResult<()> {
    if !(1..=LONGEST_SCRAMBLE).contains(&length) {
        return Err(PyValueError::new_err(format!(
            "scramble_length is {length}; allowed is 1 to {LONGEST_SCRAMBLE}"
        )));
    }
    Ok(())
}

#[pymethods]
impl NativeGameVectorEnv {
    #[new]
    #[pyo3(signature = (
        game, num_envs, autoreset, step_limit=None, num_threads=1, copy=true, illegal_loses=false,
        scramble_length=None, one_hot=false
    ))]
    fn new(
        game: &str,
        num_envs: usize,
        autoreset: &str,
        step_limit: Option<u32>,
        num_threads: usize,
        copy: bool,
        illegal_loses: bool,
        scramble_length: Option<u32>,
        one_hot: bool,
    ) -> PyResult<Self> {
        let row = find_game(game)?;
        let autoreset = AutoresetMode::parse(autoreset)?;
        check_counts(num_envs, num_threads)?;
        step_limit.map_or(Ok(()), check_step_limit)?;
        let scramble_length = scramble_length.or(row.scramble_length).unwrap_or(1);
        check_scramble_length(scramble_length)?;
        let step_limit = step_limit.or(row.step_limit);
        let settings = GameSettings { scramble_length, one_hot };
        let (shape, high) = (row.observation_space)(&settings);
        Ok(Self {
            row,
            options: BatchOptions { num_envs, autoreset, step_limit, illegal_loses, num_threads },
            settings,
            copy,
            shape,
            high,
            batch: None,
            actions: vec![0.0; num_envs],
            reused: None,
        })
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.options.num_envs
    }

    /// Maximum number of threads that step the environments.
    #[getter]
    fn num_threads(&self) -> usize {
        self.options.num_threads
    }

    /// Time limit: episodes are truncated after this many steps; `None` for no limit.
    #[getter]
    fn step_limit(&self) -> Option<u32> {
        self.options.step_limit
    }

    /// Shape of the observation of one environment.
    #[getter]
    fn observation_shape(&self) -> Vec<usize> {
        self.shape.clone()
    }

    /// Largest value in an observation.
    #[getter]
    fn observation_high(&self) -> u8 {
        self.high
    }

    /// Number of random turns that scramble a cube.
    #[getter]
    fn scramble_length(&self) -> u32 {
        self.settings.scramble_length
    }

    /// Whether a reset has created the environments.
    #[getter]
    fn is_reset(&self) -> bool {
        self.batch.is_some()
    }

    /// Creates the environments from `seed`, or begins the next episode in every environment if `seed` is `None`.
    /// `scramble_length` is the number of random turns of this and all later scrambles; `None` leaves the number
    /// unchanged. Returns the first observations, `uint8` `[num_envs, …]`.
    #[pyo3(signature = (seed=None, scramble_length=None))]
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        seed: Option<u64>,
        scramble_length: Option<u32>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        if seed.is_none() {
            self.batch(py)?;
        }
        self.set_scramble_length(scramble_length)?;
        match seed {
            Some(seed) => self.batch = Some((self.row.batch)(self.options, self.settings, seed)),
            None => self.batch_mut(py)?.reset(),
        }
        self.observations(py)
    }

    /// Begins the next episode in each environment whose flag in `mask` (`bool` `[num_envs]`) is set. `scramble_length`
    /// is the number of random turns of this and all later scrambles; `None` leaves the number unchanged. Returns the
    /// current observations of all environments.
    #[pyo3(signature = (mask, scramble_length=None))]
    fn reset_where<'py>(
        &mut self,
        py: Python<'py>,
        mask: &Bound<'py, PyAny>,
        scramble_length: Option<u32>,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let indices = read_mask(mask, self.options.num_envs)?;
        self.batch(py)?;
        self.set_scramble_length(scramble_length)?;
        let batch = self.batch_mut(py)?;
        indices.into_iter().for_each(|index| batch.reset_env(index));
        self.observations(py)
    }

    /// Steps every environment. Returns observations, rewards (`float32` `[num_envs]`) of the players who acted, and
    /// flags (`bool` `[num_envs]`) of terminated and of truncated episodes. The interpreter lock is released during the
    /// call.
    fn step<'py>(slf: &Bound<'py, Self>, actions: &Bound<'py, PyAny>) -> PyResult<GameArrays<'py>> {
        let py = slf.py();
        let mut this = slf.try_borrow_mut().map_err(|_| in_use())?;
        let this = &mut *this;
        let batch = this.batch(py)?;
        if this.options.autoreset == AutoresetMode::Disabled
            && let Some(index) = (0..this.options.num_envs).find(|&index| batch.has_ended(index))
        {
            return Err(episode_ended(py, index));
        }
        read_actions(actions, ActionSpace::Discrete(this.row.actions), &mut this.actions)?;
        if !this.options.illegal_loses {
            this.check_legal(this.batch(py)?)?;
        }
        let arrays = this.arrays(py);
        let (observations, reward, terminated, truncated) = &arrays;
        {
            let mut guards = (
                observations.try_readwrite()?,
                reward.try_readwrite()?,
                terminated.try_readwrite()?,
                truncated.try_readwrite()?,
            );
            let out = GameStepOut {
                observation: guards.0.as_slice_mut()?,
                reward: guards.1.as_slice_mut()?,
                terminated: guards.2.as_slice_mut()?,
                truncated: guards.3.as_slice_mut()?,
            };
            let Some(batch) = &mut this.batch else { return Err(reset_needed(py)) };
            batch.step(py, &this.actions, out)?;
        }
        Ok(arrays)
    }

    /// Returns the legal actions of all environments, `int8` `[num_envs, actions]`: 1 for a legal action, else 0.
    fn action_masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i8>>> {
        let masks = self.batch(py)?.masks();
        let array = PyArray2::zeros(py, [self.options.num_envs, self.row.actions], false);
        array.try_readwrite()?.as_slice_mut()?.copy_from_slice(masks);
        Ok(array)
    }

    /// Returns the player to move in each environment, `int64` `[num_envs]`.
    fn players<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let batch = self.batch(py)?;
        let players = (0..self.options.num_envs).map(|index| batch.player(index).into());
        Ok(PyArray1::from_vec(py, players.collect()))
    }

    /// Returns three arrays for the environments `indices` (`int64` `[n]`): the final observation of the last episode
    /// that ended, the legal actions of this final state, and the player to move in it.
    fn finals<'py>(&self, py: Python<'py>, indices: &Bound<'py, PyArray1<i64>>) -> PyResult<GameViews<'py>> {
        let batch = self.batch(py)?;
        let indices = indices.try_readonly()?;
        let count = indices.len();
        let width: usize = self.shape.iter().product();
        let observations = self.observation_array(py, count);
        let masks = PyArray2::zeros(py, [count, self.row.actions], false);
        let mut players = Vec::with_capacity(count);
        {
            let (mut rows, mut masks) = (observations.try_readwrite()?, masks.try_readwrite()?);
            let rows = rows.as_slice_mut()?.chunks_exact_mut(width);
            let masks = masks.as_slice_mut()?.chunks_exact_mut(self.row.actions);
            for (&index, (row, mask)) in indices.as_array().iter().zip(rows.zip(masks)) {
                let index = env_index(index, self.options.num_envs)?;
                players.push(batch.write_final(index, row, mask).into());
            }
        }
        Ok((observations, masks, PyArray1::from_vec(py, players)))
    }

    /// Returns the observation of environment `index` from the view of `player`, 0 or 1.
    fn observation_of<'py>(
        &self,
        py: Python<'py>,
        index: i64,
        player: u8,
    ) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
        let index = env_index(index, self.options.num_envs)?;
        if player >= self.row.players {
            let last = self.row.players - 1;
            return Err(PyValueError::new_err(format!("player is {player}; allowed is 0 to {last}")));
        }
        let array = PyArrayDyn::zeros(py, &self.shape[..], false);
        let batch = self.batch(py)?;
        batch.write_observation(index, Some(player), array.try_readwrite()?.as_slice_mut()?);
        Ok(array)
    }
}
