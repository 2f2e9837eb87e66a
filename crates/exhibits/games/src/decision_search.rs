//! Incremental Monte Carlo tree search for one decision of the game that a user plays or analyzes. Each frame of the
//! front end runs a few network evaluations.

use super::player_pool::{PlayerNetwork, label};
use super::rules::TableGame;
use super::search_size::{LEAVES, search_limits};
use crate::protocol::GamePlayer;
use vivarium_agents::alphazero::ForwardPass;
use vivarium_envs::backgammon::doubling::EquityContext;
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
    /// Cubeless equity in points for the player to move at the root: the exact value if an endgame table contains the
    /// state after the play, else the mean value of the visits; `None` before the first visit.
    pub(crate) equity: Option<f32>,
}

/// Value of the state after a play, for the player who made the play.
#[derive(Default)]
pub(crate) struct StateValue {
    /// Equity at the score and with the doubling cube; the cubeless equity in cubeless games.
    pub(crate) equity: f32,
    /// Cubeless equity in points.
    pub(crate) cubeless_equity: f32,
    /// Probability of each outcome in [`TableGame::outcomes`], adjusted to agree with the cubeless equity.
    pub(crate) outcome_probabilities: Vec<f32>,
}

impl StateValue {
    /// Returns the key by which plays are compared: the equity. Plays before a pass have equal equities, and are compared by
    /// cubeless equity.
    fn order(&self) -> [f64; 2] {
        [self.equity, self.cubeless_equity].map(f64::from)
    }
}

/// Candidate play with its value; `None` if the play is not compared with the others.
pub(crate) struct RankedPlay<G> {
    pub(crate) play: CandidatePlay<G>,
    pub(crate) value: Option<StateValue>,
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
    /// Cache of network estimates, sorted by packed states: states after plays with their outcome probabilities, for the
    /// player to move at the root.
    estimates: Vec<((u128, u8), Vec<f32>)>,
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
        let keys = all.iter().map(|play| [f64::from(play.visits), play.prior.into()]).collect();
        descending(all, keys)
    }

    /// Returns the compared plays, the best one first, then all other legal plays in descending order of priors. Plays are
    /// compared by equity or by visits ([`TableGame::RANKS_BY_EQUITY`]). In cubeless games, the visited plays are compared.
    /// At a score (`context` of the player to move), all legal plays are: the search, which maximizes cubeless equity, need
    /// not visit the play that is best at the score.
    pub(crate) fn ranked_plays(&mut self, context: Option<EquityContext<'_>>) -> Vec<RankedPlay<G>> {
        let plays = self.candidate_plays();
        let is_compared = |play: &CandidatePlay<G>| play.visits > 0 || context.is_some();
        let compared: Vec<G> = plays.iter().filter(|play| is_compared(play)).map(|play| play.after).collect();
        self.estimate(&compared);
        let rank = |play: CandidatePlay<G>| {
            let value = is_compared(&play).then(|| self.value_after(&play, context));
            RankedPlay { play, value }
        };
        let ranked: Vec<RankedPlay<G>> = plays.into_iter().map(rank).collect();
        if !G::RANKS_BY_EQUITY {
            return ranked;
        }
        // Plays without a value keep their order.
        let key =
            |ranked: &RankedPlay<G>| ranked.value.as_ref().map_or([f64::NEG_INFINITY; 2], StateValue::order);
        let keys = ranked.iter().map(key).collect();
        descending(ranked, keys)
    }

    /// Returns the play that a computer makes: the most visited one or, at a score, the one with the highest equity. `None`
    /// before the first visit in a cubeless game.
    pub(crate) fn chosen_play(&mut self, context: Option<EquityContext<'_>>) -> Option<CandidatePlay<G>> {
        match context {
            Some(_) => self.ranked_plays(context).into_iter().next().map(|best| best.play),
            None => {
                self.candidate_plays().into_iter().next().filter(|best| best.visits > 0 || self.is_complete())
            }
        }
    }

    /// Returns the value after a play, for the player to move at the root: the search result, or the network's estimate
    /// before the first visit and, if a roll follows the play, before the eighth. The mean of a few visits depends on the
    /// dice that these visits have drawn. `context` is the score and the doubling cube of the player to move.
    pub(crate) fn value_after(
        &mut self,
        play: &CandidatePlay<G>,
        context: Option<EquityContext<'_>>,
    ) -> StateValue {
        self.estimate(&[play.after]);
        let known = self.known_estimate(&play.after).ok().map(|at| self.estimates[at].1.clone());
        let mut outcome_probabilities = known.unwrap_or_default();
        let min_visits = if play.after.status() == GameStatus::Chance { 8 } else { 1 };
        let searched = play.equity.filter(|_| play.visits >= min_visits);
        if let Some(equity) = searched {
            // The search yields only an equity; the win probability is shifted to match the equity.
            G::adjust_to_equity(&mut outcome_probabilities, equity);
        }
        let cubeless_equity = searched.unwrap_or_else(|| G::equity(&outcome_probabilities));
        let equity = context
            .map_or(cubeless_equity, |context| play.after.equity_after_play(&outcome_probabilities, context));
        StateValue { equity, cubeless_equity, outcome_probabilities }
    }

    /// Computes the network's estimates of the outcome probabilities in states after plays, unless they are cached.
    fn estimate(&mut self, states: &[G]) {
        let mut open: Vec<G> = Vec::new();
        for state in states {
            if self.known_estimate(state).is_ok() {
                continue;
            }
            let mut heads = vec![0.0; G::HEADS];
            match state.status() {
                GameStatus::Over(value) => G::outcome_heads(value, &mut heads),
                GameStatus::Decision | GameStatus::Chance if state.exact_heads(&mut heads) => {}
                GameStatus::Decision | GameStatus::Chance => {
                    open.push(*state);
                    continue;
                }
            }
            self.store_estimate(state, heads);
        }
        let mut heads = vec![0.0; open.len() * G::HEADS];
        self.forward.heads(&self.player_network.network, &open, &mut heads);
        for (state, heads) in open.iter().zip(heads.chunks_exact(G::HEADS)) {
            self.store_estimate(state, heads.to_vec());
        }
    }

    /// Stores the outcome probabilities `heads` of the player to move in `state`.
    fn store_estimate(&mut self, state: &G, mut heads: Vec<f32>) {
        if state.player() != self.root().player() {
            G::flip_heads(&mut heads);
        }
        if let Err(at) = self.known_estimate(state) {
            self.estimates.insert(at, (state.pack(), heads));
        }
    }

    /// Returns the index of the cached estimate of a state, or the index at which to insert the estimate.
    fn known_estimate(&self, state: &G) -> Result<usize, usize> {
        let key = state.pack();
        self.estimates.binary_search_by(|(known, _)| known.cmp(&key))
    }
}

/// Sorts `items` by their keys in descending order; items with equal keys keep their order.
fn descending<T>(items: Vec<T>, keys: Vec<[f64; 2]>) -> Vec<T> {
    let mut items: Vec<Option<T>> = items.into_iter().map(Some).collect();
    descending_order(&keys).into_iter().filter_map(|at| items[at].take()).collect()
}

/// Returns the indices of `keys` in descending order of the keys. The sort is not generic, so that the wasm module contains
/// it once.
fn descending_order(keys: &[[f64; 2]]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[b][0].total_cmp(&keys[a][0]).then(keys[b][1].total_cmp(&keys[a][1])));
    order
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
