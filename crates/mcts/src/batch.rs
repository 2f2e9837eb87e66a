//! Leaves of many trees evaluated together.

use crate::game::Game;
use crate::tree::{Leaf, Selection, Tree};

/// Whatever tells the promise of actions and the value of states: a network, a table, a rule.
pub trait Evaluator<G: Game> {
    /// Evaluates decisions: `logits` is `[states, ACTIONS]`, row-major, and `values` `[states]`, each for the
    /// player to move.
    fn evaluate(&mut self, states: &[G], logits: &mut [f32], values: &mut [f32]);
}

/// Finds all actions alike, and all states even.
#[derive(Clone, Copy, Debug, Default)]
pub struct Even;

impl<G: Game> Evaluator<G> for Even {
    fn evaluate(&mut self, _: &[G], logits: &mut [f32], values: &mut [f32]) {
        logits.fill(0.0);
        values.fill(0.0);
    }
}

/// Room for a batch of leaves and their evaluations.
pub struct Batch<G> {
    capacity: usize,
    states: Vec<G>,
    leaves: Vec<(usize, Leaf)>,
    logits: Vec<f32>,
    values: Vec<f32>,
}

impl<G: Game> Batch<G> {
    /// Room for so many leaves, at least one.
    pub fn new(capacity: usize) -> Self {
        let capacity = capacity.max(1);
        Self {
            capacity,
            states: Vec::with_capacity(capacity),
            leaves: Vec::with_capacity(capacity),
            logits: vec![0.0; capacity * G::ACTIONS],
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
        evaluator: &mut impl Evaluator<G>,
        simulations: u32,
    ) -> usize {
        let at_once = (self.capacity / trees.len().max(1)).max(1);
        trees.iter_mut().for_each(|tree| tree.left = simulations);
        let mut made = 0;
        while trees.iter().any(|tree| tree.left > 0) {
            let before = made;
            for index in 0..trees.len() {
                if self.leaves.len() + at_once > self.capacity {
                    self.flush(trees, evaluator);
                }
                made += self.gather(index, &mut trees[index], at_once);
            }
            self.flush(trees, evaluator);
            if made == before {
                // Whoever holds leaves of these trees has to hand them back first.
                break;
            }
        }
        made
    }

    /// Takes up to so many leaves from a tree, and returns how many simulations were begun.
    fn gather(&mut self, index: usize, tree: &mut Tree<G>, at_once: usize) -> usize {
        let (mut begun, mut found) = (0, 0);
        while tree.left > 0 && found < at_once {
            match tree.select() {
                Selection::Leaf(leaf) => {
                    self.states.push(tree.state(&leaf));
                    self.leaves.push((index, leaf));
                    found += 1;
                }
                Selection::Complete => {}
                Selection::Awaiting => break,
                Selection::Full => {
                    tree.left = 0;
                    break;
                }
            }
            begun += 1;
            tree.left -= 1;
        }
        begun
    }

    /// Has all gathered leaves evaluated and hands them back.
    fn flush(&mut self, trees: &mut [Tree<G>], evaluator: &mut impl Evaluator<G>) {
        let count = self.states.len();
        if count == 0 {
            return;
        }
        let (logits, values) = (&mut self.logits[..count * G::ACTIONS], &mut self.values[..count]);
        evaluator.evaluate(&self.states, logits, values);
        self.states.clear();
        let rows = logits.chunks_exact(G::ACTIONS).zip(values.iter());
        for ((tree, leaf), (logits, &value)) in self.leaves.drain(..).zip(rows) {
            trees[tree].evaluated(leaf, logits, value);
        }
    }
}
