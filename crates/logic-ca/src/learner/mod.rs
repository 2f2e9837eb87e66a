//! CPU learner: its state and queries. `training` divides an epoch into slices, and `epoch` computes its phases.

mod epoch;
mod training;

use crate::circuit::{Architecture, Wiring, initial_logits};
use crate::config::LogicConfig;
use crate::epoch_batch::{BoardScore, EpochBatch};
use crate::error::LogicError;
use crate::gate::{Coefficients, PASS_A};
use crate::hard::{Boards, Circuit, CompiledCircuit};
use crate::hardening::HardeningMask;
use crate::layered_circuit::LayeredCircuit;
use crate::local_search::LocalSearch;
use crate::optimizer::{GateOptimizer, GateStatistics};
use crate::recording::RolloutRecording;
use crate::soft;
use crate::target::TargetPattern;
use vivarium_config::Config;

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

/// Kind of work of a call of [`advance`](vivarium_learn::Learner::advance).
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

/// Number of consecutive epochs without a wrong bit after which gradient descent counts as converged and local search
/// replaces it. Further gradient steps would often make the circuit worse: Adam takes full-size steps even if the
/// gradients are tiny.
pub(crate) const CONVERGED_STREAK: u32 = 30;

/// Phase of the current epoch that runs next, with the index (from 0) of its next automaton step or search generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EpochPhase {
    Begin,
    Forward(usize),
    Evaluation(usize),
    Backward(usize),
    LocalSearch(usize),
    Update,
}

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
    pub(crate) seed: u64,
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
