//! Deep Q-learning as a control learner.

use super::learner::{ControlLearner, IterationReport};
use crate::entries::describe::ControlWorld;
use crate::entries::dqn::{iteration, read};
use serde_json::Value;
use vivarium_agents::dqn::{self, ControlProblem, Dqn, DqnProblem, DqnWork, best};
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_agents::{Episode, Learner};
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::train::{SliceError, Training};

impl<W: ControlWorld> ControlLearner<W> for Training<Dqn<ControlProblem<W>>> {
    fn seed(&self) -> u64 {
        self.learner.seed()
    }

    fn world(&self) -> &W::Params {
        self.learner.params()
    }

    fn discount(&self) -> f32 {
        self.learner.config().discount
    }

    fn phase(&self) -> &'static str {
        match self.learner.next_work() {
            DqnWork::Act => "rollout",
            DqnWork::Pretrain | DqnWork::Learn => "update",
        }
    }

    fn num_envs(&self) -> u32 {
        self.learner.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        let config = self.learner.config();
        let samples = f64::from(steps) * f64::from(config.num_envs) * f64::from(config.replay_ratio);
        (samples / (f64::from(config.iteration) * f64::from(config.minibatch))).ceil() as u32
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError> {
        Ok(Self::advance(self, cpu)?.finished().as_ref().map(iteration))
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        Self::set_config(self, read(config)?)
    }

    fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        self.change(|learner| learner.set_world(world))
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["dqn.learning_rate", "dqn.final_learning_rate"]
    }

    fn save(&self) -> Vec<Tensor> {
        self.learner.save()
    }

    fn learned(&self) -> Vec<Tensor> {
        self.learner.learned()
    }

    fn saves_midway(&self) -> bool {
        true
    }

    /// Removes the learner's tensors from a checkpoint. Accepts tensors of any shape, since the number of transitions
    /// in the replay buffer varies between checkpoints.
    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError> {
        self.save().iter().map(|model| tensors.take(&model.name)).collect()
    }

    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError> {
        self.learner = self.learner.restored(read(config)?, tensors)?;
        Ok(())
    }

    /// Returns the greedy actions, which do not depend on the seed or the step.
    fn act(&self, observations: &[f32], _: u64, _: u32) -> Vec<f32> {
        let states = ControlProblem::<W>::states_of(observations);
        let mut actions = vec![0; states.len()];
        self.learner.greedy(&Cpu::new(1), &states, &mut actions);
        actions.into_iter().map(f32::from).collect()
    }

    /// Returns, for each observation, probability 1 for the greedy action, 0 for all other actions, and the greedy
    /// action's Q value.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        let (states, count) = (ControlProblem::<W>::states_of(observations), ControlProblem::<W>::ACTIONS);
        let mut worth = vec![0.0; states.len() * count];
        let (network, params) = (self.learner.network(), self.learner.params());
        dqn::values::<ControlProblem<W>>(&Cpu::new(1), network, params, &states, &mut worth);
        let mut policy_and_value =
            PolicyAndValue { policy: vec![0.0; worth.len()], values: Vec::with_capacity(states.len()) };
        for (policy, worth) in policy_and_value.policy.chunks_exact_mut(count).zip(worth.chunks_exact(count))
        {
            let best = best(worth);
            policy[best] = 1.0;
            policy_and_value.values.push(worth[best]);
        }
        policy_and_value
    }

    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LabError> {
        Ok(self.learner.evaluate(cpu, episodes.count as usize, episodes.seed)?)
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, _: &GpuError) -> (&'static str, String) {
        ("dqn.minibatch", "reduce it or the size of the network".into())
    }
}
