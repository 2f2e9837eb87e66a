//! Deep Q-learning as a control learner.

#[cfg(feature = "gpu")]
use super::learner::LearnerOnGpu;
use super::learner::{ControlLearner, IterationReport};
use crate::entries::describe::ControlWorld;
use crate::entries::describe::world;
use crate::entries::dqn::{iteration, read};
use serde_json::Value;
#[cfg(feature = "gpu")]
use vivarium_agents::dqn::gpu_trainer::DqnGpuTrainer;
use vivarium_agents::dqn::{self, ControlProblem, Dqn, DqnCounters, DqnProblem, DqnWork, best};
use vivarium_agents::ppo::PolicyAndValue;
use vivarium_agents::{Episode, Learner};
use vivarium_graph::Cpu;
use vivarium_lab::checkpoint::{Tensor, Tensors};
#[cfg(feature = "gpu")]
use vivarium_lab::device::Device;
use vivarium_lab::episodes::Episodes;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::Progress;
use vivarium_lab::train::SliceError;

/// DQN learner of a control experiment. It owns a single-threaded CPU engine for the preview's forward passes, and the
/// GPU trainer if training runs on a GPU.
pub(super) struct DqnLearner<W: ControlWorld> {
    pub(super) dqn: Dqn<ControlProblem<W>>,
    single: Cpu,
    #[cfg(feature = "gpu")]
    pub(super) device: Option<Device<DqnGpuTrainer>>,
}

impl<W: ControlWorld> DqnLearner<W> {
    /// Creates a learner with initial weights, from a complete and valid config.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the config is inconsistent.
    pub(super) fn new(config: &Value, seed: u64) -> Result<Self, LabError> {
        Ok(Self::around(Dqn::new(read(config)?, world::<W>(config)?, seed)?))
    }

    fn around(dqn: Dqn<ControlProblem<W>>) -> Self {
        Self {
            dqn,
            single: Cpu::new(1),
            #[cfg(feature = "gpu")]
            device: None,
        }
    }
}

impl<W: ControlWorld> ControlLearner<W> for DqnLearner<W> {
    fn seed(&self) -> u64 {
        self.dqn.seed()
    }

    fn world(&self) -> &W::Params {
        self.dqn.params()
    }

    fn discount(&self) -> f32 {
        self.dqn.config().discount
    }

    fn progress(&self) -> Progress {
        let DqnCounters { steps, updates, episodes, .. } = self.dqn.counters();
        Progress { steps, updates, episodes, total_steps: None }
    }

    fn phase(&self) -> &'static str {
        match self.dqn.next_work() {
            DqnWork::Act => "rollout",
            DqnWork::Pretrain | DqnWork::Learn => "update",
        }
    }

    fn num_envs(&self) -> u32 {
        self.dqn.config().num_envs
    }

    fn iterations(&self, steps: u32) -> u32 {
        let config = self.dqn.config();
        let samples = f64::from(steps) * f64::from(config.num_envs) * f64::from(config.replay_ratio);
        (samples / (f64::from(config.iteration) * f64::from(config.minibatch))).ceil() as u32
    }

    fn advance(&mut self, cpu: &Cpu) -> Result<Option<IterationReport>, SliceError> {
        #[cfg(feature = "gpu")]
        if let Some(slice) = self.slice_on_gpu(cpu) {
            return slice;
        }
        Ok(self.dqn.advance(cpu)?.finished().as_ref().map(iteration))
    }

    fn set_config(&mut self, config: &Value) -> Result<(), LabError> {
        Ok(self.dqn.set_config(read(config)?)?)
    }

    fn set_world(&mut self, world: W::Params) -> Result<(), LabError> {
        Ok(self.dqn.set_world(world)?)
    }

    fn learning_rates(&self) -> [&'static str; 2] {
        ["dqn.learning_rate", "dqn.final_learning_rate"]
    }

    fn save(&self) -> Vec<Tensor> {
        self.dqn.save()
    }

    fn learned(&self) -> Vec<Tensor> {
        self.dqn.learned()
    }

    fn saves_midway(&self) -> bool {
        true
    }

    /// Accepts tensors of any shape, since the number of transitions in the replay buffer varies between checkpoints.
    fn state_of(&self, tensors: &mut Tensors) -> Result<Vec<Tensor>, LabError> {
        self.save().iter().map(|model| tensors.take(&model.name)).collect()
    }

    fn restored(&self, config: &Value, tensors: &[Tensor]) -> Result<Box<dyn ControlLearner<W>>, LabError> {
        let restored = Dqn::restore(read(config)?, world::<W>(config)?, self.dqn.seed(), tensors);
        Ok(Box::new(Self::around(restored?)))
    }

    /// Returns the greedy actions, which do not depend on the seed or the step.
    fn act(&self, observations: &[f32], _: u64, _: u32) -> Vec<f32> {
        let states = ControlProblem::<W>::states_of(observations);
        let mut actions = vec![0; states.len()];
        self.dqn.greedy(&self.single, &states, &mut actions);
        actions.into_iter().map(f32::from).collect()
    }

    /// Returns probability 1 for the greedy action, 0 for all other actions, and the greedy action's value.
    fn policy_and_value(&self, observations: &[f32]) -> PolicyAndValue {
        let (states, count) = (ControlProblem::<W>::states_of(observations), ControlProblem::<W>::ACTIONS);
        let mut worth = vec![0.0; states.len() * count];
        let (network, params) = (self.dqn.network(), self.dqn.params());
        dqn::values::<ControlProblem<W>>(&self.single, network, params, &states, &mut worth);
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
        Ok(self.dqn.evaluate(cpu, episodes.count as usize, episodes.seed)?)
    }
}
