//! CPU learner: training state, read access, and the phases of an epoch. The module `training` divides an epoch into
//! calls of a few milliseconds.

use crate::circuit::{Architecture, Wiring, initial_logits};
use crate::config::LogicConfig;
use crate::epoch_batch::{BoardScore, EpochBatch};
use crate::error::LogicError;
use crate::gate::{Coefficients, PASS_A};
use crate::hard::{Boards, Circuit, CompiledCircuit};
use crate::layered_circuit::LayeredCircuit;
use crate::local_search::{GENERATIONS, LocalSearch, REGRESSION_EPOCHS, recent_failed_epochs};
use crate::optimizer::{GateOptimizer, GateStatistics, HardeningMask, adam_step};
use crate::recording::RolloutRecording;
use crate::soft;
use crate::target::TargetPattern;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;

/// Measurements of one epoch, taken before the gates are updated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Report {
    /// Number of finished epochs, including the reported epoch.
    pub epoch: u64,
    /// Squared error of the last state of the soft automaton (differentiable gates), summed over boards, cells and
    /// target channels.
    pub soft_loss: f64,
    /// Number of wrong bits in the last state of the hard automaton (discrete gates), summed over boards, cells and
    /// target channels.
    pub hard_loss: f64,
    /// Fraction of cells, from 0 to 1, whose target channels are all correct in the last state of the hard automaton
    /// (discrete gates).
    pub hard_accuracy: f64,
    /// Statistics over all gates of the probabilities of their sixteen functions.
    pub gates: GateStatistics,
    /// Learning rate of AdamW in the epoch, according to the schedule.
    pub learning_rate: f64,
    /// Probability in the epoch that a gate, or an automaton step, of the soft automaton (differentiable gates) is
    /// hardened (discretized).
    pub hard_share: f64,
}

/// Kind of computation that a call of [`advance`](vivarium_learn::Learner::advance) does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicWork {
    /// Forward pass of the soft automaton (differentiable gates) through a few automaton steps of the epoch.
    Forward,
    /// Test of the circuit: steps of the hard automaton (each gate with its most probable function), which count wrong
    /// bits.
    Evaluation,
    /// Backward pass of the soft automaton (differentiable gates) through a few automaton steps of the epoch.
    Backward,
    /// One generation of the local search: mutation, evaluation and selection of circuits.
    LocalSearch,
    /// Update of the gates at the end of an epoch, by an optimizer step or by the result of the local search.
    Update,
}

/// Number of consecutive epochs without a wrong bit after which gradient descent counts as converged and local search
/// replaces it. Further gradient steps would often make the circuit worse: Adam takes full-size steps even if the
/// gradients are tiny.
pub(crate) const CONVERGED_STREAK: u32 = 30;

/// Next phase of the current epoch. The number is the index (from 0) of the next automaton step or search generation.
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
/// The gates are updated only in epochs in which the hard automaton (discrete gates) has wrong bits. Training is
/// finished after [`finish_streak`](LogicConfig::finish_streak) consecutive epochs without a wrong bit.
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
    /// Boards on which the hard automaton (discrete gates) runs the circuit `compiled` in each epoch.
    hard: Boards,
    compiled: CompiledCircuit,
    functions: Vec<u8>,
    /// Recording of the first board in the current epoch. The field `recording` holds the last finished epoch.
    recording_in_progress: RolloutRecording,
    pub(crate) recording: RolloutRecording,
    sums: Vec<Coefficients>,
    /// Uniform random numbers from which the update mask of a step is computed, `[lane]`; a lane is a cell of a board.
    numbers: Vec<f32>,
    pub(crate) epoch: u64,
    /// Number of AdamW steps since training began.
    pub(crate) steps: u64,
    /// Number of consecutive epochs in which the hard automaton (discrete gates) had no wrong bit.
    pub(crate) streak: u32,
    /// Epoch at which the current training target was set, and the schedules of learning rate and hardening
    /// (discretization of gates) began.
    pub(crate) schedule_start: u64,
    pub(crate) converged: bool,
    /// State of the local search; `None` until an epoch of local search runs.
    pub(crate) search: Option<Box<LocalSearch>>,
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

    /// Returns the target pattern of the boards; `None` if the target is the Game of Life.
    #[must_use]
    pub fn target(&self) -> Option<&TargetPattern> {
        self.target.as_ref()
    }

    /// Returns the logits of all gates, `[gate][16]`, in [gate order](crate::circuit).
    #[must_use]
    pub fn logits(&self) -> &[f32] {
        &self.optimizer.logits
    }

    /// Returns the sizes of the circuit that every cell evaluates: numbers of channels, of perceive kernels, and of
    /// gates per layer.
    #[must_use]
    pub fn architecture(&self) -> &Architecture {
        &self.architecture
    }

    /// Returns the wiring of the circuit: the inputs of every gate.
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

    /// Records a rollout of the current gates on the first board of the next epoch, so that a restored learner has a
    /// [recording](Self::recording). Training continues as without this call. Does nothing during an epoch.
    ///
    /// # Errors
    /// [`LogicError::NotFinite`] if the loss is not finite.
    pub fn record_rollout(&mut self, cpu: &Cpu) -> Result<(), LogicError> {
        if self.phase != EpochPhase::Begin {
            return Ok(());
        }
        while matches!(self.phase, EpochPhase::Begin | EpochPhase::Forward(_) | EpochPhase::Evaluation(_)) {
            self.run_phase(cpu)?;
        }
        self.phase = EpochPhase::Begin;
        std::mem::swap(&mut self.recording, &mut self.recording_in_progress);
        Ok(())
    }

    /// Returns the number of the argmax function of every gate, in [gate order](crate::circuit).
    #[must_use]
    pub fn functions(&self) -> Vec<u8> {
        self.optimizer.hard_functions().collect()
    }

    /// Returns the hard circuit, in which each gate is its argmax function. The circuit is not simplified.
    #[must_use]
    pub fn hard_circuit(&self) -> Circuit {
        Circuit::from_layers(&self.program, &self.functions())
    }
}

/// Phases of a training epoch.
impl LogicCa {
    /// Runs the next automaton step, generation or update. Returns its kind, and its cost in soft-gate evaluations.
    pub(crate) fn run_phase(&mut self, cpu: &Cpu) -> Result<(LogicWork, usize), LogicError> {
        let step_cost = self.architecture.gates_per_cell() * self.batch.grid.lanes();
        let steps = self.batch.steps;
        let (work, cost, next) = match self.phase {
            EpochPhase::Begin => {
                self.begin_epoch(cpu);
                (LogicWork::Forward, 0, EpochPhase::Forward(0))
            }
            EpochPhase::Forward(step) => {
                self.soft.forward(cpu, step);
                // The last state is never rounded, because the loss needs the unrounded cells.
                if step + 1 < steps && self.hardening.step(step) {
                    self.soft.round(step + 1);
                }
                let next =
                    if step + 1 < steps { EpochPhase::Forward(step + 1) } else { EpochPhase::Evaluation(0) };
                (LogicWork::Forward, step_cost, next)
            }
            EpochPhase::Evaluation(step) => {
                self.compiled.step(cpu, &mut self.hard, self.batch.update_mask, step as u32);
                self.recording_in_progress.record_hard(step + 1, &self.hard);
                if step + 1 < steps {
                    (LogicWork::Evaluation, step_cost / 16, EpochPhase::Evaluation(step + 1))
                } else {
                    self.hard_score = BoardScore::of(&self.hard, &self.batch);
                    self.compute_loss()?;
                    let next = match self.needs_update() {
                        false => EpochPhase::Update,
                        true if self.is_in_local_search() => EpochPhase::LocalSearch(0),
                        true => EpochPhase::Backward(steps - 1),
                    };
                    (LogicWork::Evaluation, step_cost / 16, next)
                }
            }
            EpochPhase::Backward(step) => {
                self.soft.backward(cpu, step);
                let next = if step > 0 { EpochPhase::Backward(step - 1) } else { EpochPhase::Update };
                (LogicWork::Backward, 4 * step_cost, next)
            }
            EpochPhase::LocalSearch(generation) => {
                let (cost, done) = self.search_generation(cpu, generation);
                (
                    LogicWork::LocalSearch,
                    cost,
                    if done { EpochPhase::Update } else { EpochPhase::LocalSearch(generation + 1) },
                )
            }
            EpochPhase::Update => {
                if self.needs_update() && self.is_in_local_search() {
                    self.apply_search();
                } else if self.needs_update() {
                    self.soft.gate_sums(&mut self.sums);
                    let since = self.epoch - self.schedule_start;
                    let settings = adam_step(&self.config, self.steps, since);
                    self.optimizer.step(cpu, &self.sums, &self.config, &settings);
                    self.steps += 1;
                }
                (LogicWork::Update, 0, EpochPhase::Begin)
            }
        };
        self.phase = next;
        Ok((work, cost))
    }

    /// Returns whether the current epoch updates the gates: only if training is unfinished and the hard automaton
    /// (discrete gates) has wrong bits. Adam takes full-size steps even for tiny gradients and could destroy a correct
    /// circuit.
    fn needs_update(&self) -> bool {
        self.hard_score.wrong_bits > 0 && !self.is_finished()
    }

    /// Runs a generation of the local search: mutation, evaluation and selection. Returns its cost in soft-gate
    /// evaluations, and whether it was the last generation of the epoch.
    fn search_generation(&mut self, cpu: &Cpu, generation: usize) -> (usize, bool) {
        let Self { program, config, seed, .. } = self;
        let search = self.search.get_or_insert_with(|| Box::new(LocalSearch::new(program, config, *seed)));
        if generation == 0 {
            // If errors are rare, the boards of earlier epochs are evaluated as well, so that corrections break none of
            // them.
            let others = if self.converged && !config.has_fixed_boards() { REGRESSION_EPOCHS } else { 0 };
            let failed_epochs = recent_failed_epochs(&self.failed_epochs, config, self.epoch);
            let epochs: Vec<u64> = (self.epoch.saturating_sub(others)..self.epoch)
                .filter(|epoch| !failed_epochs.contains(epoch))
                .chain(failed_epochs.iter().copied())
                .collect();
            search.begin(&self.functions, &epochs, self.target.as_ref());
        }
        search.generation(cpu, self.epoch, generation);
        (search.cost(), generation + 1 == GENERATIONS || search.is_right())
    }

    /// Sets the gates whose functions the local search has changed, and adds the epoch to the epochs with wrong bits.
    /// In the first epoch of the search, every gate is set to a single function.
    fn apply_search(&mut self) {
        let Some(search) = &self.search else { return };
        self.failed_epochs = recent_failed_epochs(&self.failed_epochs, &self.config, self.epoch);
        let all = self.failed_epochs.len() == 1;
        for (gate, (&before, &now)) in self.functions.iter().zip(&search.functions).enumerate() {
            if all || before != now {
                self.optimizer.set_function(gate, now);
            }
        }
    }

    /// Prepares an epoch: gate coefficients, hard circuit (discrete gates), initial states, update masks and targets.
    fn begin_epoch(&mut self, cpu: &Cpu) {
        let share = self.config.hard_share_at(self.epoch - self.schedule_start);
        self.hardening.draw(cpu.level(), share, self.seed, self.epoch);
        self.statistics = self.optimizer.collapse(cpu.level(), &self.hardening, self.soft.coefficients_mut());
        // The circuit is compiled only if it has changed, which is rare late in training.
        if !self.optimizer.hard_functions().eq(self.functions.iter().copied()) {
            self.functions.clear();
            self.functions.extend(self.optimizer.hard_functions());
            self.compiled.replace(&Circuit::from_layers(&self.program, &self.functions));
        }
        self.batch.draw(self.epoch, self.target.as_ref());
        let number = |&bit: &bool| if bit { 1.0 } else { 0.0 };
        for (channel, bits) in self.batch.start.iter().enumerate() {
            self.soft.set_start(channel, bits.iter().map(number));
        }
        if let Some(update_mask) = self.batch.update_mask {
            for step in 0..self.batch.steps {
                update_mask.draw(cpu.level(), step as u32, 0, &mut self.numbers);
                let fires = |&number: &f32| if number < update_mask.rate { 1.0 } else { 0.0 };
                self.soft.set_update_mask(step, self.numbers.iter().map(fires));
            }
        }
        self.batch.begin(&mut self.hard);
        self.recording_in_progress.record_hard(0, &self.hard);
    }

    /// Computes the loss L = Σ (y − target)² of the soft automaton (differentiable gates), and the gradient of L with
    /// respect to the last state.
    fn compute_loss(&mut self) -> Result<(), LogicError> {
        let steps = self.soft.steps();
        self.soft_loss = 0.0;
        for channel in 0..self.architecture.channels {
            // Clears the gradient of this channel, which a previous target with more channels may have set.
            let Some(target_bits) = self.batch.target_bits.get(channel) else {
                self.soft.set_loss_gradient(channel, (0..self.batch.grid.lanes()).map(|_| 0.0));
                continue;
            };
            for (lane, &target_bits) in target_bits.iter().enumerate() {
                let error = self.soft.value(steps, channel, lane) - f32::from(u8::from(target_bits));
                self.soft_loss += f64::from(error).powi(2);
                self.soft.set_lane_loss_gradient(channel, lane, 2.0 * error);
            }
        }
        NotFinite::check(self.epoch, [("the loss", self.soft_loss)])
            .inspect_err(|_| self.phase = EpochPhase::Begin)?;
        self.recording_in_progress.record_soft(&self.soft);
        Ok(())
    }

    /// Ends the current epoch: increments the number of finished epochs and returns the epoch's report.
    pub(crate) fn finish_epoch(&mut self) -> Report {
        self.epoch += 1;
        if self.hard_score.wrong_bits == 0 {
            self.streak = self.streak.saturating_add(1);
            self.converged |= self.streak >= CONVERGED_STREAK;
        } else if !self.is_finished() {
            self.streak = 0;
        }
        std::mem::swap(&mut self.recording, &mut self.recording_in_progress);
        Report {
            epoch: self.epoch,
            soft_loss: self.soft_loss,
            hard_loss: self.hard_score.wrong_bits as f64,
            hard_accuracy: self.hard_score.accuracy,
            gates: self.statistics,
            learning_rate: f64::from(self.config.learning_rate_at(self.epoch - 1 - self.schedule_start)),
            hard_share: f64::from(self.hardening.share()),
        }
    }
}
