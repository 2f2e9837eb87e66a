//! The update: epochs of gradient steps over a rollout's samples.

use super::config::PpoConfig;
use super::minibatch::Minibatch;
use super::network::{Network, SETTINGS};
use super::policy::{Policy, Scheduled};
use super::report::Sums;
use super::rollout::{BLOCK_LANES, Block};
use vivarium_envs::World;
use vivarium_graph::{Cpu, GraphError, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Permutation;
use vivarium_learn::{Loss, NotFinite, Trainer};

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 128;

/// Rows that a slice takes forward and backward at most; a larger minibatch takes several slices.
const SLICE_ROWS: usize = 8_192;

/// The optimizer and the place in the present update.
pub(crate) struct Updater {
    pub trainer: Trainer,
    minibatch: Minibatch,
    place: Place,
    pub sums: Sums,
}

/// What a gradient step goes by.
pub(crate) struct Turn<'a, W: World> {
    pub config: &'a PpoConfig,
    pub blocks: &'a [Block<W>],
    pub scheduled: Scheduled,
    /// Seed of the order of the samples.
    pub seed: u64,
    /// Iterations and gradient steps before.
    pub iterations: u64,
    pub updates: u64,
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
        Ok(Self {
            trainer: Trainer::new(
                &policy.network,
                vec![Loss { plan, names: &["the policy loss", "the value loss"] }],
            ),
            minibatch: Minibatch::new(config.minibatch as usize, observation_len),
            place: Place::default(),
            sums: Sums::default(),
        })
    }

    /// Begins the update of a finished rollout.
    pub fn begin(&mut self) {
        self.place = Place::default();
        self.sums = Sums::default();
    }

    /// A gradient step, or a part of one. Returns whether the update is finished.
    pub fn advance<W: World>(
        &mut self,
        cpu: &Cpu,
        policy: &mut Policy,
        turn: &Turn<'_, W>,
    ) -> Result<bool, NotFinite> {
        if self.place.row == 0 {
            self.gather(cpu, turn);
        }
        self.pass(cpu, &turn.scheduled.loss, policy);
        if self.place.row < self.minibatch.rows {
            return Ok(false);
        }
        self.step(cpu, policy, turn)?;
        Ok(self.go_on(turn.config))
    }

    /// Puts the next minibatch together: the next samples in the order of the epoch.
    fn gather<W: World>(&mut self, cpu: &Cpu, turn: &Turn<'_, W>) {
        let Turn { config, blocks, seed, iterations, .. } = *turn;
        let Place { epoch, start, .. } = self.place;
        if start == 0 {
            self.sums.begin_epoch();
        }
        let order = order(config, seed, iterations, epoch);
        let end = config.batch().min(start + config.minibatch as usize);
        let block_samples = BLOCK_LANES * config.horizon as usize;
        self.minibatch.gather(cpu, blocks, block_samples, &order, start..end);
        if config.normalize_advantages {
            self.minibatch.normalize_advantages(cpu.level());
        }
        self.trainer.begin(0, self.minibatch.rows);
    }

    /// Adds the gradients of the next rows of the minibatch.
    fn pass(&mut self, cpu: &Cpu, settings: &[f32; SETTINGS], policy: &Policy) {
        let rows = self.place.row..self.minibatch.rows.min(self.place.row + SLICE_ROWS);
        let inputs = self.minibatch.inputs(rows.clone(), settings);
        self.trainer.add(cpu, &policy.network, rows.clone(), &inputs);
        self.sums.add(cpu.level(), std::array::from_fn(|index| &self.trainer.measured(index)[rows.clone()]));
        self.place.row = rows.end;
    }

    /// Clips the gradient and takes the step, unless something is not finite.
    fn step<W: World>(
        &mut self,
        cpu: &Cpu,
        policy: &mut Policy,
        turn: &Turn<'_, W>,
    ) -> Result<(), NotFinite> {
        let Turn { config, scheduled: Scheduled { learning_rate, .. }, updates, .. } = *turn;
        let settings = AdamStep {
            learning_rate,
            epsilon: config.adam_epsilon,
            weight_decay: config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        };
        let (network, most) = (&mut policy.network, config.max_gradient_norm);
        self.sums.gradient_norm += self.trainer.step(cpu, network, &settings, most)?;
        self.sums.updates += 1;
        Ok(())
    }

    /// Moves on to the next minibatch or epoch; returns whether there is none.
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
