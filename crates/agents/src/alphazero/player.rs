//! Player of a board game that chooses moves with an AlphaZero network, with or without a tree search.

use super::forward::ForwardPass;
use super::game::{MAX_HEADS, SelfPlayGame};
use super::network::AlphaZeroNetwork;
use crate::players::{Decision, Player, PlayerError, each_turn};
use std::ops::Deref;
use vivarium_kernels::simd;
use vivarium_mcts::{BatchSearch, GameStatus, SearchError, Tree, TreeLimits};

/// Maximum number of states in a batch of network evaluations.
const ROWS: usize = 64;
/// Number of simulations per tree between two checks whether a search has to stop.
const SIMULATIONS_PER_CHECK: u32 = 64;

/// Player that chooses moves with an AlphaZero network, with or without a tree search.
///
/// With 0 simulations, the player evaluates the state after each complete turn, which in backgammon is the position
/// before the opponent's roll. The player chooses the turn with the highest equity; the policy head is not used.
/// Otherwise the player runs a PUCT search without noise for each decision and chooses the most visited branch.
///
/// `N` is a pointer to the network, such as a reference or an `Arc`.
pub struct NetworkPlayer<G: SelfPlayGame, N> {
    network: N,
    forward: ForwardPass<G>,
    searches: Option<Searches<G>>,
}

/// Search trees of a network player. Each tree searches one decision at a time; all trees share batches of network
/// evaluations.
struct Searches<G: SelfPlayGame> {
    simulations: u32,
    trees: Vec<Tree<G>>,
}

/// A complete turn of a player, such as all moves of a roll in backgammon, with the network's evaluation of the state
/// after the turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EvaluatedTurn<G> {
    /// Index of the branch, in the state before the turn, that is the first move of the turn.
    pub branch: usize,
    /// State of the game after the turn.
    pub state: G,
    /// Outcome probabilities after the turn, for the player who made the turn. The first [`SelfPlayGame::HEADS`]
    /// entries are used.
    pub heads: [f32; MAX_HEADS],
    /// Equity (expected points) after the turn, for the player who made the turn.
    pub equity: f32,
}

impl<G: SelfPlayGame, N: Deref<Target = AlphaZeroNetwork<G>>> NetworkPlayer<G, N> {
    /// Creates a player that runs `simulations` simulations of tree search per decision. With 0, the player chooses
    /// moves without a search.
    ///
    /// # Errors
    /// [`SearchError`] if the search trees need too much memory.
    pub fn new(network: N, simulations: u32) -> Result<Self, SearchError> {
        let forward = ForwardPass::new(&network, ROWS);
        let searches = (simulations > 0).then(|| Searches::new(simulations)).transpose()?;
        Ok(Self { network, forward, searches })
    }

    /// Returns the network with which the player evaluates states.
    pub fn network(&self) -> &AlphaZeroNetwork<G> {
        &self.network
    }

    /// Evaluates the states after all complete turns of the player to move in `state` with the network, without search.
    /// Returns the turns in the order of [`each_turn`]; of several turns that lead to one state, only the first.
    pub fn evaluated_turns(&mut self, state: &G) -> Vec<EvaluatedTurn<G>> {
        let mut evaluated_turns: Vec<EvaluatedTurn<G>> = Vec::new();
        each_turn(state, &mut |branch, end| {
            if !evaluated_turns.iter().any(|ending| ending.state == *end) {
                evaluated_turns.push(EvaluatedTurn {
                    branch,
                    state: *end,
                    heads: [0.0; MAX_HEADS],
                    equity: 0.0,
                });
            }
        });
        self.evaluate_turns(state.player(), &mut evaluated_turns);
        evaluated_turns
    }

    /// Returns the equity of a state for the player to move, in points of the game: the root value of a search, or
    /// the network's estimate if the search is disabled.
    ///
    /// # Errors
    /// [`SearchError`] if the search fails.
    pub fn value(&mut self, state: &G) -> Result<f32, SearchError> {
        let value = self.value_interruptible(state, &|| false)?;
        Ok(value.expect("the search is never stopped"))
    }

    /// Returns the same equity as [`value`](Self::value), or `None` if `is_stopped` returned `true` during the search.
    ///
    /// # Errors
    /// [`SearchError`] if the search fails.
    pub fn value_interruptible(
        &mut self,
        state: &G,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<f32>, SearchError> {
        if let GameStatus::Over(value) = state.status() {
            return Ok(Some(value));
        }
        if let Some(searches) = &mut self.searches {
            let trees = searches.search(&[*state], &self.network, &mut self.forward, is_stopped)?;
            let Some(trees) = trees else { return Ok(None) };
            if let Some(value) = trees[0].value() {
                return Ok(Some(value));
            }
        }
        let mut heads = [0.0; MAX_HEADS];
        self.forward.heads(&self.network, &[*state], &mut heads[..G::HEADS]);
        Ok(Some(G::equity(&heads[..G::HEADS])))
    }

    /// Returns the outcome probabilities at a chance node for the player who moves after the roll: the mean over the
    /// rolls of the turn with the highest equity. The first [`SelfPlayGame::HEADS`] entries are used.
    pub fn heads_before_roll(&mut self, state: &G) -> [f32; MAX_HEADS] {
        let mut rolls = Vec::new();
        state.branches(&mut G::Scratch::default(), |roll, probability| rolls.push((roll, probability)));
        let mut mean = [0.0; MAX_HEADS];
        for (roll, probability) in rolls {
            let turns = self.evaluated_turns(&state.after(roll));
            let best = turns.iter().max_by(|a, b| a.equity.total_cmp(&b.equity));
            for (mean, head) in mean.iter_mut().zip(best.map_or([0.0; MAX_HEADS], |best| best.heads)) {
                *mean += probability * head;
            }
        }
        mean
    }

    /// Computes outcome probabilities and equity of each turn for `player`, and stores them in `evaluated_turns`.
    fn evaluate_turns(&mut self, player: u8, evaluated_turns: &mut [EvaluatedTurn<G>]) {
        let over = |ending: &EvaluatedTurn<G>| matches!(ending.state.status(), GameStatus::Over(_));
        let states: Vec<G> =
            evaluated_turns.iter().filter(|&ending| !over(ending)).map(|ending| ending.state).collect();
        let mut heads = vec![0.0; states.len() * G::HEADS];
        self.forward.heads(&self.network, &states, &mut heads);
        let mut rows = heads.chunks_exact(G::HEADS);
        for ending in evaluated_turns {
            let heads = &mut ending.heads[..G::HEADS];
            match ending.state.status() {
                GameStatus::Over(value) => G::outcome_heads(value, heads),
                GameStatus::Decision | GameStatus::Chance => {
                    heads.copy_from_slice(rows.next().expect("one row per non-terminal state"));
                }
            }
            if ending.state.player() != player {
                G::flip_heads(heads);
            }
            ending.equity = G::equity(heads);
        }
    }

    /// Returns the first branch of the turn with the highest `value`, without a search; of turns with equal values, the turn
    /// with the highest equity.
    pub fn best_branch_by(&mut self, state: &G, value: impl Fn(&EvaluatedTurn<G>) -> f32) -> usize {
        let turns = self.evaluated_turns(state);
        let values = turns.iter().map(|turn| (value(turn), turn));
        // `max_by` returns the last of several maxima, so the reversed order gives the first.
        let best = values
            .rev()
            .max_by(|(a, first), (b, second)| a.total_cmp(b).then(first.equity.total_cmp(&second.equity)));
        best.map_or(0, |(_, turn)| turn.branch)
    }
}

impl<G: SelfPlayGame> Searches<G> {
    fn new(simulations: u32) -> Result<Self, SearchError> {
        // Number of trees: one per row of a batch, fewer if each tree is large.
        let count = ((1 << 16) / simulations as usize).clamp(1, ROWS);
        let limits = limits::<G>(simulations);
        let tree = |_| Tree::new(G::START, G::puct(), limits);
        let trees = (0..count).map(tree).collect::<Result<_, _>>()?;
        Ok(Self { simulations, trees })
    }

    /// Runs one tree search from each of `states`, which has at most as many elements as there are trees. Returns the
    /// trees in the order of `states`, or `None` if `is_stopped` returned `true`.
    fn search(
        &mut self,
        states: &[G],
        network: &AlphaZeroNetwork<G>,
        forward: &mut ForwardPass<G>,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Option<&[Tree<G>]>, SearchError> {
        let trees = &mut self.trees[..states.len()];
        for (tree, state) in trees.iter_mut().zip(states) {
            tree.restart(*state)?;
        }
        // One leaf per tree and batch: the search of a state does not depend on the other states, and a search in parts is
        // the same as an undivided search.
        let mut batch = BatchSearch::new(simd::level(), states.len());
        let mut remaining = self.simulations;
        while remaining > 0 {
            if is_stopped() {
                return Ok(None);
            }
            let part = remaining.min(SIMULATIONS_PER_CHECK);
            G::search(&mut batch, trees, &mut forward.with(network), part);
            remaining -= part;
        }
        Ok(Some(trees))
    }

    /// Runs a tree search from each of `states`. Returns the index of each state's most visited branch.
    fn choose(
        &mut self,
        states: &[G],
        network: &AlphaZeroNetwork<G>,
        forward: &mut ForwardPass<G>,
    ) -> Result<Vec<usize>, SearchError> {
        let mut chosen = Vec::with_capacity(states.len());
        for states in states.chunks(self.trees.len()) {
            let trees = self.search(states, network, forward, &|| false)?;
            let trees = trees.expect("the search is never stopped");
            let best = |tree: &Tree<G>| tree.best_branch().expect("the root is expanded");
            chosen.extend(trees.iter().map(best));
        }
        Ok(chosen)
    }
}

/// Returns the maximum numbers of nodes and edges of a tree for a search of `simulations` simulations that starts
/// with an empty tree.
fn limits<G: SelfPlayGame>(simulations: u32) -> TreeLimits {
    /// Upper estimate of the mean number of branches per node: the 21 rolls of a chance node, or the legal moves of a
    /// decision.
    const TYPICAL_BRANCHES: usize = 24;
    // A simulation adds one node, or two with a forced decision in between.
    let nodes = 2 * simulations as usize + 2;
    TreeLimits { nodes, edges: nodes * TYPICAL_BRANCHES.min(G::MAX_BRANCHES) + G::MAX_BRANCHES, leaves: 1 }
}

impl<G: SelfPlayGame, N: Deref<Target = AlphaZeroNetwork<G>> + Send> Player<G> for NetworkPlayer<G, N> {
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError> {
        if self.searches.is_none() {
            return Ok(decisions
                .iter()
                .map(|decision| self.best_branch_by(&decision.state, |turn| turn.equity))
                .collect());
        }
        // Forced moves are not searched.
        let mut scratch = G::Scratch::default();
        let mut chosen = vec![0; decisions.len()];
        let (mut open, mut states) = (Vec::new(), Vec::new());
        for (at, Decision { state, .. }) in decisions.iter().enumerate() {
            let mut branches = 0;
            state.branches(&mut scratch, |branch, _| {
                chosen[at] = branch;
                branches += 1;
            });
            if branches > 1 {
                open.push(at);
                states.push(*state);
            }
        }
        if let Some(searches) = &mut self.searches {
            let found = searches.choose(&states, &self.network, &mut self.forward)?;
            open.into_iter().zip(found).for_each(|(at, branch)| chosen[at] = branch);
        }
        Ok(chosen)
    }
}
