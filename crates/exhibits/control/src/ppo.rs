//! PPO as a control learner.

use super::learner::{ControlLearner, IterationReport};
use crate::entries::describe::ControlWorld;
use crate::entries::ppo::{iteration, read};
use serde_json::Value;
use vivarium_agents::ppo::{ActionSelection, PolicyAndValue, Ppo, PpoWork};
use vivarium_agents::{Episode, Learner};
#[cfg(feature = "gpu")]
use vivarium_gpu::GpuError;
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::train::{SliceError, Training};

impl<W: ControlWorld> ControlLearner<W> for Training<Ppo<W>> {
    fn seed(&self) -> u64 {
        self.learner.seed()
    }

    fn world(&self) -> &W::Params {
        self.learner.world()
    }

    fn discount(&self) -> f32 {
        self.learner.config().discount
    }

    fn phase(&self) -> &'static str {
        if self.is_on_gpu() {
            return "iteration";
        }
        match self.learner.next_work() {
            PpoWork::Rollout => "rollout",
            PpoWork::Update => "update",
        }
    }

    fn num_envs(&self) -> u32 {
        self.learner.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        steps.div_ceil(self.learner.config().horizon)
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
        ["ppo.learning_rate", "ppo.final_learning_rate"]
    }

    fn save(&self) -> Vec<Tensor> {
        self.learner.save()
    }

    fn learned(&self) -> Vec<Tensor> {
        self.learner.learned()
    }

    fn saves_midway(&self) -> bool {
        false
    }

    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError> {
        tensors.take_like(&self.learner.save())
    }

    fn restore(&mut self, config: &Value, tensors: &[Tensor]) -> Result<(), LabError> {
        self.learner = self.learner.restored(read(config)?, tensors)?;
        Ok(())
    }

    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32> {
        self.learner.act(observations, ActionSelection::Sampled { seed, step })
    }

    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        self.learner.policy_and_value(observations)
    }

    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LabError> {
        Ok(self.learner.evaluate(cpu, episodes.count, episodes.seed)?)
    }

    #[cfg(feature = "gpu")]
    fn too_large(&self, error: &GpuError) -> (&'static str, String) {
        let config = self.learner.config();
        let GpuError::BufferTooLarge { what, needed, allowed } = error else {
            return ("ppo.num_envs", "reduce it or ppo.minibatch".into());
        };
        let of_a_minibatch = what.contains(&format!("for {} rows", config.minibatch));
        let (field, value) = if of_a_minibatch && config.minibatch != config.num_envs {
            ("ppo.minibatch", config.minibatch)
        } else {
            ("ppo.num_envs", config.num_envs)
        };
        // The buffer size is proportional to the field's value.
        let fits = (u128::from(value) * u128::from(*allowed) / u128::from(*needed)).max(1);
        (field, format!("at most about {fits} with the other fields unchanged"))
    }
}
