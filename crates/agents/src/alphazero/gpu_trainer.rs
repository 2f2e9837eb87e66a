//! AlphaZero on a GPU: the network is on the device, the games, their trees and the replay stay with the learner.
//!
//! The workers are two groups. The states that the games of one ask for are one batch on the device, while the trees of the
//! other descend on the CPU, so that neither waits for the other. Gradient steps go to the device between those batches. The
//! weights that play stay those that the round began with, as on the CPU: they are a copy of the average, renewed when a round
//! is over. So everything is drawn and decided in the same order on both engines, with numbers that differ by rounding.
//!
//! A minibatch goes there [without its zeros](super::gpu_minibatch).
//!
//! After a generation, and every [so many](ROUNDS) rounds, the learner's own networks become those of the device: they play its
//! matches, are shown and are saved. Counters, games and replay are the learner's own at any time; whoever leaves the device
//! in the middle of a round goes on with that round on the CPU, with the networks that were taken over last.

use super::game::Learnable;
use super::gpu_evaluator::GpuEvaluator;
use super::gpu_group::Group;
use super::gpu_minibatch::GpuMinibatch;
use super::learner::{AlphaZero, Work};
use super::report::Report;
use super::self_play::Rules;
use super::update::{Updater, Updates};
use crate::error::LearnerError;
use std::collections::VecDeque;
use vivarium_gpu::{Cost, Gpu, Program, Recorder};
use vivarium_graph::Cpu;
use vivarium_learn::{StepSettings, WeightAverage};

/// Rounds after which the learner's networks become those of the device, unless a generation is over before.
const ROUNDS: u32 = 32;

/// The networks of a learner on the device; see the [module](self).
pub struct GpuTrainer<G> {
    gpu: Gpu,
    trainer: vivarium_learn::GpuTrainer,
    minibatch: GpuMinibatch,
    evaluator: GpuEvaluator<G>,
    /// Makes the weights that play those of the average.
    take_over: Program,
    groups: [Group; 2],
    /// The group whose turn it is.
    turn: usize,
    /// Of each gradient step under way, how many rows have a policy.
    policies: VecDeque<u64>,
    /// Rounds since the learner's networks were those of the device.
    rounds: u32,
    is_handing_over: bool,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Debug, PartialEq)]
pub enum Advance {
    /// The device is at work, and there is nothing to do but to wait.
    Waiting,
    /// Some work is done.
    Done(Work),
    /// A generation is finished, and the learner's networks are those of the device.
    Finished(Box<Report>),
}

impl<G: Learnable> GpuTrainer<G> {
    /// The networks of a learner as they are now, moved to the device.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] where they do not fit there, or a kernel is refused.
    pub fn new(gpu: &Gpu, learner: &AlphaZero<G>) -> Result<Self, LearnerError> {
        let AlphaZero { config, updater, newest, counters, workers, .. } = learner;
        let Updater { network, trainer, average, made, .. } = updater;
        let (rows, updates) = (config.minibatch as usize, counters.updates + made);
        let follower = Some(average.weights());
        let mut trainer = vivarium_learn::GpuTrainer::new(gpu, network, trainer, 0, rows, updates, follower)?;
        let minibatch = GpuMinibatch::new::<G>(gpu, &mut trainer, rows)?;
        let evaluator = GpuEvaluator::new(gpu, newest)?;
        let mut recorder = Recorder::new(gpu);
        if let Some(average) = trainer.follower() {
            recorder.copy(average, 0, evaluator.weights(), 0, average.len());
        }
        let (half, all) = (workers.len().div_ceil(2), workers.len());
        Ok(Self {
            gpu: gpu.clone(),
            trainer,
            minibatch,
            evaluator,
            take_over: recorder.finish()?,
            groups: [Group::new(0..half), Group::new(half..all)],
            turn: 0,
            policies: VecDeque::new(),
            rounds: 0,
            is_handing_over: false,
        })
    }

    /// Does a slice of work with the learner that this was made of: a turn of a group of games and the gradient steps that
    /// there is room for, or a decision in every game of a match. Natively it waits for the device; in a browser it never
    /// waits.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged, [`LearnerError::Gpu`] where the device was lost, and those of
    /// [`AlphaZero::advance`].
    pub fn advance(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> Result<Advance, LearnerError> {
        if learner.next_work() == Work::Match {
            let report = learner.advance(cpu)?.report;
            return Ok(
                report.map_or(Advance::Done(Work::Match), |report| Advance::Finished(Box::new(report)))
            );
        }
        if self.is_handing_over {
            return self.hand_over(cpu, learner);
        }
        learner.begin_round();
        let has_played = self.play(cpu, learner)?;
        let has_learned = self.learn(learner)?;
        if learner.is_played() && learner.steps_left == Some(0) {
            self.end_round(learner)?;
        }
        Ok(if has_played || has_learned { Advance::Done(Work::SelfPlay) } else { Advance::Waiting })
    }

    /// A turn of the next group of games that is not done with this round; returns whether there was anything to do.
    fn play(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> Result<bool, LearnerError> {
        let Self { groups, evaluator, turn, .. } = self;
        let AlphaZero { config, counters, workers, clock, .. } = learner;
        if groups[*turn].is_done(workers) {
            *turn = 1 - *turn;
        }
        let group = &mut groups[*turn];
        if group.is_done(workers) {
            return Ok(false);
        }
        let rules = Rules::new(config, counters, *clock);
        let has_advanced = group.advance(cpu, workers, rules, evaluator)?;
        if has_advanced {
            *turn = 1 - *turn;
        }
        Ok(has_advanced)
    }

    /// Submits gradient steps that are due, as far as there is room for them, and takes in one that is finished: while games
    /// are played, only to make room for another. Returns whether there was anything to do.
    fn learn(&mut self, learner: &mut AlphaZero<G>) -> Result<bool, LearnerError> {
        let under_way = self.trainer.submitted() - self.trainer.updates();
        let mut left = learner.steps_left.unwrap_or(0) - under_way;
        let mut has_worked = false;
        while left > 0 && self.trainer.has_room() {
            self.submit(learner)?;
            left -= 1;
            has_worked = true;
        }
        let is_wanted = left > 0 || learner.is_played();
        if is_wanted && !self.trainer.is_idle() && self.trainer.advance()? {
            let losses = [0, 1].map(|index| self.trainer.sum(index));
            let policies = self.policies.pop_front().unwrap_or(0);
            let AlphaZero { config, updater, steps_left, .. } = learner;
            updater.sums.add(config.minibatch.into(), policies, losses, self.trainer.gradient_norm());
            updater.made += 1;
            *steps_left = steps_left.map(|left| left - 1);
            has_worked = true;
        }
        Ok(has_worked)
    }

    /// Submits the next gradient step, on samples drawn from the replay.
    fn submit(&mut self, learner: &mut AlphaZero<G>) -> Result<(), LearnerError> {
        let (step, seed) = (self.trainer.submitted(), learner.sample_seed());
        let AlphaZero { config, replay, counters, .. } = learner;
        let updates = Updates { config, replay, seed, samples: counters.samples };
        let samples = updates.draw(step);
        self.policies.push_back(updates.policies(&samples));
        self.minibatch.send(&self.gpu, replay, &samples);
        let settings = StepSettings {
            adam: updates.adam(step),
            max_gradient_norm: config.max_gradient_norm,
            follow_share: WeightAverage::share(config.averaging, step),
        };
        // All but the heads and a setting come from what was sent.
        let setting = std::slice::from_ref(&config.value_coefficient);
        Ok(self.trainer.submit(&[&[], &[], &[], self.minibatch.heads(), setting], &settings)?)
    }

    /// Ends a round: the weights that play become the average that was learned.
    fn end_round(&mut self, learner: &mut AlphaZero<G>) -> Result<(), LearnerError> {
        if learner.end_round()? {
            self.gpu.submit(|encoder| encoder.run(&self.take_over))?;
        }
        self.rounds += 1;
        self.is_handing_over = self.rounds >= ROUNDS || learner.generation_is_over();
        Ok(())
    }

    /// Makes the learner's networks what those on the device are, and ends a generation that is over.
    fn hand_over(&mut self, cpu: &Cpu, learner: &mut AlphaZero<G>) -> Result<Advance, LearnerError> {
        self.trainer.keep()?;
        let AlphaZero { updater, newest, newest_updates, .. } = learner;
        let Updater { network, trainer, average, .. } = updater;
        let follow = |weights: &[f32]| average.write(weights);
        let Some(updates) = self.trainer.hand_over(cpu, network, trainer, follow)? else {
            return Ok(Advance::Waiting);
        };
        newest.write(average.weights());
        *newest_updates = updates;
        (self.rounds, self.is_handing_over) = (0, false);
        let report = learner.end_generation();
        Ok(report.map_or(Advance::Done(Work::SelfPlay), |report| Advance::Finished(Box::new(report))))
    }

    /// What a batch of states asks of the device on average: kernels started, and bytes that are copied to it and back.
    #[must_use]
    pub fn cost_of_batch(&self) -> [f64; 2] {
        self.evaluator.cost()
    }

    /// Gradient steps that are finished on the device.
    #[must_use]
    pub fn updates(&self) -> u64 {
        self.trainer.updates()
    }

    /// What a gradient step asks of the device.
    #[must_use]
    pub fn cost(&self) -> Cost {
        self.trainer.cost() + Cost { dispatches: 0, bytes_copied: self.minibatch.bytes() }
    }
}
