//! State of one self-play game.

use super::config::AlphaZeroConfig;
use super::game::{MAX_HEADS, SelfPlayGame};
use super::lookahead::{ActionValue, best, softmax_policy};
use super::replay::{ActionProbability, Sample};
use super::target::PastState;
use crate::chance::outcome;
use vivarium_kernels::rng::Stream;
use vivarium_mcts::{Branch, GameStatus, Tree};

/// Maximum number of moves and rolls since the last search for which a new search reuses the subtree.
const MAX_REUSE_DEPTH: usize = 4;

/// One self-play game, with its history for the value targets.
pub(super) struct GameInPlay<G> {
    pub state: G,
    /// Random number generator of the game, seeded by the run's seed and the game's index. It draws the dice, the
    /// Dirichlet noise and the sampled moves.
    pub random: Stream,
    pub decisions: u32,
    /// Whether the current move is searched.
    pub searching: bool,
    /// Whether the game's search tree can be reused; `path` holds the branches taken since the last search.
    pub has_tree: bool,
    pub path: Vec<usize>,
    pub history: Vec<PastState<G>>,
    pub policies: Vec<ActionProbability>,
}

impl<G: SelfPlayGame> GameInPlay<G> {
    /// Creates the game with index `number`, in its initial state.
    pub fn new(seed: u64, number: u32) -> Self {
        Self {
            state: G::START,
            random: Stream::new(seed, number),
            decisions: 0,
            searching: false,
            has_tree: false,
            path: Vec::new(),
            history: Vec::new(),
            policies: Vec::new(),
        }
    }

    /// Samples and applies chance events until the game reaches a decision. Appends the state before each event to the
    /// history, as a training sample for the value heads.
    pub fn roll(&mut self, scratch: &mut G::Scratch) {
        while self.state.status() == GameStatus::Chance {
            let sample = Sample { state: self.state, heads: [0.0; MAX_HEADS], policy_len: 0 };
            self.history.push(PastState { sample, estimate: None, explored: false });
            let branch = outcome(&self.state, scratch, self.random.uniform());
            self.advance(branch);
        }
    }

    /// Chooses a move from the visit counts of the search tree, or from the action values of the lookahead, and
    /// records the sample. A search of one simulation visits no branch; the priors replace the visit counts then.
    pub fn decide(
        &mut self,
        tree: Option<&Tree<G>>,
        action_values: &[ActionValue],
        config: &AlphaZeroConfig,
    ) {
        let is_drawn = self.decisions < config.temperature_moves;
        let first = self.policies.len();
        let (best, action, found) = if let Some(tree) = tree {
            let total: u32 = tree.branches().map(|branch| branch.visits).sum();
            let probability = |branch: Branch| match total {
                0 => branch.prior,
                total => branch.visits as f32 / total as f32,
            };
            let target = |branch: Branch| ActionProbability::new(branch.branch, probability(branch));
            self.policies.extend(tree.branches().map(target));
            let best = tree.best_branch().expect("a decision has a legal move");
            let temperature = if is_drawn { config.temperature } else { 0.0 };
            let action = tree.sample(temperature, &mut self.random).unwrap_or(best);
            let found = tree.branches().find(|branch| branch.branch == best);
            (best, action, found.and_then(|branch| branch.value))
        } else {
            let unit = config.tolerance * G::MAX_VALUE;
            softmax_policy(action_values, unit, |action, probability| {
                self.policies.push(ActionProbability::new(action, probability))
            });
            let best = best(action_values);
            let mut remaining = self.random.uniform();
            let mut action = best;
            if is_drawn {
                softmax_policy(action_values, unit * config.temperature, |candidate, probability| {
                    if remaining >= 0.0 && remaining < probability {
                        action = candidate;
                    }
                    remaining -= probability;
                });
            }
            (best, action, None)
        };
        let policy_len = (self.policies.len() - first) as u16;
        let seen = action_values.iter().find(|action_value| action_value.action == best);
        let estimate = seen.map(|action_value| {
            let mut heads = action_value.heads;
            if let Some(value) = found {
                G::set_equity(&mut heads[..G::HEADS], value);
            }
            heads
        });
        let sample = Sample { state: self.state, heads: [0.0; MAX_HEADS], policy_len };
        self.history.push(PastState { sample, estimate, explored: action != best });
        self.decisions += 1;
        self.advance(action);
    }

    fn advance(&mut self, branch: usize) {
        self.state = self.state.after(branch);
        self.has_tree &= self.path.len() < MAX_REUSE_DEPTH;
        if self.has_tree {
            self.path.push(branch);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::connect_four::ConnectFour;
    use vivarium_kernels::simd;
    use vivarium_mcts::{SelectionResult, TreeLimits};

    #[test]
    fn a_search_of_one_simulation_plays_the_legal_move_of_highest_prior() {
        // Column 0 is full: branch 0 is illegal.
        let state = ConnectFour::from_moves("111111").unwrap();
        let mut tree = Tree::new(state, ConnectFour::puct(), TreeLimits::default()).unwrap();
        let SelectionResult::Leaf(leaf) = tree.select() else { panic!("a new root is a leaf") };
        tree.backup(simd::level(), leaf, &mut [0.0, 0.0, 0.0, 2.0, 0.0, 0.0], 0.0);
        assert_eq!(tree.most_visited(), None);
        let mut game = GameInPlay::<ConnectFour> { state, ..GameInPlay::new(1, 0) };
        game.decide(Some(&tree), &[], &AlphaZeroConfig::default());
        assert!(game.state == state.after(4));
        let target: Vec<_> = game.policies.iter().map(|target| target.probability()).collect();
        assert!((target.iter().sum::<f32>() - 1.0).abs() < 1e-3, "{target:?}");
        assert!(target[3] > 0.5, "{target:?}");
    }
}
