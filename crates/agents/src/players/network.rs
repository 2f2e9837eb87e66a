//! A network as a player: by itself, or with a search.

use super::{Decision, Player, PlayerError, each_turn};
use crate::alphazero::{Forward, Learnable, MOST_HEADS, Network};
use std::ops::Deref;
use vivarium_mcts::{Batch, Limits, SearchError, Status, Tree};

/// States that are evaluated together.
const ROWS: usize = 64;

/// A network that plays.
///
/// By itself it looks at the state after each of its turns, in backgammon the position that the opponent is to roll
/// in, and takes the one that it finds best; its policy is not asked. With simulations it makes a search of so many for
/// each decision, without noise, and takes the branch with the most visits.
///
/// `N` is where the network is: a reference, an `Arc`.
pub struct NetworkPlayer<G: Learnable, N> {
    network: N,
    forward: Forward<G>,
    searches: Option<Searches<G>>,
}

/// Room to search in several states at once.
struct Searches<G: Learnable> {
    simulations: u32,
    trees: Vec<Tree<G>>,
}

/// A way to end a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ending<G> {
    /// The branch that the turn begins with.
    pub branch: usize,
    /// The state after it.
    pub state: G,
    /// How the game may end, as value heads seen by the player whose turn it was, the first [`Learnable::HEADS`] of them.
    pub heads: [f32; MOST_HEADS],
    /// What that is worth to the same player, in the game's points.
    pub equity: f32,
}

impl<G: Learnable, N: Deref<Target = Network<G>>> NetworkPlayer<G, N> {
    /// The network by itself for 0 simulations, or with a search of so many.
    ///
    /// # Errors
    /// [`SearchError`] if the trees take more memory than there is.
    pub fn new(network: N, simulations: u32) -> Result<Self, SearchError> {
        let forward = Forward::new(&network, ROWS);
        let searches = (simulations > 0).then(|| Searches::new(simulations)).transpose()?;
        Ok(Self { network, forward, searches })
    }

    /// The network.
    pub fn network(&self) -> &Network<G> {
        &self.network
    }

    /// All ways to end the turn of the player to move, as the network alone sees them, in the order of
    /// [`each_turn`]; the same state only once.
    pub fn endings(&mut self, state: &G) -> Vec<Ending<G>> {
        let mut endings: Vec<Ending<G>> = Vec::new();
        each_turn(state, &mut |branch, end| {
            if !endings.iter().any(|ending| ending.state == *end) {
                endings.push(Ending { branch, state: *end, heads: [0.0; MOST_HEADS], equity: 0.0 });
            }
        });
        self.judge(state.player(), &mut endings);
        endings
    }

    /// What a state is worth to the player to move, in the game's points: as the network alone finds it, or its search.
    ///
    /// # Errors
    /// None as it is: [`SearchError`] for the search's sake.
    pub fn value(&mut self, state: &G) -> Result<f32, SearchError> {
        if let Status::Over(value) = state.status() {
            return Ok(value);
        }
        if let Some(searches) = &mut self.searches {
            let trees = searches.search(&[*state], &self.network, &mut self.forward)?;
            if let Some(value) = trees[0].value() {
                return Ok(value);
            }
        }
        let mut heads = [0.0; MOST_HEADS];
        self.forward.heads(&self.network, &[*state], &mut heads[..G::HEADS]);
        Ok(G::equity(&heads[..G::HEADS]))
    }

    /// Fills in what the network finds of endings, seen by a player.
    fn judge(&mut self, player: u8, endings: &mut [Ending<G>]) {
        let over = |ending: &Ending<G>| matches!(ending.state.status(), Status::Over(_));
        let states: Vec<G> =
            endings.iter().filter(|&ending| !over(ending)).map(|ending| ending.state).collect();
        let mut heads = vec![0.0; states.len() * G::HEADS];
        self.forward.heads(&self.network, &states, &mut heads);
        let mut rows = heads.chunks_exact(G::HEADS);
        for ending in endings {
            let heads = &mut ending.heads[..G::HEADS];
            match ending.state.status() {
                Status::Over(value) => G::heads_of(value, heads),
                Status::Decision | Status::Chance => {
                    heads.copy_from_slice(rows.next().expect("a row for each state that goes on"));
                }
            }
            if ending.state.player() != player {
                G::turn(heads);
            }
            ending.equity = G::equity(heads);
        }
    }

    fn best_ending(&mut self, state: &G) -> usize {
        let endings = self.endings(state);
        // The first of equals: the last, backwards.
        let best = endings.iter().rev().max_by(|a, b| a.equity.total_cmp(&b.equity));
        best.map_or(0, |ending| ending.branch)
    }
}

impl<G: Learnable> Searches<G> {
    fn new(simulations: u32) -> Result<Self, SearchError> {
        // As many trees as fill a batch, fewer where they are large.
        let count = ((1 << 16) / simulations as usize).clamp(1, ROWS);
        let limits = limits::<G>(simulations);
        let tree = |_| Tree::new(G::START, G::puct(), limits);
        let trees = (0..count).map(tree).collect::<Result<_, _>>()?;
        Ok(Self { simulations, trees })
    }

    /// Searches from states, no more than there are trees, and returns their trees.
    fn search(
        &mut self,
        states: &[G],
        network: &Network<G>,
        forward: &mut Forward<G>,
    ) -> Result<&[Tree<G>], SearchError> {
        let trees = &mut self.trees[..states.len()];
        for (tree, state) in trees.iter_mut().zip(states) {
            tree.restart(*state)?;
        }
        // One leaf of each tree at a time, so that no search depends on its company.
        G::search(&mut Batch::new(states.len()), trees, &mut forward.with(network), self.simulations);
        Ok(trees)
    }

    /// The branch with the most visits, for each of the states.
    fn choose(
        &mut self,
        states: &[G],
        network: &Network<G>,
        forward: &mut Forward<G>,
    ) -> Result<Vec<usize>, SearchError> {
        let mut chosen = Vec::with_capacity(states.len());
        for states in states.chunks(self.trees.len()) {
            let trees = self.search(states, network, forward)?;
            let best = |tree: &Tree<G>| {
                // Where nothing could be tried, whatever comes first.
                let first = tree.branches().next().map_or(0, |branch| branch.branch);
                tree.most_visited().unwrap_or(first)
            };
            chosen.extend(trees.iter().map(best));
        }
        Ok(chosen)
    }
}

/// Room for so many simulations from a root that is searched anew.
fn limits<G: Learnable>(simulations: u32) -> Limits {
    /// Branches that a state has on average at most: 21 rolls, or actions.
    const USUAL: usize = 24;
    // A simulation adds a state, or two where a decision without a choice comes between.
    let nodes = 2 * simulations as usize + 2;
    Limits { nodes, edges: nodes * USUAL.min(G::MOST_BRANCHES) + G::MOST_BRANCHES, leaves: 1 }
}

impl<G: Learnable, N: Deref<Target = Network<G>> + Send> Player<G> for NetworkPlayer<G, N> {
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError> {
        if self.searches.is_none() {
            return Ok(decisions.iter().map(|decision| self.best_ending(&decision.state)).collect());
        }
        // What has to be played is not searched for.
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
