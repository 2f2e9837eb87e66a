//! Leaves of many trees evaluated together.

use crate::game::Game;
use crate::simulation::{Descent, Leaf, Selection};
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
            actions: Vec::with_capacity(capacity * G::MOST_BRANCHES),
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

/// Whatever tells the promise of actions and the value of states: a network, a table, a rule.
pub trait Evaluator<G: Game> {
    /// Evaluates states: `logits` has one number for each of [`Leaves::actions`], and `values` one for each
    /// state, for the player to move there, or to roll where chance decides.
    fn evaluate(&mut self, leaves: &Leaves<G>, logits: &mut [f32], values: &mut [f32]);
}

/// Finds all actions alike, and all states even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
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
pub struct Batch<G> {
    capacity: usize,
    leaves: Leaves<G>,
    /// Of each leaf: the tree that it was taken from, and its name there.
    origins: Vec<(usize, Leaf)>,
    /// Simulations on their way down.
    descents: Vec<Searcher<G>>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl<G: Game> Batch<G> {
    /// Room for so many leaves, at least one.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            leaves: Leaves::new(capacity),
            origins: Vec::with_capacity(capacity),
            descents: Vec::with_capacity(capacity),
            logits: vec![0.0; capacity * G::MOST_BRANCHES],
            values: vec![0.0; capacity],
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
        let at_once = (self.capacity / trees.len().max(1)).max(1);
        let together = self.capacity / at_once;
        trees.iter_mut().for_each(|tree| tree.left = simulations);
        let mut made = 0;
        while trees.iter().any(|tree| tree.left > 0) {
            let before = made;
            for trees in trees.chunks_mut(together) {
                made += self.gather(trees, at_once);
                self.flush(trees, evaluator);
            }
            if made == before {
                // Whoever holds leaves of these trees has to hand them back first.
                break;
            }
        }
        made
    }

    /// Takes up to so many leaves from each of these trees, and returns how many simulations were begun. All trees go down
    /// side by side: while the memory that one has asked for is on its way, others have theirs.
    fn gather(&mut self, trees: &mut [Tree<G>], at_once: usize) -> usize {
        let Self { descents, leaves, origins, .. } = self;
        let mut begun = 0;
        let left = trees.iter_mut().enumerate().filter(|(_, tree)| tree.left > 0);
        descents.extend(left.filter_map(|(index, tree)| {
            Some(Searcher { tree: index, descent: tree.descend()?, wanted: at_once })
        }));
        while !descents.is_empty() {
            let mut index = 0;
            while let Some(searcher) = descents.get_mut(index) {
                let tree = &mut trees[searcher.tree];
                index += 1;
                let Some(selection) = tree.step(&mut searcher.descent) else { continue };
                let counts = matches!(selection, Selection::Leaf(_) | Selection::Complete);
                begun += usize::from(counts);
                tree.left -= u32::from(counts);
                match selection {
                    Selection::Leaf(leaf) => {
                        leaves.push(tree.state(&leaf), tree.actions(&leaf));
                        origins.push((searcher.tree, leaf));
                        searcher.wanted -= 1;
                    }
                    Selection::Complete => {}
                    Selection::Awaiting => searcher.wanted = 0,
                    Selection::Full => tree.left = 0,
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

    /// Has all gathered leaves evaluated and hands them back.
    fn flush(&mut self, trees: &mut [Tree<G>], evaluator: &mut (impl Evaluator<G> + ?Sized)) {
        let count = self.leaves.len();
        if count == 0 {
            return;
        }
        let logits = &mut self.logits[..self.leaves.actions().len()];
        let values = &mut self.values[..count];
        evaluator.evaluate(&self.leaves, logits, values);
        self.origins.iter().for_each(|(tree, leaf)| trees[*tree].expect(leaf));
        for (place, ((tree, leaf), &value)) in self.origins.drain(..).zip(values.iter()).enumerate() {
            trees[tree].evaluated(leaf, &mut logits[self.leaves.range(place)], value);
        }
        self.leaves.clear();
    }
}
