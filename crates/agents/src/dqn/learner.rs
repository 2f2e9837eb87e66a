//! The learner: its state, environment steps and gradient steps.

use super::batch::{GradientStepId, encode};
use super::config::DqnConfig;
use super::curriculum::Curriculum;
use super::explore::choose;
use super::problem::{DqnProblem, EnvStep, EpisodeEnd};
use super::report::{DqnCounters, DqnReport, DqnSums};
use super::returns::{NStepTransition, NStepWindow};
use super::update::{DqnMeasurements, DqnUpdater, SampleKind};
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, Level, rng, simd};
use vivarium_learn::{Network, PrioritizedReplay, SampleBatch};

/// Stream indices for `rng::derive`. Each kind of random decision uses a seed of its own, derived from the run's seed.
pub(crate) mod rng_stream {
    pub const WEIGHTS: u32 = 30;
    pub const WORLD: u32 = 31;
    pub const ACTIONS: u32 = 32;
    pub const SAMPLES: u32 = 33;
    pub const LEVELS: u32 = 34;
    pub const DEMONSTRATIONS: u32 = 35;
    pub const EVALUATION: u32 = 36;
}

/// Deep Q-learning on problem `P`; see the [module](super).
///
/// A run depends on config, problem options, seed and SIMD level alone. It does not depend on the number of threads or
/// on calls that take `&self`.
pub struct Dqn<P: DqnProblem> {
    pub(crate) config: DqnConfig,
    pub(crate) params: P::Params,
    pub(crate) seed: u64,
    pub(crate) problem: P,
    pub(crate) updater: DqnUpdater,
    pub(crate) replay: PrioritizedReplay<NStepTransition<P::State>>,
    /// `[levels + 1]`: number of transitions in the replay buffer by level of difficulty, from level 0.
    kept: Vec<u64>,
    pub(crate) curriculum: Curriculum,
    pub(crate) counters: DqnCounters,
    pub(crate) envs: DqnEnvs<P::State>,
    /// Number of samples that gradient steps still have to process before the next environment step, to reach the
    /// replay ratio.
    pub(crate) due: f64,
    pub(crate) sums: DqnSums,
}

/// Data that the learner keeps for each environment.
pub(crate) struct DqnEnvs<S> {
    pub states: Vec<S>,
    pub windows: Vec<NStepWindow<S>>,
    /// `[num_envs]`: level of difficulty of each environment's next episode.
    pub levels: Vec<u32>,
    /// `[num_envs]`: index of each environment's next episode.
    pub episodes: Vec<u32>,
    /// `[num_envs]`: undiscounted return of the present episode so far.
    pub returns: Vec<f32>,
    /// `[num_envs]`: number of environment steps of the present episode so far.
    pub lengths: Vec<u32>,
    /// Scratch memory of an environment step: the states as network inputs.
    pub inputs: SampleBatch<1>,
    /// Scratch memory of an environment step: action values `[num_envs, actions]` of the states.
    pub values: AlignedVec<f32>,
    actions: Vec<u8>,
    /// `[num_envs]`: whether each environment's last action had less than the largest action value.
    nongreedy: Vec<bool>,
    steps: Vec<EnvStep<S>>,
}

/// Kind of work of one call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DqnWork {
    /// Gradient step on demonstrations.
    Pretrain,
    /// One step of every environment.
    Act,
    /// Gradient step on transitions.
    Learn,
}

impl<P: DqnProblem> Dqn<P> {
    /// Creates a learner with initial weights.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of config or problem options.
    pub fn new(config: DqnConfig, params: P::Params, seed: u64) -> Result<Self, LearnerError> {
        check::<P>(&config)?;
        let level = simd::level();
        let curriculum = Curriculum::new(&config, P::LEVELS);
        let level_of = |env, episode| curriculum.level(rng::derive(seed, rng_stream::LEVELS), env, episode);
        let first: Vec<u32> = (0..config.num_envs).map(|env| level_of(env, 0)).collect();
        let problem = P::new(&params, rng::derive(seed, rng_stream::WORLD), &first)?;
        let count = config.num_envs as usize;
        let envs = DqnEnvs {
            states: problem.states(level)?,
            windows: first.into_iter().map(NStepWindow::new).collect(),
            levels: (0..config.num_envs).map(|env| level_of(env, 1)).collect(),
            episodes: vec![1; count],
            returns: vec![0.0; count],
            lengths: vec![0; count],
            inputs: SampleBatch::new(count, [P::inputs(&params).count]),
            values: AlignedVec::zeros(count * P::ACTIONS),
            actions: vec![0; count],
            nongreedy: vec![false; count],
            steps: Vec::with_capacity(count),
        };
        Ok(Self {
            updater: DqnUpdater::new::<P>(&config, &params, rng::derive(seed, rng_stream::WEIGHTS))?,
            replay: PrioritizedReplay::new(config.replay_capacity as usize),
            kept: vec![0; P::LEVELS as usize + 1],
            curriculum,
            counters: DqnCounters::default(),
            envs,
            due: 0.0,
            sums: DqnSums::new(P::LEVELS),
            config,
            params,
            seed,
            problem,
        })
    }

    /// Returns the problem's options, such as physical parameters.
    pub fn params(&self) -> &P::Params {
        &self.params
    }

    /// Returns the problem: the batch of environments.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// Returns the counters of the run, such as the number of environment steps and gradient steps.
    pub fn counters(&self) -> DqnCounters {
        self.counters
    }

    /// Returns the number of trainable parameters.
    pub fn parameter_count(&self) -> usize {
        self.updater.online.parameter_count()
    }

    /// Returns the online network.
    pub fn network(&self) -> &Network {
        &self.updater.online
    }

    /// Returns the target network.
    pub fn target_network(&self) -> &Network {
        &self.updater.target
    }

    /// Returns the state of every environment.
    pub fn states(&self) -> &[P::State] {
        &self.envs.states
    }

    /// Returns the kind of work that the next call of [`advance`](vivarium_learn::Learner::advance) does.
    pub(super) fn due_work(&self) -> DqnWork {
        let Self { config, counters, replay, due, .. } = self;
        if counters.demonstrations < config.demonstrations {
            DqnWork::Pretrain
        } else if replay.len() >= config.warm_up as usize && *due >= f64::from(config.minibatch) {
            DqnWork::Learn
        } else {
            DqnWork::Act
        }
    }

    /// Computes the action values of all environments' states, and takes an ε-greedy step in every environment.
    pub(super) fn act(&mut self, cpu: &Cpu) -> Result<(), LearnerError> {
        self.encode_states(cpu);
        let Self { updater, envs, .. } = self;
        let DqnUpdater { online, workspaces, .. } = updater;
        let (inputs, values) = (envs.inputs.column(0), &mut envs.values);
        online.evaluate(cpu, workspaces, 0, envs.states.len(), &[inputs], &mut [values]);
        self.step(cpu.level())
    }

    /// Encodes the state of every environment as network inputs.
    pub(super) fn encode_states(&mut self, cpu: &Cpu) {
        let DqnEnvs { states, inputs, .. } = &mut self.envs;
        encode::<P>(cpu, &self.params, inputs, states.len(), |row| &states[row]);
    }

    /// Takes an ε-greedy step in every environment, given the action values of the states in `envs.values`, and stores
    /// the transitions.
    pub(super) fn step(&mut self, level: Level) -> Result<(), LearnerError> {
        let Self { config, problem, envs, counters, .. } = self;
        let DqnEnvs { states, levels, values, actions, nongreedy, steps, .. } = envs;
        let rows = states.len();
        let epsilon = config.epsilon_at(counters.steps);
        let tick = (counters.steps / rows as u64) as u32;
        let seed = rng::derive(self.seed, rng_stream::ACTIONS);
        choose(values, P::ACTIONS, epsilon, seed, tick, actions, nongreedy);
        problem.step(level, actions, levels, steps)?;
        counters.steps += rows as u64;
        self.record_step();
        Ok(())
    }

    /// Stores the completed n-step transitions of an environment step, and records the episodes that ended.
    fn record_step(&mut self) {
        let Self { config, envs, replay, kept, curriculum, counters, sums, due, seed, .. } = self;
        let (discount, most) = (config.discount, config.n_step as usize);
        let seed = rng::derive(*seed, rng_stream::LEVELS);
        let mut made = 0;
        for env in 0..envs.states.len() {
            let (state, step, window) = (envs.states[env], &envs.steps[env], &mut envs.windows[env]);
            let mut keep = |transition| {
                push(replay, kept, transition);
                made += 1;
            };
            if config.watkins_cutoff && envs.nongreedy[env] {
                window.cut(state, false, &mut keep);
            }
            window.push(state, envs.actions[env], step, discount, most, keep);
            envs.states[env] = step.now;
            envs.returns[env] += step.reward;
            envs.lengths[env] += 1;
            if step.end != EpisodeEnd::No {
                let (level, success) = (u32::from(window.level), step.end == EpisodeEnd::Terminated);
                sums.totals.episodes += 1.0;
                sums.totals.returns += f64::from(std::mem::take(&mut envs.returns[env]));
                sums.totals.lengths += f64::from(std::mem::take(&mut envs.lengths[env]));
                sums.levels[level as usize][0] += 1;
                sums.levels[level as usize][1] += u64::from(success);
                counters.episodes += 1;
                curriculum.record(config, level, success);
                window.level = envs.levels[env] as u8;
                envs.episodes[env] = envs.episodes[env].wrapping_add(1);
                envs.levels[env] = curriculum.level(seed, env as u32, envs.episodes[env]);
            }
        }
        if replay.len() >= config.warm_up as usize {
            *due += f64::from(made) * f64::from(config.replay_ratio);
        }
    }

    /// Draws a minibatch of samples of kind `samples`, and takes a gradient step on it.
    pub(super) fn update(&mut self, cpu: &Cpu, samples: SampleKind) -> Result<(), LearnerError> {
        self.draw(cpu, samples);
        let step_id = self.step_id(samples);
        let Self { config, updater, replay, sums, .. } = self;
        if samples == SampleKind::Transitions {
            updater.targets(cpu, config, replay);
        }
        let gradient_norm = updater.step(cpu, config, step_id, samples)?;
        let DqnUpdater { trainer, batch, .. } = updater;
        let measured = DqnMeasurements::new(samples, gradient_norm, |index| trainer.measured(index));
        measured.count(config, &batch.picks, replay, &mut sums.totals);
        self.count_update(samples);
        Ok(())
    }

    /// Fills the learner's minibatch for the next gradient step, by sampling transitions or by drawing demonstrations.
    pub(super) fn draw(&mut self, cpu: &Cpu, samples: SampleKind) {
        let step_id = self.step_id(samples);
        let Self { config, params, problem, updater, replay, .. } = self;
        match samples {
            SampleKind::Demonstrations => updater.batch.demonstrate(cpu, params, problem, step_id),
            SampleKind::Transitions => {
                let beta = config.importance_exponent_at(step_id.samples);
                updater.batch.gather::<P>(cpu, params, replay, beta, step_id);
            }
        }
    }

    /// Returns the identification of the next gradient step.
    pub(super) fn step_id(&self, samples: SampleKind) -> GradientStepId {
        let rng_stream = match samples {
            SampleKind::Demonstrations => rng_stream::DEMONSTRATIONS,
            SampleKind::Transitions => rng_stream::SAMPLES,
        };
        let DqnCounters { updates, samples, .. } = self.counters;
        GradientStepId { seed: rng::derive(self.seed, rng_stream), updates, samples }
    }

    /// Adds a gradient step on `samples` to the counters.
    pub(super) fn count_update(&mut self, samples: SampleKind) {
        let rows = u64::from(self.config.minibatch);
        match samples {
            SampleKind::Demonstrations => self.counters.demonstrations += rows,
            SampleKind::Transitions => self.due -= rows as f64,
        }
        self.counters.samples += rows;
        self.counters.updates += 1;
    }

    /// Adds a transition to the replay buffer, where it replaces the oldest transition if the buffer is full.
    pub(crate) fn keep(&mut self, transition: NStepTransition<P::State>) {
        push(&mut self.replay, &mut self.kept, transition);
    }

    /// Returns whether all gradient steps of the present iteration have been taken.
    pub(super) fn iteration_is_over(&self) -> bool {
        self.sums.totals.updates >= f64::from(self.config.iteration)
    }

    pub(super) fn end_iteration(&mut self) -> DqnReport {
        let Self { config, counters, sums, kept, curriculum, .. } = self;
        counters.iterations += 1;
        let rates = [config.learning_rate_at(counters.samples), config.epsilon_at(counters.steps)];
        let report = sums.report(*counters, rates, curriculum.open, kept);
        sums.clear();
        report
    }
}

/// Adds a transition to the replay buffer, and updates `kept`, the number of transitions per level.
fn push<S>(
    replay: &mut PrioritizedReplay<NStepTransition<S>>,
    kept: &mut [u64],
    transition: NStepTransition<S>,
) {
    kept[usize::from(transition.level)] += 1;
    if let Some(oldest) = replay.push(transition) {
        kept[usize::from(oldest.level)] -= 1;
    }
}

/// Returns an error if a config field is invalid, or if problem `P` does not support its value.
pub(super) fn check<P: DqnProblem>(config: &DqnConfig) -> Result<(), LearnerError> {
    config.check()?;
    if config.demonstrations > 0 && !P::SOLVER {
        let allowed = format!("must be 0: {} has no solver to learn from", P::NAME);
        return Err(config.refused("demonstrations", allowed).into());
    }
    Ok(())
}
