//! AlphaZero with the network on a GPU; games, search trees and replay buffer remain on the CPU.
//!
//! The workers form two groups: the states of one group are evaluated as a batch on the device while the trees of the
//! other group descend on the CPU. Gradient steps are submitted between these batches. A self-play round is one
//! decision in every game and the gradient steps that are due. Self-play uses the weights from the start of the
//! round, as on the CPU: a copy of the EMA, updated at the end of each round. Therefore both engines make the same
//! random draws, and results differ by rounding. Minibatches are uploaded as sparse rows.
//!
//! The weights are read back to the learner after each generation and every `READBACK_ROUNDS` rounds, for promotion
//! matches, checkpoints and display. Counters, games and the replay buffer remain in the learner and are always
//! current. If the device is released within a round, the round continues on the CPU with the weights of the last
//! readback.

use super::game::SelfPlayGame;
use super::gpu_evaluator::GpuStateEvaluator;
use super::gpu_group::GpuGameGroup;
use super::gpu_minibatch::GpuMinibatch;
use super::learner::{AlphaZero, AlphaZeroWork, ReplayLearner};
use super::self_play::RoundSettings;
use super::update::{AlphaZeroUpdater, Updates};
use crate::error::LearnerError;
use std::collections::VecDeque;
use vivarium_gpu::{Cost, Gpu, GpuProgram, GpuRecorder};
use vivarium_graph::Cpu;
use vivarium_learn::{Advance, AdvanceResult, StepSettings, WeightAverage};

/// Number of self-play rounds (each one decision in every game) between two readbacks of the weights, unless a
/// generation ends earlier.
const READBACK_ROUNDS: u32 = 32;

/// AlphaZero learner whose network is trained and evaluated on a GPU; see the [module](self).
pub struct AlphaZeroGpuTrainer<G> {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    minibatch: GpuMinibatch,
    evaluator: GpuStateEvaluator<G>,
    /// GPU program that copies the EMA of the trained weights to the weights that self-play uses.
    copy_ema: GpuProgram,
    groups: [GpuGameGroup; 2],
    /// Index (0 or 1) of the group of self-play workers that advances next.
    turn: usize,
    /// Number of minibatch samples that have a policy target, for each submitted and unfinished gradient step, oldest
    /// first.
    policies: VecDeque<u64>,
    /// Number of self-play rounds (each one decision in every game) since the weights were last read back.
    rounds: u32,
    is_reading_back: bool,
}

impl<G: SelfPlayGame> AlphaZeroGpuTrainer<G> {
    /// Uploads the weights and the optimizer state of `learner` to the GPU.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] if the device has too little memory or rejects a kernel.
    pub fn new(gpu: &Gpu, learner: &AlphaZero<G>) -> Result<Self, LearnerError> {
        let AlphaZero { learning, workers, .. } = learner;
        let ReplayLearner { config, updater, newest, counters, .. } = learning;
        let AlphaZeroUpdater { network, trainer, average, made, .. } = updater;
        let (rows, updates) = (config.minibatch as usize, counters.updates + made);
        let follower = Some(average.weights());
        let mut trainer = vivarium_learn::GpuTrainer::new(gpu, network, trainer, 0, rows, updates, follower)?;
        let minibatch = GpuMinibatch::new::<G>(gpu, &mut trainer, rows)?;
        let evaluator = GpuStateEvaluator::new(gpu, newest)?;
        let mut recorder = GpuRecorder::new(gpu);
        if let Some(average) = trainer.follower() {
            recorder.copy(average, 0, evaluator.weights(), 0, average.len());
        }
        let (half, all) = (workers.len().div_ceil(2), workers.len());
        Ok(Self {
            gpu: gpu.clone(),
            trainer,
            minibatch,
            evaluator,
            copy_ema: recorder.finish()?,
            groups: [GpuGameGroup::new(0..half), GpuGameGroup::new(half..all)],
            turn: 0,
            policies: VecDeque::new(),
            rounds: 0,
            is_reading_back: false,
        })
    }

    /// Does a bounded amount of training of `learner`, from which the trainer was created. Advances a group of
    /// self-play games and submits gradient steps, or makes one decision in every game of a promotion match. On native
    /// targets the call may block on the device; in a browser the call never blocks.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] if training diverged, [`LearnerError::Gpu`] if the device was lost, and errors of
    /// the games.
    pub fn advance(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> AdvanceResult<AlphaZero<G>> {
        if let Some(advance) = learner.learning.advance_match(cpu)? {
            return Ok(advance);
        }
        if self.is_reading_back {
            return self.hand_over(cpu, learner);
        }
        learner.begin_round();
        let has_played = self.play(cpu, learner)?;
        let has_learned = self.learn(learner)?;
        if learner.is_played() && learner.steps_left == Some(0) {
            self.end_round(learner)?;
        }
        Ok(if has_played || has_learned {
            Advance::Unfinished(AlphaZeroWork::SelfPlay)
        } else {
            Advance::Waiting
        })
    }

    /// Advances a group of games in which a game has not made its decision of the current self-play round (one
    /// decision in every game). Returns whether a group advanced.
    fn play(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> Result<bool, LearnerError> {
        let Self { groups, evaluator, turn, .. } = self;
        let AlphaZero { learning: ReplayLearner { config, counters, .. }, workers, clock, .. } = learner;
        if groups[*turn].is_done(workers) {
            *turn = 1 - *turn;
        }
        let group = &mut groups[*turn];
        if group.is_done(workers) {
            return Ok(false);
        }
        let settings = RoundSettings::new(config, counters, *clock);
        let has_advanced = group.advance(cpu, workers, settings, evaluator)?;
        if has_advanced {
            *turn = 1 - *turn;
        }
        Ok(has_advanced)
    }

    /// Submits due gradient steps until the maximum number is in flight, and reads the results of one completed step.
    /// While games still have to make their decision of the current round, results are read only if a due step could
    /// not be submitted. Returns whether a step was submitted or read.
    fn learn(&mut self, learner: &mut AlphaZero<G>) -> Result<bool, LearnerError> {
        let in_flight = self.trainer.submitted() - self.trainer.updates();
        let mut left = learner.steps_left.unwrap_or(0) - in_flight;
        let mut has_worked = false;
        while left > 0 && self.trainer.can_submit() {
            self.submit(learner)?;
            left -= 1;
            has_worked = true;
        }
        let is_wanted = left > 0 || learner.is_played();
        if is_wanted && !self.trainer.is_idle() && self.trainer.poll()? {
            let losses = [0, 1].map(|index| self.trainer.sum(index));
            let policies = self.policies.pop_front().unwrap_or(0);
            let AlphaZero { learning: ReplayLearner { config, updater, .. }, steps_left, .. } = learner;
            updater.sums.add(config.minibatch.into(), policies, losses, self.trainer.gradient_norm());
            updater.made += 1;
            *steps_left = steps_left.map(|left| left - 1);
            has_worked = true;
        }
        Ok(has_worked)
    }

    /// Draws a minibatch from the replay buffer, uploads it, and submits a gradient step on it.
    fn submit(&mut self, learner: &mut AlphaZero<G>) -> Result<(), LearnerError> {
        let (step, seed) = (self.trainer.submitted(), learner.sample_seed());
        let ReplayLearner { config, replay, counters, .. } = &learner.learning;
        let updates = Updates { config, replay, seed, samples: counters.samples };
        let samples = updates.draw(step);
        self.policies.push_back(updates.policies(&samples));
        self.minibatch.send(&self.gpu, replay, &samples);
        let settings = StepSettings {
            adam: updates.adam(step),
            max_gradient_norm: config.max_gradient_norm,
            polyak_rate: WeightAverage::rate(config.ema_steps, step),
        };
        // The other inputs were uploaded as sparse rows.
        let setting = std::slice::from_ref(&config.value_coefficient);
        Ok(self.trainer.submit(&[&[], &[], &[], self.minibatch.heads(), setting], &settings)?)
    }

    /// Ends a self-play round (one decision in every game) of the learner, and copies the EMA of the trained weights
    /// to the weights that self-play uses. Requests a readback of the weights every [`READBACK_ROUNDS`] rounds and at
    /// the end of a generation.
    fn end_round(&mut self, learner: &mut AlphaZero<G>) -> Result<(), LearnerError> {
        if learner.end_round()? {
            self.gpu.submit(|encoder| encoder.run(&self.copy_ema))?;
        }
        self.rounds += 1;
        self.is_reading_back = self.rounds >= READBACK_ROUNDS || learner.generation_is_over();
        Ok(())
    }

    /// Copies to the learner the weights that were read back from the device. Ends the current generation if self-play
    /// has produced all samples of the generation.
    fn hand_over(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> AdvanceResult<AlphaZero<G>> {
        self.trainer.request_readback()?;
        let ReplayLearner { updater, newest, newest_updates, .. } = &mut learner.learning;
        let AlphaZeroUpdater { network, trainer, average, .. } = updater;
        let follow = |weights: &[f32]| average.write(weights);
        let Some(updates) = self.trainer.take_readback(cpu, network, trainer, follow)? else {
            return Ok(Advance::Waiting);
        };
        newest.write(average.weights());
        *newest_updates = updates;
        (self.rounds, self.is_reading_back) = (0, false);
        Ok(Advance::of(AlphaZeroWork::SelfPlay, learner.learning.end_generation()))
    }

    /// Returns the mean cost of a batch of network evaluations: kernel dispatches, and bytes copied in both
    /// directions.
    #[must_use]
    pub fn cost_of_batch(&self) -> [f64; 2] {
        self.evaluator.cost()
    }

    /// Returns the number of gradient steps of the run that the device has finished.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.trainer.updates()
    }

    /// Returns the cost of a gradient step: kernel dispatches and copied bytes.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: self.minibatch.bytes() }
    }
}
