//! The interface between learners and front ends.

#[cfg(feature = "gpu")]
use crate::device::{AnyDevice, SwitchEngine};
use crate::engine::Engine;
use crate::episodes::Episodes;
use crate::error::LabError;
use crate::protocol::{EngineInfo, Evaluation, MetricRow, Progress};
use crate::run::Run;
use crate::source::ByteSource;
use serde_json::Value;
use vivarium_graph::Cpu;

/// Switching a run between CPU and GPU; has no methods in builds without the feature `gpu`.
#[cfg(not(feature = "gpu"))]
pub trait SwitchEngine {}

#[cfg(not(feature = "gpu"))]
impl<E> SwitchEngine for E {}

/// A training run: one learner on one task, created from a config and a seed, driven by a front end.
///
/// A front end calls [`advance`](Experiment::advance) in a loop and all other methods between two calls. Each call
/// performs one slice: a bounded amount of work, about 5 ms on one native core. No method reads the system clock,
/// accesses a file or prints.
pub trait Experiment: SwitchEngine + Send {
    /// Returns the learner-independent state: name, seed, config and metric rows.
    fn run(&self) -> &Run;

    /// Returns the learner-independent state for modification.
    fn run_mut(&mut self) -> &mut Run;

    /// Returns the registered name, such as `cartpole`.
    fn name(&self) -> &'static str {
        self.run().name()
    }

    /// Returns the seed of the run.
    fn seed(&self) -> u64 {
        self.run().seed()
    }

    /// Returns the complete config in use.
    fn config(&self) -> Value {
        self.run().config().clone()
    }

    /// Returns the progress of the run: numbers of steps, updates and episodes so far.
    fn progress(&self) -> Progress;

    /// Returns the phase of the work that the next call of [`advance`](Self::advance) performs, such as `rollout` or
    /// `update`. Front ends profile the calls by phase.
    fn phase(&self) -> &'static str;

    /// Returns whether the next call of [`advance`](Self::advance) performs work that precedes training, such as
    /// training the tokenizer.
    fn is_preparing(&self) -> bool {
        false
    }

    /// Returns the engine (CPU or GPU) that trains.
    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = self.device() {
            return device.info();
        }
        EngineInfo::Cpu
    }

    /// Moves the run with its learned state to another engine. The current iteration restarts there. If the GPU is lost
    /// later, the run falls back to the CPU and reports a notice in a metric row.
    ///
    /// # Errors
    /// [`LabError`] if the engine cannot be used; the run then stays on its current engine.
    fn set_engine(&mut self, engine: Engine) -> Result<(), LabError> {
        match engine {
            #[cfg(feature = "gpu")]
            Engine::Cpu => self.move_back(),
            #[cfg(feature = "gpu")]
            Engine::Gpu(gpu) => self.move_to(&gpu),
            #[cfg(not(feature = "gpu"))]
            Engine::Cpu => Ok(()),
        }
    }

    /// Returns whether all remaining work of the run uses the CPU only, so that a GPU is no longer needed.
    fn is_cpu_only(&self) -> bool {
        false
    }

    /// Sets the clock for metrics that measure time; it returns seconds. Training results do not depend on the clock.
    fn set_clock(&mut self, clock: fn() -> f64) {
        self.run_mut().set_clock(clock);
    }

    /// Returns the number of environments that are stepped in parallel.
    fn num_envs(&self) -> u32 {
        1
    }

    /// Sets a live config field (a field that may change during the run), such as `world.gravity` to `12`. An invalid
    /// value changes nothing.
    ///
    /// # Errors
    /// [`LabError::Invalid`] with the field, the value and the allowed values.
    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError>;

    /// Returns the name of the training data in the config if the data has not been supplied yet, otherwise `None`.
    /// Experiments do not open files: training waits until the front end calls [`bring_data`](Self::bring_data).
    fn missing_data(&self) -> Option<&str> {
        None
    }

    /// Supplies the training data: files in the native program, bytes in the browser.
    ///
    /// # Errors
    /// [`LabError`] if the data cannot be used, differs from the data of the checkpoint, or has already been supplied.
    /// A failed call changes nothing.
    fn bring_data(&mut self, sources: Vec<Box<dyn ByteSource>>) -> Result<(), LabError> {
        let _ = sources;
        Err(LabError::invalid("data", self.name(), "this experiment takes no training data"))
    }

    /// Loads the network of a checkpoint file as an additional player. Does not affect training.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] for an invalid file, [`LabError::Invalid`] if the experiment has no players.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let _ = bytes;
        Err(LabError::invalid("player", self.name(), "this experiment has no players"))
    }

    /// Returns whether the last call of [`advance`](Self::advance) did no work, because the GPU is still computing or
    /// training data is missing. In a browser, the front end must then yield to the event loop; a native call blocks
    /// until the GPU has finished.
    fn is_waiting(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.device().is_some_and(AnyDevice::is_waiting);
        #[cfg(not(feature = "gpu"))]
        return false;
    }

    /// Advances the run by a bounded amount of work: about 5 ms on one native core, possibly longer on a GPU.
    ///
    /// # Errors
    /// [`LabError::Diverged`] if training diverges again after the maximum number of rollbacks.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError>;

    /// Removes and returns the metric rows that were reported since the last call, oldest first.
    fn take_metrics(&mut self) -> Vec<MetricRow> {
        self.run_mut().take_rows()
    }

    /// Reports a notice to the user, in a metric row.
    fn notify(&mut self, notice: String) {
        let steps = self.progress().steps;
        self.run_mut().notice(steps, notice);
    }

    /// Evaluates the greedy policy over `episodes` complete episodes. Does not affect training.
    ///
    /// # Errors
    /// [`LabError`] if `episodes` is out of range.
    fn evaluate(&mut self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Evaluation, LabError> {
        let evaluation = self.evaluate_interruptible(cpu, Episodes::new(episodes, seed))?;
        evaluation.ok_or_else(|| LabError::invalid("evaluation", "stopped", "it stopped without a request"))
    }

    /// Like [`evaluate`](Self::evaluate), but returns `None` if the callback [`Episodes::stop`] stopped the evaluation.
    ///
    /// # Errors
    /// Errors of [`evaluate`](Self::evaluate).
    fn evaluate_interruptible(
        &mut self,
        cpu: &Cpu,
        episodes: Episodes<'_>,
    ) -> Result<Option<Evaluation>, LabError>;

    /// Serializes the state of the run as a checkpoint in the `safetensors` format. A restored run continues exactly as
    /// the original run would have. (Exception: board games restart their self-play games with an empty replay buffer.)
    fn save(&self) -> Vec<u8>;

    /// Like [`save`](Self::save), plus the interactive state of the exhibit, such as an edited board. Used to move a
    /// run to another session.
    fn pack(&self) -> Vec<u8> {
        self.save()
    }
}
