//! Gradient steps on samples drawn from the replay.

use super::config::AlphaZeroConfig;
use super::game::Learnable;
use super::network::Definition;
use super::replay::Replay;
use vivarium_graph::{Cpu, GraphError, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Stream;
use vivarium_learn::{Batch, Loss, Network, NotFinite, Trainer, WeightAverage};

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 64;

/// Rows that a worker gathers at a time.
const PIECE: usize = 64;

/// The network that learns, its optimizer, and the average of its weights that plays.
pub(crate) struct Updater {
    pub network: Network,
    pub trainer: Trainer,
    /// The average of the weights over the newest steps.
    pub average: WeightAverage,
    /// The inputs of the loss, in the order of the graph: state, legal actions, policy, heads.
    minibatch: Batch<4>,
    pub sums: Sums,
    /// Steps made that nobody has booked yet.
    pub made: u64,
    /// What ended it, if it was not over.
    pub outcome: Result<(), NotFinite>,
}

/// What gradient steps learn from, and how.
pub(crate) struct Updates<'a, G> {
    pub config: &'a AlphaZeroConfig,
    pub replay: &'a Replay<G>,
    /// Of the draws from the replay.
    pub seed: u64,
    /// Samples made so far, which the learning rate goes by.
    pub samples: u64,
}

impl<G> Updates<'_, G> {
    /// The optimizer's settings in the gradient step after so many.
    pub fn adam(&self, updates: u64) -> AdamStep {
        AdamStep {
            learning_rate: self.config.learning_rate_at(self.samples),
            weight_decay: self.config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        }
    }
}

impl<G: Learnable> Updates<'_, G> {
    /// Draws a minibatch for the gradient step after so many: the places of its samples in the replay.
    pub fn draw(&self, updates: u64) -> Vec<u32> {
        let mut random = Stream::new(self.seed, updates as u32);
        (0..self.config.minibatch).map(|_| random.below(self.replay.len() as u32)).collect()
    }

    /// How many of these samples have a policy.
    pub fn policies(&self, samples: &[u32]) -> u64 {
        samples.iter().filter(|&&sample| self.replay.get(sample as usize).0.shares > 0).count() as u64
    }
}

/// Sums over gradient steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub rows: u64,
    /// Of them, those with a policy.
    pub policies: u64,
    pub policy_loss: f64,
    pub value_loss: f64,
    pub gradient_norm: f64,
    pub updates: u64,
}

impl Sums {
    /// Counts a gradient step on so many rows: how many have a policy, the sums of their losses, and the gradient's norm.
    pub fn add(&mut self, rows: u64, policies: u64, [policy_loss, value_loss]: [f64; 2], norm: f64) {
        self.rows += rows;
        self.policies += policies;
        self.policy_loss += policy_loss;
        self.value_loss += value_loss;
        self.gradient_norm += norm;
        self.updates += 1;
    }
}

impl Updater {
    /// Learning from the weights of a network that plays.
    pub fn new<G: Learnable>(
        config: &AlphaZeroConfig,
        player: &super::network::Network<G>,
    ) -> Result<Self, GraphError> {
        let network = (**player).clone();
        let Definition { graph, policy_loss, value_loss, loss, .. } = player.definition();
        let plan = Plan::compile(&graph.gradient(*loss), &[*policy_loss, *value_loss], GRADIENT_ROWS)?;
        Ok(Self {
            trainer: Trainer::new(
                &network,
                vec![Loss { plan, names: &["the policy loss", "the value loss"] }],
            ),
            average: WeightAverage::new(&network),
            network,
            minibatch: Batch::new(config.minibatch as usize, [G::INPUTS, G::ACTIONS, G::ACTIONS, G::HEADS]),
            sums: Sums::default(),
            made: 0,
            outcome: Ok(()),
        })
    }

    /// Takes so many gradient steps, after `first` before them, up to one that would spoil the weights: see
    /// [`made`](Self::made) and [`outcome`](Self::outcome).
    pub fn learn<G: Learnable>(&mut self, cpu: &Cpu, updates: &Updates<'_, G>, first: u64, steps: u64) {
        for step in first..first + steps {
            self.outcome = self.step(cpu, updates, step);
            if self.outcome.is_err() {
                return;
            }
            self.made += 1;
        }
    }

    /// A gradient step on a minibatch drawn from the replay, after `step` before it.
    fn step<G: Learnable>(
        &mut self,
        cpu: &Cpu,
        updates: &Updates<'_, G>,
        step: u64,
    ) -> Result<(), NotFinite> {
        let samples = updates.draw(step);
        self.gather(cpu, updates.replay, &samples);
        let Self { network, trainer, average, minibatch, sums, .. } = self;
        let config = updates.config;
        let rows = config.minibatch as usize;
        trainer.differentiate(cpu, network, 0, rows, &inputs(minibatch, config));
        let norm = trainer.step(cpu, network, &updates.adam(step), config.max_gradient_norm)?;
        average.update(cpu, network, config.averaging, step);
        sums.add(rows as u64, updates.policies(&samples), [0, 1].map(|index| trainer.sum(index)), norm);
        Ok(())
    }

    /// Fills the minibatch with samples of the replay.
    fn gather<G: Learnable>(&mut self, cpu: &Cpu, replay: &Replay<G>, samples: &[u32]) {
        self.minibatch.fill(cpu, samples.len(), PIECE, |first, [inputs, legal, policies, heads]| {
            let rows = inputs.chunks_exact_mut(G::INPUTS);
            let rows = rows.zip(legal.chunks_exact_mut(G::ACTIONS));
            let rows = rows.zip(policies.chunks_exact_mut(G::ACTIONS));
            let rows = rows.zip(heads.chunks_exact_mut(G::HEADS));
            for (&sample, (((inputs, legal), policy), heads)) in samples[first..].iter().zip(rows) {
                let (sample, shares) = replay.get(sample as usize);
                sample.state.encode(inputs);
                heads.copy_from_slice(&sample.heads[..G::HEADS]);
                legal.fill(0.0);
                policy.fill(0.0);
                for share in shares {
                    let action = usize::from(share.action);
                    (legal[action], policy[action]) = (1.0, share.probability());
                }
            }
        });
    }
}

/// The inputs of the loss for a minibatch.
fn inputs<'a>(minibatch: &'a Batch<4>, config: &'a AlphaZeroConfig) -> [&'a [f32]; 5] {
    let [states, legal, policies, heads] = minibatch.rows(0..config.minibatch as usize);
    [states, legal, policies, heads, std::slice::from_ref(&config.value_coefficient)]
}
