//! The contract between learners and front ends: what every run can do, whatever learns in it.

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

/// Without a GPU nothing moves.
#[cfg(not(feature = "gpu"))]
pub trait SwitchEngine {}

#[cfg(not(feature = "gpu"))]
impl<E> SwitchEngine for E {}

/// One learner in one world, made from a config and a seed, driven by a front end.
///
/// A front end calls [`advance`](Experiment::advance) in a loop and everything else between two calls. No method blocks
/// for longer than a slice of work, reads a clock, touches a file or prints.
pub trait Experiment: SwitchEngine + Send {
    /// What the run is, apart from its learner.
    fn run(&self) -> &Run;

    /// The same, to be changed.
    fn run_mut(&mut self) -> &mut Run;

    /// The registered name, such as `cartpole`.
    fn name(&self) -> &'static str {
        self.run().name()
    }

    /// The seed that the run was made from.
    fn seed(&self) -> u64 {
        self.run().seed()
    }

    /// The whole config in use, every field present, as the JSON that made it.
    fn config(&self) -> Value {
        self.run().config().clone()
    }

    /// How far the run is.
    fn progress(&self) -> Progress;

    /// What the next slice will do, such as `rollout` or `update`: a front end that times its calls learns from it where
    /// the time goes.
    fn phase(&self) -> &'static str;

    /// Whether the next slice comes before training, such as reading what there is to learn from.
    fn is_preparing(&self) -> bool {
        false
    }

    /// What it computes on.
    fn engine(&self) -> EngineInfo {
        #[cfg(feature = "gpu")]
        if let Some(device) = self.device() {
            return device.info();
        }
        EngineInfo::Cpu
    }

    /// Moves the run to another engine, with all that it has learned; nothing else about it changes. An iteration that is
    /// under way is begun again there. Where the new engine breaks down later, the run goes on on the CPU by itself and
    /// says so in a metric row's notice.
    ///
    /// # Errors
    /// [`LabError`] saying why the engine cannot be used; the run then stays on the one it has.
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

    /// Whether what comes next is work for the CPU alone: an experiment that was on another engine has left it as planned.
    fn is_cpu_only(&self) -> bool {
        false
    }

    /// Lends the experiment a clock of seconds since some moment, so that its metrics can say where the time goes.
    /// Nothing is decided by it.
    fn set_clock(&mut self, clock: fn() -> f64) {
        self.run_mut().set_clock(clock);
    }

    /// How many environments are stepped together: what a speed per environment is multiplied by.
    fn num_envs(&self) -> u32 {
        1
    }

    /// Sets a field of the config while the run goes on: its dotted path and its value, such as `world.gravity` and `12`. Only
    /// fields marked live may be set so. A refused value changes nothing.
    ///
    /// # Errors
    /// [`LabError::Invalid`] naming the field, the value and what is allowed.
    fn set(&mut self, path: &str, value: &Value) -> Result<(), LabError>;

    /// What its config calls the data that it learns from, where they are not built in and have not been brought yet: an
    /// experiment opens no files. Until a front end brings them with [`bring_data`](Self::bring_data), nothing goes on.
    fn missing_data(&self) -> Option<&str> {
        None
    }

    /// Brings the data: files natively, in a browser the bytes that a person gave.
    ///
    /// # Errors
    /// [`LabError`] for data that cannot be learned from, for others than a checkpoint was trained on, and where none are
    /// missing; nothing is changed then.
    fn bring_data(&mut self, sources: Vec<Box<dyn ByteSource>>) -> Result<(), LabError> {
        let _ = sources;
        Err(LabError::invalid("data", self.name(), "it learns from no data of its own"))
    }

    /// Opens the network of a checkpoint file to play with, beside the one that learns. Training is not touched.
    ///
    /// # Errors
    /// [`LabError::Checkpoint`] saying what is wrong with the file, [`LabError::Invalid`] where nothing is played.
    fn open_player(&mut self, bytes: &[u8]) -> Result<(), LabError> {
        let _ = bytes;
        Err(LabError::invalid("player", self.name(), "nothing is played here"))
    }

    /// Whether the last slice found nothing to do because a device is still at work. In a browser the front end must then give
    /// control back until the device's answer may have come; natively a slice waits for it. It also waits for data
    /// that are missing, on both.
    fn is_waiting(&self) -> bool {
        #[cfg(feature = "gpu")]
        return self.device().is_some_and(AnyDevice::is_waiting);
        #[cfg(not(feature = "gpu"))]
        return false;
    }

    /// Does one bounded slice of work: at most some 5 ms on one native core. A device may be given more at a time.
    ///
    /// # Errors
    /// [`LabError::Diverged`] where the collapse guard has no good state left to return to.
    fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError>;

    /// Metric rows since the last call, oldest first.
    fn take_metrics(&mut self) -> Vec<MetricRow> {
        self.run_mut().take_rows()
    }

    /// Reports something that the user should know now.
    fn notify(&mut self, notice: String) {
        let steps = self.progress().steps;
        self.run_mut().notice(steps, notice);
    }

    /// Runs `episodes` whole evaluation episodes with the greedy policy, apart from training.
    ///
    /// # Errors
    /// [`LabError`] if `episodes` is out of range.
    fn evaluate(&mut self, cpu: &Cpu, episodes: u32, seed: u64) -> Result<Evaluation, LabError> {
        let evaluation = self.evaluate_interruptible(cpu, Episodes::new(episodes, seed))?;
        evaluation.ok_or_else(|| LabError::invalid("evaluation", "stopped", "nothing asked it to stop"))
    }

    /// The same, for as long as nothing stops the episodes. Returns `None` if something did.
    ///
    /// # Errors
    /// Those of [`evaluate`](Self::evaluate).
    fn evaluate_interruptible(
        &mut self,
        cpu: &Cpu,
        episodes: Episodes<'_>,
    ) -> Result<Option<Evaluation>, LabError>;

    /// The state as the bytes of one safetensors file: restored, the run goes on exactly as it would have. (Board games
    /// begin other games of self-play, and say so.)
    fn save(&self) -> Vec<u8>;

    /// The same, and with it what a person has set up to play with, such as a board that was drawn on: for the experiment to
    /// go on somewhere else as it stands here. Opened like any other.
    fn pack(&self) -> Vec<u8> {
        self.save()
    }
}
