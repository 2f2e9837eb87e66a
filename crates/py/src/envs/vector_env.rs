//! The class `NativeVectorEnv`: a batch of environments with NumPy arrays as outputs.

use super::actions::read_actions;
use super::aligned::aligned_zeros;
use super::arguments::{check_counts, check_step_limit, env_index, read_mask};
use super::autoreset_mode::AutoresetMode;
use super::batch::ThreadedBatch;
use super::worlds::environment;
use crate::error::{episode_ended, exception, in_use, reset_needed};
use numpy::prelude::*;
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use vivarium_envs::{Autoreset, EnvSpec, Environment, StepOut};
use vivarium_kernels::aligned::AlignedVec;

/// Form in which Python code receives observations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ObservationForm {
    /// `float32` array `[num_envs, observation]`.
    Values,
    /// `int64` array `[num_envs]`: indices of tiles. (The native environment encodes a tile as a one-hot vector.)
    Tile,
}

/// Observations of a batch as a NumPy array.
enum Observations<'py> {
    Values(Bound<'py, PyArray2<f32>>),
    Tile(Bound<'py, PyArray1<i64>>),
}

impl<'py> Observations<'py> {
    fn zeros(py: Python<'py>, form: ObservationForm, num_envs: usize, width: usize) -> Self {
        match form {
            ObservationForm::Values => Self::Values(aligned_zeros(py, [num_envs, width])),
            ObservationForm::Tile => Self::Tile(aligned_zeros(py, [num_envs])),
        }
    }

    fn into_any(self) -> Bound<'py, PyAny> {
        match self {
            Self::Values(array) => array.into_any(),
            Self::Tile(array) => array.into_any(),
        }
    }
}

/// Output arrays of one step. [`ReusedArrays`] stores them between steps if `copy=False`.
struct OutputArrays<'py> {
    observations: Observations<'py>,
    reward: Bound<'py, PyArray1<f32>>,
    terminated: Bound<'py, PyArray1<bool>>,
    truncated: Bound<'py, PyArray1<bool>>,
}

impl<'py> OutputArrays<'py> {
    fn zeros(py: Python<'py>, form: ObservationForm, num_envs: usize, width: usize) -> Self {
        Self {
            observations: Observations::zeros(py, form, num_envs, width),
            reward: aligned_zeros(py, [num_envs]),
            terminated: aligned_zeros(py, [num_envs]),
            truncated: aligned_zeros(py, [num_envs]),
        }
    }
}

/// Output arrays that all steps share if `copy=False`.
struct ReusedArrays {
    observations: Py<PyAny>,
    reward: Py<PyArray1<f32>>,
    terminated: Py<PyArray1<bool>>,
    truncated: Py<PyArray1<bool>>,
}

impl ReusedArrays {
    fn new(arrays: &OutputArrays<'_>) -> Self {
        let observations = match &arrays.observations {
            Observations::Values(array) => array.clone().into_any().unbind(),
            Observations::Tile(array) => array.clone().into_any().unbind(),
        };
        Self {
            observations,
            reward: arrays.reward.clone().unbind(),
            terminated: arrays.terminated.clone().unbind(),
            truncated: arrays.truncated.clone().unbind(),
        }
    }

    fn bind<'py>(&self, py: Python<'py>, form: ObservationForm) -> PyResult<OutputArrays<'py>> {
        let observations = self.observations.bind(py);
        Ok(OutputArrays {
            observations: match form {
                ObservationForm::Values => Observations::Values(observations.cast()?.clone()),
                ObservationForm::Tile => Observations::Tile(observations.cast()?.clone()),
            },
            reward: self.reward.bind(py).clone(),
            terminated: self.terminated.bind(py).clone(),
            truncated: self.truncated.bind(py).clone(),
        })
    }
}

/// Arrays that a step returns: observations, rewards `[num_envs]`, and flags `[num_envs]` of terminated and of truncated
/// episodes.
type StepArrays<'py> =
    (Bound<'py, PyAny>, Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

/// Batch of classic-control environments: the native part of the Python class `vivarium_ml.envs.ControlVectorEnv`.
///
/// `world` is the name of the environment, such as `"cartpole"`; `params` are physical parameters that differ from the
/// published ones. With `copy=False`, each step returns the same arrays with new contents.
#[pyclass(module = "vivarium_ml._core")]
pub(crate) struct NativeVectorEnv {
    environment: Environment,
    num_envs: usize,
    num_threads: usize,
    autoreset: AutoresetMode,
    step_limit: u32,
    copy: bool,
    form: ObservationForm,
    /// Batch of environments; `None` before the first reset.
    batch: Option<ThreadedBatch>,
    actions: AlignedVec<f32>,
    /// Observations as the native environments compute them, `[num_envs, observation]`; empty if Python code receives
    /// observations in the same form.
    encoded: AlignedVec<f32>,
    final_observation: AlignedVec<f32>,
    /// For each environment, whether its last step ended the episode, `[num_envs]`. Written only in the autoreset mode
    /// `Disabled`.
    ended: Vec<bool>,
    reused: Option<ReusedArrays>,
}

impl NativeVectorEnv {
    fn spec(&self) -> &'static EnvSpec {
        self.environment.spec()
    }

    /// Returns the batch of environments.
    ///
    /// # Errors
    /// `gymnasium.error.ResetNeeded` before the first reset.
    fn batch(&mut self, py: Python<'_>) -> PyResult<&mut ThreadedBatch> {
        self.batch.as_mut().ok_or_else(|| reset_needed(py))
    }

    /// Returns the output arrays of the next step: the arrays of the previous step if `copy=False`, otherwise new
    /// arrays.
    fn arrays<'py>(&mut self, py: Python<'py>) -> PyResult<OutputArrays<'py>> {
        if let Some(reused) = &self.reused {
            return reused.bind(py, self.form);
        }
        let arrays = OutputArrays::zeros(py, self.form, self.num_envs, self.spec().observation_len);
        if !self.copy {
            self.reused = Some(ReusedArrays::new(&arrays));
        }
        Ok(arrays)
    }

    /// Returns the current observations. If `copy=False`, they are written to the array of the previous step.
    fn observations<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let width = self.spec().observation_len;
        let observations = if self.copy {
            Observations::zeros(py, self.form, self.num_envs, width)
        } else {
            self.arrays(py)?.observations
        };
        let Self { batch, encoded, .. } = self;
        if let Some(batch) = batch {
            match &observations {
                Observations::Values(array) => {
                    batch.observations(array.try_readwrite()?.as_slice_mut()?).map_err(exception)?;
                }
                Observations::Tile(array) => {
                    batch.observations(encoded).map_err(exception)?;
                    write_tiles(encoded, width, array.try_readwrite()?.as_slice_mut()?);
                }
            }
        }
        Ok(observations.into_any())
    }
}

/// Decodes the one-hot vectors `encoded`, `[num_envs, width]`, to tile indices, which are written to `tiles`,
/// `[num_envs]`.
fn write_tiles(encoded: &[f32], width: usize, tiles: &mut [i64]) {
    for (row, tile) in encoded.chunks_exact(width).zip(tiles) {
        *tile = row.iter().position(|&value| value > 0.5).unwrap_or(0) as i64;
    }
}

#[pymethods]
impl NativeVectorEnv {
    #[new]
    #[pyo3(signature = (world, params, num_envs, autoreset, step_limit=None, num_threads=1, copy=true))]
    fn new(
        world: &str,
        params: &Bound<'_, PyDict>,
        num_envs: usize,
        autoreset: &str,
        step_limit: Option<u32>,
        num_threads: usize,
        copy: bool,
    ) -> PyResult<Self> {
        let environment = environment(world, params)?;
        let autoreset = AutoresetMode::parse(autoreset)?;
        check_counts(num_envs, num_threads)?;
        let spec = environment.spec();
        let step_limit = step_limit.unwrap_or(spec.step_limit);
        check_step_limit(step_limit)?;
        let is_tile = spec.observation.iter().all(|dimension| dimension.name == "tile");
        let form = if is_tile { ObservationForm::Tile } else { ObservationForm::Values };
        let values = num_envs * spec.observation_len;
        Ok(Self {
            environment,
            num_envs,
            num_threads,
            autoreset,
            step_limit,
            copy,
            form,
            batch: None,
            actions: AlignedVec::zeros(num_envs),
            encoded: AlignedVec::zeros(if is_tile { values } else { 0 }),
            final_observation: AlignedVec::zeros(values),
            ended: vec![false; if autoreset == AutoresetMode::Disabled { num_envs } else { 0 }],
            reused: None,
        })
    }

    /// Number of environments.
    #[getter]
    fn num_envs(&self) -> usize {
        self.num_envs
    }

    /// Maximum number of threads that step the environments.
    #[getter]
    fn num_threads(&self) -> usize {
        self.num_threads
    }

    /// Time limit: episodes are truncated after this many steps.
    #[getter]
    fn step_limit(&self) -> u32 {
        self.step_limit
    }

    /// Whether a reset has created the environments.
    #[getter]
    fn is_reset(&self) -> bool {
        self.batch.is_some()
    }

    /// Creates the environments from `seed`, or begins the next episode in every environment if `seed` is `None`.
    /// Returns the first observations: `float32` `[num_envs, observation]`, or `int64` `[num_envs]` for tiles.
    #[pyo3(signature = (seed=None))]
    fn reset<'py>(&mut self, py: Python<'py>, seed: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(seed) = seed {
            let autoreset = match self.autoreset {
                AutoresetMode::SameStep => Autoreset::SameStep,
                // The native batch has no mode `Disabled`. With the mode `NextStep`, `step` returns an error before an
                // environment would be reset.
                AutoresetMode::NextStep | AutoresetMode::Disabled => Autoreset::NextStep,
            };
            let Self { environment, num_envs, step_limit, num_threads, .. } = self;
            let batch =
                ThreadedBatch::new(environment, seed, *num_envs, autoreset, *step_limit, *num_threads);
            self.batch = Some(batch.map_err(exception)?);
        } else {
            self.batch(py)?.reset();
        }
        self.ended.fill(false);
        self.observations(py)
    }

    /// Begins the next episode in each environment whose flag in `mask` (`bool` `[num_envs]`) is set. Returns the
    /// current observations of all environments.
    fn reset_where<'py>(&mut self, py: Python<'py>, mask: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let indices = read_mask(mask, self.num_envs)?;
        let batch = self.batch(py)?;
        for &index in &indices {
            batch.reset_env(index).map_err(exception)?;
        }
        if !self.ended.is_empty() {
            indices.iter().for_each(|&index| self.ended[index] = false);
        }
        self.observations(py)
    }

    /// Steps every environment. Returns observations, rewards (`float32` `[num_envs]`), and flags (`bool` `[num_envs]`)
    /// of terminated and of truncated episodes. The interpreter lock is released during the call.
    fn step<'py>(slf: &Bound<'py, Self>, actions: &Bound<'py, PyAny>) -> PyResult<StepArrays<'py>> {
        let py = slf.py();
        let mut this = slf.try_borrow_mut().map_err(|_| in_use())?;
        this.batch(py)?;
        if let Some(index) = this.ended.iter().position(|&ended| ended) {
            return Err(episode_ended(py, index));
        }
        let this = &mut *this;
        let spec = this.spec();
        read_actions(actions, spec.actions, &mut this.actions)?;
        let OutputArrays { observations, reward, terminated, truncated } = this.arrays(py)?;
        {
            let Self { batch, actions, encoded, final_observation, ended, .. } = this;
            let Some(batch) = batch else { return Err(reset_needed(py)) };
            let mut rows = match &observations {
                Observations::Values(array) => Some(array.try_readwrite()?),
                Observations::Tile(_) => None,
            };
            let observation = match &mut rows {
                Some(rows) => rows.as_slice_mut()?,
                None => &mut encoded[..],
            };
            let mut guards =
                (reward.try_readwrite()?, terminated.try_readwrite()?, truncated.try_readwrite()?);
            let out = StepOut {
                observation,
                reward: guards.0.as_slice_mut()?,
                terminated: guards.1.as_slice_mut()?,
                truncated: guards.2.as_slice_mut()?,
                final_observation,
            };
            batch.step(py, actions, out, spec.observation_len)?;
            let flags = guards.1.as_slice()?.iter().zip(guards.2.as_slice()?);
            for (ended, (&terminated, &truncated)) in ended.iter_mut().zip(flags) {
                *ended = terminated || truncated;
            }
            if let Observations::Tile(array) = &observations {
                write_tiles(encoded, spec.observation_len, array.try_readwrite()?.as_slice_mut()?);
            }
        }
        Ok((observations.into_any(), reward, terminated, truncated))
    }

    /// Returns the final observation of the last episode that ended in each of the environments `indices` (`int64`
    /// `[n]`): `float32` `[n, observation]`, or `int64` `[n]` for tiles.
    fn final_observations<'py>(
        &self,
        py: Python<'py>,
        indices: &Bound<'py, PyArray1<i64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let width = self.spec().observation_len;
        let indices = indices.try_readonly()?;
        let observations = Observations::zeros(py, self.form, indices.len(), width);
        let mut rows = Vec::with_capacity(indices.len() * width);
        for &index in indices.as_array() {
            let row = env_index(index, self.num_envs)?;
            rows.extend_from_slice(&self.final_observation[row * width..(row + 1) * width]);
        }
        match &observations {
            Observations::Values(array) => array.try_readwrite()?.as_slice_mut()?.copy_from_slice(&rows),
            Observations::Tile(array) => write_tiles(&rows, width, array.try_readwrite()?.as_slice_mut()?),
        }
        Ok(observations.into_any())
    }

    /// Returns the current states, `float32` `[num_envs, state]`.
    fn states<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let array = PyArray2::zeros(py, [self.num_envs, self.spec().state_len], false);
        self.batch(py)?.states(array.try_readwrite()?.as_slice_mut()?).map_err(exception)?;
        Ok(array)
    }

    /// Sets the state of environment `index`. The number of steps of the episode is unchanged; a pending reset is
    /// canceled.
    fn set_state(&mut self, py: Python<'_>, index: i64, state: Vec<f32>) -> PyResult<()> {
        let at = env_index(index, self.num_envs)?;
        self.batch(py)?.set_state(at, &state).map_err(exception)?;
        if let Some(ended) = self.ended.get_mut(at) {
            *ended = false;
        }
        Ok(())
    }
}
