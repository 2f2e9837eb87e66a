//! The learner on the GPU: starts, soft rollout, its gradient, optimizer and hard evaluation live there. An epoch is one
//! submission, or several of bounded work where it takes long, so that a run on a slow device can be interrupted within an
//! epoch. What comes back, without anybody waiting for it, is the epoch's report and the logits after it with what AdamW
//! remembers.
//!
//! The soft automaton's cells are cut into chunks of up to four. A workgroup takes a chunk through the whole circuit: it
//! keeps the values of one layer in its memory, and its invocations share the layer's gates. So a step spreads over as many
//! workgroups as there are chunks, and is a dispatch; where boards are so small, or so many, that each workgroup can have
//! whole ones, a dispatch takes as many steps as there are. Of the hard automaton, a workgroup takes whole boards
//! through all steps.
//!
//! It draws the numbers that [`LogicCa`] draws and does the same arithmetic, but in another order: a run follows the CPU's
//! closely at first, and then, as any run does whose numbers were rounded differently, goes its own way.

mod automaton;
mod exchange;
mod interpreter;
mod layout;
mod perception;
mod programs;
mod stages;
mod tables;

use crate::config::LogicConfig;
use crate::error::LogicError;
use crate::film::Film;
use crate::gate::FUNCTIONS;
use crate::learner::{LogicCa, RIPE, Report};
use crate::state::State;
pub use automaton::Automaton;
use exchange::{Arrived, REPORT, Submitted, setting};
use layout::Layout;
use programs::{Epoch, Memory};
use std::collections::VecDeque;
use vivarium_config::Config;
use vivarium_gpu::{Cost, Gpu, Ring};

/// Submissions that may be under way: while the host looks at one, the device works on the next.
const AHEAD: usize = 2;

/// A learner on the device; see the [module](self).
pub struct GpuTrainer {
    gpu: Gpu,
    config: LogicConfig,
    seed: u64,
    layout: Layout,
    memory: Memory,
    epoch: Epoch,
    ring: Ring,
    /// Slices that were submitted: `None`, but for the last one of an epoch.
    under_way: VecDeque<Option<Submitted>>,
    /// Epochs whose first slice was submitted.
    submitted: u64,
    /// The slices that the newest of them has left, and what is known of it.
    begun: Option<Begun>,
    /// Whether the config has changed since that epoch began.
    is_changed: bool,
    /// After the last epoch that was reported.
    state: State,
    /// Of that epoch.
    film: Option<Film>,
    /// Why it goes no further.
    failed: Option<LogicError>,
    arrived: Vec<u32>,
}

/// An epoch some of whose slices were submitted.
#[derive(Clone, Copy)]
struct Begun {
    /// The next slice.
    slice: usize,
    has_pattern: bool,
    submitted: Submitted,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// The device is still at it.
    Waiting,
    /// An epoch is finished; [`GpuTrainer::state`] is the state after it.
    Finished(Report),
}

impl GpuTrainer {
    /// A learner as it was at the start of its present epoch, moved to the device.
    ///
    /// # Errors
    /// [`LogicError::Gpu`] where it does not fit there or a kernel is refused, [`LogicError::Config`] naming the field that
    /// makes the circuit too large for the kernels.
    pub fn new(gpu: &Gpu, learner: &LogicCa) -> Result<Self, LogicError> {
        Self::in_slices(gpu, learner, programs::gates_at_once(gpu))
    }

    /// [`new`](Self::new) with submissions that evaluate at most so many gates, where that can be had.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    pub fn in_slices(gpu: &Gpu, learner: &LogicCa, gates: usize) -> Result<Self, LogicError> {
        let (config, state) = (learner.config.clone(), learner.state());
        let layout = Layout::new(&config, &learner.program)?;
        let memory = Memory::new(gpu, &layout, &learner.program)?;
        for (buffer, numbers) in [
            (&memory.logits, &state.logits),
            (&memory.first_moment, &state.first_moment),
            (&memory.second_moment, &state.second_moment),
        ] {
            gpu.write(buffer, 0, numbers);
        }
        gpu.write(&memory.bits, 0, &exchange::wanted(&layout, learner.target()));
        gpu.write(&memory.settings, setting::STREAK, &[state.streak]);
        Ok(Self {
            epoch: programs::epoch(gpu, gates, &config, &layout, learner.wiring(), &memory)?,
            ring: Ring::new(gpu, Arrived::len(&layout), AHEAD)?,
            gpu: gpu.clone(),
            seed: learner.seed(),
            under_way: VecDeque::with_capacity(AHEAD),
            submitted: state.epoch,
            begun: None,
            is_changed: false,
            film: None,
            failed: None,
            arrived: Vec::with_capacity(Arrived::len(&layout)),
            config,
            layout,
            memory,
            state,
        })
    }

    /// Keeps the device busy, and takes in the oldest submission under way if it is finished. Natively it waits for that; in
    /// a browser it never waits.
    ///
    /// # Errors
    /// [`LogicError::NotFinite`] where training diverged, [`LogicError::Gpu`] where the device was lost.
    /// [`state`](Self::state) then stays that of the last good epoch, and every further call gives the same error.
    pub fn advance(&mut self) -> Result<Advance, LogicError> {
        self.attempt(Self::turn)
    }

    /// Hands the device what it has room for, without looking for what is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn keep_busy(&mut self) -> Result<(), LogicError> {
        self.attempt(|trainer| {
            while trainer.under_way.len() < trainer.gpu.under_way_at_once(AHEAD) {
                trainer.submit()?;
            }
            Ok(())
        })
    }

    /// [`advance`](Self::advance) until an epoch is finished; for a browser's tasks, which may not wait otherwise.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub async fn next(&mut self) -> Result<Report, LogicError> {
        loop {
            self.keep_busy()?;
            let taken = self.ring.next(&mut self.arrived).await;
            let report = self.attempt(|trainer| {
                taken?;
                trainer.receive()
            })?;
            if let Some(report) = report {
                return Ok(report);
            }
        }
    }

    /// The learner after the last epoch that was reported, or at the start.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The first board through that epoch; `None` before the first, and where boards are so large or take so many steps that
    /// it stays on the device.
    #[must_use]
    pub fn film(&self) -> Option<&Film> {
        self.film.as_ref()
    }

    /// Makes a learner what this one was after the last epoch that was reported, with its film.
    ///
    /// # Errors
    /// Those of [`LogicCa::adopt`], if the learner is of another config.
    pub fn hand_over(&self, learner: &mut LogicCa) -> Result<(), LogicError> {
        learner.adopt(&self.state)?;
        if let Some(film) = &self.film {
            learner.film.clone_from(film);
        }
        Ok(())
    }

    /// The config in use for the epochs that are submitted from now on.
    #[must_use]
    pub fn config(&self) -> &LogicConfig {
        &self.config
    }

    /// Takes over another config that differs in live fields alone, from the next epoch on that is submitted. Where it has
    /// another target, the gates stay as they are.
    ///
    /// # Errors
    /// [`LogicError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: LogicConfig) -> Result<(), LogicError> {
        config.check()?;
        self.config.check_live(&config)?;
        if (config.target, &config.drawing) != (self.config.target, &self.config.drawing) {
            (self.state.began, self.state.ripe) = (self.submitted, false);
        }
        self.config = config;
        self.is_changed = true;
        Ok(())
    }

    /// What an epoch asks of the device: kernels started, and bytes copied within it and back.
    #[must_use]
    pub fn cost(&self) -> Cost {
        let back = Arrived::len(&self.layout) as u64 * 4;
        self.epoch.cost(self.config.has_pattern()) + Cost { dispatches: 0, bytes_copied: back }
    }

    /// Does something unless an earlier attempt failed, and remembers if it fails.
    fn attempt<T>(&mut self, work: impl FnOnce(&mut Self) -> Result<T, LogicError>) -> Result<T, LogicError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn turn(&mut self) -> Result<Advance, LogicError> {
        self.keep_busy()?;
        let report = if self.ring.arrive(&mut self.arrived)? { self.receive()? } else { None };
        Ok(report.map_or(Advance::Waiting, Advance::Finished))
    }

    /// Hands the device the next slice: of the epoch that was begun, or the first one of the next epoch.
    fn submit(&mut self) -> Result<(), LogicError> {
        let begun = self.begun.take().unwrap_or_else(|| self.begin());
        let Self { gpu, layout, memory, epoch, ring, .. } = self;
        let is_last = begun.slice + 1 == epoch.slices();
        let numbers = layout.gates() * FUNCTIONS;
        let whole = [
            (&memory.report, 0..REPORT),
            (&memory.logits, 0..numbers),
            (&memory.first_moment, 0..numbers),
            (&memory.second_moment, 0..numbers),
            (&memory.film, 0..layout.film()),
        ];
        // Of a slice nothing is asked but that it is done.
        let word = [(&memory.report, 0..1)];
        let parts: &[_] = if is_last { &whole } else { &word };
        gpu.submit(|encoder| {
            epoch.encode(encoder, begun.slice, begun.has_pattern);
            ring.copy(encoder, parts.iter().cloned());
        })?;
        ring.submitted();
        self.under_way.push_back(is_last.then_some(begun.submitted));
        self.begun = (!is_last).then_some(Begun { slice: begun.slice + 1, ..begun });
        Ok(())
    }

    /// Writes the settings of the next epoch, which follow from the config of this moment, to the device.
    fn begin(&mut self) -> Begun {
        let Self { gpu, config, seed, layout, memory, submitted, state, .. } = self;
        if std::mem::take(&mut self.is_changed) {
            gpu.write(&memory.bits, 0, &exchange::wanted(layout, config.target().as_ref()));
            // What was learned for good is learned again, where something else is wanted now.
            gpu.write(&memory.settings, setting::STREAK, &[0u32]);
        }
        gpu.write(&memory.settings, 0, &exchange::settings(config, *seed, *submitted, state.began));
        let since = *submitted - state.began;
        let scheduled = Submitted {
            learning_rate: config.learning_rate_at(since),
            hard_share: config.hard_share_at(since),
        };
        *submitted += 1;
        Begun { slice: 0, has_pattern: config.has_pattern(), submitted: scheduled }
    }

    /// Takes in what has arrived; `None` of a slice that is not the last one of its epoch.
    fn receive(&mut self) -> Result<Option<Report>, LogicError> {
        let Some(submitted) = self.under_way.pop_front() else {
            unreachable!("nothing arrives that was not submitted")
        };
        let Some(submitted) = submitted else { return Ok(None) };
        let arrived = Arrived::new(&self.layout, &self.arrived);
        let report = arrived.report(&self.layout, self.state.epoch, submitted)?;
        let State { logits, first_moment, second_moment, epoch, .. } = &mut self.state;
        for (to, from) in [logits, first_moment, second_moment].into_iter().zip(arrived.numbers) {
            to.copy_from_slice(from);
        }
        *epoch = report.epoch;
        self.state.streak = arrived.streak();
        self.state.ripe |= self.state.streak >= RIPE;
        if !arrived.film.is_empty() {
            let Layout { steps, channels, grid, .. } = self.layout;
            let film = self.film.get_or_insert_with(|| Film::new(steps, channels, grid.cells()));
            film.take_words(arrived.film);
        }
        Ok(Some(report))
    }
}
