//! Gradient steps of AlphaZero on minibatches that are drawn from the replay buffer.

use super::config::AlphaZeroConfig;
use super::game::SelfPlayGame;
use super::network::AlphaZeroGraph;
use super::replay::Replay;
use vivarium_graph::{Cpu, GraphError, Plan};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::rng::Stream;
use vivarium_learn::{Loss, Network, NotFinite, SampleBatch, Trainer, WeightAverage};

/// Number of minibatch rows (samples) per forward and backward pass, few enough for the activations to fit in a
/// core's cache.
const GRADIENT_ROWS: usize = 64;

/// Number of samples that a thread copies from the replay buffer to the minibatch at a time.
const PIECE: usize = 64;

/// The network that gradient steps train, its optimizer, and the EMA of its weights.
pub(crate) struct AlphaZeroUpdater {
    pub network: Network,
    pub trainer: Trainer,
    /// Exponential moving average (EMA) of the trained weights.
    pub average: WeightAverage,
    /// Inputs of the loss for each minibatch row (sample): state, legal actions, policy target, value target.
    minibatch: SampleBatch<4>,
    pub sums: LossSums,
    /// Number of gradient steps taken in the current self-play round (one decision in every game), not yet added to
    /// the counters.
    pub made: u64,
    /// Result of the last gradient step; an error if the loss or the gradient was not finite.
    pub outcome: Result<(), NotFinite>,
}

/// Replay buffer and hyperparameters from which gradient steps are taken.
pub(crate) struct Updates<'a, G> {
    pub config: &'a AlphaZeroConfig,
    pub replay: &'a Replay<G>,
    /// Seed of the random numbers that draw the samples of each minibatch.
    pub seed: u64,
    /// Number of self-play samples of the run so far, which determines the learning rate.
    pub samples: u64,
}

impl<G> Updates<'_, G> {
    /// Returns the AdamW settings of the gradient step with index `updates` in the run, counted from 0.
    pub fn adam(&self, updates: u64) -> AdamStep {
        AdamStep {
            learning_rate: self.config.learning_rate_at(self.samples),
            weight_decay: self.config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        }
    }
}

impl<G: SelfPlayGame> Updates<'_, G> {
    /// Draws the samples of the gradient step with index `updates` in the run, counted from 0. Returns their indices
    /// in the replay buffer.
    pub fn draw(&self, updates: u64) -> Vec<u32> {
        let mut random = Stream::new(self.seed, updates as u32);
        (0..self.config.minibatch).map(|_| random.below(self.replay.len() as u32)).collect()
    }

    /// Returns the number of samples that have a policy target, among the samples with the indices `samples` in the
    /// replay buffer.
    pub fn policies(&self, samples: &[u32]) -> u64 {
        samples.iter().filter(|&&sample| self.replay.get(sample as usize).0.policy_len > 0).count() as u64
    }
}

/// Sums over gradient steps: losses, numbers of samples, and gradient norms.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LossSums {
    pub rows: u64,
    /// Number of minibatch samples that have a policy target.
    pub policies: u64,
    pub policy_loss: f64,
    pub value_loss: f64,
    pub gradient_norm: f64,
    pub updates: u64,
}

impl LossSums {
    /// Adds a gradient step to the sums. `rows` is the number of samples of its minibatch, `policies` the number of
    /// samples with a policy target. The losses are sums over the samples; `norm` is the gradient norm.
    pub fn add(&mut self, rows: u64, policies: u64, [policy_loss, value_loss]: [f64; 2], norm: f64) {
        self.rows += rows;
        self.policies += policies;
        self.policy_loss += policy_loss;
        self.value_loss += value_loss;
        self.gradient_norm += norm;
        self.updates += 1;
    }
}

impl AlphaZeroUpdater {
    /// Creates an updater whose network starts with the weights of `player`.
    pub fn new<G: SelfPlayGame>(
        config: &AlphaZeroConfig,
        player: &super::network::AlphaZeroNetwork<G>,
    ) -> Result<Self, GraphError> {
        let network = (**player).clone();
        let AlphaZeroGraph { graph, policy_loss, value_loss, loss, .. } = player.definition();
        let plan = Plan::compile(&graph.gradient(*loss), &[*policy_loss, *value_loss], GRADIENT_ROWS)?;
        Ok(Self {
            trainer: Trainer::new(
                &network,
                vec![Loss { plan, names: &["the policy loss", "the value loss"] }],
            ),
            average: WeightAverage::new(&network),
            network,
            minibatch: SampleBatch::new(
                config.minibatch as usize,
                [G::INPUTS, G::ACTIONS, G::ACTIONS, G::HEADS],
            ),
            sums: LossSums::default(),
            made: 0,
            outcome: Ok(()),
        })
    }

    /// Takes `steps` gradient steps; `first` is the index of the first of them in the run. Stops before a step with a
    /// non-finite gradient. [`made`](Self::made) counts the steps, [`outcome`](Self::outcome) holds the error.
    pub fn learn<G: SelfPlayGame>(&mut self, cpu: &Cpu, updates: &Updates<'_, G>, first: u64, steps: u64) {
        for step in first..first + steps {
            self.outcome = self.step(cpu, updates, step);
            if self.outcome.is_err() {
                return;
            }
            self.made += 1;
        }
    }

    /// Takes the gradient step with index `step` in the run, counted from 0.
    fn step<G: SelfPlayGame>(
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
        average.update(cpu, network, config.ema_steps, step);
        sums.add(rows as u64, updates.policies(&samples), [0, 1].map(|index| trainer.sum(index)), norm);
        Ok(())
    }

    /// Copies samples from the replay buffer to the minibatch. `samples` holds their indices in the replay buffer.
    fn gather<G: SelfPlayGame>(&mut self, cpu: &Cpu, replay: &Replay<G>, samples: &[u32]) {
        self.minibatch.fill(cpu, samples.len(), PIECE, |first, [inputs, legal, policies, heads]| {
            let rows = inputs.chunks_exact_mut(G::INPUTS);
            let rows = rows.zip(legal.chunks_exact_mut(G::ACTIONS));
            let rows = rows.zip(policies.chunks_exact_mut(G::ACTIONS));
            let rows = rows.zip(heads.chunks_exact_mut(G::HEADS));
            for (&sample, (((inputs, legal), policy), heads)) in samples[first..].iter().zip(rows) {
                let (sample, probabilities) = replay.get(sample as usize);
                sample.state.encode(inputs);
                heads.copy_from_slice(&sample.heads[..G::HEADS]);
                legal.fill(0.0);
                policy.fill(0.0);
                for entry in probabilities {
                    let action = usize::from(entry.action);
                    (legal[action], policy[action]) = (1.0, entry.probability());
                }
            }
        });
    }
}

/// Returns the inputs of the loss: the rows of the minibatch, and the weight of the value loss.
fn inputs<'a>(minibatch: &'a SampleBatch<4>, config: &'a AlphaZeroConfig) -> [&'a [f32]; 5] {
    let [states, legal, policies, heads] = minibatch.rows(0..config.minibatch as usize);
    [states, legal, policies, heads, std::slice::from_ref(&config.value_coefficient)]
}
