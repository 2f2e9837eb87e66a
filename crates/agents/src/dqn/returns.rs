//! Returns of several steps: what a lane's newest actions earned until now.

use super::problem::{End, Step};
use std::collections::VecDeque;

/// The most steps that a return adds up.
pub(crate) const MOST_STEPS: usize = 5;

/// An action, what it earned over the steps that followed, and where they led.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Transition<S> {
    /// Where the action was taken.
    pub state: S,
    /// Where its steps led.
    pub next: S,
    /// Σ γᵏ·reward over its steps.
    pub reward: f32,
    pub action: u8,
    /// How many steps they are; γ to this power is what the value of `next` counts.
    pub steps: u8,
    /// The rules ended the episode: `next` has no value.
    pub terminal: bool,
    /// The difficulty that the episode began at.
    pub level: u8,
}

impl<S> Transition<S> {
    /// What the value of `next` counts: γᵏ, or nothing where no value follows.
    pub fn factor(&self, discount: f32) -> f32 {
        if self.terminal { 0.0 } else { discount.powi(self.steps.into()) }
    }
}

/// An action whose return is not complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pending<S> {
    pub state: S,
    pub reward: f32,
    pub action: u8,
    pub steps: u8,
}

/// The newest actions of one lane.
#[derive(Clone, Debug)]
pub(crate) struct Window<S> {
    /// The oldest first; always fewer than a full return has.
    pub pending: VecDeque<Pending<S>>,
    /// The difficulty that the present episode began at.
    pub level: u8,
}

impl<S: Copy> Window<S> {
    /// Of an episode that begins.
    pub fn new(level: u32) -> Self {
        Self { pending: VecDeque::with_capacity(MOST_STEPS), level: level as u8 }
    }

    /// Takes in an action and what came of it; gives on every return that is complete: the oldest one, or all of them
    /// where the episode ended.
    pub fn push(
        &mut self,
        state: S,
        action: u8,
        step: &Step<S>,
        discount: f32,
        most: usize,
        mut give: impl FnMut(Transition<S>),
    ) {
        self.pending.push_back(Pending { state, reward: 0.0, action, steps: 0 });
        for pending in &mut self.pending {
            pending.reward += discount.powi(pending.steps.into()) * step.reward;
            pending.steps += 1;
        }
        if step.end != End::No {
            self.cut(step.reached, step.end == End::Terminated, give);
        } else if self.pending.len() >= most {
            let level = self.level;
            give(
                self.pending
                    .pop_front()
                    .map(|oldest| oldest.complete(step.reached, false, level))
                    .expect("full"),
            );
        }
    }

    /// Ends all returns here, with the steps that they have.
    pub fn cut(&mut self, next: S, terminal: bool, mut give: impl FnMut(Transition<S>)) {
        let level = self.level;
        self.pending.drain(..).for_each(|pending| give(pending.complete(next, terminal, level)));
    }
}

impl<S> Pending<S> {
    fn complete(self, next: S, terminal: bool, level: u8) -> Transition<S> {
        let Self { state, reward, action, steps } = self;
        Transition { state, next, reward, action, steps, terminal, level }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One step of a lane as a test has it: it goes from state `n` to `n + 1`.
    #[derive(Clone, Copy, Debug)]
    struct Event {
        reward: i8,
        end: End,
        explores: bool,
    }

    /// The returns of each step, looking ahead from it: γ is ½ and rewards are small whole numbers, so that sums are
    /// exact.
    fn slow(events: &[Event], most: usize, cuts: bool) -> Vec<Transition<usize>> {
        let mut found = Vec::new();
        for first in 0..events.len() {
            let (mut reward, mut factor, mut at) = (0.0, 1.0, first);
            let complete = loop {
                reward += factor * f32::from(events[at].reward);
                factor /= 2.0;
                at += 1;
                if events[at - 1].end != End::No || at - first == most {
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
                let terminal = events[at - 1].end == End::Terminated;
                let steps = (at - first) as u8;
                found.push(Transition {
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

    fn fast(events: &[Event], most: usize, cuts: bool) -> Vec<Transition<usize>> {
        let mut window = Window::new(3);
        let mut found = Vec::new();
        for (state, event) in events.iter().enumerate() {
            if cuts && event.explores {
                window.cut(state, false, |transition| found.push(transition));
            }
            let (reward, end) = (f32::from(event.reward), event.end);
            let step = Step { reached: state + 1, now: state + 1, reward, end };
            window.push(state, state as u8, &step, 0.5, most, |transition| found.push(transition));
        }
        found
    }

    fn event() -> impl Strategy<Value = Event> {
        let end = prop_oneof![6 => Just(End::No), 1 => Just(End::Terminated), 1 => Just(End::Truncated)];
        (-5i8..=5, end, prop::bool::weighted(0.3)).prop_map(|(reward, end, explores)| Event {
            reward,
            end,
            explores,
        })
    }

    proptest! {
        #[test]
        fn returns_are_those_of_looking_ahead(
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
