//! Sum tree for sampling in proportion to priorities (Schaul et al. 2016, *Prioritized Experience Replay*, appendix
//! B.2.1, <https://arxiv.org/abs/1511.05952>).

/// Sum tree: a binary tree whose leaves are priorities and whose inner nodes are the sums of their children. Sampling
/// and updates take O(log n).
///
/// Sums are in f64, because the priorities of millions of samples may differ by orders of magnitude. An update
/// recomputes each sum from its two children, so rounding errors do not accumulate.
#[derive(Clone, Debug)]
pub struct SumTree {
    /// Sums of the nodes in heap layout: root at index 1, children of `node` at `2 * node` and `2 * node + 1`, leaves
    /// (priorities) in the second half.
    sums: Vec<f64>,
}

impl SumTree {
    /// Creates a tree of `len` priorities, all 0.
    pub fn new(len: usize) -> Self {
        Self { sums: vec![0.0; 2 * len.next_power_of_two()] }
    }

    /// Returns the sum of all priorities.
    pub fn total(&self) -> f64 {
        self.sums[1]
    }

    /// Returns the priority of the leaf with index `index`.
    ///
    /// # Panics
    /// If the index is out of range.
    pub fn get(&self, index: usize) -> f32 {
        self.sums[self.sums.len() / 2 + index] as f32
    }

    /// Sets the priority of the leaf with index `index`, and updates the sums of all its ancestors.
    ///
    /// # Panics
    /// If the index is out of range, or the priority is negative, infinite or NaN.
    pub fn set(&mut self, index: usize, priority: f32) {
        assert!(priority >= 0.0 && priority.is_finite(), "a priority of {priority}");
        let mut node = self.sums.len() / 2 + index;
        self.sums[node] = priority.into();
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[2 * node] + self.sums[2 * node + 1];
        }
    }

    /// Returns the index i with Σ p\[..i\] ≤ `number` < Σ p\[..=i\], where p are the priorities and `number` is from 0
    /// to below [`total`](Self::total). The priority at this index is above 0, unless all priorities are 0.
    pub fn find(&self, mut number: f64) -> usize {
        let leaves = self.sums.len() / 2;
        let mut node = 1;
        while node < leaves {
            let (left, right) = (self.sums[2 * node], self.sums[2 * node + 1]);
            // Rounding may leave `number` beyond the last interval; the last positive priority is returned then.
            if number < left || right <= 0.0 {
                node *= 2;
            } else {
                number -= left;
                node = 2 * node + 1;
            }
        }
        node - leaves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the index that [`SumTree::find`] should return, by linear search (reference implementation).
    fn slow(priorities: &[f32], number: f64) -> usize {
        let mut sum = 0.0;
        for (index, &priority) in priorities.iter().enumerate() {
            sum += f64::from(priority);
            if number < sum {
                return index;
            }
        }
        priorities.iter().rposition(|&priority| priority > 0.0).unwrap_or(0)
    }

    proptest! {
        /// Priorities are small whole numbers, whose sums are exact in any order.
        #[test]
        fn find_agrees_with_linear_search(
            len in 1usize..70,
            changes in prop::collection::vec((0usize..70, 0u8..20), 1..200),
            number in 0.0f64..1.0,
        ) {
            let mut tree = SumTree::new(len);
            let mut priorities = vec![0.0; len];
            for (index, priority) in changes {
                let (index, priority) = (index % len, f32::from(priority));
                tree.set(index, priority);
                priorities[index] = priority;
                let total: f64 = priorities.iter().map(|&priority| f64::from(priority)).sum();
                prop_assert_eq!(tree.total(), total);
                prop_assert_eq!(tree.get(index), priority);
                if total > 0.0 {
                    prop_assert_eq!(tree.find(number * total), slow(&priorities, number * total));
                }
            }
        }

        /// [`SumTree::find`] never returns an index with priority 0, even if sums are rounded.
        #[test]
        fn find_never_returns_a_zero_priority(
            priorities in prop::collection::vec(prop_oneof![Just(0.0f32), 1e-6f32..1e6], 1..100),
            number in 0.0f64..=1.0,
        ) {
            let mut tree = SumTree::new(priorities.len());
            priorities.iter().enumerate().for_each(|(index, &priority)| tree.set(index, priority));
            prop_assume!(tree.total() > 0.0);
            let found = tree.find(number * tree.total());
            prop_assert!(priorities[found] > 0.0, "{found} of {priorities:?}");
        }
    }

    /// Sums of priorities are in f64; a sum in f32 would lose the small priorities.
    #[test]
    fn sums_are_exact_for_priorities_of_different_magnitude() {
        let mut tree = SumTree::new(1 << 10);
        tree.set(0, 1e9);
        (1..1 << 10).for_each(|index| tree.set(index, 1.0));
        assert_eq!(tree.total(), 1e9 + 1023.0);
        assert_eq!(tree.find(1e9 - 1.0), 0);
        (1..1 << 10).for_each(|index| assert_eq!(tree.find(1e9 + index as f64 - 0.5), index));
    }

    #[test]
    fn draws_are_proportional_to_priorities() {
        let mut tree = SumTree::new(3);
        [1.0, 0.0, 3.0].into_iter().enumerate().for_each(|(index, priority)| tree.set(index, priority));
        let found = (0..400).map(|step| tree.find(tree.total() * f64::from(step) / 400.0));
        let counts = found.fold([0; 3], |mut counts, index| {
            counts[index] += 1;
            counts
        });
        assert_eq!(counts, [100, 0, 300]);
    }
}
