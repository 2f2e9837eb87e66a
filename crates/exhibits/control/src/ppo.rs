//! PPO as a control learner.

#[cfg(feature = "gpu")]
use super::learner::LearnerOnGpu;
use super::learner::{ControlLearner, IterationReport};
use crate::entries::describe::ControlWorld;
use crate::entries::describe::world;
use crate::entries::ppo::{iteration, read};
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_agents::ppo::gpu_trainer::PpoGpuTrainer;
use vivarium_agents::ppo::{ActionSelection, PolicyAndValue, Ppo, PpoCounters, PpoWork};
use vivarium_agents::{Episode, Learner};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Progress;
use vivarium_lab::train::SliceError;

/// PPO as a control learner, with the GPU trainer if training runs on a GPU.
pub(super) struct PpoLearner<W: ControlWorld> {
    pub(super) ppo: Ppo<W>,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<PpoGpuTrainer<W>>>,
}

impl<W: ControlWorld> PpoLearner<W> {
    /// Creates a learner with initial weights, from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        let made = Ppo::new(read(config)?, world::<W>(config)?, seed);
        Ok(Self::around(made?))
    }

    fn around(ppo: Ppo<W>) -> Self {
        Self {
            ppo,
            #[cfg(feature = "gpu")]
            device: None,
        }
    }
}

impl<W: ControlWorld> ControlLearner<W> for PpoLearner<W> {
    fn seed(&self) -> u64 {
        self.ppo.seed()
    }

    fn world(&self) -> &W::Params {
        self.ppo.world()
    }

    fn discount(&self) -> f32 {
        self.ppo.config().discount
    }

    fn progress(&self) -> Progress {
        let PpoCounters { steps, updates, episodes, .. } = self.ppo.counters();
        Progress { steps, updates, episodes, total_steps: None }
    }

    fn phase(&self) -> &'static str {
        #[cfg(feature = "gpu")]
        if self.device.is_some() {
            return "iteration";
        }
        match self.ppo.next_work() {
            PpoWork::Rollout => "rollout",
            PpoWork::Update => "update",
        }
    }

    fn num_envs(&self) -> u32 {
        self.ppo.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        steps.div_ceil(self.ppo.config().horizon)
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(slice) = self.slice_on_gpu(cpu) {
            return slice;
        }
        Ok(self.ppo.advance(cpu)?.finished().as_ref().map(iteration))
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        let config = read(config)?;
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device.trainer.set_config(config.clone())?;
        }
        Ok(self.ppo.set_config(config)?)
    }

    fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        #[cfg(feature = "gpu")]
        if let Some(device) = &mut self.device {
            device.trainer.set_world(world)?;
        }
        Ok(self.ppo.set_world(world)?)
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["ppo.learning_rate", "ppo.final_learning_rate"]
    }

    fn save(&self) -> Vec<Tensor> {
        self.ppo.save()
    }

    fn learned(&self) -> Vec<Tensor> {
        self.ppo.learned()
    }

    fn saves_midway(&self) -> bool {
        false
    }

    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError> {
        tensors.take_like(&self.ppo.save())
    }

    fn restored(&self, config: &Value, tensors: &[Tensor]) -> Result<Box<dyn ControlLearner<W>>, LabError> {
        let restored = Ppo::restore(read(config)?, world::<W>(config)?, self.ppo.seed(), tensors);
        Ok(Box::new(Self::around(restored?)))
    }

    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32> {
        self.ppo.act(observations, ActionSelection::Sampled { seed, step })
    }

    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        self.ppo.policy_and_value(observations)
    }

    fn evaluate(&self, cpu: &Cpu, episodes: Episodes<'_>) -> Result<Vec<Episode>, LabError> {
        Ok(self.ppo.evaluate(cpu, episodes.count, episodes.seed)?)
    }
}
