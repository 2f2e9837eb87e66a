//! Gradient steps: on transitions drawn from the replay, and on a solver's lessons.

use super::batch::Batch;
use super::config::DqnConfig;
use super::error::DqnError;
use super::explore::best;
use super::network::{Definition, Network};
use super::problem::Problem;
use super::replay::Replay;
use super::report::Learning;
use super::returns::Transition;
use vivarium_graph::{Cpu, Gradients, GraphError, Plan, Workspaces};
use vivarium_kernels::adam::AdamStep;
use vivarium_kernels::{AlignedVec, Level, norm, reduce};

/// Rows that a pass forward and backward takes at least and at most: few enough for their values to stay in a core's cache,
/// many enough for adding up gradients to be little beside it.
const GRADIENT_ROWS: (usize, usize) = (64, 256);
/// Passes that a minibatch is divided into, as far as those bounds allow.
const PASSES: usize = 8;
/// The network that learns, the one that targets come from, and the optimiser.
pub(crate) struct Trainer {
    pub online: Network,
    pub target: Network,
    pub first_moment: AlignedVec<f32>,
    pub second_moment: AlignedVec<f32>,
    /// Of every plan of this learner.
    pub workspaces: Option<(usize, Workspaces)>,
    level: Level,
    actions: usize,
    plan: Plan,
    lesson_plan: Plan,
    gradients: Gradients,
    batch: Batch,
}

/// Which gradient step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    /// Of its random numbers.
    pub seed: u64,
    /// Steps made before.
    pub updates: u64,
    /// Samples learnt from before.
    pub samples: u64,
}

impl Trainer {
    /// Networks drawn anew, both the same.
    pub fn new<P: Problem>(
        config: &DqnConfig,
        params: &P::Params,
        level: Level,
        seed: u64,
    ) -> Result<Self, GraphError> {
        let inputs = P::inputs(params);
        let definition = Definition::new(config, inputs, P::ACTIONS);
        let Definition { graph, value, error, loss, lesson_loss, .. } = &definition;
        let online = Network::new(level, &definition, seed, true)?;
        let rows = config.minibatch as usize;
        let (fewest, most) = GRADIENT_ROWS;
        let chunk = rows.div_ceil(PASSES).clamp(fewest, most);
        let len = online.parameters().flat().len();
        Ok(Self {
            plan: Plan::compile(&graph.gradient(*loss), &[*loss, *value, *error], chunk)?,
            lesson_plan: Plan::compile(&graph.gradient(*lesson_loss), &[*lesson_loss], chunk)?,
            gradients: Gradients::zeros(online.parameters()),
            target: Network::new(level, &definition, seed, false)?,
            online,
            first_moment: AlignedVec::zeros(len),
            second_moment: AlignedVec::zeros(len),
            workspaces: None,
            level,
            actions: P::ACTIONS,
            batch: Batch::new(rows, inputs.count, P::ACTIONS),
        })
    }

    /// Working memory for this engine.
    pub fn room<'a>(workspaces: &'a mut Option<(usize, Workspaces)>, cpu: &Cpu) -> &'a mut Workspaces {
        if workspaces.as_ref().is_none_or(|&(threads, _)| threads != cpu.threads()) {
            *workspaces = None;
        }
        &mut workspaces.get_or_insert_with(|| (cpu.threads(), Workspaces::new(cpu))).1
    }

    /// A gradient step on transitions drawn from the replay, whose priorities change by what it finds.
    pub fn learn<P: Problem>(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        params: &P::Params,
        replay: &mut Replay<P::State>,
        turn: Turn,
        sums: &mut Learning,
    ) -> Result<(), DqnError> {
        let beta = config.importance_exponent_at(turn.samples);
        self.batch.gather::<P>(cpu, params, replay, beta, turn);
        self.targets(cpu, config, replay);
        let Self { plan, online, gradients, workspaces, batch, .. } = self;
        let rows = batch.picks.len();
        let Batch { states, actions, targets, weights, best, measured, .. } = batch;
        gradients.clear();
        cpu.gradients(
            plan,
            online.parameters(),
            online.packed(),
            Self::room(workspaces, cpu),
            rows,
            1.0 / rows as f32,
            &[states, actions, targets, weights, best],
            &mut measured.each_mut().map(|column| &mut column[..]),
            gradients,
        );
        let [loss, value, errors] = &self.batch.measured;
        let [loss, value] = [loss, value].map(|column| f64::from(reduce::sum(self.level, column)));
        let error = errors.iter().map(|error| f64::from(error.abs())).sum::<f64>();
        sums.gradient_norm += self.apply(cpu, config, turn, ("the loss", loss))?;
        replay.judge(&self.batch.picks, &self.batch.measured[2], config.priority_exponent);
        self.follow(config, turn.updates + 1);
        sums.rows += rows as u64;
        sums.loss += loss;
        sums.value += value;
        sums.error += error;
        sums.updates += 1;
        Ok(())
    }

    /// A gradient step on lessons.
    pub fn study<P: Problem>(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        params: &P::Params,
        problem: &P,
        turn: Turn,
        sums: &mut Learning,
    ) -> Result<(), DqnError> {
        self.batch.prepare(cpu, params, problem, turn);
        let Self { lesson_plan, online, gradients, workspaces, batch, .. } = self;
        let rows = batch.picks.len();
        let Batch { states, actions, targets, weights, best, measured, .. } = batch;
        gradients.clear();
        cpu.gradients(
            lesson_plan,
            online.parameters(),
            online.packed(),
            Self::room(workspaces, cpu),
            rows,
            1.0 / rows as f32,
            &[states, actions, targets, weights, best],
            &mut [&mut measured[0][..]],
            gradients,
        );
        let loss = f64::from(reduce::sum(self.level, &self.batch.measured[0]));
        sums.gradient_norm += self.apply(cpu, config, turn, ("the loss of lessons", loss))?;
        self.follow(config, turn.updates + 1);
        sums.lessons += rows as u64;
        sums.lesson_loss += loss;
        sums.updates += 1;
        Ok(())
    }

    /// What the actions should have been worth: R + γᵏ·Q′(s′, argmax Q(s′)), where Q′ is the target network and Q the learning
    /// one (van Hasselt and others 2016), or both the target network.
    fn targets<S: Copy>(&mut self, cpu: &Cpu, config: &DqnConfig, replay: &Replay<S>) {
        let Self { online, target, workspaces, batch, actions: count, .. } = self;
        let Batch { picks, next, targets, online_values, target_values, .. } = batch;
        let room = Self::room(workspaces, cpu);
        let follows = config.target_every > 0 || config.target_rate > 0.0;
        let (chooses, values) = (config.double || !follows, follows);
        if chooses {
            online.values(cpu, room, picks.len(), next, online_values);
        }
        if values {
            target.values(cpu, room, picks.len(), next, target_values);
        }
        let choosing = if chooses { &online_values[..] } else { &target_values[..] };
        let valuing = if values { &target_values[..] } else { &online_values[..] };
        let transitions = picks.iter().map(|&pick| &replay.transitions[pick as usize]);
        wanted(transitions, config.discount, *count, choosing, valuing, targets);
    }

    /// Clips the gradient and takes the step, unless something is not finite; returns how long the gradient was.
    fn apply(
        &mut self,
        cpu: &Cpu,
        config: &DqnConfig,
        turn: Turn,
        loss: (&'static str, f64),
    ) -> Result<f64, DqnError> {
        let Self { level, online, gradients, first_moment, second_moment, .. } = self;
        let length = cpu.sum_of_squares(gradients.flat()).sqrt();
        for (what, value) in [("the gradient", f64::from(length)), loss] {
            if !value.is_finite() {
                return Err(DqnError::NotFinite { what, value, updates: turn.updates });
            }
        }
        if config.max_gradient_norm > 0.0 && length > config.max_gradient_norm {
            norm::scale(*level, gradients.flat_mut(), config.max_gradient_norm / length);
        }
        let learning_rate = config.learning_rate_at(turn.samples);
        let step = AdamStep { learning_rate, step: turn.updates + 1, ..AdamStep::default() };
        online.change(|weights| {
            cpu.adam(weights, gradients.flat(), first_moment, second_moment, &step);
        });
        Ok(length.into())
    }

    /// Has the target network follow after so many updates.
    fn follow(&mut self, config: &DqnConfig, updates: u64) {
        let Self { online, target, .. } = self;
        let new = online.parameters().flat();
        if config.target_rate > 0.0 {
            target.change(|old| {
                old.iter_mut().zip(new).for_each(|(old, new)| *old += config.target_rate * (new - *old))
            });
        } else if config.target_every > 0 && updates.is_multiple_of(config.target_every.into()) {
            target.change(|old| old.copy_from_slice(new));
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
