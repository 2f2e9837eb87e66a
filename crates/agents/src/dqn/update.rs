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
use vivarium_learn::{Loss, Network, NotFinite, PrioritisedReplay, Trainer};

/// Rows that a pass forward and backward takes at least and at most: few enough for their values to stay in a core's cache,
/// many enough for adding up gradients to be little beside it.
const GRADIENT_ROWS: (usize, usize) = (64, 256);
/// Passes that a minibatch is divided into, as far as those bounds allow.
const PASSES: usize = 8;

/// The losses of a trainer: of transitions, with the outputs loss, value and error; and of demonstrations, with the loss.
const TRANSITIONS: usize = 0;
const DEMONSTRATIONS: usize = 1;

/// The network that learns, the one that targets come from, and the optimiser.
pub(crate) struct Updater {
    pub online: Network,
    pub target: Network,
    pub trainer: Trainer,
    pub workspaces: Workspaces,
    actions: usize,
    batch: Minibatch,
}

impl Updater {
    /// Networks with freshly initialised weights, the same in both.
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

    /// A gradient step on transitions drawn from the replay, whose priorities then follow from their errors.
    pub fn learn<P: Problem>(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        params: &P::Params,
        replay: &mut PrioritisedReplay<Transition<P::State>>,
        turn: Turn,
        sums: &mut Totals,
    ) -> Result<(), NotFinite> {
        let beta = config.importance_exponent_at(turn.samples);
        self.batch.gather::<P>(cpu, params, replay, beta, turn);
        self.targets(cpu, config, replay);
        sums.gradient_norm += self.step(cpu, config, turn, TRANSITIONS)?;
        let errors = self.trainer.measured(2);
        sums.error += errors.iter().map(|error| f64::from(error.abs())).sum::<f64>();
        replay.set_errors(&self.batch.picks, errors, config.priority_exponent);
        sums.rows += self.batch.picks.len() as f64;
        sums.loss += self.trainer.sum(0);
        sums.value += self.trainer.sum(1);
        sums.updates += 1.0;
        Ok(())
    }

    /// A gradient step on demonstrations.
    pub fn pretrain<P: Problem>(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        params: &P::Params,
        problem: &P,
        turn: Turn,
        sums: &mut Totals,
    ) -> Result<(), NotFinite> {
        self.batch.demonstrate(cpu, params, problem, turn);
        sums.gradient_norm += self.step(cpu, config, turn, DEMONSTRATIONS)?;
        sums.demonstrations += self.batch.picks.len() as f64;
        sums.demonstration_loss += self.trainer.sum(0);
        sums.updates += 1.0;
        Ok(())
    }

    /// Targets of the minibatch: R + γᵏ·Q′(s′, argmax Q(s′)), where Q′ is the target network and Q the online one (van
    /// Hasselt and others 2016), or both the target network.
    fn targets<S>(&mut self, cpu: &Cpu, config: &DqnConfig, replay: &PrioritisedReplay<Transition<S>>) {
        let Self { online, target, workspaces, batch, actions, .. } = self;
        let Minibatch { picks, next, inputs, values } = batch;
        let follows = config.target_every > 0 || config.target_rate > 0.0;
        let chooses = config.double || !follows;
        for (index, network) in [(0, &*online), (1, &*target)] {
            if [chooses, follows][index] {
                let values = &mut [values.column_mut(index)];
                network.evaluate(cpu, workspaces, 0, picks.len(), &[next.column(0)], values);
            }
        }
        let transitions = picks.iter().map(|&pick| &replay.samples()[pick as usize]);
        let choosing = values.column(usize::from(!chooses));
        let valuing = values.column(usize::from(follows));
        wanted(transitions, config.discount, *actions, choosing, valuing, inputs.column_mut(TARGETS));
    }

    /// Takes a gradient step by a loss of the minibatch, and has the target network follow; returns the norm of the gradient.
    fn step(&mut self, cpu: &Cpu, config: &DqnConfig, turn: Turn, loss: usize) -> Result<f64, NotFinite> {
        let Self { online, target, trainer, batch, .. } = self;
        let rows = batch.picks.len();
        trainer.differentiate(cpu, online, loss, rows, &batch.inputs.rows(0..rows));
        let updates = turn.updates + 1;
        let learning_rate = config.learning_rate_at(turn.samples);
        let settings = AdamStep { learning_rate, step: updates, ..AdamStep::default() };
        let norm = trainer.step(cpu, online, &settings, config.max_gradient_norm)?;
        if config.target_rate > 0.0 {
            target.approach(cpu, online, config.target_rate);
        } else if config.target_every > 0 && updates.is_multiple_of(config.target_every.into()) {
            target.approach(cpu, online, 1.0);
        }
        Ok(norm)
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
        let later = match transition.terminal {
            true => 0.0,
            false => discount.powi(transition.steps.into()) * valuing[best(choosing)],
        };
        *target = transition.reward + later;
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
