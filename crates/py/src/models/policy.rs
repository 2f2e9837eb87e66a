//! The class `NativePolicy`: a trained policy of a control experiment.

use super::common::{PolicyAndValueArrays, lock};
use crate::error::{detached, lab_exception};
use numpy::prelude::*;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Mutex;
use vivarium_envs::ActionSpace;
use vivarium_exhibit_control::TrainedPolicy;

/// Trained policy (PPO or DQN) of a checkpoint: the native part of the Python class `vivarium_ml.Policy`.
#[pyclass(module = "vivarium_ml._core", frozen)]
pub(crate) struct NativePolicy {
    observation_len: usize,
    actions: ActionSpace,
    is_tile: bool,
    policy: Mutex<TrainedPolicy>,
}

impl NativePolicy {
    /// Calls `compute` with the policy and the observations, while the interpreter lock is released.
    fn compute<T: Send>(
        &self,
        py: Python<'_>,
        observations: &PyReadonlyArray2<'_, f32>,
        compute: impl FnOnce(&TrainedPolicy, &[f32]) -> T + Send,
    ) -> PyResult<T> {
        let (width, expected) = (observations.shape()[1], self.observation_len);
        if width != expected {
            return Err(PyValueError::new_err(format!(
                "observations have {width} values each; expected {expected}"
            )));
        }
        let values: Vec<f32> = observations.as_array().iter().copied().collect();
        if let Some(value) = values.iter().find(|value| !value.is_finite()) {
            return Err(PyValueError::new_err(format!(
                "observations contain {value}; allowed are finite numbers"
            )));
        }
        detached(py, || Ok(compute(&*lock(&self.policy)?, &values)))
    }
}

#[pymethods]
impl NativePolicy {
    #[new]
    fn new(py: Python<'_>, checkpoint: &[u8]) -> PyResult<Self> {
        let policy = detached(py, || TrainedPolicy::open(checkpoint).map_err(lab_exception))?;
        let env = policy.env();
        Ok(Self {
            observation_len: env.observation_len,
            actions: env.actions,
            is_tile: env.observation.iter().all(|dimension| dimension.name == "tile"),
            policy: Mutex::new(policy),
        })
    }

    /// Number of values of an observation.
    #[getter]
    fn observation_len(&self) -> usize {
        self.observation_len
    }

    /// Number of discrete actions; `None` for a continuous action.
    #[getter]
    fn num_actions(&self) -> Option<usize> {
        match self.actions {
            ActionSpace::Discrete(count) => Some(count),
            ActionSpace::Box { .. } => None,
        }
    }

    /// Whether an observation is the one-hot vector of a tile of a grid world.
    #[getter]
    fn is_tile(&self) -> bool {
        self.is_tile
    }

    /// Returns an action (`float32` `[n]`) for each observation (`float32` `[n, observation]`). If `seed` is `None`,
    /// the action is the most probable one; otherwise it is sampled, depending only on seed, step and the observation's
    /// index.
    #[pyo3(signature = (observations, seed=None, step=0))]
    fn act<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'py, f32>,
        seed: Option<u64>,
        step: u32,
    ) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let actions = self.compute(py, &observations, |policy, observations| match seed {
            None => policy.greedy(observations),
            Some(seed) => policy.sample(observations, seed, step),
        })?;
        Ok(PyArray1::from_vec(py, actions))
    }

    /// Returns the probability of each discrete action `[n, actions]`, or the mean of a continuous action `[n, 1]`, and
    /// the value estimates `[n]`.
    fn policy_and_value<'py>(
        &self,
        py: Python<'py>,
        observations: PyReadonlyArray2<'py, f32>,
    ) -> PyResult<PolicyAndValueArrays<'py>> {
        let found = self.compute(py, &observations, TrainedPolicy::policy_and_value)?;
        let shape = [found.values.len(), self.num_actions().unwrap_or(1)];
        Ok((PyArray1::from_vec(py, found.policy).reshape(shape)?, PyArray1::from_vec(py, found.values)))
    }
}
