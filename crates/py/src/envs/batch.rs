//! Batch of environments that several threads step together.

use super::worker_threads::WorkerThreads;
use pyo3::prelude::*;
use std::sync::OnceLock;
use vivarium_envs::{AnyVectorEnv, Autoreset, EnvError, Environment, StepOut};
use vivarium_kernels::simd::{Level, level};

/// Number of which the number of environments per part is a multiple: the unit of work of the step kernel.
const UNIT: usize = 512;

/// Batch of environments, divided into one part per thread. Results do not depend on the number of threads.
pub(crate) struct ThreadedBatch {
    /// Environments of each thread. All parts but the last have `part_len` environments.
    parts: Vec<Box<dyn AnyVectorEnv>>,
    part_len: usize,
    level: Level,
    threads: WorkerThreads,
}

impl ThreadedBatch {
    /// Creates a batch of `num_envs` environments, divided among at most `num_threads` threads. Each environment is at
    /// the start of its first episode, and truncates episodes after `step_limit` steps.
    pub(crate) fn new(
        environment: &Environment,
        seed: u64,
        num_envs: usize,
        autoreset: Autoreset,
        step_limit: u32,
        num_threads: usize,
    ) -> Result<Self, EnvError> {
        let level = level();
        let part_len = num_envs.div_ceil(num_threads.max(1)).next_multiple_of(UNIT);
        let mut parts = Vec::new();
        for first in (0..num_envs).step_by(part_len) {
            let len = part_len.min(num_envs - first);
            let mut part = environment.vector_env(level, seed, first as u32, len, autoreset)?;
            part.set_step_limit(step_limit)?;
            parts.push(part);
        }
        Ok(Self { parts, part_len, level, threads: WorkerThreads::default() })
    }

    /// Steps every environment with `actions` `[num_envs]`, which must be valid, and writes the results to `out`. The
    /// interpreter lock is released during the call. `observation_len` is the number of values in an observation.
    pub(crate) fn step(
        &mut self,
        py: Python<'_>,
        actions: &[f32],
        out: StepOut<'_>,
        observation_len: usize,
    ) -> PyResult<()> {
        self.threads.prepare(self.parts.len() - 1)?;
        let Self { parts, part_len, level, threads } = self;
        let level = *level;
        let result = py.detach(|| {
            let outs = divided(out, *part_len, observation_len);
            // The first error of any part.
            let failure = OnceLock::new();
            let work = parts.iter_mut().zip(actions.chunks(*part_len)).zip(outs);
            threads.run(work.map(|((part, actions), mut out)| {
                let failure = &failure;
                move || {
                    if let Err(error) = part.step(level, actions, &mut out) {
                        let _ = failure.set(error);
                    }
                }
            }));
            failure.into_inner().map_or(Ok(()), Err)
        });
        result.map_err(crate::error::exception)
    }

    /// Begins the next episode in every environment.
    pub(crate) fn reset(&mut self) {
        for part in &mut self.parts {
            part.reset(self.level);
        }
    }

    /// Begins the next episode in environment `index`.
    pub(crate) fn reset_env(&mut self, index: usize) -> Result<(), EnvError> {
        self.parts[index / self.part_len].reset_env(self.level, index % self.part_len)
    }

    /// Writes the current observations `[num_envs, observation]` to `out`.
    pub(crate) fn observations(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let width = self.parts[0].spec().observation_len;
        for (part, out) in self.parts.iter().zip(out.chunks_mut(self.part_len * width)) {
            part.observations(self.level, out)?;
        }
        Ok(())
    }

    /// Writes the current states `[num_envs, state]` to `out`.
    pub(crate) fn states(&self, out: &mut [f32]) -> Result<(), EnvError> {
        let width = self.parts[0].spec().state_len;
        for (part, out) in self.parts.iter().zip(out.chunks_mut(self.part_len * width)) {
            part.states(out)?;
        }
        Ok(())
    }

    /// Sets the state of environment `index`.
    pub(crate) fn set_state(&mut self, index: usize, state: &[f32]) -> Result<(), EnvError> {
        self.parts[index / self.part_len].set_state(index % self.part_len, state)
    }
}

/// Divides the output buffers of a step among the parts of the batch, `part_len` environments per part.
fn divided(out: StepOut<'_>, part_len: usize, observation_len: usize) -> impl Iterator<Item = StepOut<'_>> {
    let rows = part_len * observation_len;
    let observations = out.observation.chunks_mut(rows).zip(out.final_observation.chunks_mut(rows));
    let flags = out.terminated.chunks_mut(part_len).zip(out.truncated.chunks_mut(part_len));
    let rewards = out.reward.chunks_mut(part_len);
    observations.zip(flags).zip(rewards).map(
        |(((observation, final_observation), (terminated, truncated)), reward)| StepOut {
            observation,
            reward,
            terminated,
            truncated,
            final_observation,
        },
    )
}
