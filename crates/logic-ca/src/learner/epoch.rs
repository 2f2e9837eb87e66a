//! Computation of the phases of a training epoch.

use super::{CONVERGED_STREAK, EpochPhase, LogicCa, LogicWork, Report};
use crate::epoch_batch::BoardScore;
use crate::error::LogicError;
use crate::hard::Circuit;
use crate::local_search::{GENERATIONS, LocalSearch, REGRESSION_EPOCHS, recent_failed_epochs};
use crate::optimizer::adam_step;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;

impl LogicCa {
    /// Runs the next step or generation of the epoch. Returns the kind of work and its cost in gates × lanes (cells).
    pub(super) fn run_phase(&mut self, cpu: &Cpu) -> Result<(LogicWork, usize), LogicError> {
        let step_cost = self.architecture.gates_per_cell() * self.batch.grid.lanes();
        let steps = self.batch.steps;
        let (work, cost, next) = match self.phase {
            EpochPhase::Begin => {
                self.begin_epoch(cpu);
                (LogicWork::Forward, 0, EpochPhase::Forward(0))
            }
            EpochPhase::Forward(step) => {
                self.soft.forward(cpu, step);
                // The last state is not rounded: the loss needs the distance to the target.
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

    /// Returns whether the current epoch updates the gates. It does so only while training is unfinished and the hard
    /// automaton has wrong bits: Adam takes full-size steps even for tiny gradients, so an update could destroy a
    /// correct circuit.
    fn needs_update(&self) -> bool {
        self.hard_score.wrong_bits > 0 && !self.is_finished()
    }

    /// Runs a generation of the local search. Returns its cost in gates × lanes (cells) and whether it was the last
    /// generation of the epoch.
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

    /// Sets the gates whose functions the local search has changed, and records the epoch as failed (an epoch with
    /// wrong bits). In the first epoch of the search, every gate is set to a single function.
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

    /// Prepares an epoch: gate coefficients, hard circuit, initial states, update masks and targets.
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

    /// Computes the loss L = Σ (y − target)² of the soft automaton and its gradient with respect to the last state.
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

    /// Ends the epoch: counts it, and returns its report.
    pub(super) fn finish_epoch(&mut self) -> Report {
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
