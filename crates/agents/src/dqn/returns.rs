//! n-step returns (Sutton and Barto, "Reinforcement Learning", chapter 7), accumulated step by step in each
//! environment.

use super::problem::EpisodeEnd;
use std::collections::VecDeque;

/// Maximum number n of rewards in an n-step return.
pub(crate) const MOST_STEPS: usize = 5;

/// n-step transition: an action and the discounted sum of the next k ≤ n rewards. Its two states, in which the action
/// was taken and after k steps, are stored separately.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NStepTransition {
    /// Discounted sum Σ γⁱ·rᵢ of the rewards of the k steps, i from 0.
    pub reward: f32,
    pub action: u8,
    /// Number k of rewards in the sum, at most n of an n-step return. The target discounts the value of the next state
    /// by γᵏ.
    pub steps: u8,
    /// Whether the state after k steps is terminal and therefore has the value 0.
    pub terminal: bool,
    /// Level of difficulty of the episode that the transition comes from.
    pub level: u8,
}

impl NStepTransition {
    /// Returns the factor by which the target multiplies the value of the next state: γᵏ, or 0 if that state is
    /// terminal. `discount` is γ.
    pub fn factor(&self, discount: f32) -> f32 {
        if self.terminal { 0.0 } else { discount.powi(self.steps.into()) }
    }
}

/// Action of an earlier step whose n-step return is still being accumulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PendingReturn {
    pub reward: f32,
    pub action: u8,
    pub steps: u8,
}

/// The last steps of one environment, whose n-step returns are still being accumulated.
#[derive(Clone, Debug)]
pub(crate) struct NStepWindow<E> {
    /// Earlier steps whose n-step return is still being accumulated, oldest first; always fewer than n.
    pub pending: VecDeque<PendingReturn>,
    /// `[pending, state_len]`: state in which the action of each pending step was taken.
    pub states: Vec<E>,
    /// Level of difficulty of the environment's current episode.
    pub level: u8,
}

/// One step of one environment.
pub(crate) struct EnvStep<'a, E> {
    /// State in which the action was taken, `[state_len]`.
    pub state: &'a [E],
    pub action: u8,
    pub reward: f32,
    /// State after the action, `[state_len]`. If the step ended the episode, its final state.
    pub reached: &'a [E],
    pub end: EpisodeEnd,
}

impl<E: Copy> NStepWindow<E> {
    /// Creates the window of an environment at the start of an episode of difficulty `level`: no returns are pending.
    pub fn new(level: u32, state_len: usize) -> Self {
        Self {
            pending: VecDeque::with_capacity(MOST_STEPS),
            states: Vec::with_capacity(MOST_STEPS * state_len),
            level: level as u8,
        }
    }

    /// Adds an environment step: begins a pending return for the step, and adds the reward of the step to all pending
    /// returns. Passes the oldest transition to `emit` if its return has n = `most` steps, or all transitions if the
    /// episode ended. `emit` receives a transition, the state in which its action was taken, and the state after its
    /// steps.
    pub fn push(
        &mut self,
        step: &EnvStep<'_, E>,
        discount: f32,
        most: usize,
        mut emit: impl FnMut(NStepTransition, &[E], &[E]),
    ) {
        self.pending.push_back(PendingReturn { reward: 0.0, action: step.action, steps: 0 });
        self.states.extend_from_slice(step.state);
        for pending in &mut self.pending {
            pending.reward += discount.powi(pending.steps.into()) * step.reward;
            pending.steps += 1;
        }
        if step.end != EpisodeEnd::No {
            self.cut(step.reached, step.end == EpisodeEnd::Terminated, emit);
        } else if self.pending.len() >= most {
            let oldest =
                self.pending.pop_front().expect("the window contains n steps").complete(false, self.level);
            emit(oldest, &self.states[..step.state.len()], step.reached);
            self.states.drain(..step.state.len());
        }
    }

    /// Ends all pending returns after the steps accumulated so far, and passes their transitions and states to `emit`.
    /// `next` is the state after the last of these steps, and `terminal` whether this state is terminal.
    pub fn cut(&mut self, next: &[E], terminal: bool, mut emit: impl FnMut(NStepTransition, &[E], &[E])) {
        let level = self.level;
        let rows = self.pending.drain(..).zip(self.states.chunks_exact(next.len()));
        rows.for_each(|(pending, state)| emit(pending.complete(terminal, level), state, next));
        self.states.clear();
    }
}

impl PendingReturn {
    fn complete(self, terminal: bool, level: u8) -> NStepTransition {
        let Self { reward, action, steps } = self;
        NStepTransition { reward, action, steps, terminal, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Step of a test environment. The step with index n leads from state n to state n + 1.
    #[derive(Clone, Copy, Debug)]
    struct Event {
        reward: i8,
        end: EpisodeEnd,
        explores: bool,
    }

    /// Reference implementation of n-step returns: sums the rewards of at most `most` steps from each step on. If
    /// `cuts` is set, a return ends before an exploratory action. γ = ½ and small integer rewards make all sums
    /// exact. Returns each transition with the indices of its two states.
    fn slow(events: &[Event], most: usize, cuts: bool) -> Vec<([usize; 2], NStepTransition)> {
        let mut found = Vec::new();
        for first in 0..events.len() {
            let (mut reward, mut factor, mut at) = (0.0, 1.0, first);
            let complete = loop {
                reward += factor * f32::from(events[at].reward);
                factor /= 2.0;
                at += 1;
                if events[at - 1].end != EpisodeEnd::No || at - first == most {
                    break true;
                }
                if at == events.len() {
                    break false;
                }
                if cuts && events[at].explores {
                    break true;
                }
            };
            if complete {
                let terminal = events[at - 1].end == EpisodeEnd::Terminated;
                let steps = (at - first) as u8;
                let action = first as u8;
                found.push(([first, at], NStepTransition { reward, action, steps, terminal, level: 3 }));
            }
        }
        found
    }

    fn fast(events: &[Event], most: usize, cuts: bool) -> Vec<([usize; 2], NStepTransition)> {
        let mut window = NStepWindow::new(3, 2);
        let mut found = Vec::new();
        for (index, event) in events.iter().enumerate() {
            let mut emit = |transition, state: &[usize], next: &[usize]| {
                assert_eq!([state, next], [&[state[0], 100 + state[0]], &[next[0], 100 + next[0]]]);
                found.push(([state[0], next[0]], transition));
            };
            let (state, reached) = (&[index, 100 + index], &[index + 1, 101 + index]);
            if cuts && event.explores {
                window.cut(state, false, &mut emit);
            }
            let (action, reward, end) = (index as u8, f32::from(event.reward), event.end);
            window.push(&EnvStep { state, action, reward, reached, end }, 0.5, most, emit);
        }
        found
    }

    fn event() -> impl Strategy<Value = Event> {
        let end = prop_oneof![6 => Just(EpisodeEnd::No), 1 => Just(EpisodeEnd::Terminated), 1 => Just(EpisodeEnd::Truncated)];
        (-5i8..=5, end, prop::bool::weighted(0.3)).prop_map(|(reward, end, explores)| Event {
            reward,
            end,
            explores,
        })
    }

    proptest! {
        #[test]
        fn returns_equal_those_computed_by_lookahead(
            events in prop::collection::vec(event(), 1..60),
            most in 1usize..=MOST_STEPS,
            cuts: bool,
        ) {
            let mut found = fast(&events, most, cuts);
            found.sort_by_key(|(states, _)| *states);
            prop_assert_eq!(found, slow(&events, most, cuts));
        }
    }
}
