//! Proximal policy optimisation, as a control experiment needs it.

use super::learner::{Iteration, Learner};
use crate::entries::describe::ControlWorld;
use crate::entries::describe::world;
use crate::entries::ppo::{iteration, read};
use serde_json::Value;
use vivarium_agents::ppo::{Beliefs, Choice, Ppo, Work};
use vivarium_agents::{Episode, LearnerError};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Progress;

impl<W: ControlWorld> Learner<W> for Ppo<W> {
    fn seed(&self) -> u64 {
        self.seed()
    }

    fn world(&self) -> &W::Params {
        self.world()
    }

    fn progress(&self) -> Progress {
        let counters = self.counters();
        Progress {
            steps: counters.steps,
            updates: counters.updates,
            episodes: counters.episodes,
            total_steps: None,
        }
    }

    fn phase(&self) -> &'static str {
        match self.next_work() {
            Work::Rollout => "rollout",
            Work::Update => "update",
        }
    }

    fn num_envs(&self) -> u32 {
        self.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        steps.div_ceil(self.config().horizon)
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<Iteration>, String> {
        let slice = self.advance(cpu).map_err(|error| error.to_string())?;
        Ok(slice.report.as_ref().map(iteration))
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        self.set_config(read(config)?).map_err(|error| refused(&error))
    }

    fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        self.set_world(world).map_err(|error| refused(&error))
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["ppo.learning_rate", "ppo.final_learning_rate"]
    }

    fn save(&self) -> Vec<Tensor> {
        self.save()
    }

    fn learned(&self) -> Vec<Tensor> {
        self.learned()
    }

    fn saves_midway(&self) -> bool {
        false
    }

    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError> {
        tensors.take_like(&self.save())
    }

    fn restored(&self, config: &Value, tensors: &[Tensor]) -> Result<Box<dyn Learner<W>>, LabError> {
        let restored = Self::restore(read(config)?, world::<W>(config)?, self.seed(), tensors);
        Ok(Box::new(restored.map_err(|error| refused(&error))?))
    }

    fn act(&self, observations: &[f32], seed: u64, step: u32) -> Vec<f32> {
        self.act(observations, Choice::Drawn { seed, step })
    }

    fn beliefs(&self, observations: &[f32]) -> Beliefs {
        self.beliefs(observations)
    }

    fn evaluate(&self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Vec<Episode>, LabError> {
        self.evaluate(cpu, episodes, seed).map_err(|error| refused(&error))
    }

    #[cfg(feature = "gpu")]
    fn ppo(&mut self) -> Option<&mut Ppo<W>> {
        Some(self)
    }
}

/// A refusal by the learner or the world, in the lab's words.
pub(super) fn refused(error: &LearnerError) -> LabError {
    match error {
        LearnerError::Config(error) => error.clone().into(),
        LearnerError::State(_) => LabError::checkpoint(error.to_string()),
        #[cfg(feature = "gpu")]
        LearnerError::Gpu(error) => LabError::engine(error.to_string()),
        LearnerError::NotFinite(_) => LabError::Diverged { message: error.to_string() },
        _ => LabError::invalid("config", "as given", error.to_string()),
    }
}
