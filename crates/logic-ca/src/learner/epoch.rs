//! An epoch, part by part.

use super::{LogicCa, Report, Work};
use crate::error::LogicError;
use crate::hard::Circuit;
use crate::local_search::{GENERATIONS, GUARDS, LocalSearch, remembered};
use crate::optimizer::adam_step;
use crate::score::Score;
use vivarium_graph::Cpu;
use vivarium_learn::NotFinite;

/// After so many epochs in a row without a mistake there is little left to learn: gradients, of which Adam makes full steps
/// however small they are, would rather spoil it.
pub(crate) const RIPE: u32 = 30;

/// What the next part of a slice does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    Begin,
    Forward(usize),
    Evaluation(usize),
    Backward(usize),
    LocalSearch(usize),
    Update,
}

impl LogicCa {
    /// One part of an epoch; returns what it was and how many gates times lanes it evaluated.
    pub(super) fn part(&mut self, cpu: &Cpu) -> Result<(Work, usize), LogicError> {
        let step_cost = self.architecture.gates_per_cell() * self.task.grid.lanes();
        let steps = self.task.steps;
        let (work, cost, next) = match self.phase {
            Phase::Begin => {
                self.begin(cpu);
                (Work::Forward, 0, Phase::Forward(0))
            }
            Phase::Forward(step) => {
                self.soft.forward(cpu, step);
                // After the last step the loss needs to know how far a cell is from being right.
                if step + 1 < steps && self.hardening.step(step) {
                    self.soft.round(step + 1);
                }
                let next = if step + 1 < steps { Phase::Forward(step + 1) } else { Phase::Evaluation(0) };
                (Work::Forward, step_cost, next)
            }
            Phase::Evaluation(step) => {
                self.code.step(cpu, &mut self.hard, self.task.fire, step as u32);
                self.filming.take_hard(step + 1, &self.hard);
                if step + 1 < steps {
                    (Work::Evaluation, step_cost / 16, Phase::Evaluation(step + 1))
                } else {
                    self.hard_score = Score::of(&self.hard, &self.task);
                    self.judge()?;
                    let next = match self.is_mistaken() {
                        false => Phase::Update,
                        true if self.is_in_local_search() => Phase::LocalSearch(0),
                        true => Phase::Backward(steps - 1),
                    };
                    (Work::Evaluation, step_cost / 16, next)
                }
            }
            Phase::Backward(step) => {
                self.soft.backward(cpu, step);
                let next = if step > 0 { Phase::Backward(step - 1) } else { Phase::Update };
                (Work::Backward, 4 * step_cost, next)
            }
            Phase::LocalSearch(generation) => {
                let (cost, done) = self.try_gates(cpu, generation);
                (
                    Work::LocalSearch,
                    cost,
                    if done { Phase::Update } else { Phase::LocalSearch(generation + 1) },
                )
            }
            Phase::Update => {
                if self.is_mistaken() && self.is_in_local_search() {
                    self.keep_tried();
                } else if self.is_mistaken() {
                    self.soft.add_up(&mut self.sums);
                    let settings = adam_step(&self.config, self.epoch, self.began);
                    self.optimizer.step(cpu, &self.sums, &self.config, &settings);
                }
                (Work::Update, 0, Phase::Begin)
            }
        };
        self.phase = next;
        Ok((work, cost))
    }

    /// Whether there is something to learn from the epoch under way. Where the hard automaton got all bits right, the gates
    /// stay as they are: Adam makes full steps of however small a gradient, and would carry a circuit that is right away again.
    fn is_mistaken(&self) -> bool {
        self.hard_score.wrong_bits > 0 && !self.is_settled()
    }

    /// A generation of trying: what it cost, and whether it was the epoch's last one.
    fn try_gates(&mut self, cpu: &Cpu, generation: usize) -> (usize, bool) {
        let Self { program, config, seed, .. } = self;
        let search = self.search.get_or_insert_with(|| Box::new(LocalSearch::new(program, config, *seed)));
        if generation == 0 {
            // Where mistakes are rare, what is right must stay so: epochs before this one stand for it.
            let others = if self.ripe && !config.repeats() { GUARDS } else { 0 };
            let mistaken = remembered(&self.mistaken, config, self.epoch);
            let epochs: Vec<u64> = (self.epoch.saturating_sub(others)..self.epoch)
                .filter(|epoch| !mistaken.contains(epoch))
                .chain(mistaken.iter().copied())
                .collect();
            search.begin(&self.functions, &epochs, self.target.as_ref());
        }
        search.generation(cpu, self.epoch, generation);
        (search.cost(), generation + 1 == GENERATIONS || search.is_right())
    }

    /// Makes the gates what trying has led to. All of them are decided then.
    fn keep_tried(&mut self) {
        let Some(search) = &self.search else { return };
        self.mistaken = remembered(&self.mistaken, &self.config, self.epoch);
        let all = self.mistaken.len() == 1;
        for (gate, (&before, &now)) in self.functions.iter().zip(&search.functions).enumerate() {
            if all || before != now {
                self.optimizer.decide(gate, now);
            }
        }
    }

    /// Prepares an epoch: what the gates are, how the boards start, what they are to become.
    fn begin(&mut self, cpu: &Cpu) {
        let share = self.config.hard_share_at(self.epoch - self.began);
        self.hardening.draw(cpu.level(), share, self.seed, self.epoch);
        self.statistics = self.optimizer.collapse(cpu.level(), &self.hardening, self.soft.coefficients_mut());
        // A circuit takes a while to compile, and in the end few epochs change it.
        if !self.optimizer.decided().eq(self.functions.iter().copied()) {
            self.functions.clear();
            self.functions.extend(self.optimizer.decided());
            self.code.replace(&Circuit::of_program(&self.program, &self.functions));
        }
        self.task.draw(self.epoch, self.target.as_ref());
        let number = |&bit: &bool| if bit { 1.0 } else { 0.0 };
        for (channel, bits) in self.task.start.iter().enumerate() {
            self.soft.set_start(channel, bits.iter().map(number));
        }
        if let Some(fire) = self.task.fire {
            for step in 0..self.task.steps {
                fire.draw(cpu.level(), step as u32, 0, &mut self.numbers);
                let fires = |&number: &f32| if number < fire.rate { 1.0 } else { 0.0 };
                self.soft.set_fired(step, self.numbers.iter().map(fires));
            }
        }
        self.task.begin(&mut self.hard);
        self.filming.take_hard(0, &self.hard);
    }

    /// The loss and its gradient: L = Σ (y − target)².
    fn judge(&mut self) -> Result<(), LogicError> {
        let steps = self.soft.steps();
        self.soft_loss = 0.0;
        for channel in 0..self.architecture.channels {
            // A target may have had more channels before.
            let Some(wanted) = self.task.wanted.get(channel) else {
                self.soft.set_loss_gradient(channel, (0..self.task.grid.lanes()).map(|_| 0.0));
                continue;
            };
            for (lane, &wanted) in wanted.iter().enumerate() {
                let error = self.soft.value(steps, channel, lane) - f32::from(u8::from(wanted));
                self.soft_loss += f64::from(error).powi(2);
                self.soft.set_lane_loss_gradient(channel, lane, 2.0 * error);
            }
        }
        NotFinite::check(self.epoch, [("the loss", self.soft_loss)])
            .inspect_err(|_| self.phase = Phase::Begin)?;
        self.filming.take_soft(&self.soft);
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Report {
        self.epoch += 1;
        if self.hard_score.wrong_bits == 0 {
            self.streak = self.streak.saturating_add(1);
            self.ripe |= self.streak >= RIPE;
        } else if !self.is_settled() {
            self.streak = 0;
        }
        std::mem::swap(&mut self.film, &mut self.filming);
        Report {
            epoch: self.epoch,
            soft_loss: self.soft_loss,
            hard_loss: self.hard_score.wrong_bits as f64,
            hard_accuracy: self.hard_score.accuracy,
            gates: self.statistics,
            learning_rate: f64::from(self.config.learning_rate_at(self.epoch - 1 - self.began)),
            hard_share: f64::from(self.hardening.share()),
        }
    }
}
