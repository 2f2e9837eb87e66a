//! The update: epochs of gradient steps over a rollout's samples.

use super::config::PpoConfig;
use super::error::PpoError;
use super::minibatch::Minibatch;
use super::network::{MEASUREMENTS, Network, POLICY_LOSS, SETTINGS, VALUE_LOSS};
use super::policy::{Policy, Scheduled};
use super::report::{Counters, Sums};
use super::rollout::{BLOCK_LANES, Block};
use vivarium_envs::World;
use vivarium_graph::{Cpu, Gradients, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::rng::Permutation;
use vivarium_kernels::{AlignedVec, Level, norm};

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 128;

/// Rows that a slice takes forward and backward at most; a larger minibatch takes several slices.
const SLICE_ROWS: usize = 8_192;

/// Optimiser, gradient and the place in the present update.
pub(crate) struct Updater {
    plan: Plan,
    /// Made when it is known how many threads there are.
    workspaces: Option<(usize, Workspaces)>,
    gradients: Gradients,
    pub optimiser: Optimiser,
    minibatch: Minibatch,
    /// Measurements of a minibatch, row by row.
    measured: [AlignedVec<f32>; MEASUREMENTS],
    place: Place,
    pub sums: Sums,
}

/// Adam's state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Optimiser {
    pub first_moment: AlignedVec<f32>,
    pub second_moment: AlignedVec<f32>,
}

/// What comes next.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    epoch: u32,
    /// Where the minibatch starts in the epoch's order.
    start: usize,
    /// The minibatch's next row.
    row: usize,
}

impl Updater {
    pub fn new(
        config: &PpoConfig,
        network: &Network,
        policy: &Policy,
        observation_len: usize,
    ) -> Result<Self, GraphError> {
        let plan =
            Plan::compile(&network.graph.gradient(network.loss), &network.measurements, GRADIENT_ROWS)?;
        let rows = config.minibatch as usize;
        let len = policy.parameters.flat().len();
        Ok(Self {
            workspaces: None,
            gradients: Gradients::zeros(&policy.parameters),
            optimiser: Optimiser {
                first_moment: AlignedVec::zeros(len),
                second_moment: AlignedVec::zeros(len),
            },
            minibatch: Minibatch::new(rows, observation_len),
            measured: std::array::from_fn(|_| AlignedVec::zeros(rows)),
            place: Place::default(),
            sums: Sums::default(),
            plan,
        })
    }

    /// Begins the update of a finished rollout.
    pub fn begin(&mut self) {
        self.place = Place::default();
        self.sums = Sums::default();
    }

    /// A gradient step, or a part of one; tells whether the update is finished.
    pub fn advance<W: World>(
        &mut self,
        cpu: &Cpu,
        config: &PpoConfig,
        policy: &mut Policy,
        blocks: &[Block<W>],
        counters: &mut Counters,
        scheduled: &Scheduled,
        seed: u64,
    ) -> Result<bool, PpoError> {
        if self.place.row == 0 {
            self.gather(cpu, policy.level, config, blocks, counters.iterations, seed);
        }
        self.pass(cpu, &scheduled.loss, policy);
        if self.place.row < self.minibatch.rows {
            return Ok(false);
        }
        self.step(config, policy, counters, scheduled.learning_rate)?;
        Ok(self.go_on(config))
    }

    /// Puts the next minibatch together: the next samples in the order of the epoch.
    fn gather<W: World>(
        &mut self,
        cpu: &Cpu,
        level: Level,
        config: &PpoConfig,
        blocks: &[Block<W>],
        iteration: u64,
        seed: u64,
    ) {
        let Place { epoch, start, .. } = self.place;
        if start == 0 {
            self.sums.begin_epoch();
        }
        let order = order(config, seed, iteration, epoch);
        let end = config.batch().min(start + config.minibatch as usize);
        let block_samples = BLOCK_LANES * config.horizon as usize;
        self.minibatch.gather(cpu, blocks, block_samples, &order, start..end);
        if config.normalise_advantages {
            self.minibatch.normalise_advantages(level);
        }
        self.gradients.clear();
    }

    /// Adds the gradients of the next rows of the minibatch.
    fn pass(&mut self, cpu: &Cpu, settings: &[f32; SETTINGS], policy: &Policy) {
        let rows = self.place.row..self.minibatch.rows.min(self.place.row + SLICE_ROWS);
        let inputs = self.minibatch.inputs(rows.clone(), settings);
        let mut outputs = self.measured.each_mut().map(|column| &mut column[rows.clone()]);
        let workspaces = match &mut self.workspaces {
            Some((threads, workspaces)) if *threads == cpu.threads() => workspaces,
            other => &mut other.insert((cpu.threads(), Workspaces::new(cpu))).1,
        };
        cpu.gradients(
            &self.plan,
            &policy.parameters,
            &policy.packed,
            workspaces,
            rows.len(),
            1.0 / self.minibatch.rows as f32,
            &inputs,
            &mut outputs,
            &mut self.gradients,
        );
        self.sums.add(policy.level, self.measured.each_ref().map(|column| &column[rows.clone()]));
        self.place.row = rows.end;
    }

    /// Clips the gradient and takes the step, unless something is not finite.
    fn step(
        &mut self,
        config: &PpoConfig,
        policy: &mut Policy,
        counters: &mut Counters,
        learning_rate: f32,
    ) -> Result<(), PpoError> {
        let level = policy.level;
        let length = norm::sum_of_squares(level, self.gradients.flat()).sqrt();
        let judged = [
            ("the gradient", f64::from(length)),
            ("the policy loss", self.sums.measurements[POLICY_LOSS]),
            ("the value loss", self.sums.measurements[VALUE_LOSS]),
        ];
        if let Some(&(what, value)) = judged.iter().find(|(_, value)| !value.is_finite()) {
            return Err(PpoError::NotFinite { what, value, updates: counters.updates });
        }
        if config.max_gradient_norm > 0.0 && length > config.max_gradient_norm {
            norm::scale(level, self.gradients.flat_mut(), config.max_gradient_norm / length);
        }
        counters.updates += 1;
        let step = AdamStep {
            learning_rate,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            step: counters.updates,
            ..AdamStep::default()
        };
        let Optimiser { first_moment, second_moment } = &mut self.optimiser;
        policy.parameters.step(&self.gradients, first_moment, second_moment, &step, |p, g, m, v, step| {
            adam::step(level, p, g, m, v, step)
        });
        policy.packed.refresh(&policy.parameters);
        self.sums.gradient_norm += f64::from(length);
        self.sums.updates += 1;
        Ok(())
    }

    /// Moves on to the next minibatch or epoch; tells whether there is none.
    fn go_on(&mut self, config: &PpoConfig) -> bool {
        self.place.row = 0;
        self.place.start += self.minibatch.rows;
        if self.place.start < config.batch() {
            return false;
        }
        self.place.start = 0;
        self.place.epoch += 1;
        self.sums.epochs = self.place.epoch;
        let moved_far = config.target_kl > 0.0 && self.sums.kl() > f64::from(config.target_kl);
        moved_far || self.place.epoch >= config.epochs
    }
}

/// The order in which an epoch takes the samples of an iteration.
fn order(config: &PpoConfig, seed: u64, iteration: u64, epoch: u32) -> Permutation {
    Permutation::new(seed, order_stream(config, iteration, epoch), config.batch())
}

/// The stream of the random numbers that this order depends on.
pub(crate) fn order_stream(config: &PpoConfig, iteration: u64, epoch: u32) -> u32 {
    iteration.wrapping_mul(u64::from(config.epochs)).wrapping_add(u64::from(epoch)) as u32
}
