//! n-step returns (Sutton and Barto, "Reinforcement Learning", chapter 7).

use super::problem::{EnvStep, EpisodeEnd};
use std::collections::VecDeque;

/// Maximum number of steps n of an n-step return.
pub(crate) const MOST_STEPS: usize = 5;

/// n-step transition: an action, the discounted rewards of the following steps, and the state reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NStepTransition<S> {
    /// State in which the action was taken.
    pub state: S,
    /// State after the last step of the return.
    pub next: S,
    /// Σ γᵏ·reward over the steps of the return.
    pub reward: f32,
    pub action: u8,
    /// Number k of steps of the return. The value of `next` is discounted by γᵏ.
    pub steps: u8,
    /// Whether `next` is terminal and has value 0.
    pub terminal: bool,
    /// Level of difficulty of the episode.
    pub level: u8,
}

impl<S> NStepTransition<S> {
    /// Returns the discount of the value of `next`: γᵏ, or 0 if `next` is terminal.
    pub fn factor(&self, discount: f32) -> f32 {
        if self.terminal { 0.0 } else { discount.powi(self.steps.into()) }
    }
}

/// State-action pair whose n-step return is still being accumulated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PendingReturn<S> {
    pub state: S,
    pub reward: f32,
    pub action: u8,
    pub steps: u8,
}

/// Partially accumulated n-step returns of one environment.
#[derive(Clone, Debug)]
pub(crate) struct NStepWindow<S> {
    /// Actions whose n-step return is still being accumulated, oldest first; always fewer than n.
    pub pending: VecDeque<PendingReturn<S>>,
    /// Level of difficulty of the present episode.
    pub level: u8,
}

impl<S: Copy> NStepWindow<S> {
    /// Returns the state at the start of an episode of difficulty `level`: no pending returns.
    pub fn new(level: u32) -> Self {
        Self { pending: VecDeque::with_capacity(MOST_STEPS), level: level as u8 }
    }

    /// Adds `action`, taken in `state`, to the pending returns, and adds the reward of its result `step` to all
    /// pending returns. Passes every completed n-step transition to `emit`: the oldest one if its return has n = `most`
    /// steps, or all at the end of an episode.
    pub fn push(
        &mut self,
        state: S,
        action: u8,
        step: &EnvStep<S>,
        discount: f32,
        most: usize,
        mut emit: impl FnMut(NStepTransition<S>),
    ) {
        self.pending.push_back(PendingReturn { state, reward: 0.0, action, steps: 0 });
        for pending in &mut self.pending {
            pending.reward += discount.powi(pending.steps.into()) * step.reward;
            pending.steps += 1;
        }
        if step.end != EpisodeEnd::No {
            self.cut(step.reached, step.end == EpisodeEnd::Terminated, emit);
        } else if self.pending.len() >= most {
            let level = self.level;
            emit(
                self.pending
                    .pop_front()
                    .map(|oldest| oldest.complete(step.reached, false, level))
                    .expect("full"),
            );
        }
    }

    /// Completes all pending returns with the steps accumulated so far, and passes their transitions to `emit`. `next`
    /// is the state reached.
    pub fn cut(&mut self, next: S, terminal: bool, mut emit: impl FnMut(NStepTransition<S>)) {
        let level = self.level;
        self.pending.drain(..).for_each(|pending| emit(pending.complete(next, terminal, level)));
    }
}

impl<S> PendingReturn<S> {
    fn complete(self, next: S, terminal: bool, level: u8) -> NStepTransition<S> {
        let Self { state, reward, action, steps } = self;
        NStepTransition { state, next, reward, action, steps, terminal, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Step of a test environment; step n leads from state n to state n + 1.
    #[derive(Clone, Copy, Debug)]
    struct Event {
        reward: i8,
        end: EpisodeEnd,
        explores: bool,
    }

    /// Reference implementation: computes the return of each step from the following steps, at most `most` of them. If
    /// `cuts` is set, a return ends before an exploratory action. γ = ½ and small integer rewards make all sums exact.
    fn slow(events: &[Event], most: usize, cuts: bool) -> Vec<NStepTransition<usize>> {
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
                found.push(NStepTransition {
                    state: first,
                    next: at,
                    reward,
                    action: first as u8,
                    steps,
                    terminal,
                    level: 3,
                });
            }
        }
        found
    }

    fn fast(events: &[Event], most: usize, cuts: bool) -> Vec<NStepTransition<usize>> {
        let mut window = NStepWindow::new(3);
        let mut found = Vec::new();
        for (state, event) in events.iter().enumerate() {
            if cuts && event.explores {
                window.cut(state, false, |transition| found.push(transition));
            }
            let (reward, end) = (f32::from(event.reward), event.end);
            let step = EnvStep { reached: state + 1, now: state + 1, reward, end };
            window.push(state, state as u8, &step, 0.5, most, |transition| found.push(transition));
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
            found.sort_by_key(|transition| transition.state);
            prop_assert_eq!(found, slow(&events, most, cuts));
        }
    }
}
