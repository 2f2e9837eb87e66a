//! Session in which a user plays or analyzes a game: the game, the search for the current decision, and computer moves.

mod assessment;
mod commands;
mod doubling;
mod doubling_evaluation;
mod repetition;
mod saved_session;

pub(crate) use saved_session::SavedState;

use super::decision_search::DecisionSearch;
use super::documents;
use super::player_pool::{PlayerPool, simulations};
use super::rules::TableGame;
use super::table::TableState;
use crate::protocol::{
    DoublingReport, GameAnalysis, GamePlayer, GameStage, GameTable, GameTree, TreeRequest,
};
use doubling_evaluation::DoublingEvaluation;
use vivarium_agents::players::{Decision, NetworkPlayer, Player};
use vivarium_kernels::rng;
use vivarium_mcts::{Game, GameStatus};

/// Number of the random stream from which the seed for the decisions of players without search is derived.
const CHOICES: u32 = 141;

/// Default number of search simulations per decision that the analysis of human decisions runs.
const DEFAULT_ANALYSIS_SIMULATIONS: u32 = 400;

/// Default number of simulations per decision of a computer player.
const DEFAULT_PLAYER_SIMULATIONS: u32 = 100;

/// Allowed range of the search speed in simulations per second.
const SPEEDS: std::ops::RangeInclusive<f32> = 1.0..=100_000.0;

/// Minimum number of search simulations after which a search result is used to assess a play (equity loss), or to
/// answer a resignation.
const MIN_SIMULATIONS: u32 = 16;

/// Subject of a search: the decision (game and turn), and the player whose network the search uses.
#[derive(Clone, Copy, PartialEq)]
struct SearchSubject {
    game: u32,
    turn: u32,
    player: GamePlayer,
}

/// Session in which a user plays or analyzes a game: the game, the search for the current decision, and analyses of
/// earlier turns.
pub(crate) struct GameSession<G: TableGame> {
    table: TableState<G>,
    seed: u64,
    analyst: GamePlayer,
    speed: Option<f32>,
    search: Option<DecisionSearch<G>>,
    /// Decision and player that `search` belongs to. While no decision is due (roll, end of the game), the decision is
    /// an earlier one.
    about: Option<SearchSubject>,
    /// Repetition of `search` with newer weights; `None` if none is in progress.
    repetition: Option<DecisionSearch<G>>,
    /// Seconds since the session last checked whether newer weights exist, with which the complete search can be
    /// repeated.
    waited: f32,
    /// Whether the search is to be restarted with the newest weights in the next frame.
    restart: bool,
    /// Whether the computer is to play its current best move at once.
    move_now: bool,
    /// Search result of each finished turn, by turn index; `None` if the turn was not analyzed.
    analyses: Vec<Option<GameAnalysis>>,
    /// Evaluation of the doubling decision that is due; of an earlier decision if none is due.
    doubling: Option<DoublingEvaluation>,
    /// Doubling decision of the game that was made last.
    last_doubling: Option<DoublingReport>,
    /// Number of changes of the JSON document `table` that did not change the game, such as a new analyst (the network
    /// that analyzes human decisions). Part of the document's version.
    changes: u32,
    /// Version of the search results; increases when the results change.
    search_version: u32,
}

impl<G: TableGame> GameSession<G> {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            table: TableState::new(
                seed,
                [GamePlayer::Person, GamePlayer::Newest { simulations: DEFAULT_PLAYER_SIMULATIONS }],
            ),
            seed: rng::derive(seed, CHOICES),
            analyst: GamePlayer::Newest { simulations: DEFAULT_ANALYSIS_SIMULATIONS },
            speed: None,
            search: None,
            about: None,
            repetition: None,
            waited: 0.0,
            restart: false,
            move_now: false,
            analyses: Vec::new(),
            doubling: None,
            last_doubling: None,
            changes: 0,
            search_version: 0,
        }
    }

    /// Returns the version of the JSON document `table` and the version of the search results; a version increases with
    /// each change.
    pub(crate) fn versions(&self) -> [u32; 2] {
        [self.changes.wrapping_add(self.table.version), self.search_version]
    }

    pub(crate) fn table_document(&self) -> GameTable {
        let mut table = self.table.document(self.analyst, self.speed);
        if let Some(doubling) = &mut table.doubling {
            doubling.pending = self.pending_doubling();
            doubling.last.clone_from(&self.last_doubling);
        }
        table
    }

    /// Returns the analysis of a finished turn with index `turn`, or of the current turn (`None`). Returns `None` if
    /// the turn was not analyzed or no decision is due.
    pub(crate) fn analysis(&mut self, turn: Option<u32>) -> Option<GameAnalysis> {
        match turn.filter(|&turn| turn < self.table.turns()) {
            Some(turn) => self.analyses.get(turn as usize).cloned().flatten(),
            None => self.present(),
        }
    }

    fn present(&mut self) -> Option<GameAnalysis> {
        let (turn, context) = (self.table.turns(), self.table.equity_context());
        let search = self.search.as_mut().filter(|_| is_about(self.about, &self.table))?;
        Some(documents::analysis(search, turn, context))
    }

    /// Returns the part of the current search tree that `request` selects; without nodes if no search is running.
    pub(crate) fn tree(&self, request: &TreeRequest) -> GameTree {
        let turn = self.table.turns();
        match self.search.as_ref().filter(|_| is_about(self.about, &self.table)) {
            Some(search) => documents::tree(search, request, turn),
            None => GameTree { turn, ..GameTree::default() },
        }
    }

    /// Advances the session by `elapsed` seconds: rolls dice that are due, runs the search, and makes a computer's move
    /// that is due. `refresh` copies the newest weights into the player pool.
    pub(crate) fn pass(
        &mut self,
        pool: &mut PlayerPool<G>,
        refresh: &mut dyn FnMut(&mut PlayerPool<G>),
        elapsed: f32,
    ) {
        let due = self.table.pass(elapsed);
        self.pass_doubling(pool, refresh);
        self.focus_search(pool, refresh);
        let present = is_about(self.about, &self.table);
        if let Some(search) = self.search.as_mut().filter(|_| present)
            && search.run_for(elapsed, self.speed)
        {
            self.search_version = self.search_version.wrapping_add(1);
        }
        self.repeat_search(pool, refresh, elapsed);
        if self.table.stage() == GameStage::Computer && (due || self.move_now) {
            self.play_for_computer(pool);
        }
        self.move_now &= self.table.stage() == GameStage::Computer;
    }

    /// Directs the search to the current decision. If the search belongs to another decision or player, moves its root
    /// to the current state or starts a new search. Before that, calls `refresh`, which copies the newest weights into
    /// the player pool.
    fn focus_search(&mut self, pool: &mut PlayerPool<G>, refresh: &mut dyn FnMut(&mut PlayerPool<G>)) {
        let on_move = self.table.on_move();
        let own = |player| simulations(player).is_some_and(|simulations| simulations > 0);
        let player = match self.table.stage() {
            GameStage::Computer if own(on_move) && !self.table.is_held() => on_move,
            GameStage::Computer | GameStage::Person => self.analyst,
            GameStage::Roll | GameStage::Doubled | GameStage::Over => return,
        };
        let about = SearchSubject { game: self.table.game(), turn: self.table.turns(), player };
        let restarted = std::mem::take(&mut self.restart);
        if self.about == Some(about) && !restarted {
            return;
        }
        refresh(pool);
        // The pool may have dropped the player's network, for example the oldest former best network.
        let player_network = pool.network(player).unwrap_or(&pool.newest).clone();
        let wanted = simulations(player).unwrap_or(DEFAULT_ANALYSIS_SIMULATIONS).max(1);
        let root = self.table.state();
        let made = match self.search.take() {
            Some(search) if !restarted => search.move_to(player, wanted, player_network, root),
            _ => DecisionSearch::new(player, wanted, player_network, root),
        };
        self.repetition = None;
        // Commands reject searches that need too much memory. If the allocation fails nevertheless, the table works
        // without a search.
        self.search = made.ok();
        self.about = Some(about);
        self.search_version = self.search_version.wrapping_add(1);
    }

    /// Makes the play of the computer to move. A computer with a search plays only if the search is complete, the user
    /// requested an immediate move, or only one play is legal.
    fn play_for_computer(&mut self, pool: &PlayerPool<G>) {
        let on_move = self.table.on_move();
        let mine = self.about.is_some_and(|about| about.player == on_move);
        let context = self.table.equity_context();
        let branches = match self.search.as_mut().filter(|_| mine && is_about(self.about, &self.table)) {
            Some(search) => {
                let decided = search.is_complete() || self.move_now || search.candidate_plays().len() == 1;
                match search.chosen_play(context).filter(|_| decided) {
                    Some(best) => best.branches,
                    None => return,
                }
            }
            None => match self.choose_without_search(pool, on_move) {
                Some(branches) => branches,
                None => return,
            },
        };
        let root = self.table.state();
        let after = branches.iter().fold(root, |state, &branch| Game::after(&state, branch));
        let assessment = self.assessment(&after);
        self.store_analysis();
        self.table.play(&branches, assessment);
        self.move_now = false;
    }

    /// Returns the play that `player`, for which the session runs no search, chooses in the user's game. The play has
    /// one branch (index of an action) per decision of the turn; `None` if the player fails.
    fn choose_without_search(&self, pool: &PlayerPool<G>, player: GamePlayer) -> Option<Vec<usize>> {
        let context = self.table.equity_context();
        let mut choose: Box<dyn FnMut(Decision<G>) -> Option<usize>> = match simulations(player) {
            Some(simulations) => {
                // The newest network replaces a network that the pool has dropped, as in a search.
                let network = pool.network(player).unwrap_or(&pool.newest).network.clone();
                let mut chooser = NetworkPlayer::new(network, simulations).ok()?;
                Box::new(move |decision: Decision<G>| match context {
                    Some(context) => Some(chooser.best_branch_by(&decision.state, |turn| {
                        turn.state.equity_after_play(&turn.heads[..G::HEADS], context)
                    })),
                    None => chooser.choose(&[decision]).ok()?.first().copied(),
                })
            }
            None => {
                let mut chooser = G::opponent(player)?;
                Box::new(move |decision| chooser.choose(&[decision]).ok()?.first().copied())
            }
        };
        let root = self.table.state();
        let (mut state, mut branches) = (root, Vec::new());
        while state.status() == GameStatus::Decision && state.player() == root.player() {
            let number = 2 * self.table.turns() + branches.len() as u32;
            let branch = choose(Decision::new(state, self.seed, self.table.game(), number))?;
            branches.push(branch);
            state = Game::after(&state, branch);
        }
        Some(branches)
    }

    /// Stores the search result of the current decision, so that past turns can be displayed with their analyses.
    fn store_analysis(&mut self) {
        let turn = self.table.turns() as usize;
        let present = self.present();
        self.analyses.resize_with(turn, || None);
        self.analyses.push(present);
    }

    /// Drops the analyses of turns that were taken back, and discards the subject of the search, so that the next frame
    /// searches the current decision.
    fn drop_later_analyses(&mut self) {
        self.analyses.truncate(self.table.turns() as usize);
        self.about = None;
        self.last_doubling = None;
        self.move_now = false;
        self.search_version = self.search_version.wrapping_add(1);
    }
}

/// Returns whether the search, whose subject is `about`, belongs to the current decision in the user's game (`table`).
fn is_about<G: TableGame>(about: Option<SearchSubject>, table: &TableState<G>) -> bool {
    let decides = matches!(table.stage(), GameStage::Person | GameStage::Computer);
    decides && about.is_some_and(|about| (about.game, about.turn) == (table.game(), table.turns()))
}
