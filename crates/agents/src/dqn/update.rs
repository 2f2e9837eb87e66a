//! Gradient steps on transitions from the replay buffer and on demonstrations.

use super::batch::{DqnMinibatch, GradientStepId, TARGETS};
use super::config::DqnConfig;
use super::explore::best;
use super::network::DqnGraph;
use super::problem::DqnProblem;
use super::report::DqnTotals;
use super::returns::NStepTransition;
use vivarium_graph::{Cpu, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{reduce, simd};
use vivarium_learn::{Loss, Network, NotFinite, PrioritizedReplay, Trainer};

/// Minimum and maximum number of minibatch rows (samples) per forward and backward pass. The activations must fit in a
/// core's cache; more rows amortize the cost of summing the gradients.
const GRADIENT_ROWS: (usize, usize) = (64, 256);
/// Preferred number of parts into which a minibatch is split; each takes one forward and backward pass, and their
/// gradients are summed into one step.
const PASSES: usize = 8;

/// Kind of samples of a gradient step. The discriminant is the index of the loss among the trainer's losses. Metrics
/// of each sample: loss, value and temporal-difference error of a transition; loss of a demonstration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleKind {
    /// Transitions sampled from the replay buffer.
    Transitions,
    /// Demonstrations of a solver.
    Demonstrations,
}

/// Online network, target network and optimizer.
pub(crate) struct DqnUpdater {
    pub online: Network,
    pub target: Network,
    pub trainer: Trainer,
    pub workspaces: Workspaces,
    pub actions: usize,
    pub batch: DqnMinibatch,
}

impl DqnUpdater {
    /// Creates the online and the target network with equal initial weights, and the optimizer.
    pub fn new<P: DqnProblem>(config: &DqnConfig, params: &P::Params, seed: u64) -> Result<Self, GraphError> {
        let inputs = P::inputs(params);
        let definition = DqnGraph::new(config, inputs, P::ACTIONS);
        let DqnGraph { graph, value, error, loss, demonstration_loss, .. } = &definition;
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
            batch: DqnMinibatch::new(rows, inputs.count, P::ACTIONS),
        })
    }

    /// Computes the targets of the minibatch: R + γᵏ·Q_target(s′, argmax Q(s′, ·)) with double Q-learning (van Hasselt
    /// et al. 2015), else R + γᵏ·max Q_target(s′, ·).
    pub fn targets<S>(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        replay: &PrioritizedReplay<NStepTransition<S>>,
    ) {
        let Self { online, target, workspaces, batch, actions, .. } = self;
        let DqnMinibatch { picks, next, inputs, values } = batch;
        let [choosing, valuing] = target_networks(config);
        for (index, network) in [(0, &*online), (1, &*target)] {
            if [choosing, valuing].contains(&index) {
                let values = &mut [values.column_mut(index)];
                network.evaluate(cpu, workspaces, 0, picks.len(), &[next.column(0)], values);
            }
        }
        let transitions = picks.iter().map(|&pick| &replay.samples()[pick as usize]);
        let [choosing, valuing] = [choosing, valuing].map(|index| values.column(index));
        td_targets(transitions, config.discount, *actions, choosing, valuing, inputs.column_mut(TARGETS));
    }

    /// Takes a gradient step on the minibatch and updates the target network. Returns the gradient norm.
    pub fn step(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        step_id: GradientStepId,
        samples: SampleKind,
    ) -> Result<f64, NotFinite> {
        let Self { online, target, trainer, batch, .. } = self;
        let rows = batch.picks.len();
        trainer.differentiate(cpu, online, samples as usize, rows, &batch.inputs.rows(0..rows));
        let norm = trainer.step(cpu, online, &adam(config, step_id), config.max_gradient_norm)?;
        let share = polyak_rate(config, step_id);
        if share > 0.0 {
            target.polyak_update(cpu, online, share);
        }
        Ok(norm)
    }
}

/// Returns the Adam settings of a gradient step.
pub(crate) fn adam(config: &DqnConfig, step_id: GradientStepId) -> AdamStep {
    let learning_rate = config.learning_rate_at(step_id.samples);
    AdamStep { learning_rate, step: step_id.updates + 1, ..AdamStep::default() }
}

/// Returns the Polyak averaging rate of the target network after a gradient step: τ, or, if τ is 0, 1 (copy) every
/// `target_every` gradient steps and 0 otherwise.
pub(crate) fn polyak_rate(config: &DqnConfig, step_id: GradientStepId) -> f32 {
    let every = u64::from(config.target_every);
    let is_copied = every > 0 && (step_id.updates + 1).is_multiple_of(every);
    if config.target_rate > 0.0 { config.target_rate } else { f32::from(is_copied) }
}

/// Returns the indices of the networks that select and evaluate the next action: 0 is the online network, 1 the target
/// network.
pub(crate) fn target_networks(config: &DqnConfig) -> [usize; 2] {
    let follows = config.target_every > 0 || config.target_rate > 0.0;
    [usize::from(!config.double && follows), usize::from(follows)]
}

/// Metrics of a gradient step.
pub(crate) struct DqnMeasurements<'a> {
    samples: SampleKind,
    gradient_norm: f64,
    /// `[rows]`: loss of each minibatch row (sample). `values` and `errors` are `[rows]` as well, but empty for
    /// demonstrations.
    losses: &'a [f32],
    values: &'a [f32],
    errors: &'a [f32],
}

impl<'a> DqnMeasurements<'a> {
    /// Creates the metrics of a gradient step. `measured(i)` returns metric i of each minibatch row (sample), in the
    /// order that [`SampleKind`] lists.
    pub fn new(samples: SampleKind, gradient_norm: f64, measured: impl Fn(usize) -> &'a [f32]) -> Self {
        let [values, errors] = match samples {
            SampleKind::Demonstrations => [&[] as &[f32]; 2],
            SampleKind::Transitions => [1, 2].map(&measured),
        };
        Self { samples, gradient_norm, losses: measured(0), values, errors }
    }

    /// Adds the metrics to the sums of the iteration, and updates the priorities of the sampled transitions.
    pub fn count<S>(
        &self,
        config: &DqnConfig,
        picks: &[u32],
        replay: &mut PrioritizedReplay<NStepTransition<S>>,
        sums: &mut DqnTotals,
    ) {
        let sum = |values: &[f32]| f64::from(reduce::sum(simd::level(), values));
        sums.gradient_norm += self.gradient_norm;
        sums.updates += 1.0;
        match self.samples {
            SampleKind::Demonstrations => {
                sums.demonstrations += picks.len() as f64;
                sums.demonstration_loss += sum(self.losses);
            }
            SampleKind::Transitions => {
                sums.error += self.errors.iter().map(|error| f64::from(error.abs())).sum::<f64>();
                replay.update_priorities(picks, self.errors, config.priority_exponent);
                sums.rows += picks.len() as f64;
                sums.loss += sum(self.losses);
                sums.value += sum(self.values);
            }
        }
    }
}

/// Computes the target R + γᵏ·valuing(s′, argmax choosing(s′)) of each transition. `choosing` and `valuing` are the
/// action values `[rows, count]` of the next states by the selecting and the evaluating network.
fn td_targets<'a, S: 'a>(
    transitions: impl Iterator<Item = &'a NStepTransition<S>>,
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

    /// Compares the targets with a direct computation in `f64`, for random action values and for terminal and
    /// nonterminal transitions of 1 to 5 steps.
    #[test]
    fn targets_follow_double_q_learning() {
        const ACTIONS: usize = 4;
        let mut random = Stream::new(1, 2);
        let transitions: Vec<_> = (0..200)
            .map(|row| NStepTransition {
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
            td_targets(transitions.iter(), 0.9, ACTIONS, choosing, valuing, &mut targets);
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
