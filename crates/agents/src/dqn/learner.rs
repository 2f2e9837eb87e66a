//! The DQN learner: its state, environment steps and gradient steps.

use super::batch::{GradientStepId, encode};
use super::config::DqnConfig;
use super::curriculum::Curriculum;
use super::explore::choose;
use super::problem::{DqnProblem, EnvSteps, EpisodeEnd, ProblemSpec};
use super::replay::DqnReplay;
use super::report::{DqnCounters, DqnReport, DqnSums};
use super::returns::{EnvStep, NStepWindow};
use super::update::{DqnMeasurements, DqnUpdater, SampleKind};
use crate::error::LearnerError;
use vivarium_config::Config;
use vivarium_graph::Cpu;
use vivarium_kernels::{AlignedVec, Level, rng, simd};
use vivarium_learn::{Network, SampleBatch};

/// Stream indices for `rng::derive`, one for each use of random numbers, such as the initial weights. `rng::derive`
/// computes the seed of a use from the run's seed and the stream index.
pub(crate) mod rng_stream {
    pub const WEIGHTS: u32 = 30;
    pub const WORLD: u32 = 31;
    pub const ACTIONS: u32 = 32;
    pub const SAMPLES: u32 = 33;
    pub const LEVELS: u32 = 34;
    pub const DEMONSTRATIONS: u32 = 35;
    pub const EVALUATION: u32 = 36;
}

/// Deep Q-learning on the problem `P`, such as CartPole; see the [module](super).
///
/// A run depends on config, problem options, seed and SIMD level alone. A run does not depend on the number of threads
/// or on calls that take `&self`.
pub struct Dqn<P: DqnProblem> {
    pub(crate) config: DqnConfig,
    pub(crate) params: P::Params,
    pub(crate) spec: ProblemSpec,
    pub(crate) seed: u64,
    pub(crate) problem: P,
    pub(crate) updater: DqnUpdater,
    pub(crate) replay: DqnReplay<P::Element>,
    pub(crate) curriculum: Curriculum,
    pub(crate) counters: DqnCounters,
    pub(crate) envs: DqnEnvs<P::Element>,
    /// Number of samples that gradient steps still have to draw from the replay buffer to reach the replay ratio.
    pub(crate) due: f64,
    pub(crate) sums: DqnSums,
}

/// State of the learner's environments: episode statistics, pending n-step returns, and buffers of an environment
/// step.
pub(crate) struct DqnEnvs<E> {
    /// `[num_envs, state_len]`: current state of each environment.
    pub states: Vec<E>,
    pub windows: Vec<NStepWindow<E>>,
    /// `[num_envs]`: level of difficulty of each environment's next episode.
    pub levels: Vec<u32>,
    /// `[num_envs]`: index of each environment's next episode, counted from 0.
    pub episodes: Vec<u32>,
    /// `[num_envs]`: undiscounted return of the current episode so far.
    pub returns: Vec<f32>,
    /// `[num_envs]`: number of environment steps of the current episode so far.
    pub lengths: Vec<u32>,
    /// States of all environments, encoded as network inputs in each environment step (reused buffer).
    pub inputs: SampleBatch<1>,
    /// Action values of all environments' states, `[num_envs, actions]`, computed in each environment step (reused
    /// buffer).
    pub values: AlignedVec<f32>,
    actions: Vec<u8>,
    /// `[num_envs]`: whether the value of each environment's last action was less than the largest action value.
    nongreedy: Vec<bool>,
    steps: EnvSteps<E>,
}

/// Kind of work of one call of [`advance`](vivarium_learn::Learner::advance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DqnWork {
    /// A gradient step on demonstrations of the solver.
    Pretrain,
    /// A step of every environment.
    Act,
    /// A gradient step on transitions from the replay buffer.
    Learn,
}

impl<P: DqnProblem> Dqn<P> {
    /// Creates a learner with randomly initialized weights and an empty replay buffer.
    ///
    /// # Errors
    /// [`LearnerError`] naming the invalid field of the config or of the problem's options.
    pub fn new(config: DqnConfig, params: P::Params, seed: u64) -> Result<Self, LearnerError> {
        let spec = P::spec(&params);
        check(&config, &spec)?;
        let level = simd::level();
        let curriculum = Curriculum::new(&config, spec.levels);
        let level_of = |env, episode| curriculum.level(rng::derive(seed, rng_stream::LEVELS), env, episode);
        let first: Vec<u32> = (0..config.num_envs).map(|env| level_of(env, 0)).collect();
        let problem = P::new(&params, rng::derive(seed, rng_stream::WORLD), &first)?;
        let count = config.num_envs as usize;
        let states = problem.states(level)?;
        let envs = DqnEnvs {
            steps: EnvSteps::new(&states, count),
            states,
            windows: first.into_iter().map(|level| NStepWindow::new(level, spec.state_len)).collect(),
            levels: (0..config.num_envs).map(|env| level_of(env, 1)).collect(),
            episodes: vec![1; count],
            returns: vec![0.0; count],
            lengths: vec![0; count],
            inputs: SampleBatch::new(count, [spec.inputs.count]),
            values: AlignedVec::zeros(count * spec.actions),
            actions: vec![0; count],
            nongreedy: vec![false; count],
        };
        Ok(Self {
            updater: DqnUpdater::new(&config, &spec, rng::derive(seed, rng_stream::WEIGHTS))?,
            replay: DqnReplay::new(config.replay_capacity as usize, &spec),
            curriculum,
            counters: DqnCounters::default(),
            envs,
            due: 0.0,
            sums: DqnSums::new(spec.levels),
            config,
            params,
            spec,
            seed,
            problem,
        })
    }

    /// Returns the options of the problem, such as physical parameters of the environment.
    pub fn params(&self) -> &P::Params {
        &self.params
    }

    /// Returns the batch of environments in which the learner acts.
    pub fn problem(&self) -> &P {
        &self.problem
    }

    /// Returns the counters of the run, such as its number of environment steps and of gradient steps.
    pub fn counters(&self) -> DqnCounters {
        self.counters
    }

    /// Returns the number of trainable parameters of the online network.
    pub fn parameter_count(&self) -> usize {
        self.updater.online.parameter_count()
    }

    /// Returns the online network, which gradient steps train.
    pub fn network(&self) -> &Network {
        &self.updater.online
    }

    /// Returns the target network, from which the targets bootstrap.
    pub fn target_network(&self) -> &Network {
        &self.updater.target
    }

    /// Returns the current state of every environment, `[num_envs, state_len]`.
    pub fn states(&self) -> &[P::Element] {
        &self.envs.states
    }

    /// Returns the kind of work that the next call of [`advance`](vivarium_learn::Learner::advance) does.
    pub(super) fn due_work(&self) -> DqnWork {
        let Self { config, counters, replay, due, .. } = self;
        if counters.demonstrations < config.demonstrations {
            DqnWork::Pretrain
        } else if replay.transitions.len() >= config.warm_up as usize && *due >= f64::from(config.minibatch) {
            DqnWork::Learn
        } else {
            DqnWork::Act
        }
    }

    /// Computes the action values of all environments' states with the online network, and takes an ε-greedy step in
    /// every environment.
    pub(super) fn act(&mut self, cpu: &Cpu) -> Result<(), LearnerError> {
        self.encode_states(cpu);
        let Self { updater, envs, .. } = self;
        let DqnUpdater { online, workspaces, .. } = updater;
        let (inputs, values) = (envs.inputs.column(0), &mut envs.values);
        online.evaluate(cpu, workspaces, 0, envs.levels.len(), &[inputs], &mut [values]);
        self.step(cpu.level())
    }

    /// Encodes the current state of every environment as network inputs, and writes them to `envs.inputs`.
    pub(super) fn encode_states(&mut self, cpu: &Cpu) {
        let DqnEnvs { states, levels, inputs, .. } = &mut self.envs;
        let len = self.spec.state_len;
        encode::<P>(cpu, &self.params, inputs, levels.len(), |row| &states[row * len..][..len]);
    }

    /// Takes an ε-greedy step in every environment, with the action values in `envs.values`, and stores the completed
    /// n-step transitions in the replay buffer.
    pub(super) fn step(&mut self, level: Level) -> Result<(), LearnerError> {
        let Self { config, problem, envs, counters, .. } = self;
        let DqnEnvs { levels, values, actions, nongreedy, steps, .. } = envs;
        let rows = levels.len();
        let epsilon = config.epsilon_at(counters.steps);
        let tick = (counters.steps / rows as u64) as u32;
        let seed = rng::derive(self.seed, rng_stream::ACTIONS);
        choose(values, self.spec.actions, epsilon, seed, tick, actions, nongreedy);
        problem.step(level, actions, levels, steps)?;
        counters.steps += rows as u64;
        self.record_step();
        Ok(())
    }

    /// Stores the n-step transitions that an environment step has completed in the replay buffer, and records the
    /// episodes that ended.
    fn record_step(&mut self) {
        let Self { config, spec, envs, replay, curriculum, counters, sums, due, seed, .. } = self;
        let (discount, most) = (config.discount, config.n_step as usize);
        let seed = rng::derive(*seed, rng_stream::LEVELS);
        let mut made = 0;
        for env in 0..envs.levels.len() {
            let row = env * spec.state_len..(env + 1) * spec.state_len;
            let window = &mut envs.windows[env];
            let step = EnvStep {
                state: &envs.states[row.clone()],
                action: envs.actions[env],
                reward: envs.steps.rewards[env],
                reached: &envs.steps.reached[row],
                end: envs.steps.ends[env],
            };
            let mut keep = |transition, state: &[_], next: &[_]| {
                replay.push(transition, state, next);
                made += 1;
            };
            if config.watkins_cutoff && envs.nongreedy[env] {
                window.cut(step.state, false, &mut keep);
            }
            window.push(&step, discount, most, keep);
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
        envs.states.copy_from_slice(&envs.steps.now);
        if replay.transitions.len() >= config.warm_up as usize {
            *due += f64::from(made) * f64::from(config.replay_ratio);
        }
    }

    /// Draws a minibatch of transitions or demonstrations, and takes a gradient step on it. `samples` selects the
    /// kind.
    pub(super) fn update(&mut self, cpu: &Cpu, samples: SampleKind) -> Result<(), LearnerError> {
        self.draw(cpu, samples);
        let step_id = self.step_id(samples);
        let Self { config, updater, replay, sums, .. } = self;
        if samples == SampleKind::Transitions {
            updater.targets(cpu, config, &replay.transitions);
        }
        let gradient_norm = updater.step(cpu, config, step_id, samples)?;
        let DqnUpdater { trainer, batch, .. } = updater;
        let measured = DqnMeasurements::new(samples, gradient_norm, |index| trainer.measured(index));
        measured.count(config, &batch.picks, &mut replay.transitions, &mut sums.totals);
        self.count_update(samples);
        Ok(())
    }

    /// Fills the learner's minibatch for the next gradient step: samples transitions from the replay buffer, or draws
    /// demonstrations.
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

    /// Returns the seed and the counters that identify the next gradient step.
    pub(super) fn step_id(&self, samples: SampleKind) -> GradientStepId {
        let rng_stream = match samples {
            SampleKind::Demonstrations => rng_stream::DEMONSTRATIONS,
            SampleKind::Transitions => rng_stream::SAMPLES,
        };
        let DqnCounters { updates, samples, .. } = self.counters;
        GradientStepId { seed: rng::derive(self.seed, rng_stream), updates, samples }
    }

    /// Adds a gradient step on samples of kind `samples` to the counters.
    pub(super) fn count_update(&mut self, samples: SampleKind) {
        let rows = u64::from(self.config.minibatch);
        match samples {
            SampleKind::Demonstrations => self.counters.demonstrations += rows,
            SampleKind::Transitions => self.due -= rows as f64,
        }
        self.counters.samples += rows;
        self.counters.updates += 1;
    }

    /// Returns whether all gradient steps of the current iteration have been taken.
    pub(super) fn iteration_is_over(&self) -> bool {
        self.sums.totals.updates >= f64::from(self.config.iteration)
    }

    pub(super) fn end_iteration(&mut self) -> DqnReport {
        let Self { config, counters, sums, replay, curriculum, .. } = self;
        counters.iterations += 1;
        let rates = [config.learning_rate_at(counters.samples), config.epsilon_at(counters.steps)];
        let report = sums.report(*counters, rates, curriculum.open, &replay.level_counts);
        sums.clear();
        report
    }
}

/// Returns an error if a config field is invalid, or if demonstrations are configured for a problem without a solver.
pub(super) fn check(config: &DqnConfig, spec: &ProblemSpec) -> Result<(), LearnerError> {
    config.check()?;
    if config.demonstrations > 0 && !spec.has_solver {
        let allowed = format!("must be 0: {} has no solver to learn from", spec.name);
        return Err(config.refused("demonstrations", allowed).into());
    }
    Ok(())
}
