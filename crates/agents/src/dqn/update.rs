//! Gradient steps of DQN, on transitions from the replay buffer or on demonstrations.

use super::batch::{DqnMinibatch, GradientStepId, TARGETS};
use super::config::DqnConfig;
use super::explore::best;
use super::network::DqnGraph;
use super::problem::ProblemSpec;
use super::report::DqnTotals;
use super::returns::NStepTransition;
use vivarium_graph::{Cpu, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{reduce, simd};
use vivarium_learn::{Loss, Network, NotFinite, PrioritizedReplay, Trainer};

/// Minimum and maximum number of minibatch rows (samples) in one forward and backward pass. More rows amortize the
/// cost of summing the gradients, but the activations must fit in a core's cache.
const GRADIENT_ROWS: (usize, usize) = (64, 256);
/// Preferred number of parts of a minibatch. Each part takes one forward and backward pass; the gradients of all
/// parts are summed for one optimizer step.
const PASSES: usize = 8;

/// Kind of the samples in a minibatch, which selects the loss. The discriminant is the index of the loss in the
/// trainer. The trainer measures the loss, value and temporal-difference error of each transition, and the loss of
/// each demonstration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SampleKind {
    /// Transitions sampled from the replay buffer.
    Transitions,
    /// Demonstrations: states with the optimal actions that a solver computes.
    Demonstrations,
}

/// Online network, target network, optimizer, and the minibatch of the current gradient step.
pub(crate) struct DqnUpdater {
    pub online: Network,
    pub target: Network,
    pub trainer: Trainer,
    pub workspaces: Workspaces,
    pub actions: usize,
    pub batch: DqnMinibatch,
}

impl DqnUpdater {
    /// Creates the online network, a target network with equal initial weights, and the optimizer.
    pub fn new(config: &DqnConfig, spec: &ProblemSpec, seed: u64) -> Result<Self, GraphError> {
        let ProblemSpec { inputs, actions, .. } = *spec;
        let definition = DqnGraph::new(config, inputs, actions);
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
            actions,
            batch: DqnMinibatch::new(rows, inputs.count, actions),
        })
    }

    /// Computes the temporal-difference targets of the minibatch: R + γᵏ·Q_target(s′, argmax Q(s′, ·)) with double
    /// Q-learning (van Hasselt et al. 2015), else R + γᵏ·max Q_target(s′, ·).
    pub fn targets(&mut self, cpu: &Cpu, config: &DqnConfig, replay: &PrioritizedReplay<NStepTransition>) {
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

    /// Takes a gradient step on the minibatch of samples of kind `samples`, and updates the target network. Returns
    /// the gradient norm before clipping.
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

/// Returns the Adam settings of the gradient step `step_id`.
pub(crate) fn adam(config: &DqnConfig, step_id: GradientStepId) -> AdamStep {
    let learning_rate = config.learning_rate_at(step_id.samples);
    AdamStep { learning_rate, step: step_id.updates + 1, ..AdamStep::default() }
}

/// Returns the weight of the online network in the update of the target network after a gradient step. The weight is τ
/// if τ is above 0. Otherwise the weight is 1 (a copy) after every `target_every` gradient steps, and 0 after the other
/// steps.
pub(crate) fn polyak_rate(config: &DqnConfig, step_id: GradientStepId) -> f32 {
    let every = u64::from(config.target_every);
    let is_copied = every > 0 && (step_id.updates + 1).is_multiple_of(every);
    if config.target_rate > 0.0 { config.target_rate } else { f32::from(is_copied) }
}

/// Returns the network that selects the next action, and the network that evaluates that action: 0 is the online
/// network, 1 the target network.
pub(crate) fn target_networks(config: &DqnConfig) -> [usize; 2] {
    let follows = config.target_every > 0 || config.target_rate > 0.0;
    [usize::from(!config.double && follows), usize::from(follows)]
}

/// Metrics of a gradient step, from which the sums of the iteration and the replay priorities are updated.
pub(crate) struct DqnMeasurements<'a> {
    samples: SampleKind,
    gradient_norm: f64,
    /// Loss of each minibatch row (sample), `[rows]`.
    losses: &'a [f32],
    /// Action value Q(s, a) of each transition, `[rows]`; empty for demonstrations.
    values: &'a [f32],
    /// Temporal-difference error of each transition, `[rows]`; empty for demonstrations.
    errors: &'a [f32],
}

impl<'a> DqnMeasurements<'a> {
    /// Creates the metrics of a gradient step. `measured(i)` returns metric i of each minibatch row (sample): 0 is
    /// the loss, 1 the action value, 2 the temporal-difference error.
    pub fn new(samples: SampleKind, gradient_norm: f64, measured: impl Fn(usize) -> &'a [f32]) -> Self {
        let [values, errors] = match samples {
            SampleKind::Demonstrations => [&[] as &[f32]; 2],
            SampleKind::Transitions => [1, 2].map(&measured),
        };
        Self { samples, gradient_norm, losses: measured(0), values, errors }
    }

    /// Adds the metrics to the sums of the iteration. If the samples are transitions, sets the priorities of the
    /// transitions with the indices `picks` in the replay buffer.
    pub fn count(
        &self,
        config: &DqnConfig,
        picks: &[u32],
        replay: &mut PrioritizedReplay<NStepTransition>,
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

/// Computes the temporal-difference target R + γᵏ·valuing(s′, argmax choosing(s′)) of each transition. `choosing` and
/// `valuing` hold the action values `[rows, count]` of the next states: `choosing` by the network that selects the next
/// action, `valuing` by the network that evaluates this action.
fn td_targets<'a>(
    transitions: impl Iterator<Item = &'a NStepTransition>,
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

    /// Compares the results of `td_targets` with a direct computation in `f64`, for random action values and for
    /// terminal and nonterminal transitions of 1 to 5 steps.
    #[test]
    fn targets_follow_double_q_learning() {
        const ACTIONS: usize = 4;
        let mut random = Stream::new(1, 2);
        let transitions: Vec<_> = (0..200)
            .map(|row| NStepTransition {
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
