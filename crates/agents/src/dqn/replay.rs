//! What was lived through lately, drawn by how much it surprised.

use super::returns::Transition;
use super::sum_tree::SumTree;
use vivarium_kernels::rng::Stream;

/// Added to every error, so that nothing is never drawn again.
const LEAST_ERROR: f32 = 1e-3;

/// The newest transitions, as many as there is room for, with their priorities.
#[derive(Clone, Debug)]
pub(crate) struct Replay<S> {
    pub transitions: Vec<Transition<S>>,
    pub priorities: SumTree,
    /// Where the next one goes.
    pub next: usize,
    /// The priority of what nobody has learnt from: the largest so far.
    pub largest: f32,
    capacity: usize,
    /// How many there are of each level.
    levels: Vec<u64>,
}

impl<S: Copy> Replay<S> {
    /// Room for so many transitions of episodes of levels up to this one.
    pub fn new(capacity: usize, levels: u32) -> Self {
        Self {
            transitions: Vec::with_capacity(capacity),
            priorities: SumTree::new(capacity),
            next: 0,
            largest: 1.0,
            capacity,
            levels: vec![0; levels as usize + 1],
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// How many there are of each level, from 0 on.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// Takes in a transition; the oldest one makes room.
    pub fn push(&mut self, transition: Transition<S>) {
        self.put(transition, self.largest);
    }

    /// Takes in a transition of a known priority.
    pub fn put(&mut self, transition: Transition<S>, priority: f32) {
        self.levels[usize::from(transition.level)] += 1;
        if self.transitions.len() < self.capacity {
            self.transitions.push(transition);
        } else {
            let oldest = std::mem::replace(&mut self.transitions[self.next], transition);
            self.levels[usize::from(oldest.level)] -= 1;
        }
        self.priorities.set(self.next, priority);
        self.next = (self.next + 1) % self.capacity;
    }

    /// Draws as many transitions as there are `picks`, one from each of as many equal parts of all priorities, and says
    /// by how much each is to be weighed: (N·P)^−β, with the largest as 1.
    pub fn draw(&self, random: &mut Stream, beta: f32, picks: &mut [u32], weights: &mut [f32]) {
        let total = self.priorities.total();
        let part = total / picks.len() as f32;
        for (index, pick) in picks.iter_mut().enumerate() {
            *pick = self.priorities.find((index as f32 + random.uniform()) * part) as u32;
        }
        if beta == 0.0 {
            return weights.fill(1.0);
        }
        let mean = total / self.len() as f32;
        let mut largest = 0.0f32;
        for (weight, &pick) in weights.iter_mut().zip(&*picks) {
            *weight = (self.priorities.get(pick as usize) / mean).powf(-beta);
            largest = largest.max(*weight);
        }
        weights.iter_mut().for_each(|weight| *weight /= largest);
    }

    /// Takes over how far the values of some transitions were off: the larger, the likelier they are drawn, by the power
    /// of α.
    pub fn judge(&mut self, picks: &[u32], errors: &[f32], alpha: f32) {
        for (&pick, error) in picks.iter().zip(errors) {
            let priority = (error.abs() + LEAST_ERROR).powf(alpha);
            self.largest = self.largest.max(priority);
            self.priorities.set(pick as usize, priority);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn transition(mark: usize) -> Transition<usize> {
        let level = (mark % 3) as u8;
        Transition { state: mark, next: 0, reward: 0.0, action: 0, steps: 1, terminal: false, level }
    }

    #[test]
    fn keeps_the_newest_and_counts_them_by_level() {
        let mut replay = Replay::new(10, 2);
        (0..25).for_each(|mark| replay.push(transition(mark)));
        let mut kept: Vec<_> = replay.transitions.iter().map(|transition| transition.state).collect();
        kept.sort_unstable();
        assert_eq!(kept, (15..25).collect::<Vec<_>>());
        assert_eq!(replay.levels(), [4, 3, 3]);
        assert_eq!(replay.priorities.total(), 10.0);
    }

    #[test]
    fn draws_by_priority_and_weighs_against_it() {
        let mut replay = Replay::new(4, 2);
        (0..4).for_each(|mark| replay.push(transition(mark)));
        replay.judge(&[0, 1, 2, 3], &[1.0, -4.0, 9.0, 16.0], 0.5);
        let (mut picks, mut weights) = (vec![0; 1000], vec![0.0; 1000]);
        replay.draw(&mut Stream::new(1, 2), 1.0, &mut picks, &mut weights);
        for (index, share) in [0.1, 0.2, 0.3, 0.4].into_iter().enumerate() {
            let count = picks.iter().filter(|&&pick| pick as usize == index).count() as f32;
            // One draw from each part: no more chance than at the borders.
            assert!((count - 1000.0 * share).abs() <= 2.0, "{index}: {count}");
        }
        for (&pick, &weight) in picks.iter().zip(&weights) {
            assert!((weight - 1.0 / (pick as f32 + 1.0)).abs() < 1e-3, "{pick}: {weight}");
        }
        // What is new is drawn as often as the most surprising.
        replay.push(transition(9));
        assert_eq!(replay.priorities.get(0), replay.priorities.get(3));
    }

    #[test]
    fn without_exponents_all_are_alike() {
        let mut replay = Replay::new(4, 2);
        (0..4).for_each(|mark| replay.push(transition(mark)));
        replay.judge(&[0, 1, 2, 3], &[1.0, -4.0, 9.0, 16.0], 0.0);
        let (mut picks, mut weights) = (vec![0; 400], vec![0.0; 400]);
        replay.draw(&mut Stream::new(1, 2), 0.0, &mut picks, &mut weights);
        assert_eq!(
            (0..4).map(|i| picks.iter().filter(|&&pick| pick == i).count()).collect::<Vec<_>>(),
            [100; 4]
        );
        assert!(weights.iter().all(|&weight| weight == 1.0));
    }
}
