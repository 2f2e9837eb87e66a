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

/// The network that learns, its optimiser, and the average of its weights that plays.
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

/// Gradient steps to be made.
pub(crate) struct Lesson<'a, G> {
    pub config: &'a AlphaZeroConfig,
    pub replay: &'a Replay<G>,
    /// Of the draws from the replay.
    pub seed: u64,
    /// Steps made before.
    pub updates: u64,
    pub learning_rate: f32,
    pub steps: u64,
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

    /// Takes the gradient steps of a lesson, up to one that would spoil the weights: see [`made`](Self::made) and
    /// [`outcome`](Self::outcome).
    pub fn learn<G: Learnable>(&mut self, cpu: &Cpu, lesson: &Lesson<'_, G>) {
        for step in 0..lesson.steps {
            self.outcome = self.step(cpu, lesson, lesson.updates + step);
            if self.outcome.is_err() {
                return;
            }
            self.made += 1;
        }
    }

    /// A gradient step on a minibatch drawn from the replay; `updates` counts those before it.
    fn step<G: Learnable>(
        &mut self,
        cpu: &Cpu,
        lesson: &Lesson<'_, G>,
        updates: u64,
    ) -> Result<(), NotFinite> {
        let Lesson { config, replay, .. } = lesson;
        let rows = config.minibatch as usize;
        let policies = self.gather(cpu, replay, Stream::new(lesson.seed, updates as u32), rows);
        let Self { network, trainer, average, minibatch, sums, .. } = self;
        let [states, legal, policy, heads] = minibatch.rows(0..rows);
        let inputs = [states, legal, policy, heads, &[config.value_coefficient]];
        trainer.differentiate(cpu, network, 0, rows, &inputs);
        let settings = AdamStep {
            learning_rate: lesson.learning_rate,
            weight_decay: config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        };
        let norm = trainer.step(cpu, network, &settings, config.max_gradient_norm)?;
        average.update(cpu, network, config.averaging, updates);
        sums.rows += rows as u64;
        sums.policies += policies;
        sums.policy_loss += trainer.sum(0);
        sums.value_loss += trainer.sum(1);
        sums.gradient_norm += norm;
        sums.updates += 1;
        Ok(())
    }

    /// Fills the minibatch with samples drawn from the replay; returns how many have a policy.
    fn gather<G: Learnable>(
        &mut self,
        cpu: &Cpu,
        replay: &Replay<G>,
        mut random: Stream,
        rows: usize,
    ) -> u64 {
        let samples: Vec<u32> = (0..rows).map(|_| random.below(replay.len() as u32)).collect();
        self.minibatch.fill(cpu, rows, PIECE, |first, [inputs, legal, policies, heads]| {
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
        samples.iter().filter(|&&sample| replay.get(sample as usize).0.shares > 0).count() as u64
    }
}
