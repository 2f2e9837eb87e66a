//! Evaluation: complete episodes with the greedy policy, independent of training.

use super::learner::{Ppo, rng_stream};
use super::network::Policy;
use super::sample;
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_envs::{Autoreset, EnvError, StepBuffers, VectorEnv, World};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};

/// Number of environments that one thread evaluates together.
const GROUP: usize = 64;

/// Evaluation episodes that are stepped together on one thread, one per environment.
struct EvaluationGroup<W: World> {
    env: VectorEnv<W>,
    episodes: Vec<Episode>,
    outcome: Result<(), EnvError>,
}

impl<W: World> Ppo<W> {
    /// Runs complete episodes with the greedy (most probable) action at every step. Training is not affected. Equal
    /// values of `seed` produce equal initial states.
    ///
    /// The evaluated policy is that of the start of the present iteration. [`save`](Self::save) stores the same policy,
    /// so a restored learner reproduces the evaluation.
    ///
    /// # Errors
    /// [`LearnerError::World`] if `episodes` is 0 or too large, or an action is NaN.
    pub fn evaluate(&self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Vec<Episode>, LearnerError> {
        let policy = self.policy.with_weights(&self.boundary.weights);
        let (count, seed) = (episodes as usize, rng::derive(seed, rng_stream::EVALUATION));
        let mut groups = (0..count.max(1))
            .step_by(GROUP)
            .map(|first| {
                let num_envs = GROUP.min(count.saturating_sub(first));
                let env = VectorEnv::new(
                    cpu.level(),
                    self.world,
                    seed,
                    first as u32,
                    num_envs,
                    Autoreset::SameStep,
                )?;
                let empty = Episode { total: 0.0, length: 0, terminated: false };
                Ok(EvaluationGroup { env, episodes: vec![empty; num_envs], outcome: Ok(()) })
            })
            .collect::<Result<Vec<EvaluationGroup<W>>, EnvError>>()?;
        cpu.for_each(&mut groups, |_, group| group.outcome = group.run(&policy));
        let mut all = Vec::with_capacity(count);
        for group in groups {
            group.outcome?;
            all.extend(group.episodes);
        }
        Ok(all)
    }
}

impl<W: World> EvaluationGroup<W> {
    /// Steps all environments until each has finished its first episode.
    fn run(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let num_envs = self.env.num_envs();
        let mut workspace = policy.network.workspace();
        let mut buffers = StepBuffers::new::<W>(num_envs);
        let mut observations = vec![0.0; num_envs * W::OBSERVATION_LEN];
        let mut output = vec![0.0; num_envs * policy.width()];
        let [mut values, mut actions, mut commands] = [(); 3].map(|()| vec![0.0; num_envs]);
        let mut running = vec![true; num_envs];
        let mut remaining = num_envs;
        self.env.observations(simd::level(), &mut observations)?;
        while remaining > 0 {
            policy.scaling.apply(&mut observations);
            policy.forward(&mut workspace, &observations, &mut output, &mut values);
            sample::greedy(W::ACTIONS, &output, &mut actions);
            sample::commands(W::ACTIONS, &actions, &mut commands);
            self.env.step(simd::level(), &commands, &mut buffers.out())?;
            for (env, episode) in self.episodes.iter_mut().enumerate() {
                if !running[env] {
                    continue;
                }
                episode.total += buffers.reward[env];
                episode.length += 1;
                if buffers.terminated[env] || buffers.truncated[env] {
                    episode.terminated = buffers.terminated[env];
                    running[env] = false;
                    remaining -= 1;
                }
            }
            observations.copy_from_slice(&buffers.observation);
        }
        Ok(())
    }
}
