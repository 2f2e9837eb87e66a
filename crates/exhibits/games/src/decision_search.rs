//! Incremental Monte Carlo tree search for one decision of the game that a user plays or analyzes. Each frame of the
//! front end runs a few network evaluations.

use super::player_pool::{PlayerNetwork, label};
use super::rules::TableGame;
use super::search_size::{LEAVES, search_limits};
use crate::protocol::GamePlayer;
use vivarium_agents::alphazero::ForwardPass;
use vivarium_kernels::simd;
use vivarium_lab::error::LabError;
use vivarium_mcts::{BatchSearch, Branch, GameStatus, Tree};

/// Compute budget of the search per frame of the front end, in multiply-adds of network evaluations: a few milliseconds
/// on one core, also in a browser.
const FRAME_WORK: usize = 48_000_000;

/// Candidate play (one decision, or the two decisions of a double in backgammon) with its search statistics.
#[derive(Clone, Debug)]
pub(crate) struct CandidatePlay<G> {
    pub(crate) branches: Vec<usize>,
    /// State of the game after the play.
    pub(crate) after: G,
    pub(crate) visits: u32,
    pub(crate) prior: f32,
    /// Equity in points for the player to move at the root: the exact value if an endgame table contains the state
    /// after the play, else the mean value of the visits; `None` before the first visit.
    pub(crate) equity: Option<f32>,
}

/// Value of the state after a play, for the player who made the play.
#[derive(Default)]
pub(crate) struct StateValue {
    pub(crate) equity: f32,
    /// Probability of each outcome in [`TableGame::outcomes`], adjusted to agree with the equity.
    pub(crate) outcome_probabilities: Vec<f32>,
}

/// Monte Carlo tree search for one decision of the game that a user plays or analyzes, with its network and its
/// results.
pub(crate) struct DecisionSearch<G: TableGame> {
    /// Player that runs the search: the network player to move, or the analyst (the network that analyzes human
    /// decisions).
    pub(crate) player: GamePlayer,
    pub(crate) player_network: PlayerNetwork<G>,
    forward: ForwardPass<G>,
    // An array, because `BatchSearch` requires a slice of trees.
    tree: [Tree<G>; 1],
    batch: BatchSearch<G>,
    /// Maximum number of simulations that the search tree has memory for.
    capacity: u32,
    pub(crate) target: u32,
    pub(crate) full: bool,
    /// Cache of network estimates: pairs of a state after a play and its outcome probabilities.
    estimates: Vec<(G, Vec<f32>)>,
    /// Number of simulations that are due under the user's limit on simulations per second, including a fraction.
    allowance: f32,
}

impl<G: TableGame> DecisionSearch<G> {
    /// Creates a search for the decision in state `root`, which ends after `target` simulations.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if memory is insufficient.
    pub(crate) fn new(
        player: GamePlayer,
        target: u32,
        player_network: PlayerNetwork<G>,
        root: G,
    ) -> Result<Self, LabError> {
        let tree = Tree::new(root, G::puct(), search_limits::<G>(target))
            .map_err(|error| LabError::invalid("simulations", label(player), error.to_string()))?;
        Ok(Self {
            player,
            forward: ForwardPass::new(&player_network.network, LEAVES),
            player_network,
            tree: [tree],
            batch: BatchSearch::new(simd::level(), LEAVES),
            capacity: target,
            target,
            full: false,
            estimates: Vec::new(),
            allowance: 0.0,
        })
    }

    /// Makes another state the root and continues searching for its decision. Keeps the root's subtree if the network
    /// is the same and the search tree contains the state; otherwise starts a new tree.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if memory is insufficient.
    pub(crate) fn move_to(
        self,
        player: GamePlayer,
        target: u32,
        player_network: PlayerNetwork<G>,
        root: G,
    ) -> Result<Self, LabError> {
        let same = self.player_network.updates == player_network.updates
            && std::sync::Arc::ptr_eq(&self.player_network.network, &player_network.network);
        if !same || target > self.capacity {
            return Self::new(player, target, player_network, root);
        }
        let mut search = Self { player, target, full: false, allowance: 0.0, ..self };
        search.estimates.clear();
        if !search.advance_to(root) {
            // No leaf awaits evaluation between two calls of `run_for`, so the restart cannot fail.
            let _ = search.tree[0].restart(root);
        }
        Ok(search)
    }

    /// Makes `state` the root of the search tree and keeps its subtree. `state` must be at most one play and one roll
    /// after the current root. Returns `false`, and changes nothing, if the tree does not contain `state`.
    fn advance_to(&mut self, state: G) -> bool {
        let Some(path) = self.path_to(state) else { return false };
        path.into_iter().all(|branch| self.tree[0].advance(branch).is_ok())
    }

    fn path_to(&self, state: G) -> Option<Vec<usize>> {
        if self.root() == state {
            return Some(Vec::new());
        }
        for play in self.candidate_plays() {
            if play.after == state {
                return Some(play.branches);
            }
            if play.after.status() != GameStatus::Chance {
                continue;
            }
            let Some((_, outcomes)) = self.tree[0].lookup(&play.branches) else { continue };
            let outcomes: Vec<_> =
                outcomes.filter(|outcome| outcome.visits > 0).map(|one| one.branch).collect();
            if let Some(roll) = outcomes.into_iter().find(|&roll| play.after.after(roll) == state) {
                return Some([play.branches, vec![roll]].concat());
            }
        }
        None
    }

    /// Returns the state at the root of the search tree: the state in which the player to move has to decide.
    pub(crate) fn root(&self) -> G {
        self.tree[0].root()
    }

    pub(crate) fn tree(&self) -> &Tree<G> {
        &self.tree[0]
    }

    /// Returns the capacity of the search tree in nodes.
    pub(crate) fn max_nodes(&self) -> u32 {
        search_limits::<G>(self.capacity).nodes as u32
    }

    /// Returns the number of simulations so far, including the simulations of a reused subtree.
    pub(crate) fn made(&self) -> u32 {
        self.tree[0].visits()
    }

    /// Returns whether the search has run all its simulations or has stopped because its tree is full.
    pub(crate) fn is_complete(&self) -> bool {
        self.full || self.made() >= self.target
    }

    /// Sets the player that runs the search, and the number of simulations `target` after which the search ends. Starts
    /// a new tree if the current tree lacks memory for `target` simulations.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if memory is insufficient.
    pub(crate) fn set_target(self, player: GamePlayer, target: u32) -> Result<Self, LabError> {
        if target > self.capacity {
            let (player_network, root) = (self.player_network.clone(), self.root());
            return Self::new(player, target, player_network, root);
        }
        Ok(Self { player, target, ..self })
    }

    /// Runs the simulations of one frame. Limits their number by [`FRAME_WORK`] and by `speed`, the maximum simulations
    /// per second (`None`: unlimited). `elapsed` is the time in seconds since the last frame. Returns whether the
    /// results have changed.
    pub(crate) fn run_for(&mut self, elapsed: f32, speed: Option<f32>) -> bool {
        if self.is_complete() {
            return false;
        }
        let weights = self.player_network.network.parameters().flat().len().max(1);
        let mut simulations = (FRAME_WORK / weights).clamp(LEAVES, 2048) as u32;
        if let Some(speed) = speed {
            self.allowance = (self.allowance + elapsed * speed).min(simulations as f32);
            simulations = self.allowance as u32;
            self.allowance -= simulations as f32;
        }
        let before = self.made();
        let simulations = simulations.min(self.target - before);
        let Self { tree, forward, batch, player_network, .. } = self;
        let made = G::search(batch, tree, &mut forward.with(&player_network.network), simulations);
        self.full = made < simulations as usize;
        self.made() != before || self.full
    }

    /// Returns all legal plays of the decision in descending order of visits, then of priors. Plays of a double that
    /// lead to the same position are merged.
    pub(crate) fn candidate_plays(&self) -> Vec<CandidatePlay<G>> {
        let (tree, root) = (self.tree(), self.root());
        let mut all: Vec<CandidatePlay<G>> = Vec::new();
        let mut add = |play: CandidatePlay<G>| {
            // The two decisions of a double can lead to the same position in different ways.
            match all.iter_mut().find(|known| known.branches.len() > 1 && known.after == play.after) {
                Some(known) => {
                    if play.visits > known.visits {
                        known.branches.clone_from(&play.branches);
                        known.equity = play.equity;
                    }
                    known.visits += play.visits;
                    known.prior += play.prior;
                }
                None => all.push(play),
            }
        };
        for branch in tree.branches() {
            let after = root.after(branch.branch);
            let half = after.status() == GameStatus::Decision && after.player() == root.player();
            let whole = CandidatePlay {
                branches: vec![branch.branch],
                after,
                visits: branch.visits,
                prior: branch.prior,
                equity: branch.value,
            };
            if !half {
                add(whole);
                continue;
            }
            for second in second_decisions(tree, branch.branch, after) {
                add(CandidatePlay {
                    branches: vec![branch.branch, second.branch],
                    after: after.after(second.branch),
                    visits: second.visits,
                    prior: branch.prior * second.prior,
                    equity: second.value,
                });
            }
        }
        // Values from an endgame table replace search values, which are less accurate.
        for play in all.iter_mut().filter(|play| play.equity.is_some()) {
            play.equity = exact_equity(&play.after, root.player()).or(play.equity);
        }
        all.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
        all
    }

    /// Returns the visited plays in descending order of equity, then all other legal plays in descending order of
    /// priors. The equity of a visited play is the result of [`equity_after`](Self::equity_after): the mean of a few
    /// visits depends on the dice that these visits have drawn. The most visited play, which a computer player makes,
    /// need not come first.
    pub(crate) fn ranked_plays(&mut self) -> Vec<CandidatePlay<G>> {
        let mut all = self.candidate_plays();
        for play in all.iter_mut().filter(|play| play.visits > 0) {
            play.equity = Some(self.equity_after(play));
        }
        let equity =
            |play: &CandidatePlay<G>| play.equity.filter(|_| play.visits > 0).unwrap_or(f32::NEG_INFINITY);
        // The sort is stable: plays without visits keep their order.
        all.sort_by(|a, b| equity(b).total_cmp(&equity(a)));
        all
    }

    /// Returns equity and outcome probabilities after a play, for the player to move at the root. The equity is the
    /// search result or, before the first visit, the network's estimate.
    pub(crate) fn state_value(&mut self, play: &CandidatePlay<G>) -> StateValue {
        let mut outcome_probabilities = self.probabilities_after(play.after);
        let Some(equity) = play.equity else {
            return StateValue { equity: G::equity(&outcome_probabilities), outcome_probabilities };
        };
        // The search yields only an equity; the win probability is shifted to match the equity.
        G::set_equity(&mut outcome_probabilities, equity);
        StateValue { equity, outcome_probabilities }
    }

    /// Returns the network's estimate of the outcome probabilities in state `after`, for the player to move at the
    /// root.
    fn probabilities_after(&mut self, after: G) -> Vec<f32> {
        if let Some((_, known)) = self.estimates.iter().find(|(state, _)| *state == after) {
            return known.clone();
        }
        let player = self.root().player();
        let outcome_probabilities = self.probabilities_of(after, player);
        self.estimates.push((after, outcome_probabilities.clone()));
        outcome_probabilities
    }

    fn probabilities_of(&mut self, state: G, player: u8) -> Vec<f32> {
        let mut heads = vec![0.0; G::HEADS];
        match state.status() {
            GameStatus::Over(value) => G::outcome_heads(value, &mut heads),
            GameStatus::Decision | GameStatus::Chance if state.exact_heads(&mut heads) => {}
            GameStatus::Decision | GameStatus::Chance => {
                self.forward.heads(&self.player_network.network, &[state], &mut heads)
            }
        }
        if state.player() != player {
            G::flip_heads(&mut heads);
        }
        heads
    }

    /// Returns the equity in points after a play, for the player to move at the root: the search result, or the network's
    /// estimate before the first visit and, if a roll follows the play, before the eighth.
    pub(crate) fn equity_after(&mut self, play: &CandidatePlay<G>) -> f32 {
        let min_visits = if play.after.status() == GameStatus::Chance { 8 } else { 1 };
        match play.equity {
            Some(equity) if play.visits >= min_visits => equity,
            _ => G::equity(&self.probabilities_after(play.after)),
        }
    }
}

/// Returns the exact equity in points of a state, for player `player`; `None` if no endgame table contains the state.
fn exact_equity<G: TableGame>(state: &G, player: u8) -> Option<f32> {
    let mut heads = vec![0.0; G::HEADS];
    let equity = state.exact_heads(&mut heads).then(|| G::equity(&heads))?;
    Some(if state.player() == player { equity } else { -equity })
}

/// Returns the branches of a double's second decision, which follows branch `first` of the first decision. `after` is
/// the state between the decisions. If the search has not visited that state, the branches have uniform priors and no
/// visits.
fn second_decisions<G: TableGame>(tree: &Tree<G>, first: usize, after: G) -> Vec<Branch> {
    if let Some((_, known)) = tree.lookup(&[first]) {
        return known.collect();
    }
    let mut all = Vec::new();
    after.branches(&mut G::Scratch::default(), |branch, _| {
        all.push(Branch { branch, prior: 0.0, visits: 0, value: None });
    });
    let share = 1.0 / all.len() as f32;
    all.iter_mut().for_each(|branch| branch.prior = share);
    all
}
