//! Proximal policy optimization that stays on the GPU: environments, rollout, advantages, network and optimizer live there,
//! and an iteration is one submission. What comes back, without anybody waiting for it, is the iteration's report and
//! the learner's state after it.
//!
//! Where the hidden layers are narrow (`roll.wgsl`), a workgroup takes 16 lanes through up to 64 steps by itself, network
//! and world in one kernel; else every step is the network's kernels and one that acts. Nothing that changes from step to
//! step, or from one gradient step to the next, comes from the host: lanes count their steps and the device its gradient
//! steps, so that each program is recorded once and encoded as often as it is needed.
//!
//! It draws the numbers that [`Ppo`] draws and does the same arithmetic, but in another order and throughout in `f32`: sums
//! over samples agree with the CPU's to about 1e-6 of their terms' size, single steps of a world within 2e-5, and a run
//! therefore follows the CPU's closely at first and then, as any run does whose numbers were rounded differently, goes its
//! own way. Actions differ where a draw falls within rounding of a boundary. The running variance of observations and
//! returns is kept itself, not as a growing sum; the counts that weigh it are the host's, in `f64`.

mod exchange;
mod layout;
mod programs;
mod roll;

use std::collections::VecDeque;

use super::config::PpoConfig;
use super::learner::Ppo;
use super::policy::Scheduled;
use super::report::Report;
use super::state::State;
use crate::error::LearnerError;
use exchange::{Arrived, Start, Submitted};
use layout::{Layout, progress};
use programs::{Memory, Programs};
use vivarium_config::Config;
use vivarium_envs::{Params, World};
use vivarium_gpu::worlds::GpuWorld;
use vivarium_gpu::{Cost, Gpu, Ring};
use vivarium_kernels::adam::AdamStep;

/// Iterations that may be under way: while the host looks at one, the device works on the next.
const AHEAD: usize = 2;

/// A learner on the device; see the [module](self).
pub struct GpuTrainer<W: World> {
    gpu: Gpu,
    config: PpoConfig,
    world: W::Params,
    seed: u64,
    layout: Layout,
    memory: Memory,
    programs: Programs,
    ring: Ring,
    under_way: VecDeque<Submitted>,
    /// Where the next iteration to be submitted begins.
    next: Start,
    /// After the last iteration that was reported.
    state: State,
    /// Why it goes no further.
    failed: Option<LearnerError>,
    settings: Vec<u32>,
    arrived: Vec<u32>,
}

/// What an [`advance`](GpuTrainer::advance) found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Advance {
    /// The device is still at it.
    Waiting,
    /// An iteration is finished; [`GpuTrainer::state`] is the state after it.
    Finished(Report),
}

impl<W: GpuWorld> GpuTrainer<W> {
    /// The learner `ppo` as it was at the start of its present iteration, moved to the device.
    ///
    /// # Errors
    /// [`LearnerError::Gpu`] where it does not fit there, or a kernel is refused.
    pub fn new(gpu: &Gpu, ppo: &Ppo<W>) -> Result<Self, LearnerError> {
        let (config, world, state) = (ppo.config.clone(), ppo.world, ppo.state().clone());
        let layout = Layout::new::<W>(&config, &world, state.weights.len());
        let memory = Memory::new(gpu, &layout)?;
        memory.optimizer.set_decays(gpu, ppo.policy.network.specs());
        gpu.write(&memory.parameters, 0, &state.weights);
        gpu.write(&memory.optimizer.first_moment, 0, &state.first_moment);
        gpu.write(&memory.optimizer.second_moment, 0, &state.second_moment);
        memory.optimizer.set_steps(gpu, state.counters.updates as u32);
        gpu.write(&memory.lanes, 0, &exchange::lane_words(&layout, &state));
        gpu.write(&memory.progress, progress::MOMENTS, &exchange::moment_words(&state));
        Ok(Self {
            programs: Programs::new::<W>(gpu, &config, &ppo.policy, &layout, &memory)?,
            ring: Ring::new(gpu, Arrived::len(&layout), AHEAD)?,
            gpu: gpu.clone(),
            seed: ppo.seed,
            under_way: VecDeque::with_capacity(AHEAD),
            next: Start::of(&state),
            failed: None,
            settings: Vec::with_capacity(layout.settings()),
            arrived: Vec::with_capacity(Arrived::len(&layout)),
            config,
            world,
            layout,
            memory,
            state,
        })
    }

    /// Keeps the device busy, and takes in the oldest iteration under way if it is finished. Natively it waits for that; in a
    /// browser it never waits.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged, [`LearnerError::Gpu`] where the device was lost. [`state`](Self::state)
    /// then stays that of the last good iteration, and every further call gives the same error.
    pub fn advance(&mut self) -> Result<Advance, LearnerError> {
        self.attempt(Self::turn)
    }

    /// Hands the device what it has room for, without looking for what is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn keep_busy(&mut self) -> Result<(), LearnerError> {
        self.attempt(|trainer| {
            while trainer.has_room() {
                trainer.submit()?;
            }
            Ok(())
        })
    }

    /// [`advance`](Self::advance) until an iteration is finished; for a browser's tasks, which may not wait otherwise.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub async fn next(&mut self) -> Result<Report, LearnerError> {
        self.keep_busy()?;
        let taken = self.ring.next(&mut self.arrived).await;
        self.attempt(|trainer| {
            taken?;
            trainer.receive()
        })
    }

    /// The learner after the last iteration that was reported, or at the start.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The config in use for the iterations that are submitted from now on.
    pub fn config(&self) -> &PpoConfig {
        &self.config
    }

    /// Takes over another config that differs in live fields alone, from the next iteration on that is submitted.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: PpoConfig) -> Result<(), LearnerError> {
        config.check()?;
        Ok(self.config.change(config)?)
    }

    /// Changes the world from the next iteration on that is submitted.
    ///
    /// # Errors
    /// [`LearnerError::World`] if a field is out of range; nothing is changed then.
    pub fn set_world(&mut self, world: W::Params) -> Result<(), LearnerError> {
        world.check()?;
        self.world = world;
        Ok(())
    }

    /// What an iteration asks of the device: kernels started, and bytes copied within it and back.
    pub fn cost(&self) -> Cost {
        let back = Arrived::len(&self.layout) as u64 * 4;
        self.programs.cost() + Cost { dispatches: 0, bytes_copied: back }
    }

    /// Does something unless an earlier attempt failed, and remembers if it fails.
    fn attempt<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Result<T, LearnerError>,
    ) -> Result<T, LearnerError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        work(self).inspect_err(|error| self.failed = Some(error.clone()))
    }

    fn turn(&mut self) -> Result<Advance, LearnerError> {
        self.keep_busy()?;
        if self.ring.arrive(&mut self.arrived)? {
            self.receive().map(Advance::Finished)
        } else {
            Ok(Advance::Waiting)
        }
    }

    /// Whether another iteration may be handed over.
    fn has_room(&self) -> bool {
        match self.under_way.back() {
            // Where the next one begins is not known before the end of one that may end early.
            Some(last) => !last.may_end_early && self.under_way.len() < self.gpu.under_way_at_once(AHEAD),
            None => true,
        }
    }

    /// Hands the device the next iteration.
    fn submit(&mut self) -> Result<(), LearnerError> {
        let Self { gpu, config, world, seed, layout, memory, programs, ring, next, settings, .. } = self;
        exchange::settings::<W>(settings, layout, config, world, *seed, next);
        gpu.write(&memory.settings, 0, settings);
        let scheduled = Scheduled::at(config, next.counters.steps + config.batch() as u64);
        let learning_rate = scheduled.learning_rate;
        let adam = AdamStep {
            learning_rate,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            ..AdamStep::default()
        };
        memory.optimizer.set(gpu, &adam, config.max_gradient_norm);
        programs.write_settings(gpu, scheduled.loss);
        gpu.submit(|encoder| {
            programs.encode(encoder);
            ring.copy(
                encoder,
                [
                    (&memory.progress, 0..layout.progress()),
                    (&memory.parameters, 0..layout.parameters),
                    (&memory.optimizer.first_moment, 0..layout.parameters),
                    (&memory.optimizer.second_moment, 0..layout.parameters),
                    (&memory.lanes, 0..layout.lasting_rows() * layout.lanes),
                ],
            );
        })?;
        ring.submitted();
        let start = *next;
        *next = start.next(config, layout.updates as u64);
        let may_end_early = config.target_kl > 0.0;
        self.under_way.push_back(Submitted { start, next: *next, learning_rate, may_end_early });
        Ok(())
    }

    /// Takes in what has arrived.
    fn receive(&mut self) -> Result<Report, LearnerError> {
        let Some(Submitted { start, next, learning_rate, .. }) = self.under_way.pop_front() else {
            unreachable!("nothing arrives that was not submitted")
        };
        let arrived = Arrived::new(&self.layout, &self.arrived);
        arrived.check(start.counters.updates)?;
        let early = self.layout.updates as u64 - arrived.updates();
        if early > 0 {
            // The update ended early, and no other is under way.
            self.next.counters.updates -= early;
        }
        arrived.state(&mut self.state, &next);
        Ok(arrived.report(self.state.counters, learning_rate))
    }
}
