//! A game of self-play that is under way.

use super::config::AlphaZeroConfig;
use super::game::{Learnable, MOST_HEADS};
use super::lookahead::{Prospect, best, softmax_policy};
use super::replay::{Sample, Share};
use super::target::PastState;
use crate::chance::outcome;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{Branch, Status, Tree};

/// Moves and rolls after which a search starts anew rather than go on from what it knows of them.
const LONGEST_WAY: usize = 4;

/// A game under way.
pub(super) struct GameInPlay<G> {
    pub state: G,
    /// Every game has a stream of its own: its dice, its noise and its choices depend on (seed, number) alone.
    pub random: Stream,
    pub decisions: u32,
    /// The next move is searched.
    pub searching: bool,
    /// The game's tree was searched before, and what was played since.
    pub known: bool,
    pub way: Vec<usize>,
    pub history: Vec<PastState<G>>,
    pub shares: Vec<Share>,
}

impl<G: Learnable> GameInPlay<G> {
    /// The beginning of the game of this number.
    pub fn new(seed: u64, number: u32) -> Self {
        Self {
            state: G::START,
            random: Stream::new(seed, number),
            decisions: 0,
            searching: false,
            known: false,
            way: Vec::new(),
            history: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Throws the dice, if they are next. The state before them is worth learning from, too.
    pub fn roll(&mut self, scratch: &mut G::Scratch) {
        while self.state.status() == Status::Chance {
            let sample = Sample { state: self.state, heads: [0.0; MOST_HEADS], shares: 0 };
            self.history.push(PastState { sample, estimate: None, explored: false });
            let branch = outcome(&self.state, scratch, self.random.uniform());
            self.go(branch);
        }
    }

    /// Makes a move: by its search, if there was one, or else by the moves that looking ahead found.
    pub fn decide(&mut self, tree: Option<&Tree<G>>, prospects: &[Prospect], config: &AlphaZeroConfig) {
        let is_drawn = self.decisions < config.temperature_moves;
        let first = self.shares.len();
        let (best, action, found) = if let Some(tree) = tree {
            let total = tree.branches().map(|branch| branch.visits).sum::<u32>().max(1) as f32;
            let share = |branch: Branch| Share::new(branch.branch, branch.visits as f32 / total);
            self.shares.extend(tree.branches().map(share));
            let best = tree.most_visited().unwrap_or_default();
            let temperature = if is_drawn { config.temperature } else { 0.0 };
            let action = tree.draw(temperature, &mut self.random).unwrap_or(best);
            let found = tree.branches().find(|branch| branch.branch == best);
            (best, action, found.and_then(|branch| branch.value))
        } else {
            let unit = config.tolerance * G::MOST_VALUE;
            softmax_policy(prospects, unit, |action, share| self.shares.push(Share::new(action, share)));
            let best = best(prospects);
            let mut left = self.random.uniform();
            let mut action = best;
            if is_drawn {
                softmax_policy(prospects, unit * config.temperature, |candidate, share| {
                    if left >= 0.0 && left < share {
                        action = candidate;
                    }
                    left -= share;
                });
            }
            (best, action, None)
        };
        let shares = (self.shares.len() - first) as u16;
        let seen = prospects.iter().find(|prospect| prospect.action == best);
        let estimate = seen.map(|prospect| {
            let mut heads = prospect.heads;
            if let Some(value) = found {
                G::lean(&mut heads[..G::HEADS], value);
            }
            heads
        });
        let sample = Sample { state: self.state, heads: [0.0; MOST_HEADS], shares };
        self.history.push(PastState { sample, estimate, explored: action != best });
        self.decisions += 1;
        self.go(action);
    }

    fn go(&mut self, branch: usize) {
        self.state = self.state.after(branch);
        self.known &= self.way.len() < LONGEST_WAY;
        if self.known {
            self.way.push(branch);
        }
    }
}
