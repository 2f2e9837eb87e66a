//! Replay buffer of DQN: prioritized n-step transitions and their states.

use super::problem::ProblemSpec;
use super::returns::NStepTransition;
use vivarium_learn::PrioritizedReplay;

/// Prioritized replay buffer of n-step transitions with their states.
pub(crate) struct DqnReplay<E> {
    /// Transitions with their priorities; [`states`](Self::states) returns the states of a transition.
    pub transitions: PrioritizedReplay<NStepTransition>,
    /// `[transitions, 2, state_len]`: the state in which the action of each transition was taken, and the state after
    /// its steps, from whose value the target bootstraps.
    states: Vec<E>,
    state_len: usize,
    /// `[levels + 1]`: number of transitions at each level of difficulty, from level 0.
    pub level_counts: Vec<u64>,
}

impl<E: Copy> DqnReplay<E> {
    /// Creates an empty buffer for up to `capacity` transitions.
    pub fn new(capacity: usize, &ProblemSpec { state_len, levels, .. }: &ProblemSpec) -> Self {
        Self {
            transitions: PrioritizedReplay::new(capacity),
            states: Vec::with_capacity(2 * state_len * capacity),
            state_len,
            level_counts: vec![0; levels as usize + 1],
        }
    }

    /// Returns the two states of the transition with index `index`: the state in which its action was taken, and the
    /// state after its steps.
    pub fn states(&self, index: usize) -> [&[E]; 2] {
        self.states[2 * self.state_len * index..][..2 * self.state_len].split_at(self.state_len).into()
    }

    /// Adds a transition with its two states. If the buffer is full, the new transition replaces the oldest transition.
    pub fn push(&mut self, transition: NStepTransition, state: &[E], next: &[E]) {
        let (len, start) = (self.state_len, 2 * self.state_len * self.transitions.next());
        if start == self.states.len() {
            self.states.extend_from_slice(state);
            self.states.extend_from_slice(next);
        } else {
            self.states[start..start + len].copy_from_slice(state);
            self.states[start + len..start + 2 * len].copy_from_slice(next);
        }
        self.level_counts[usize::from(transition.level)] += 1;
        if let Some(oldest) = self.transitions.push(transition) {
            self.level_counts[usize::from(oldest.level)] -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::problem::NetworkInputs;
    use super::*;

    #[test]
    fn states_belong_to_their_transition_after_transitions_are_replaced() {
        let inputs = NetworkInputs { count: 2, features: None };
        let spec =
            ProblemSpec { name: "test", actions: 25, state_len: 2, inputs, levels: 2, has_solver: false };
        let mut replay = DqnReplay::new(10, &spec);
        for action in 0..25u8 {
            let level = action % 3;
            let transition = NStepTransition { reward: 0.0, action, steps: 1, terminal: false, level };
            replay.push(transition, &[action, 100 + action], &[action + 1, 101 + action]);
        }
        let mut actions: Vec<_> = replay.transitions.samples().iter().map(|sample| sample.action).collect();
        for (index, &action) in actions.iter().enumerate() {
            assert_eq!(replay.states(index), [&[action, 100 + action], &[action + 1, 101 + action]]);
        }
        actions.sort_unstable();
        assert!(actions.into_iter().eq(15..25));
        assert_eq!(replay.level_counts, [4, 3, 3]);
    }
}
