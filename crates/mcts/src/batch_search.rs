//! Batched search: leaves of one tree or of many trees are evaluated together.

use crate::game::Game;
use crate::simulation::{Descent, Leaf, SelectionResult};
use crate::tree::Tree;
use std::ops::Range;
use vivarium_kernels::Level;

/// A batch of leaf states with their legal actions.
#[derive(Clone, Debug)]
pub struct Leaves<G> {
    states: Vec<G>,
    /// Legal actions, concatenated over the states.
    actions: Vec<u32>,
    /// End of each state's range in `actions`.
    ends: Vec<usize>,
}

impl<G: Game> Leaves<G> {
    /// Allocates memory for `capacity` states. More states can be added, but then the batch allocates.
    pub fn new(capacity: usize) -> Self {
        Self {
            states: Vec::with_capacity(capacity),
            actions: Vec::with_capacity(capacity * G::MAX_BRANCHES),
            ends: Vec::with_capacity(capacity),
        }
    }

    /// Adds a state with its legal actions, each below [`ACTIONS`](Game::ACTIONS); no actions at a chance node.
    pub fn push(&mut self, state: G, actions: impl IntoIterator<Item = usize>) {
        self.states.push(state);
        self.actions.extend(actions.into_iter().map(|action| action as u32));
        self.ends.push(self.actions.len());
    }

    /// Removes all states and actions.
    pub fn clear(&mut self) {
        self.states.clear();
        self.actions.clear();
        self.ends.clear();
    }

    /// Returns the number of leaf states in the batch.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Returns whether the batch has no leaf states.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Returns the leaf states.
    pub fn states(&self) -> &[G] {
        &self.states
    }

    /// Returns the legal actions, concatenated over the states. An evaluator returns one logit for each.
    pub fn actions(&self) -> &[u32] {
        &self.actions
    }

    /// Returns the end of each state's range in [`actions`](Self::actions).
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Returns a state's range in [`actions`](Self::actions) and in the logits.
    #[inline]
    pub fn range(&self, state: usize) -> Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start..self.ends[state]
    }
}

/// Evaluates states to policy logits and values, by a neural network, a table or a heuristic.
pub trait Evaluator<G: Game> {
    /// Evaluates the leaves. Writes one logit for each entry of [`Leaves::actions`], and one value for each state. A
    /// value is from the view of the player to move or, at a chance node, the player to roll.
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]);
}

/// Uniform evaluator: equal logits and value 0 for each state.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformEvaluator;

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, _: &Leaves<G>, logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        values.fill(0.0);
    }
}

/// Tree whose leaves are being gathered: index of the tree, and the tree's simulation in the selection phase.
struct Searcher<G> {
    tree: usize,
    descent: Descent<G>,
    /// Number of leaves that may still be gathered from the tree for the current batch.
    leaves_left: usize,
}

/// Batched search over one tree or many.
///
/// [`search`](Self::search) runs a whole search. For an asynchronous evaluator, run the search in steps: call
/// [`begin`](Self::begin); then, while [`gather`](Self::gather) returns `true`, write the
/// [`evaluation`](Self::evaluation) and call [`backup`](Self::backup).
pub struct BatchSearch<G> {
    level: Level,
    capacity: usize,
    leaves: Leaves<G>,
    /// Origin of each gathered leaf: index of the tree, and handle of the leaf in the tree.
    origins: Vec<(usize, Leaf)>,
    /// Trees with a simulation in the selection phase, each tree at most once.
    descents: Vec<Searcher<G>>,
    logits: Vec<f32>,
    values: Vec<f32>,
    progress: BatchProgress,
}

/// Progress of a search. The search gathers leaves in passes over the trees.
#[derive(Clone, Copy, Default)]
struct BatchProgress {
    /// Index of the next tree to gather leaves from.
    next: usize,
    /// Number of simulations of the search so far, over all trees. A simulation counts as soon as it has reached a
    /// leaf.
    made: usize,
    /// Number of simulations so far at the start of the current pass over the trees; `None` before the first pass.
    before: Option<usize>,
}

impl<G: Game> BatchSearch<G> {
    /// Allocates memory for a batch of `capacity` leaves (at least 1). Priors are computed at the SIMD level `level`.
    pub fn new(level: Level, capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            level,
            capacity,
            leaves: Leaves::new(capacity),
            origins: Vec::with_capacity(capacity),
            descents: Vec::with_capacity(capacity),
            logits: vec![0.0; capacity * G::MAX_BRANCHES],
            values: vec![0.0; capacity],
            progress: BatchProgress::default(),
        }
    }

    /// Runs `simulations` simulations in each tree, and returns the total number of simulations. A tree has fewer
    /// simulations only if the tree is full, or if all leaves that it can still select are pending because the caller
    /// has selected them with [`Tree::select`].
    ///
    /// Each tree contributes one leaf to a batch, as in a sequential search; its result therefore does not depend on
    /// the other trees. If there are fewer trees than the capacity, each tree contributes several leaves, which virtual
    /// losses diversify.
    pub fn search(
        &mut self,
        trees: &mut [Tree<G>],
        evaluator: &mut (impl Evaluator<G> + ?Sized),
        simulations: u32,
    ) -> usize {
        self.begin(trees, simulations);
        while self.gather(trees) {
            let (leaves, logits, values) = self.evaluation();
            evaluator.evaluate(leaves, logits, values);
            self.backup(trees);
        }
        self.simulations()
    }

    /// Starts a search of `simulations` simulations in each tree.
    ///
    /// # Panics
    /// If leaves of another search have not been backed up.
    pub fn begin(&mut self, trees: &mut [Tree<G>], simulations: u32) {
        assert!(self.leaves.is_empty(), "leaves of another search are pending");
        trees.iter_mut().for_each(|tree| tree.remaining = simulations);
        self.progress = BatchProgress { next: trees.len(), ..BatchProgress::default() };
    }

    /// Gathers the next leaves from `trees`, the trees that were passed to [`begin`](Self::begin). Returns `false` if
    /// the search is complete.
    ///
    /// # Panics
    /// If the previous leaves have not been backed up.
    pub fn gather(&mut self, trees: &mut [Tree<G>]) -> bool {
        assert!(self.leaves.is_empty(), "the previous leaves are pending");
        let leaves_per_tree = (self.capacity / trees.len().max(1)).max(1);
        let together = self.capacity / leaves_per_tree;
        while self.leaves.is_empty() {
            if self.progress.next >= trees.len() {
                let made = self.progress.made;
                // The last pass made no progress, because all remaining leaves are pending evaluations of the caller.
                if self.progress.before == Some(made) || trees.iter().all(|tree| tree.remaining == 0) {
                    return false;
                }
                self.progress = BatchProgress { next: 0, made, before: Some(made) };
            }
            let first = self.progress.next;
            self.progress.next = trees.len().min(first + together);
            self.progress.made += self.descend(trees, first..self.progress.next, leaves_per_tree);
        }
        true
    }

    /// Returns the gathered leaves, and the buffers for logits and values that [`Evaluator::evaluate`] fills.
    pub fn evaluation(&mut self) -> (&Leaves<G>, &mut [f32], &mut [f32]) {
        let Self { leaves, logits, values, .. } = self;
        (leaves, &mut logits[..leaves.actions().len()], &mut values[..leaves.len()])
    }

    /// Backs up the [`evaluation`](Self::evaluation) of the gathered leaves in their trees.
    pub fn backup(&mut self, trees: &mut [Tree<G>]) {
        let Self { level, leaves, origins, logits, values, .. } = self;
        origins.iter().for_each(|(tree, leaf)| trees[*tree].prefetch_path(leaf));
        for (place, ((tree, leaf), &value)) in origins.drain(..).zip(values.iter()).enumerate() {
            trees[tree].backup(*level, leaf, &mut logits[leaves.range(place)], value);
        }
        leaves.clear();
    }

    /// Returns the gathered leaves.
    pub fn leaves(&self) -> &Leaves<G> {
        &self.leaves
    }

    /// Returns the number of simulations of the current search so far, over all trees, including pending simulations.
    pub fn simulations(&self) -> usize {
        self.progress.made
    }

    /// Gathers up to `leaves_per_tree` leaves from each tree with an index in `range`. Returns the number of
    /// simulations that reached a leaf or terminal state. The descents of different trees are interleaved by stages;
    /// prefetches of one descent therefore overlap with the work of the others.
    fn descend(&mut self, trees: &mut [Tree<G>], range: Range<usize>, leaves_per_tree: usize) -> usize {
        let Self { descents, leaves, origins, .. } = self;
        let mut begun = 0;
        let remaining = range.filter_map(|index| {
            let tree = &mut trees[index];
            let descent = if tree.remaining > 0 { tree.descend()? } else { return None };
            Some(Searcher { tree: index, descent, leaves_left: leaves_per_tree })
        });
        descents.extend(remaining);
        while !descents.is_empty() {
            let mut index = 0;
            while let Some(searcher) = descents.get_mut(index) {
                let tree = &mut trees[searcher.tree];
                index += 1;
                let Some(selection) = tree.step(&mut searcher.descent) else { continue };
                let counts = matches!(selection, SelectionResult::Leaf(_) | SelectionResult::Complete);
                begun += usize::from(counts);
                tree.remaining -= u32::from(counts);
                match selection {
                    SelectionResult::Leaf(leaf) => {
                        leaves.push(tree.state(&leaf), tree.actions(&leaf));
                        origins.push((searcher.tree, leaf));
                        searcher.leaves_left -= 1;
                    }
                    SelectionResult::Complete => {}
                    SelectionResult::Awaiting => searcher.leaves_left = 0,
                    SelectionResult::Full => tree.remaining = 0,
                }
                match tree.descend() {
                    Some(next) if tree.remaining > 0 && searcher.leaves_left > 0 => searcher.descent = next,
                    _ => {
                        index -= 1;
                        descents.swap_remove(index);
                    }
                }
            }
        }
        begun
    }
}
