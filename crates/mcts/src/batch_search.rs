//! Leaves of many trees evaluated together.

use crate::game::Game;
use crate::simulation::{Descent, Leaf, SelectionResult};
use crate::tree::Tree;
use std::ops::Range;

/// States to be evaluated together, and what can be done in each.
#[derive(Clone, Debug)]
pub struct Leaves<G> {
    states: Vec<G>,
    /// The legal actions of one state after the other.
    actions: Vec<u32>,
    /// Where those of each state end.
    ends: Vec<usize>,
}

impl<G: Game> Leaves<G> {
    /// Room for so many states; more are taken, but allocate.
    pub fn new(capacity: usize) -> Self {
        Self {
            states: Vec::with_capacity(capacity),
            actions: Vec::with_capacity(capacity * G::MAX_BRANCHES),
            ends: Vec::with_capacity(capacity),
        }
    }

    /// Adds a state with its legal actions, each a number below [`ACTIONS`](Game::ACTIONS); none where chance
    /// decides.
    pub fn push(&mut self, state: G, actions: impl IntoIterator<Item = usize>) {
        self.states.push(state);
        self.actions.extend(actions.into_iter().map(|action| action as u32));
        self.ends.push(self.actions.len());
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.states.clear();
        self.actions.clear();
        self.ends.clear();
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// There are none.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// The states.
    pub fn states(&self) -> &[G] {
        &self.states
    }

    /// The actions of all states, one state after the other: what there has to be a logit for.
    pub fn actions(&self) -> &[u32] {
        &self.actions
    }

    /// Where the actions of each state end among those of all.
    pub fn ends(&self) -> &[usize] {
        &self.ends
    }

    /// Where the actions of a state, and so their logits, are among those of all.
    #[inline]
    pub fn range(&self, state: usize) -> Range<usize> {
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        start..self.ends[state]
    }
}

/// An evaluator of states, which gives priors of actions and values: a network, a table, a rule.
pub trait Evaluator<G: Game> {
    /// Evaluates states: `logits` has one number for each of [`Leaves::actions`], and `values` one for each
    /// state, for the player to move there, or to roll where chance decides.
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]);
}

/// Finds all actions alike, and all states even.
#[derive(Clone, Copy, Debug, Default)]
pub struct UniformEvaluator;

impl<G: Game> Evaluator<G> for UniformEvaluator {
    fn evaluate(&mut self, _: &Leaves<G>, logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        values.fill(0.0);
    }
}

/// A simulation on its way down, and whose.
struct Searcher<G> {
    tree: usize,
    descent: Descent<G>,
    /// Leaves that the tree is still to give to the batch.
    wanted: usize,
}

/// Room for a batch of leaves and their evaluations.
///
/// [`search`](Self::search) makes a whole search. In steps, with an evaluator that takes its time: [`begin`](Self::begin);
/// then, as long as [`gather`](Self::gather) finds leaves, fill in their [`evaluation`](Self::evaluation) and
/// [`hand_back`](Self::hand_back).
pub struct BatchSearch<G> {
    capacity: usize,
    leaves: Leaves<G>,
    /// Of each leaf: the tree that it was taken from, and its name there.
    origins: Vec<(usize, Leaf)>,
    /// Simulations on their way down.
    descents: Vec<Searcher<G>>,
    logits: Vec<f32>,
    values: Vec<f32>,
    progress: SearchProgress,
}

/// How far a search is: it goes through its trees again and again, some of them at a time.
#[derive(Clone, Copy, Default)]
struct SearchProgress {
    /// The next tree to take leaves from.
    next: usize,
    /// Simulations made so far.
    made: usize,
    /// Those that were made before the present pass through the trees; `None` before the first.
    before: Option<usize>,
}

impl<G: Game> BatchSearch<G> {
    /// Room for so many leaves, at least one.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            leaves: Leaves::new(capacity),
            origins: Vec::with_capacity(capacity),
            descents: Vec::with_capacity(capacity),
            logits: vec![0.0; capacity * G::MAX_BRANCHES],
            values: vec![0.0; capacity],
            progress: SearchProgress::default(),
        }
    }

    /// Makes so many simulations in each tree and returns how many were made in all: fewer only where a tree
    /// is full, or where all its ways wait for leaves that were taken from it by hand.
    ///
    /// Each tree gives one leaf to a batch, which is how a search goes by itself, so that its result does not
    /// depend on its company. Where there are fewer trees than room, each gives several, told apart by
    /// virtual losses.
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
            self.hand_back(trees);
        }
        self.made()
    }

    /// Begins a search of so many simulations in each tree.
    ///
    /// # Panics
    /// If leaves of another search have not been handed back.
    pub fn begin(&mut self, trees: &mut [Tree<G>], simulations: u32) {
        assert!(self.leaves.is_empty(), "leaves of another search await their evaluation");
        trees.iter_mut().for_each(|tree| tree.left = simulations);
        self.progress = SearchProgress { next: trees.len(), ..SearchProgress::default() };
    }

    /// Takes the next leaves of the search from its trees, the same that it was begun with. Returns `false` where it is over.
    ///
    /// # Panics
    /// If the leaves before have not been handed back.
    pub fn gather(&mut self, trees: &mut [Tree<G>]) -> bool {
        assert!(self.leaves.is_empty(), "the leaves before await their evaluation");
        let at_once = (self.capacity / trees.len().max(1)).max(1);
        let together = self.capacity / at_once;
        while self.leaves.is_empty() {
            if self.progress.next >= trees.len() {
                let made = self.progress.made;
                // Where a pass made none, whoever holds leaves of these trees has to hand them back first.
                if self.progress.before == Some(made) || trees.iter().all(|tree| tree.left == 0) {
                    return false;
                }
                self.progress = SearchProgress { next: 0, made, before: Some(made) };
            }
            let first = self.progress.next;
            self.progress.next = trees.len().min(first + together);
            self.progress.made += self.descend(trees, first..self.progress.next, at_once);
        }
        true
    }

    /// The leaves that were gathered, and room for a logit for each of their actions and a value for each state, as an
    /// [`Evaluator`] fills them in.
    pub fn evaluation(&mut self) -> (&Leaves<G>, &mut [f32], &mut [f32]) {
        let Self { leaves, logits, values, .. } = self;
        (leaves, &mut logits[..leaves.actions().len()], &mut values[..leaves.len()])
    }

    /// Hands the gathered leaves back to their trees with their [`evaluation`](Self::evaluation).
    pub fn hand_back(&mut self, trees: &mut [Tree<G>]) {
        let Self { leaves, origins, logits, values, .. } = self;
        origins.iter().for_each(|(tree, leaf)| trees[*tree].expect(leaf));
        for (place, ((tree, leaf), &value)) in origins.drain(..).zip(values.iter()).enumerate() {
            trees[tree].evaluated(leaf, &mut logits[leaves.range(place)], value);
        }
        leaves.clear();
    }

    /// The leaves that were gathered.
    pub fn leaves(&self) -> &Leaves<G> {
        &self.leaves
    }

    /// Simulations that the search made so far.
    pub fn made(&self) -> usize {
        self.progress.made
    }

    /// Takes up to so many leaves from each of these trees, and returns how many simulations were begun. All trees go down
    /// side by side: while the memory that one has asked for is on its way, others have theirs.
    fn descend(&mut self, trees: &mut [Tree<G>], some: Range<usize>, at_once: usize) -> usize {
        let Self { descents, leaves, origins, .. } = self;
        let mut begun = 0;
        let left = some.filter_map(|index| {
            let tree = &mut trees[index];
            let descent = if tree.left > 0 { tree.descend()? } else { return None };
            Some(Searcher { tree: index, descent, wanted: at_once })
        });
        descents.extend(left);
        while !descents.is_empty() {
            let mut index = 0;
            while let Some(searcher) = descents.get_mut(index) {
                let tree = &mut trees[searcher.tree];
                index += 1;
                let Some(selection) = tree.step(&mut searcher.descent) else { continue };
                let counts = matches!(selection, SelectionResult::Leaf(_) | SelectionResult::Complete);
                begun += usize::from(counts);
                tree.left -= u32::from(counts);
                match selection {
                    SelectionResult::Leaf(leaf) => {
                        leaves.push(tree.state(&leaf), tree.actions(&leaf));
                        origins.push((searcher.tree, leaf));
                        searcher.wanted -= 1;
                    }
                    SelectionResult::Complete => {}
                    SelectionResult::Awaiting => searcher.wanted = 0,
                    SelectionResult::Full => tree.left = 0,
                }
                match tree.descend() {
                    Some(next) if tree.left > 0 && searcher.wanted > 0 => searcher.descent = next,
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
