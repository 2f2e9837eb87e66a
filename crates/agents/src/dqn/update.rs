//! Gradient steps: on transitions drawn from the replay, and on a solver's demonstrations.

use super::batch::{Minibatch, TARGETS, Turn};
use super::config::DqnConfig;
use super::explore::best;
use super::network::Definition;
use super::problem::Problem;
use super::report::Totals;
use super::returns::Transition;
use vivarium_graph::{Cpu, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{reduce, simd};
use vivarium_learn::{Loss, Network, NotFinite, PrioritizedReplay, Trainer};

/// Rows that a pass forward and backward takes at least and at most: few enough for their values to stay in a core's cache,
/// many enough for adding up gradients to be little beside it.
const GRADIENT_ROWS: (usize, usize) = (64, 256);
/// Passes that a minibatch is divided into, as far as those bounds allow.
const PASSES: usize = 8;

/// What a gradient step is on. Its number is that of the loss: of transitions, which measures loss, value and error; and of
/// demonstrations, which measures the loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Samples {
    /// Transitions drawn from the replay.
    Transitions,
    /// A solver's demonstrations.
    Demonstrations,
}

/// The network that learns, the one that targets come from, and the optimizer.
pub(crate) struct Updater {
    pub online: Network,
    pub target: Network,
    pub trainer: Trainer,
    pub workspaces: Workspaces,
    pub actions: usize,
    pub batch: Minibatch,
}

impl Updater {
    /// Networks with freshly initialized weights, the same in both.
    pub fn new<P: Problem>(config: &DqnConfig, params: &P::Params, seed: u64) -> Result<Self, GraphError> {
        let inputs = P::inputs(params);
        let definition = Definition::new(config, inputs, P::ACTIONS);
        let Definition { graph, value, error, loss, demonstration_loss, .. } = &definition;
        let online = Network::new(graph, definition.plans()?, seed)?;
        let rows = config.minibatch as usize;
        let (fewest, most) = GRADIENT_ROWS;
        let chunk = rows.div_ceil(PASSES).clamp(fewest, most);
        let transitions = Plan::compile(&graph.gradient(*loss), &[*loss, *value, *error], chunk)?;
        let demonstrations =
            Plan::compile(&graph.gradient(*demonstration_loss), &[*demonstration_loss], chunk)?;
        let losses = vec![
            Loss { plan: transitions, names: &["the loss"] },
            Loss { plan: demonstrations, names: &["the loss of demonstrations"] },
        ];
        Ok(Self {
            trainer: Trainer::new(&online, losses),
            target: Network::forward_only(graph, definition.plans()?, seed)?,
            online,
            workspaces: Workspaces::default(),
            actions: P::ACTIONS,
            batch: Minibatch::new(rows, inputs.count, P::ACTIONS),
        })
    }

    /// Writes the targets of the minibatch: R + γᵏ·Q′(s′, argmax Q(s′)), where Q′ is the target network and Q the online one (van
    /// Hasselt and others 2016), or both the target network.
    pub fn targets<S>(&mut self, cpu: &Cpu, config: &DqnConfig, replay: &PrioritizedReplay<Transition<S>>) {
        let Self { online, target, workspaces, batch, actions, .. } = self;
        let Minibatch { picks, next, inputs, values } = batch;
        let [choosing, valuing] = target_networks(config);
        for (index, network) in [(0, &*online), (1, &*target)] {
            if [choosing, valuing].contains(&index) {
                let values = &mut [values.column_mut(index)];
                network.evaluate(cpu, workspaces, 0, picks.len(), &[next.column(0)], values);
            }
        }
        let transitions = picks.iter().map(|&pick| &replay.samples()[pick as usize]);
        let [choosing, valuing] = [choosing, valuing].map(|index| values.column(index));
        wanted(transitions, config.discount, *actions, choosing, valuing, inputs.column_mut(TARGETS));
    }

    /// Takes a gradient step on the minibatch, and has the target network follow; returns the norm of the gradient.
    pub fn step(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        turn: Turn,
        samples: Samples,
    ) -> Result<f64, NotFinite> {
        let Self { online, target, trainer, batch, .. } = self;
        let rows = batch.picks.len();
        trainer.differentiate(cpu, online, samples as usize, rows, &batch.inputs.rows(0..rows));
        let norm = trainer.step(cpu, online, &adam(config, turn), config.max_gradient_norm)?;
        let share = follow_share(config, turn);
        if share > 0.0 {
            target.approach(cpu, online, share);
        }
        Ok(norm)
    }
}

/// The optimizer's settings in a gradient step.
pub(crate) fn adam(config: &DqnConfig, turn: Turn) -> AdamStep {
    let learning_rate = config.learning_rate_at(turn.samples);
    AdamStep { learning_rate, step: turn.updates + 1, ..AdamStep::default() }
}

/// How far the target network moves towards the online one after a gradient step.
pub(crate) fn follow_share(config: &DqnConfig, turn: Turn) -> f32 {
    let every = u64::from(config.target_every);
    let is_copied = every > 0 && (turn.updates + 1).is_multiple_of(every);
    if config.target_rate > 0.0 { config.target_rate } else { f32::from(is_copied) }
}

/// Which networks choose the next action and value it, 0 the online one and 1 the target one.
pub(crate) fn target_networks(config: &DqnConfig) -> [usize; 2] {
    let follows = config.target_every > 0 || config.target_rate > 0.0;
    [usize::from(!config.double && follows), usize::from(follows)]
}

/// What a gradient step measured.
pub(crate) struct Measured<'a> {
    samples: Samples,
    gradient_norm: f64,
    /// Of each row; of demonstrations the loss alone.
    losses: &'a [f32],
    values: &'a [f32],
    errors: &'a [f32],
}

impl<'a> Measured<'a> {
    /// The norm of the gradient, and the measurements of the loss's plan.
    pub fn new(samples: Samples, gradient_norm: f64, measured: impl Fn(usize) -> &'a [f32]) -> Self {
        let [values, errors] = match samples {
            Samples::Demonstrations => [&[] as &[f32]; 2],
            Samples::Transitions => [1, 2].map(&measured),
        };
        Self { samples, gradient_norm, losses: measured(0), values, errors }
    }

    /// Adds it to the sums, and gives the transitions their new priorities.
    pub fn count<S>(
        &self,
        config: &DqnConfig,
        picks: &[u32],
        replay: &mut PrioritizedReplay<Transition<S>>,
        sums: &mut Totals,
    ) {
        let sum = |values: &[f32]| f64::from(reduce::sum(simd::level(), values));
        sums.gradient_norm += self.gradient_norm;
        sums.updates += 1.0;
        match self.samples {
            Samples::Demonstrations => {
                sums.demonstrations += picks.len() as f64;
                sums.demonstration_loss += sum(self.losses);
            }
            Samples::Transitions => {
                sums.error += self.errors.iter().map(|error| f64::from(error.abs())).sum::<f64>();
                replay.set_errors(picks, self.errors, config.priority_exponent);
                sums.rows += picks.len() as f64;
                sums.loss += sum(self.losses);
                sums.value += sum(self.values);
            }
        }
    }
}

/// R + γᵏ·valuing(s′, argmax choosing(s′)) of some transitions, where both have a number for each of `count` actions.
fn wanted<'a, S: 'a>(
    transitions: impl Iterator<Item = &'a Transition<S>>,
    discount: f32,
    count: usize,
    choosing: &[f32],
    valuing: &[f32],
    targets: &mut [f32],
) {
    let rows = choosing.chunks_exact(count).zip(valuing.chunks_exact(count));
    for ((transition, target), (choosing, valuing)) in transitions.zip(targets).zip(rows) {
        *target = transition.reward + transition.factor(discount) * valuing[best(choosing)];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_kernels::rng::Stream;

    /// Random numbers, and transitions of every kind.
    #[test]
    fn targets_are_those_of_the_double_rule() {
        const ACTIONS: usize = 4;
        let mut random = Stream::new(1, 2);
        let transitions: Vec<_> = (0..200)
            .map(|row| Transition {
                state: (),
                next: (),
                reward: random.normal(),
                action: 0,
                steps: 1 + (row % 5) as u8,
                terminal: row % 7 == 0,
                level: 0,
            })
            .collect();
        let [choosing, valuing]: [Vec<f32>; 2] =
            std::array::from_fn(|_| (0..200 * ACTIONS).map(|_| random.normal()).collect());
        for [choosing, valuing] in [[&choosing, &valuing], [&valuing, &valuing]] {
            let mut targets = vec![0.0; 200];
            wanted(transitions.iter(), 0.9, ACTIONS, choosing, valuing, &mut targets);
            for (row, transition) in transitions.iter().enumerate() {
                let (mut action, mut expected) = (0, f64::from(transition.reward));
                for other in 1..ACTIONS {
                    if choosing[row * ACTIONS + other] > choosing[row * ACTIONS + action] {
                        action = other;
                    }
                }
                if !transition.terminal {
                    let mut factor = f64::from(valuing[row * ACTIONS + action]);
                    for _ in 0..transition.steps {
                        factor *= 0.9;
                    }
                    expected += factor;
                }
                assert!((f64::from(targets[row]) - expected).abs() < 1e-5, "row {row}");
            }
        }
    }
}
