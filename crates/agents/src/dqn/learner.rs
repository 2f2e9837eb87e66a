//! The learner: steps in the world and gradient steps in turns, a slice at a time.

use super::batch::{Turn, encode};
use super::config::DqnConfig;
use super::curriculum::Curriculum;
use super::explore::choose;
use super::problem::{End, Problem, Step};
use super::report::{Counters, Report, Sums};
use super::returns::{Transition, Window};
use super::update::{Measured, Samples, Updater};
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, Level, rng, simd};
use vivarium_learn::{Batch, Network, PrioritizedReplay};

/// Purposes of random numbers: each draws from a seed of its own.
pub(crate) mod purpose {
    pub const WEIGHTS: u32 = 30;
    pub const WORLD: u32 = 31;
    pub const ACTIONS: u32 = 32;
    pub const SAMPLES: u32 = 33;
    pub const LEVELS: u32 = 34;
    pub const DEMONSTRATIONS: u32 = 35;
    pub const EVALUATION: u32 = 36;
}

/// Deep Q-learning on the problem `P`.
///
/// A run depends on config, params and seed alone, not on the number of threads or on how often it is looked at. (Between
/// SIMD levels it differs by rounding.)
pub struct Dqn<P: Problem> {
    pub(crate) config: DqnConfig,
    pub(crate) params: P::Params,
    pub(crate) seed: u64,
    pub(crate) problem: P,
    pub(crate) updater: Updater,
    pub(crate) replay: PrioritizedReplay<Transition<P::State>>,
    /// Transitions in the replay of each level, from 0 on.
    kept: Vec<u64>,
    pub(crate) curriculum: Curriculum,
    pub(crate) counters: Counters,
    pub(crate) lanes: Lanes<P::State>,
    /// Samples that are still to be learned from.
    pub(crate) due: f64,
    pub(crate) sums: Sums,
}

/// What the learner keeps of every lane.
pub(crate) struct Lanes<S> {
    pub states: Vec<S>,
    pub windows: Vec<Window<S>>,
    /// Difficulty of the next episode, and its number.
    pub levels: Vec<u32>,
    pub episodes: Vec<u32>,
    /// What the present episode came to so far.
    pub returns: Vec<f32>,
    pub lengths: Vec<u32>,
    /// Room of a step.
    pub inputs: Batch<1>,
    pub values: AlignedVec<f32>,
    actions: Vec<u8>,
    drawn: Vec<bool>,
    steps: Vec<Step<S>>,
}

/// What a slice of work did.
pub type Slice = vivarium_learn::Slice<Work, Report>;

/// Kinds of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// A gradient step on demonstrations.
    Pretrain,
    /// A step of every lane.
    Act,
    /// A gradient step on transitions.
    Learn,
}

impl<P: Problem> Dqn<P> {
    /// A learner that knows nothing yet.
    ///
    /// # Errors
    /// [`LearnerError`] naming the field of the config or the problem that is not acceptable.
    pub fn new(config: DqnConfig, params: P::Params, seed: u64) -> Result<Self, LearnerError> {
        check::<P>(&config)?;
        let level = simd::level();
        let curriculum = Curriculum::new(&config, P::LEVELS);
        let level_of = |lane, episode| curriculum.level(rng::derive(seed, purpose::LEVELS), lane, episode);
        let first: Vec<u32> = (0..config.num_envs).map(|lane| level_of(lane, 0)).collect();
        let problem = P::new(&params, rng::derive(seed, purpose::WORLD), &first)?;
        let count = config.num_envs as usize;
        let lanes = Lanes {
            states: problem.states(level)?,
            windows: first.into_iter().map(Window::new).collect(),
            levels: (0..config.num_envs).map(|lane| level_of(lane, 1)).collect(),
            episodes: vec![1; count],
            returns: vec![0.0; count],
            lengths: vec![0; count],
            inputs: Batch::new(count, [P::inputs(&params).count]),
            values: AlignedVec::zeros(count * P::ACTIONS),
            actions: vec![0; count],
            drawn: vec![false; count],
            steps: Vec::with_capacity(count),
        };
        Ok(Self {
            updater: Updater::new::<P>(&config, &params, rng::derive(seed, purpose::WEIGHTS))?,
            replay: PrioritizedReplay::new(config.replay as usize),
            kept: vec![0; P::LEVELS as usize + 1],
            curriculum,
            counters: Counters::default(),
            lanes,
            due: 0.0,
            sums: Sums::new(P::LEVELS),
            config,
            params,
            seed,
            problem,
        })
    }

    /// The config in use.
    pub fn config(&self) -> &DqnConfig {
        &self.config
    }

    /// The problem's params.
    pub fn params(&self) -> &P::Params {
        &self.params
    }

    /// The problem, with its lanes.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// The seed of the run.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Totals so far.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// How many numbers the network learns.
    pub fn parameter_count(&self) -> usize {
        self.updater.online.parameter_count()
    }

    /// The network that learns.
    pub fn network(&self) -> &Network {
        &self.updater.online
    }

    /// The network that targets come from.
    pub fn target_network(&self) -> &Network {
        &self.updater.target
    }

    /// Where every lane is.
    pub fn states(&self) -> &[P::State] {
        &self.lanes.states
    }

    /// Takes over another config that differs in live fields alone, from the next slice on.
    ///
    /// # Errors
    /// [`LearnerError::Config`] if a field is out of range or not live; nothing is changed then.
    pub fn set_config(&mut self, config: DqnConfig) -> Result<(), LearnerError> {
        check::<P>(&config)?;
        Ok(self.config.change(config)?)
    }

    /// What the next slice will do.
    pub fn next_work(&self) -> Work {
        let Self { config, counters, replay, due, .. } = self;
        if counters.demonstrations < config.demonstrations {
            Work::Pretrain
        } else if replay.len() >= config.warm_up as usize && *due >= f64::from(config.minibatch) {
            Work::Learn
        } else {
            Work::Act
        }
    }

    /// Does one bounded slice of work: a step of every lane, or a gradient step.
    ///
    /// # Errors
    /// [`LearnerError::NotFinite`] where training diverged.
    pub fn advance(&mut self, cpu: &Cpu) -> Result<Slice, LearnerError> {
        let work = self.next_work();
        match work {
            Work::Act => self.act(cpu)?,
            Work::Pretrain => self.update(cpu, Samples::Demonstrations)?,
            Work::Learn => self.update(cpu, Samples::Transitions)?,
        }
        Ok(Slice { work, report: self.iteration_is_over().then(|| self.end_iteration()) })
    }

    /// Advances until an iteration is finished.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn iterate(&mut self, cpu: &Cpu) -> Result<Report, LearnerError> {
        loop {
            if let Some(report) = self.advance(cpu)?.report {
                return Ok(report);
            }
        }
    }

    /// A step of every lane.
    fn act(&mut self, cpu: &Cpu) -> Result<(), LearnerError> {
        self.encode_lanes(cpu);
        let Self { updater, lanes, .. } = self;
        let Updater { online, workspaces, .. } = updater;
        let (inputs, values) = (lanes.inputs.column(0), &mut lanes.values);
        online.evaluate(cpu, workspaces, 0, lanes.states.len(), &[inputs], &mut [values]);
        self.step(cpu.level())
    }

    /// Writes the state of every lane as inputs of the network.
    pub(super) fn encode_lanes(&mut self, cpu: &Cpu) {
        let Lanes { states, inputs, .. } = &mut self.lanes;
        encode::<P>(cpu, &self.params, inputs, states.len(), |row| &states[row]);
    }

    /// A step of every lane, by the values of all actions in its state.
    pub(super) fn step(&mut self, level: Level) -> Result<(), LearnerError> {
        let Self { config, problem, lanes, counters, .. } = self;
        let Lanes { states, levels, values, actions, drawn, steps, .. } = lanes;
        let rows = states.len();
        let epsilon = config.epsilon_at(counters.steps);
        let tick = (counters.steps / rows as u64) as u32;
        let seed = rng::derive(self.seed, purpose::ACTIONS);
        choose(values, P::ACTIONS, epsilon, seed, tick, actions, drawn);
        problem.step(level, actions, levels, steps)?;
        counters.steps += rows as u64;
        self.take_in();
        Ok(())
    }

    /// Takes in what a step of every lane made: transitions, and episodes that ended.
    fn take_in(&mut self) {
        let Self { config, lanes, replay, kept, curriculum, counters, sums, due, seed, .. } = self;
        let (discount, most) = (config.discount, config.return_steps as usize);
        let seed = rng::derive(*seed, purpose::LEVELS);
        let mut made = 0;
        for lane in 0..lanes.states.len() {
            let (state, step, window) = (lanes.states[lane], &lanes.steps[lane], &mut lanes.windows[lane]);
            let mut keep = |transition| {
                push(replay, kept, transition);
                made += 1;
            };
            if config.watkins_cutoff && lanes.drawn[lane] {
                window.cut(state, false, &mut keep);
            }
            window.push(state, lanes.actions[lane], step, discount, most, keep);
            lanes.states[lane] = step.now;
            lanes.returns[lane] += step.reward;
            lanes.lengths[lane] += 1;
            if step.end != End::No {
                let (level, success) = (u32::from(window.level), step.end == End::Terminated);
                sums.totals.episodes += 1.0;
                sums.totals.returns += f64::from(std::mem::take(&mut lanes.returns[lane]));
                sums.totals.lengths += f64::from(std::mem::take(&mut lanes.lengths[lane]));
                sums.levels[level as usize][0] += 1;
                sums.levels[level as usize][1] += u64::from(success);
                counters.episodes += 1;
                curriculum.judge(config, level, success);
                window.level = lanes.levels[lane] as u8;
                lanes.episodes[lane] = lanes.episodes[lane].wrapping_add(1);
                lanes.levels[lane] = curriculum.level(seed, lane as u32, lanes.episodes[lane]);
            }
        }
        if replay.len() >= config.warm_up as usize {
            *due += f64::from(made) * f64::from(config.replay_ratio);
        }
    }

    /// A gradient step.
    fn update(&mut self, cpu: &Cpu, samples: Samples) -> Result<(), LearnerError> {
        self.draw(cpu, samples);
        let turn = self.turn(samples);
        let Self { config, updater, replay, sums, .. } = self;
        if samples == Samples::Transitions {
            updater.targets(cpu, config, replay);
        }
        let gradient_norm = updater.step(cpu, config, turn, samples)?;
        let Updater { trainer, batch, .. } = updater;
        let measured = Measured::new(samples, gradient_norm, |index| trainer.measured(index));
        measured.count(config, &batch.picks, replay, &mut sums.totals);
        self.count_update(samples);
        Ok(())
    }

    /// Draws the samples of the next gradient step.
    pub(super) fn draw(&mut self, cpu: &Cpu, samples: Samples) {
        let turn = self.turn(samples);
        let Self { config, params, problem, updater, replay, .. } = self;
        match samples {
            Samples::Demonstrations => updater.batch.demonstrate(cpu, params, problem, turn),
            Samples::Transitions => {
                let beta = config.importance_exponent_at(turn.samples);
                updater.batch.gather::<P>(cpu, params, replay, beta, turn);
            }
        }
    }

    /// Identifies the next gradient step.
    pub(super) fn turn(&self, samples: Samples) -> Turn {
        let purpose = match samples {
            Samples::Demonstrations => purpose::DEMONSTRATIONS,
            Samples::Transitions => purpose::SAMPLES,
        };
        let Counters { updates, samples, .. } = self.counters;
        Turn { seed: rng::derive(self.seed, purpose), updates, samples }
    }

    /// Counts a gradient step.
    pub(super) fn count_update(&mut self, samples: Samples) {
        let rows = u64::from(self.config.minibatch);
        match samples {
            Samples::Demonstrations => self.counters.demonstrations += rows,
            Samples::Transitions => self.due -= rows as f64,
        }
        self.counters.samples += rows;
        self.counters.updates += 1;
    }

    /// Adds a transition to the replay.
    pub(crate) fn keep(&mut self, transition: Transition<P::State>) {
        push(&mut self.replay, &mut self.kept, transition);
    }

    /// Whether there have been as many gradient steps as an iteration has.
    pub(super) fn iteration_is_over(&self) -> bool {
        self.sums.totals.updates >= f64::from(self.config.iteration)
    }

    pub(super) fn end_iteration(&mut self) -> Report {
        let Self { config, counters, sums, kept, curriculum, .. } = self;
        counters.iterations += 1;
        let rates = [config.learning_rate_at(counters.samples), config.epsilon_at(counters.steps)];
        let report = sums.report(*counters, rates, curriculum.open, kept);
        sums.clear();
        report
    }
}

/// Adds a transition to a replay that has so many of each level.
fn push<S>(replay: &mut PrioritizedReplay<Transition<S>>, kept: &mut [u64], transition: Transition<S>) {
    kept[usize::from(transition.level)] += 1;
    if let Some(oldest) = replay.push(transition) {
        kept[usize::from(oldest.level)] -= 1;
    }
}

/// Checks the fields, and that the problem has what they ask for.
fn check<P: Problem>(config: &DqnConfig) -> Result<(), LearnerError> {
    config.check()?;
    if config.demonstrations > 0 && !P::SOLVER {
        let allowed = format!("must be 0: {} has no solver to learn from", P::NAME);
        return Err(config.refused("demonstrations", allowed).into());
    }
    Ok(())
}
