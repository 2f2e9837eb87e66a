//! Gradient steps on samples drawn from the replay.

use super::config::AlphaZeroConfig;
use super::error::AlphaZeroError;
use super::game::Learnable;
use super::network::{Definition, Network};
use super::replay::Replay;
use vivarium_graph::{Cpu, Gradients, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::{self, AdamStep};
use vivarium_kernels::rng::Stream;
use vivarium_kernels::{AlignedVec, Level, norm, reduce};

/// Rows that one pass forward and backward takes, small enough for its values to stay in a core's cache.
const GRADIENT_ROWS: usize = 64;

/// Rows that a worker gathers at a time.
const PIECE: usize = 64;

/// The network that learns, its optimiser, and the average of its weights that plays.
pub(crate) struct Trainer<G: Learnable> {
    plan: Plan,
    pub network: Network<G>,
    gradients: Gradients,
    pub first_moment: AlignedVec<f32>,
    pub second_moment: AlignedVec<f32>,
    /// The average of the weights over the newest steps.
    pub average: AlignedVec<f32>,
    workspaces: Option<(usize, Workspaces)>,
    minibatch: Minibatch,
    /// Policy and value loss of each row.
    measured: [AlignedVec<f32>; 2],
    pub sums: Sums,
    /// Steps made that nobody has booked yet.
    pub made: u64,
    /// What ended it, if it was not over.
    pub outcome: Result<(), AlphaZeroError>,
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

/// The rows of one gradient step.
struct Minibatch {
    /// `[rows, INPUTS]`.
    inputs: AlignedVec<f32>,
    /// `[rows, ACTIONS]`: 1 for a legal action, 0 for the others.
    legal: AlignedVec<f32>,
    /// `[rows, ACTIONS]`: their probabilities; all 0 where chance decides.
    policies: AlignedVec<f32>,
    /// `[rows, HEADS]`.
    heads: AlignedVec<f32>,
}

/// Some rows of a minibatch, to be filled.
struct Piece<'a> {
    samples: &'a [u32],
    inputs: &'a mut [f32],
    legal: &'a mut [f32],
    policies: &'a mut [f32],
    heads: &'a mut [f32],
}

impl<G: Learnable> Trainer<G> {
    /// A network drawn anew.
    pub fn new(config: &AlphaZeroConfig, level: Level, seed: u64) -> Result<Self, GraphError> {
        let network = Network::new(level, config.size(), seed)?;
        let Definition { graph, policy_loss, value_loss, loss, .. } = network.definition();
        let plan = Plan::compile(&graph.gradient(*loss), &[*policy_loss, *value_loss], GRADIENT_ROWS)?;
        let parameters = network.parameters();
        let rows = config.minibatch as usize;
        let len = parameters.flat().len();
        let mut average = AlignedVec::zeros(len);
        average.copy_from_slice(parameters.flat());
        Ok(Self {
            plan,
            gradients: Gradients::zeros(parameters),
            first_moment: AlignedVec::zeros(len),
            second_moment: AlignedVec::zeros(len),
            average,
            network,
            workspaces: None,
            minibatch: Minibatch {
                inputs: AlignedVec::zeros(rows * G::INPUTS),
                legal: AlignedVec::zeros(rows * G::ACTIONS),
                policies: AlignedVec::zeros(rows * G::ACTIONS),
                heads: AlignedVec::zeros(rows * G::HEADS),
            },
            measured: std::array::from_fn(|_| AlignedVec::zeros(rows)),
            sums: Sums::default(),
            made: 0,
            outcome: Ok(()),
        })
    }

    /// Takes the gradient steps of a lesson, up to one that would spoil the weights: see [`made`](Self::made) and
    /// [`outcome`](Self::outcome).
    pub fn learn(&mut self, cpu: &Cpu, lesson: &Lesson<'_, G>) {
        for step in 0..lesson.steps {
            let mut random = Stream::new(lesson.seed, (lesson.updates + step) as u32);
            self.outcome = self.step(cpu, lesson, lesson.updates + step, &mut random);
            if self.outcome.is_err() {
                return;
            }
            self.made += 1;
        }
    }

    /// A gradient step on a minibatch drawn from the replay; `updates` counts those before it.
    fn step(
        &mut self,
        cpu: &Cpu,
        lesson: &Lesson<'_, G>,
        updates: u64,
        random: &mut Stream,
    ) -> Result<(), AlphaZeroError> {
        let Lesson { config, replay, .. } = lesson;
        let rows = config.minibatch as usize;
        self.sums.policies += self.minibatch.gather(cpu, replay, random, rows);
        let Self { minibatch: Minibatch { inputs, legal, policies, heads }, measured, .. } = self;
        let coefficient = [config.value_coefficient];
        let workspaces = match &mut self.workspaces {
            Some((threads, workspaces)) if *threads == cpu.threads() => workspaces,
            other => &mut other.insert((cpu.threads(), Workspaces::new(cpu))).1,
        };
        self.gradients.clear();
        cpu.gradients(
            &self.plan,
            self.network.parameters(),
            self.network.packed(),
            workspaces,
            rows,
            1.0 / rows as f32,
            &[inputs, legal, policies, heads, &coefficient],
            &mut measured.each_mut().map(|column| &mut column[..]),
            &mut self.gradients,
        );
        self.apply(config, updates, lesson.learning_rate)
    }

    /// Clips the gradient and takes the step, unless something is not finite.
    fn apply(
        &mut self,
        config: &AlphaZeroConfig,
        updates: u64,
        learning_rate: f32,
    ) -> Result<(), AlphaZeroError> {
        let level = self.network.level();
        let length = norm::sum_of_squares(level, self.gradients.flat()).sqrt();
        let [policy_loss, value_loss] =
            self.measured.each_ref().map(|column| f64::from(reduce::sum(level, column)));
        let judged = [
            ("the gradient", f64::from(length)),
            ("the policy loss", policy_loss),
            ("the value loss", value_loss),
        ];
        if let Some(&(what, value)) = judged.iter().find(|(_, value)| !value.is_finite()) {
            return Err(AlphaZeroError::NotFinite { what, value, updates });
        }
        if config.max_gradient_norm > 0.0 && length > config.max_gradient_norm {
            norm::scale(level, self.gradients.flat_mut(), config.max_gradient_norm / length);
        }
        let step = AdamStep {
            learning_rate,
            weight_decay: config.weight_decay,
            step: updates + 1,
            ..AdamStep::default()
        };
        let Self { network, gradients, first_moment, second_moment, average, .. } = self;
        network.change(|parameters| {
            parameters.step(gradients, first_moment, second_moment, &step, |p, g, m, v, step| {
                adam::step(level, p, g, m, v, step)
            });
        });
        // At first an average over the newest tenth of all steps, so that it forgets the beginning soon.
        let share = 1.0 / f64::from(config.averaging).min(1.0 + 0.1 * updates as f64) as f32;
        average.iter_mut().zip(network.parameters().flat()).for_each(|(a, w)| *a += share * (w - *a));
        self.sums.rows += self.measured[0].len() as u64;
        self.sums.policy_loss += policy_loss;
        self.sums.value_loss += value_loss;
        self.sums.gradient_norm += f64::from(length);
        self.sums.updates += 1;
        Ok(())
    }
}

impl Minibatch {
    /// Fills the rows with samples drawn from the replay; returns how many have a policy.
    fn gather<G: Learnable>(
        &mut self,
        cpu: &Cpu,
        replay: &Replay<G>,
        random: &mut Stream,
        rows: usize,
    ) -> u64 {
        let samples: Vec<u32> = (0..rows).map(|_| random.below(replay.len() as u32)).collect();
        let mut pieces: Vec<Piece<'_>> = samples
            .chunks(PIECE)
            .zip(self.inputs.chunks_mut(PIECE * G::INPUTS))
            .zip(self.legal.chunks_mut(PIECE * G::ACTIONS))
            .zip(self.policies.chunks_mut(PIECE * G::ACTIONS))
            .zip(self.heads.chunks_mut(PIECE * G::HEADS))
            .map(|((((samples, inputs), legal), policies), heads)| Piece {
                samples,
                inputs,
                legal,
                policies,
                heads,
            })
            .collect();
        cpu.for_each(&mut pieces, |_, piece| piece.gather(replay));
        samples.iter().filter(|&&sample| replay.get(sample as usize).0.shares > 0).count() as u64
    }
}

impl Piece<'_> {
    fn gather<G: Learnable>(&mut self, replay: &Replay<G>) {
        let rows = self.inputs.chunks_exact_mut(G::INPUTS);
        let rows = rows.zip(self.legal.chunks_exact_mut(G::ACTIONS));
        let rows = rows.zip(self.policies.chunks_exact_mut(G::ACTIONS));
        let rows = rows.zip(self.heads.chunks_exact_mut(G::HEADS));
        for (&sample, (((inputs, legal), policy), heads)) in self.samples.iter().zip(rows) {
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
    }
}
