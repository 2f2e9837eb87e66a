//! A search that goes on while a person watches, a few evaluations at a time.

use super::player_pool::{PlayerNetwork, label};
use super::rules::TableGame;
use super::search_size::{LEAVES, search_limits};
use crate::protocol::GamePlayer;
use vivarium_agents::alphazero::ForwardPass;
use vivarium_lab::error::LabError;
use vivarium_mcts::{BatchSearch, Branch, GameStatus, Tree};

/// Multiplications of a network between two frames: a few milliseconds of one core, even in a browser.
const WORK: usize = 48_000_000;

/// A play that a search considers, perhaps of several decisions.
#[derive(Clone, Debug)]
pub(crate) struct CandidatePlay<G> {
    pub(crate) branches: Vec<usize>,
    /// The state after it.
    pub(crate) after: G,
    pub(crate) visits: u32,
    pub(crate) prior: f32,
    /// For the player who decides: exact where a table knows the state after it, else the mean of the visits; `None` before the
    /// first visit.
    pub(crate) equity: Option<f32>,
}

/// What a decision is worth to the player who makes it.
#[derive(Default)]
pub(crate) struct StateValue {
    pub(crate) equity: f32,
    /// One for each of [`TableGame::outcomes`], which together stand for this equity.
    pub(crate) outcome_probabilities: Vec<f32>,
}

/// A search for a decision, by one player.
pub(crate) struct DecisionSearch<G: TableGame> {
    /// Whose it is.
    pub(crate) player: GamePlayer,
    pub(crate) known: PlayerNetwork<G>,
    forward: ForwardPass<G>,
    // A batch takes a slice of trees.
    tree: [Tree<G>; 1],
    batch: BatchSearch<G>,
    /// Simulations that there is room for.
    room: u32,
    pub(crate) target: u32,
    pub(crate) full: bool,
    /// Chances after plays, as far as somebody asked.
    after: Vec<(G, Vec<f32>)>,
    /// Simulations that the speed allows for.
    allowance: f32,
}

impl<G: TableGame> DecisionSearch<G> {
    /// A search for a decision that has not begun yet.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there is no memory for it.
    pub(crate) fn new(
        player: GamePlayer,
        target: u32,
        known: PlayerNetwork<G>,
        root: G,
    ) -> Result<Self, LabError> {
        let tree = Tree::new(root, G::puct(), search_limits::<G>(target))
            .map_err(|error| LabError::invalid("simulations", label(player), error.to_string()))?;
        Ok(Self {
            player,
            forward: ForwardPass::new(&known.network, LEAVES),
            known,
            tree: [tree],
            batch: BatchSearch::new(LEAVES),
            room: target,
            target,
            full: false,
            after: Vec::new(),
            allowance: 0.0,
        })
    }

    /// Goes on with another decision, keeping what is known of it where it lies ahead in the tree.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there is no memory for it.
    pub(crate) fn move_to(
        self,
        player: GamePlayer,
        target: u32,
        known: PlayerNetwork<G>,
        root: G,
    ) -> Result<Self, LabError> {
        let same = self.known.updates == known.updates
            && std::sync::Arc::ptr_eq(&self.known.network, &known.network);
        if !same || target > self.room {
            return Self::new(player, target, known, root);
        }
        let mut search = Self { player, target, full: false, allowance: 0.0, ..self };
        search.after.clear();
        if !search.find(root) {
            // No leaf is awaited between two slices, so nothing is refused.
            let _ = search.tree[0].restart(root);
        }
        Ok(search)
    }

    /// Goes to a state that lies at most a turn and a roll ahead; `false` where the search has not been there.
    fn find(&mut self, state: G) -> bool {
        let Some(way) = self.way_to(state) else { return false };
        way.into_iter().all(|branch| self.tree[0].advance(branch).is_ok())
    }

    fn way_to(&self, state: G) -> Option<Vec<usize>> {
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

    /// The decision that it is about.
    pub(crate) fn root(&self) -> G {
        self.tree[0].root()
    }

    pub(crate) fn tree(&self) -> &Tree<G> {
        &self.tree[0]
    }

    /// States that there is room for.
    pub(crate) fn most_nodes(&self) -> u32 {
        search_limits::<G>(self.room).nodes as u32
    }

    /// Simulations so far, those that were made before the root was the root among them.
    pub(crate) fn made(&self) -> u32 {
        self.tree[0].visits()
    }

    /// Nothing more is to be done.
    pub(crate) fn is_complete(&self) -> bool {
        self.full || self.made() >= self.target
    }

    /// Asks for more simulations, or for fewer.
    ///
    /// # Errors
    /// [`LabError::Invalid`] where there is no memory for them.
    pub(crate) fn set_target(self, player: GamePlayer, target: u32) -> Result<Self, LabError> {
        if target > self.room {
            let (known, root) = (self.known.clone(), self.root());
            return Self::new(player, target, known, root);
        }
        Ok(Self { player, target, ..self })
    }

    /// Makes some simulations: as many as a frame has time for, or as `speed` in a second allows for `elapsed` of them.
    /// Tells whether there were any.
    pub(crate) fn run_for(&mut self, elapsed: f32, speed: Option<f32>) -> bool {
        if self.is_complete() {
            return false;
        }
        let weights = self.known.network.parameters().flat().len().max(1);
        let mut simulations = (WORK / weights).clamp(LEAVES, 2048) as u32;
        if let Some(speed) = speed {
            self.allowance = (self.allowance + elapsed * speed).min(simulations as f32);
            simulations = self.allowance as u32;
            self.allowance -= simulations as f32;
        }
        let before = self.made();
        let simulations = simulations.min(self.target - before);
        let Self { tree, forward, batch, known, .. } = self;
        let made = G::search(batch, tree, &mut forward.with(&known.network), simulations);
        self.full = made < simulations as usize;
        self.made() != before || self.full
    }

    /// All plays, those with the most visits first, of equals those with the higher prior.
    pub(crate) fn candidate_plays(&self) -> Vec<CandidatePlay<G>> {
        let (tree, root) = (self.tree(), self.root());
        let mut all: Vec<CandidatePlay<G>> = Vec::new();
        let mut add = |play: CandidatePlay<G>| {
            // The halves of a double can lead to one position in several ways.
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
            for second in seconds(tree, branch.branch, after) {
                add(CandidatePlay {
                    branches: vec![branch.branch, second.branch],
                    after: after.after(second.branch),
                    visits: second.visits,
                    prior: branch.prior * second.prior,
                    equity: second.value,
                });
            }
        }
        // A search goes on beyond a state whose outcome_probabilities a table knows, and knows less there.
        for play in all.iter_mut().filter(|play| play.equity.is_some()) {
            play.equity = exact(&play.after, root.player()).or(play.equity);
        }
        all.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.prior.total_cmp(&a.prior)));
        all
    }

    /// What a play is worth to the player at the root: as the search found it, or before it came there, as the network sees the
    /// state after it.
    pub(crate) fn state_value(&mut self, play: &CandidatePlay<G>) -> StateValue {
        let mut outcome_probabilities = self.probabilities_after(play.after);
        let Some(equity) = play.equity else {
            return StateValue { equity: G::equity(&outcome_probabilities), outcome_probabilities };
        };
        // A search finds one number; the game's end that it makes likelier is a win or a loss.
        G::set_equity(&mut outcome_probabilities, equity);
        StateValue { equity, outcome_probabilities }
    }

    /// The outcome_probabilities after a play as the network sees them, for the player at the root.
    fn probabilities_after(&mut self, after: G) -> Vec<f32> {
        if let Some((_, known)) = self.after.iter().find(|(state, _)| *state == after) {
            return known.clone();
        }
        let player = self.root().player();
        let outcome_probabilities = self.probabilities_of(after, player);
        self.after.push((after, outcome_probabilities.clone()));
        outcome_probabilities
    }

    fn probabilities_of(&mut self, state: G, player: u8) -> Vec<f32> {
        let mut heads = vec![0.0; G::HEADS];
        match state.status() {
            GameStatus::Over(value) => G::outcome_heads(value, &mut heads),
            GameStatus::Decision | GameStatus::Chance if state.exact_heads(&mut heads) => {}
            GameStatus::Decision | GameStatus::Chance => {
                self.forward.heads(&self.known.network, &[state], &mut heads)
            }
        }
        if state.player() != player {
            G::flip_heads(&mut heads);
        }
        heads
    }

    /// The equity after a play for the player at the root: what the search found, where that is worth something, or what
    /// the network thinks.
    pub(crate) fn equity_after(&mut self, play: &CandidatePlay<G>) -> f32 {
        const ENOUGH: u32 = 8;
        match play.equity {
            Some(equity) if play.visits >= ENOUGH => equity,
            _ => G::equity(&self.probabilities_after(play.after)),
        }
    }
}

/// The equity of a state for a player, where a table knows its outcome_probabilities.
fn exact<G: TableGame>(state: &G, player: u8) -> Option<f32> {
    let mut heads = vec![0.0; G::HEADS];
    let equity = state.exact_heads(&mut heads).then(|| G::equity(&heads))?;
    Some(if state.player() == player { equity } else { -equity })
}

/// What can come after the first half of a double: as the search knows it, or all alike where it has not been yet.
fn seconds<G: TableGame>(tree: &Tree<G>, first: usize, after: G) -> Vec<Branch> {
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
