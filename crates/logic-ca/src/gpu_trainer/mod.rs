//! GPU learner: sampling, soft rollout, backward pass, AdamW and hard evaluation run on the device.
//!
//! An epoch is one submission to the GPU queue, or several submissions of bounded work if it takes long. A run on a
//! slow device can be interrupted between two submissions. The host reads back the report, the logits and the AdamW
//! moments asynchronously. Local search runs on the CPU only.
//!
//! The cells of the soft automaton are divided into chunks of up to four lanes (cells). A workgroup evaluates the whole
//! circuit for a chunk: workgroup memory holds the values of one layer, and the invocations divide the gates of the
//! layer among them. An automaton step is one dispatch with one workgroup per chunk. If boards are small or numerous
//! enough for each workgroup to own whole boards, a dispatch runs several steps. For the hard automaton a workgroup
//! owns whole boards if they fit.
//!
//! Random numbers and arithmetic are the same as in [`LogicCa`], but the summation order differs. Therefore GPU and CPU
//! runs agree closely at first and diverge later through rounding.

mod automaton;
mod interpreter;
mod layout;
mod perception;
mod programs;
mod shader;
mod staged_circuit;
mod tables;
mod transfers;

use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::gate::FUNCTIONS;
use crate::learner::{CONVERGED_STREAK, LogicCa, Report};
use crate::recording::RolloutRecording;
use crate::state::State;
pub use automaton::GpuAutomaton;
use layout::LogicGpuLayout;
use programs::{EpochPrograms, TrainerBuffers};
use std::collections::VecDeque;
use transfers::{EpochReadback, REPORT, SubmittedEpoch, setting};
use vivarium_config::Config;
use vivarium_gpu::{Cost, Gpu, ReadbackRing};
use vivarium_learn::{Advance, AdvanceResult};

/// Maximum number of submissions in flight: the host processes one while the device computes the next.
const AHEAD: usize = 2;

/// Learner that trains the logic cellular automaton on the GPU; see the [module](self).
pub struct LogicGpuTrainer {
    gpu: Gpu,
    config: LogicConfig,
    seed: u64,
    layout: LogicGpuLayout,
    memory: TrainerBuffers,
    epoch: EpochPrograms,
    ring: ReadbackRing,
    /// Submissions in flight, oldest first. The entry of an epoch's last submission holds the learning rate and the
    /// hardened (discretized) fraction of the epoch; other entries are `None`.
    in_flight: VecDeque<Option<SubmittedEpoch>>,
    /// Number of epochs that have begun. An epoch begins with its first submission to the device.
    submitted: u64,
    /// The epoch that has begun last, while some of its submissions have not been made; otherwise `None`.
    in_progress: Option<EpochInProgress>,
    /// Whether the config was replaced after the newest epoch began. If so, the next epoch uploads the target before
    /// its first submission.
    is_changed: bool,
    /// Training state after the last reported epoch.
    state: State,
    /// Recording of the first board in the last reported epoch.
    recording: Option<RolloutRecording>,
    /// Error that ended training. If set, all further calls return the error.
    failed: Option<LogicError>,
    readback: Vec<u32>,
}

/// Epoch whose submissions to the device have not all been made.
#[derive(Clone, Copy)]
struct EpochInProgress {
    /// Index, from 0, of the epoch's next slice: the part of an epoch's work that one submission to the device
    /// contains.
    slice: usize,
    has_pattern: bool,
    submitted: SubmittedEpoch,
}

impl LogicGpuTrainer {
    /// Copies the state that `learner` had at the start of its current epoch to the GPU.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] if GPU memory is insufficient or a kernel is rejected; [`LogicError::Config`] with the field
    /// that makes the circuit too large for the kernels.
    pub fn new(gpu: &Gpu, learner: &LogicCa) -> Result<Self, LogicError> {
        Self::with_slice_limit(gpu, learner, programs::gates_at_once(gpu))
    }

    /// Creates a trainer like [`new`](Self::new), with submissions of at most `gates` gate evaluations. A submission
    /// may exceed this limit if its work cannot be divided further.
    ///
    /// # Errors
    /// Errors of [`new`](Self::new).
    pub fn with_slice_limit(gpu: &Gpu, learner: &LogicCa, gates: usize) -> Result<Self, LogicError> {
        let (config, state) = (learner.config.clone(), learner.state());
        let layout = LogicGpuLayout::new(&config, &learner.program)?;
        let memory = TrainerBuffers::new(gpu, &layout, &learner.program)?;
        for (buffer, numbers) in [
            (&memory.logits, &state.logits),
            (&memory.first_moment, &state.first_moment),
            (&memory.second_moment, &state.second_moment),
        ] {
            gpu.write(buffer, 0, numbers);
        }
        gpu.write(&memory.bits, 0, &transfers::target_words(&layout, learner.target()));
        gpu.write(&memory.settings, setting::STREAK, &[state.streak, state.steps as u32]);
        Ok(Self {
            epoch: programs::epoch(gpu, gates, &config, &layout, learner.wiring(), &memory)?,
            ring: ReadbackRing::new(gpu, EpochReadback::len(&layout), AHEAD)?,
            gpu: gpu.clone(),
            seed: learner.seed,
            in_flight: VecDeque::with_capacity(AHEAD),
            submitted: state.epoch,
            in_progress: None,
            is_changed: false,
            recording: None,
            failed: None,
            readback: Vec::with_capacity(EpochReadback::len(&layout)),
            config,
            layout,
            memory,
            state,
        })
    }

    /// Submits work to the device and processes the results of the oldest submission. If the results are not ready, the
    /// call blocks on native targets; in a browser it returns [`Advance::Waiting`].
    ///
    /// # Errors
    /// [`LogicError::NotFinite`] if training diverged, [`LogicError::Gpu`] if the device was lost.
    /// [`state`](Self::state) remains the state after the last reported epoch, and all further calls return the same
    /// error.
    pub fn advance(&mut self) -> AdvanceResult<LogicCa> {
        self.try_or_fail(Self::poll_epoch)
    }

    /// Submits work to the device until the maximum number of submissions is in flight. Does not process results.
    ///
    /// # Errors
    /// Errors of [`advance`](Self::advance).
    pub fn submit_ahead(&mut self) -> Result<(), LogicError> {
        self.try_or_fail(|trainer| {
            while trainer.in_flight.len() < trainer.gpu.max_in_flight(AHEAD) {
                trainer.submit()?;
            }
            Ok(())
        })
    }

    /// Trains until an epoch is finished and returns its report. Asynchronous, because browsers cannot block.
    ///
    /// # Errors
    /// Errors of [`advance`](Self::advance).
    pub async fn next(&mut self) -> Result<Report, LogicError> {
        loop {
            self.submit_ahead()?;
            let taken = self.ring.next(&mut self.readback).await;
            let report = self.try_or_fail(|trainer| {
                taken?;
                trainer.receive()
            })?;
            if let Some(report) = report {
                return Ok(report);
            }
        }
    }

    /// Returns the training state after the last reported epoch; before the first report, the state that was moved to
    /// the GPU.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the recording of the first board in the last reported epoch; `None` before the first report or if the
    /// recording is too large to be read back.
    #[must_use]
    pub fn recording(&self) -> Option<&RolloutRecording> {
        self.recording.as_ref()
    }

    /// Copies the training state after the last reported epoch, and the recording of this epoch, to the CPU learner
    /// `learner`.
    ///
    /// # Errors
    /// Errors of [`LogicCa::restore`], if the learner has another architecture.
    pub fn copy_state_to(&self, learner: &mut LogicCa) -> Result<(), LogicError> {
        learner.restore(&self.state)?;
        if let Some(recording) = &self.recording {
            learner.recording.clone_from(recording);
        }
        Ok(())
    }

    /// Returns the config that the next epoch to begin will use.
    #[must_use]
    pub fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// Replaces the config, from the next submitted epoch on. Only live fields (fields that may change during training)
    /// may differ. If the training target changes, the trained gates are kept, and the schedules of learning rate and
    /// hardening (share of discrete gates) restart.
    ///
    /// # Errors
    /// [`LogicError::Config`] if a field is out of range or not live. The trainer is unchanged then.
    pub fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            (self.state.schedule_start, self.state.converged) = (self.submitted, false);
        }
        self.config = config;
        self.is_changed = true;
        Ok(())
    }

    /// Returns the device cost of an epoch: number of dispatches, and number of bytes copied within the device and to
    /// the host.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let back = EpochReadback::len(&self.layout) as u64 * 4;
        self.epoch.cost(self.config.has_pattern()) + Cost { dispatches: 0, bytes_copied: back }
    }

    /// Calls `work` and, if it fails, stores its error. If an earlier call has failed, returns the stored error without
    /// calling `work`.
    fn try_or_fail<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, LogicError>,
    ) -> Result<T, LogicError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn poll_epoch(&mut self) -> AdvanceResult<LogicCa> {
        self.submit_ahead()?;
        let report = if self.ring.poll(&mut self.readback)? { self.receive()? } else { None };
        Ok(report.map_or(Advance::Waiting, Advance::Finished))
    }

    /// Makes the next submission of the epoch in progress, or the first submission of the next epoch.
    fn submit(&mut self) -> Result<(), LogicError> {
        let in_progress = self.in_progress.take().unwrap_or_else(|| self.begin());
        let Self { gpu, layout, memory, epoch, ring, .. } = self;
        let is_last = in_progress.slice + 1 == epoch.slices();
        let numbers = layout.gates() * FUNCTIONS;
        let whole = [
            (&memory.report, 0..REPORT),
            (&memory.logits, 0..numbers),
            (&memory.first_moment, 0..numbers),
            (&memory.second_moment, 0..numbers),
            (&memory.recording, 0..layout.recording_words()),
        ];
        // Only the last submission of an epoch reads back results; all others read back one word to signal completion.
        let word = [(&memory.report, 0..1)];
        let parts: &[_] = if is_last { &whole } else { &word };
        gpu.submit(|encoder| {
            epoch.encode(encoder, in_progress.slice, in_progress.has_pattern);
            ring.copy(encoder, parts.iter().cloned());
        })?;
        ring.submitted();
        self.in_flight.push_back(is_last.then_some(in_progress.submitted));
        self.in_progress =
            (!is_last).then_some(EpochInProgress { slice: in_progress.slice + 1, ..in_progress });
        Ok(())
    }

    /// Begins the next epoch: writes the epoch's settings (learning rate, seeds, hyperparameters), from the current
    /// config, to the device.
    fn begin(&mut self) -> EpochInProgress {
        let Self { gpu, config, seed, layout, memory, submitted, state, .. } = self;
        if std::mem::take(&mut self.is_changed) {
            gpu.write(&memory.bits, 0, &transfers::target_words(layout, config.target().as_ref()));
            // If training was finished, training resumes with the new config: the streak restarts at 0.
            gpu.write(&memory.settings, setting::STREAK, &[0u32]);
        }
        gpu.write(&memory.settings, 0, &transfers::settings(config, *seed, *submitted, state.schedule_start));
        let since = *submitted - state.schedule_start;
        let scheduled = SubmittedEpoch {
            learning_rate: config.learning_rate_at(since),
            hard_share: config.hard_share_at(since),
        };
        *submitted += 1;
        EpochInProgress { slice: 0, has_pattern: config.has_pattern(), submitted: scheduled }
    }

    /// Processes the readback of the oldest submission. If this submission was the last one of its epoch, returns the
    /// report of the epoch; otherwise `None`.
    fn receive(&mut self) -> Result<Option<Report>, LogicError> {
        let Some(submitted) = self.in_flight.pop_front() else {
            unreachable!("every readback belongs to a submission")
        };
        let Some(submitted) = submitted else { return Ok(None) };
        let readback = EpochReadback::new(&self.layout, &self.readback);
        let report = readback.report(&self.layout, self.state.epoch, submitted)?;
        let State { logits, first_moment, second_moment, epoch, .. } = &mut self.state;
        for (to, from) in [logits, first_moment, second_moment].into_iter().zip(readback.numbers) {
            to.copy_from_slice(from);
        }
        *epoch = report.epoch;
        self.state.streak = readback.streak();
        self.state.steps = readback.steps().into();
        self.state.converged |= self.state.streak >= CONVERGED_STREAK;
        if !readback.recording.is_empty() {
            let LogicGpuLayout { steps, channels, grid, .. } = self.layout;
            let recording =
                self.recording.get_or_insert_with(|| RolloutRecording::new(steps, channels, grid.cells()));
            recording.set_words(readback.recording);
        }
        Ok(Some(report))
    }
}
