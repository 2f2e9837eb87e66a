//! Evaluation of PPO: complete episodes with the greedy policy, without effect on training.

use super::learner::{Ppo, rng_stream};
use super::network::Policy;
use super::sample;
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_envs::{AnyVectorEnv, Autoreset, EnvError, StepBuffers};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};

/// Maximum number of environments that one thread steps together in an evaluation.
const GROUP: usize = 64;

/// Evaluation episodes that one thread runs together, one episode per environment.
struct EvaluationGroup {
    env: Box<dyn AnyVectorEnv>,
    episodes: Vec<Episode>,
    outcome: Result<(), EnvError>,
}

impl Ppo {
    /// Runs `episodes` complete episodes in new environments, with the greedy (most probable) action at every step.
    /// Training is not affected. Equal values of `seed` produce equal initial states.
    ///
    /// The evaluated policy is the policy at the start of the current iteration. [`save`](Self::save) stores the same
    /// policy, so a restored learner reproduces the evaluation.
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
                let (level, first) = (cpu.level(), first as u32);
                let env = self.environment.vector_env(level, seed, first, num_envs, Autoreset::SameStep)?;
                let empty = Episode { total: 0.0, length: 0, terminated: false };
                Ok(EvaluationGroup { env, episodes: vec![empty; num_envs], outcome: Ok(()) })
            })
            .collect::<Result<Vec<EvaluationGroup>, EnvError>>()?;
        cpu.for_each(&mut groups, |_, group| group.outcome = group.run(&policy));
        let mut all = Vec::with_capacity(count);
        for group in groups {
            group.outcome?;
            all.extend(group.episodes);
        }
        Ok(all)
    }
}

impl EvaluationGroup {
    /// Steps all environments of the group until each has finished its first episode, and stores the results in
    /// `episodes`.
    fn run(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let (num_envs, spec) = (self.env.num_envs(), self.env.spec());
        let mut workspace = policy.network.workspace();
        let mut buffers = StepBuffers::with_width(num_envs, spec.observation_len);
        let mut observations = vec![0.0; num_envs * spec.observation_len];
        let mut output = vec![0.0; num_envs * policy.width()];
        let [mut values, mut actions, mut commands] = [(); 3].map(|()| vec![0.0; num_envs]);
        let mut running = vec![true; num_envs];
        let mut remaining = num_envs;
        self.env.observations(simd::level(), &mut observations)?;
        while remaining > 0 {
            policy.scaling.apply(&mut observations);
            policy.forward(&mut workspace, &observations, &mut output, &mut values);
            sample::greedy(spec.actions, &output, &mut actions);
            sample::commands(spec.actions, &actions, &mut commands);
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
