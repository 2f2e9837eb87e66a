//! Whole episodes with the greedy policy, apart from training.

use super::learner::{Ppo, purpose};
use super::policy::Policy;
use super::sample;
use crate::episode::Episode;
use crate::error::LearnerError;
use vivarium_envs::{Autoreset, EnvError, StepBuffers, VectorEnv, World};
use vivarium_graph::Cpu;
use vivarium_kernels::{rng, simd};

/// Lanes that a worker takes at a time.
const GROUP: usize = 64;

/// Episodes run together, each in a lane of its own.
struct Group<W: World> {
    env: VectorEnv<W>,
    episodes: Vec<Episode>,
    outcome: Result<(), EnvError>,
}

impl<W: World> Ppo<W> {
    /// Runs this many whole episodes, each from its own start, with the most probable action at every step. Training
    /// is not touched; the same seed gives the same starts.
    ///
    /// The policy is the one that the present iteration began with, which is the one that [`save`](Self::save) gives: a
    /// saved learner does as well as it was judged.
    ///
    /// # Errors
    /// [`LearnerError::World`] if there are no episodes to run or too many, or an action is not a number.
    pub fn evaluate(&self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Vec<Episode>, LearnerError> {
        let policy = self.policy.with_weights(&self.boundary.weights);
        let (count, seed) = (episodes as usize, rng::derive(seed, purpose::EVALUATION));
        let mut groups = (0..count.max(1))
            .step_by(GROUP)
            .map(|first| {
                let lanes = GROUP.min(count.saturating_sub(first));
                let env = VectorEnv::new(self.world, seed, first as u32, lanes, Autoreset::SameStep)?;
                let nothing = Episode { total: 0.0, length: 0, terminated: false };
                Ok(Group { env, episodes: vec![nothing; lanes], outcome: Ok(()) })
            })
            .collect::<Result<Vec<Group<W>>, EnvError>>()?;
        cpu.for_each(&mut groups, |_, group| group.outcome = group.run(&policy));
        let mut all = Vec::with_capacity(count);
        for group in groups {
            group.outcome?;
            all.extend(group.episodes);
        }
        Ok(all)
    }
}

impl<W: World> Group<W> {
    /// Steps until every lane has finished its first episode.
    fn run(&mut self, policy: &Policy) -> Result<(), EnvError> {
        let lanes = self.env.lanes();
        let mut workspace = policy.network.workspace();
        let mut buffers = StepBuffers::new::<W>(lanes);
        let mut observations = vec![0.0; lanes * W::OBSERVATION_LEN];
        let mut output = vec![0.0; lanes * policy.width()];
        let [mut values, mut actions, mut commands] = [(); 3].map(|()| vec![0.0; lanes]);
        let mut going = vec![true; lanes];
        let mut left = lanes;
        self.env.observations(simd::level(), &mut observations)?;
        while left > 0 {
            policy.scaling.apply(&mut observations);
            policy.forward(&mut workspace, &observations, &mut output, &mut values);
            sample::greedy(W::ACTIONS, &output, &mut actions);
            sample::commands(W::ACTIONS, &actions, &mut commands);
            self.env.step(simd::level(), &commands, &mut buffers.out())?;
            for (lane, episode) in self.episodes.iter_mut().enumerate() {
                if !going[lane] {
                    continue;
                }
                episode.total += buffers.reward[lane];
                episode.length += 1;
                if buffers.terminated[lane] || buffers.truncated[lane] {
                    episode.terminated = buffers.terminated[lane];
                    going[lane] = false;
                    left -= 1;
                }
            }
            observations.copy_from_slice(&buffers.observation);
        }
        Ok(())
    }
}
