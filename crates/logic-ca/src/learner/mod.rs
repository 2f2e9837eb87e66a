//! CPU learner: training epochs, divided into *slices*: calls of `advance` that take a few milliseconds each.

mod epoch;

use crate::circuit::{Architecture, Wiring, initial_logits};
use crate::config::LogicConfig;
use crate::epoch_batch::{BoardScore, EpochBatch};
use crate::error::LogicError;
use crate::gate::{Coefficients, PASS_A};
#[cfg(feature = "gpu")]
use crate::gpu_trainer::LogicGpuTrainer;
use crate::hard::{Boards, Circuit, CompiledCircuit};
use crate::hardening::HardeningMask;
use crate::layered_circuit::LayeredCircuit;
use crate::local_search::LocalSearch;
use crate::optimizer::{GateOptimizer, GateStatistics};
use crate::recording::RolloutRecording;
use crate::soft;
use crate::target::TargetPattern;
#[cfg(feature = "gpu")]
pub(crate) use epoch::CONVERGED_STREAK;
pub(crate) use epoch::EpochPhase;
use vivarium_config::Config;
#[cfg(feature = "gpu")]
use vivarium_gpu::Gpu;
use vivarium_graph::{Cpu, SavedTensors, Tensor};
use vivarium_learn::{Advance, Learner, TrainingProgress};

/// Measurements of one epoch, taken before the gates are updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Number of finished epochs, including this one.
    pub epoch: u64,
    /// Squared error of the soft automaton's last state, summed over boards, cells and target channels.
    pub soft_loss: f64,
    /// Number of wrong bits in the hard automaton's last state (its squared error).
    pub hard_loss: f64,
    /// Fraction of cells whose target channels are all correct in the hard automaton.
    pub hard_accuracy: f64,
    /// Statistics of the gates' function distributions.
    pub gates: GateStatistics,
    /// Learning rate of AdamW in this epoch.
    pub learning_rate: f64,
    /// Expected fraction of gates, and of automaton steps, that are hardened (discretized) in the soft automaton.
    pub hard_share: f64,
}

/// Kind of work of a call of [`LogicCa::advance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicWork {
    /// Forward pass of the soft automaton.
    Forward,
    /// Steps of the hard automaton.
    Evaluation,
    /// Backward pass of the soft automaton.
    Backward,
    /// A generation of the local search.
    LocalSearch,
    /// Update of the gates: optimizer step, or change to the result of the local search.
    Update,
}

/// Maximum work of a call of [`LogicCa::advance`] in gates × lanes (cells), which takes a few milliseconds on one
/// thread. A single automaton step may exceed it.
const SLICE_WORK: usize = 1 << 23;

/// Learner of a differentiable logic cellular automaton; see the [crate documentation](crate) for the algorithm.
///
/// The gates are updated only in epochs in which the hard automaton has wrong bits. Training is finished after
/// [`finish_streak`](LogicConfig::finish_streak) consecutive epochs without a wrong bit.
///
/// Config and seed determine a run; the number of threads has no influence. SIMD levels differ by rounding. After the
/// first epoch, training allocates only compiled hard circuits and frees each of them again.
#[derive(Debug)]
pub struct LogicCa {
    pub(crate) config: LogicConfig,
    seed: u64,
    pub(crate) architecture: Architecture,
    wiring: Wiring,
    pub(crate) program: LayeredCircuit,
    pub(crate) target: Option<TargetPattern>,
    pub(crate) optimizer: GateOptimizer,
    batch: EpochBatch,
    pub(crate) hardening: HardeningMask,
    soft: soft::CellRollout,
    /// Boards of the hard automaton. The next field is its compiled circuit in the current epoch.
    hard: Boards,
    compiled: CompiledCircuit,
    functions: Vec<u8>,
    /// Recordings of the first board in the current epoch and in the last finished epoch.
    recording_in_progress: RolloutRecording,
    pub(crate) recording: RolloutRecording,
    sums: Vec<Coefficients>,
    /// Uniform random numbers of the update mask of a step, `[lane]`.
    numbers: Vec<f32>,
    pub(crate) epoch: u64,
    /// Number of AdamW steps.
    pub(crate) steps: u64,
    /// Number of consecutive epochs without a wrong bit in the hard automaton.
    pub(crate) streak: u32,
    /// Epoch at which the current target was set and its schedule began.
    pub(crate) schedule_start: u64,
    pub(crate) converged: bool,
    /// Local search; allocated in its first epoch.
    search: Option<Box<LocalSearch>>,
    /// Latest epochs with wrong bits; their boards are in the training set of the local search. Empty before the local
    /// search begins.
    pub(crate) failed_epochs: Vec<u64>,
    pub(crate) phase: EpochPhase,
    statistics: GateStatistics,
    soft_loss: f64,
    hard_score: BoardScore,
}

impl LogicCa {
    /// Creates an untrained learner: all gates are [pass-throughs](initial_logits).
    ///
    /// # Errors
    /// [`LogicError::Config`] with the invalid field.
    pub fn new(config: LogicConfig, seed: u64) -> Result<Self, LogicError> {
        config.check()?;
        let (architecture, grid) = (config.architecture(), config.grid());
        let wiring = Wiring::new(&architecture, seed);
        let program = LayeredCircuit::new(&architecture, &wiring);
        let asynchronous = config.fire_rate < 1.0;
        let (steps, channels) = (config.steps as usize, architecture.channels);
        let functions = vec![PASS_A; program.gates()];
        let recording = RolloutRecording::new(steps, channels, grid.cells());
        Ok(Self {
            optimizer: GateOptimizer::new(&initial_logits(&architecture, &wiring)),
            hardening: HardeningMask::new(program.gates(), steps),
            batch: EpochBatch::new(&config, grid, seed),
            soft: soft::CellRollout::new(program.clone(), grid, steps, asynchronous),
            hard: Boards::new(grid, channels)
                .map_err(|error| LogicError::Config(config.refused("batch", error.to_string())))?,
            compiled: CompiledCircuit::new(&Circuit::from_layers(&program, &functions)),
            functions,
            recording_in_progress: recording.clone(),
            recording,
            sums: vec![[0.0; 4]; program.gates()],
            numbers: vec![0.0; if asynchronous { grid.lanes() } else { 0 }],
            target: config.target(),
            epoch: 0,
            steps: 0,
            streak: 0,
            schedule_start: 0,
            converged: false,
            search: None,
            failed_epochs: Vec::new(),
            phase: EpochPhase::Begin,
            statistics: GateStatistics::default(),
            soft_loss: 0.0,
            hard_score: BoardScore::default(),
            config,
            seed,
            architecture,
            wiring,
            program,
        })
    }

    /// Returns the number of finished epochs.
    #[must_use]
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Returns whether training is finished: after [`LogicConfig::finish_streak`] consecutive epochs without a wrong
    /// bit.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.streak >= self.config.finish_streak()
    }

    /// Returns whether the gates are trained by local search instead of gradient descent. If enabled, local search
    /// begins after the config's `epochs`, or after 30 consecutive epochs without a wrong bit.
    #[must_use]
    pub fn is_in_local_search(&self) -> bool {
        self.local_search_epochs() > 0
            && (self.converged || self.epoch - self.schedule_start >= self.config.epochs.into())
    }

    /// Returns the number of the last epoch of the schedule: start of the current target, plus the epochs of gradient
    /// descent and of local search.
    #[must_use]
    pub fn last_epoch(&self) -> u64 {
        self.schedule_start + u64::from(self.config.epochs) + self.local_search_epochs()
    }

    fn local_search_epochs(&self) -> u64 {
        if LocalSearch::fits(&self.config) { self.config.local_search_epochs.into() } else { 0 }
    }

    /// Returns the target pattern; `None` if the target is the Game of Life.
    #[must_use]
    pub fn target(&self) -> Option<&TargetPattern> {
        self.target.as_ref()
    }

    /// Returns the logits of all gates, `[gate][16]`, in [gate order](crate::circuit).
    #[must_use]
    pub fn logits(&self) -> &[f32] {
        &self.optimizer.logits
    }

    /// Returns the layer widths of the circuit.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Returns the wiring of the circuit.
    #[must_use]
    pub fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    /// Returns the recording of the first board in the last finished epoch; all zeros before the first epoch is
    /// finished.
    #[must_use]
    pub fn recording(&self) -> &RolloutRecording {
        &self.recording
    }

    /// Returns the argmax function of every gate, in [gate order](crate::circuit).
    #[must_use]
    pub fn functions(&self) -> Vec<u8> {
        self.optimizer.hard_functions().collect()
    }

    /// Returns the hard circuit of the argmax functions, not simplified.
    #[must_use]
    pub fn hard_circuit(&self) -> Circuit {
        Circuit::from_layers(&self.program, &self.functions())
    }
}

impl Learner for LogicCa {
    type Config = LogicConfig;
    type Work = LogicWork;
    type Report = Report;
    type Error = LogicError;
    #[cfg(feature = "gpu")]
    type GpuTrainer = LogicGpuTrainer;

    fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// Replaces the config and restarts the current epoch. If the target changes, the gates are kept and the schedule
    /// restarts.
    fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            self.target = config.target();
            self.schedule_start = self.epoch;
            self.converged = false;
            self.failed_epochs.clear();
        }
        self.config = config;
        self.search = None;
        self.streak = 0;
        // The current epoch was prepared for the old config.
        self.phase = EpochPhase::Begin;
        Ok(())
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the progress of training. A step is an epoch, an episode a board.
    fn progress(&self) -> TrainingProgress {
        TrainingProgress {
            steps: self.epoch,
            updates: self.epoch,
            episodes: self.epoch * u64::from(self.config.batch),
            total_steps: Some(if self.is_finished() { self.epoch } else { self.last_epoch() }),
        }
    }

    /// Returns the kind of work that the next call of [`advance`](Self::advance) begins with.
    fn next_work(&self) -> LogicWork {
        match self.phase {
            EpochPhase::Begin | EpochPhase::Forward(_) => LogicWork::Forward,
            EpochPhase::Evaluation(_) => LogicWork::Evaluation,
            EpochPhase::Backward(_) => LogicWork::Backward,
            EpochPhase::LocalSearch(_) => LogicWork::LocalSearch,
            EpochPhase::Update => LogicWork::Update,
        }
    }

    /// Advances training by some automaton steps or search generations, or by the update of the gates at the end of an
    /// epoch. An iteration is an epoch.
    fn advance(&mut self, cpu: &Cpu) -> Result<Advance<LogicWork, Report>, LogicError> {
        cpu.install(|| {
            let mut done = 0;
            loop {
                let (work, cost) = self.run_phase(cpu)?;
                done += cost;
                if work == LogicWork::Update {
                    return Ok(Advance::Finished(self.finish_epoch()));
                }
                if done >= SLICE_WORK {
                    return Ok(Advance::Unfinished(work));
                }
            }
        })
    }

    fn save(&self) -> Vec<Tensor> {
        self.state().tensors("")
    }

    fn restored(&self, config: LogicConfig, tensors: &[Tensor]) -> Result<Self, LogicError> {
        let mut restored = Self::new(config, self.seed)?;
        restored.restore(&restored.state().read("", &SavedTensors(tensors))?)?;
        Ok(restored)
    }

    #[cfg(feature = "gpu")]
    fn gpu_trainer(&mut self, gpu: &Gpu) -> Result<LogicGpuTrainer, LogicError> {
        if self.is_in_local_search() {
            return Err(LogicError::LocalSearch);
        }
        let trainer = LogicGpuTrainer::new(gpu, self)?;
        self.phase = EpochPhase::Begin;
        Ok(trainer)
    }

    #[cfg(feature = "gpu")]
    fn advance_on_gpu(
        &mut self,
        trainer: &mut LogicGpuTrainer,
        _: &Cpu,
    ) -> Result<Advance<LogicWork, Report>, LogicError> {
        let advance = trainer.advance()?;
        if let Advance::Finished(_) = advance {
            trainer.copy_state_to(self)?;
        }
        Ok(advance)
    }

    #[cfg(feature = "gpu")]
    fn update_gpu_trainer(&self, trainer: &mut LogicGpuTrainer) -> Result<(), LogicError> {
        trainer.set_config(self.config.clone())
    }
}
