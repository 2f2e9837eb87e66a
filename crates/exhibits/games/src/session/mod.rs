//! What happens at the table: the search that thinks aloud, and the computers that play.

mod assessment;
mod commands;
mod saved_session;

pub(crate) use saved_session::SavedState;

use super::decision_search::DecisionSearch;
use super::documents;
use super::player_pool::{PlayerPool, simulations};
use super::rules::TableGame;
use super::table::TableState;
use crate::protocol::{GameAnalysis, GamePlayer, GameStage, GameTable, GameTree, TreeRequest};
use vivarium_agents::players::{Decision, NetworkPlayer, Player};
use vivarium_kernels::rng;
use vivarium_mcts::{Game, GameStatus};

/// What the random numbers of players without a search are drawn for.
const CHOICES: u32 = 141;

/// Simulations of the analysis unless a person wants others.
const USUAL: u32 = 400;

/// Simulations with which a computer sits down at first.
const FIRST: u32 = 100;

/// The fastest and the slowest thinking that a person can ask for, in simulations a second.
const SPEEDS: std::ops::RangeInclusive<f32> = 1.0..=100_000.0;

/// A play of which so much less was seen than of the best is not judged.
const LEAST_MADE: u32 = 16;

/// Which decision a search is about, and whose search it is.
#[derive(Clone, Copy, PartialEq)]
struct SearchSubject {
    game: u32,
    turn: u32,
    player: GamePlayer,
}

/// A table, and a search for the decision on it.
pub(crate) struct GameSession<G: TableGame> {
    table: TableState<G>,
    seed: u64,
    analyst: GamePlayer,
    speed: Option<f32>,
    search: Option<DecisionSearch<G>>,
    /// What the search is about; another one than the present decision while there is nothing to decide.
    about: Option<SearchSubject>,
    /// Whether a person wants the present analysis made anew.
    again: bool,
    /// Whether a computer is to play at once.
    now: bool,
    /// What was search of each turn of the history.
    history: Vec<Option<GameAnalysis>>,
    /// Changes with the table's document, and with everything that is search.
    changes: u32,
    search_version: u32,
}

impl<G: TableGame> GameSession<G> {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            table: TableState::new(seed, [GamePlayer::Person, GamePlayer::Newest { simulations: FIRST }]),
            seed: rng::derive(seed, CHOICES),
            analyst: GamePlayer::Newest { simulations: USUAL },
            speed: None,
            search: None,
            about: None,
            again: false,
            now: false,
            history: Vec::new(),
            changes: 0,
            search_version: 0,
        }
    }

    /// Another number with every change of the table, and of what is search.
    pub(crate) fn versions(&self) -> [u32; 2] {
        [self.changes.wrapping_add(self.table.version), self.search_version]
    }

    pub(crate) fn table_document(&self) -> GameTable {
        self.table.document(self.analyst, self.speed)
    }

    /// What was search of a turn, or is search of the present one; `None` where there is nothing to decide.
    pub(crate) fn analysis(&mut self, turn: Option<u32>) -> Option<GameAnalysis> {
        match turn.filter(|&turn| turn < self.table.turns()) {
            Some(turn) => self.history.get(turn as usize).cloned().flatten(),
            None => self.present(),
        }
    }

    fn present(&mut self) -> Option<GameAnalysis> {
        let turn = self.table.turns();
        let search = self.search.as_mut().filter(|_| is_about(self.about, &self.table))?;
        Some(documents::analysis(search, turn))
    }

    /// What was asked for of the present search's tree.
    pub(crate) fn tree(&self, request: &TreeRequest) -> GameTree {
        let turn = self.table.turns();
        match self.search.as_ref().filter(|_| is_about(self.about, &self.table)) {
            Some(search) => documents::tree(search, request, turn),
            None => GameTree { turn, ..GameTree::default() },
        }
    }

    /// Lets time pass: dice roll, searches go on, computers play.
    pub(crate) fn pass(
        &mut self,
        pool: &mut PlayerPool<G>,
        refresh: &mut dyn FnMut(&mut PlayerPool<G>),
        elapsed: f32,
    ) {
        let due = self.table.pass(elapsed);
        self.attend(pool, refresh);
        let present = is_about(self.about, &self.table);
        if let Some(search) = self.search.as_mut().filter(|_| present)
            && search.run_for(elapsed, self.speed)
        {
            self.search_version = self.search_version.wrapping_add(1);
        }
        if self.table.stage() == GameStage::Computer && (due || self.now) {
            self.let_play(pool);
        }
        self.now &= self.table.stage() == GameStage::Computer;
    }

    /// Turns the search to the decision on the table.
    fn attend(&mut self, pool: &mut PlayerPool<G>, refresh: &mut dyn FnMut(&mut PlayerPool<G>)) {
        let on_move = self.table.on_move();
        let own = |player| simulations(player).is_some_and(|simulations| simulations > 0);
        let player = match self.table.stage() {
            GameStage::Computer if own(on_move) => on_move,
            GameStage::Computer | GameStage::Person => self.analyst,
            GameStage::Roll | GameStage::Over => return,
        };
        let about = SearchSubject { game: self.table.game(), turn: self.table.turns(), player };
        let anew = std::mem::take(&mut self.again);
        if self.about == Some(about) && !anew {
            return;
        }
        refresh(pool);
        // A network may be gone by now, such as one of the earlier ones.
        let known = pool.network(player).unwrap_or(&pool.newest).clone();
        let wanted = simulations(player).unwrap_or(USUAL).max(1);
        let root = self.table.state();
        let made = match self.search.take() {
            Some(search) if !anew => search.move_to(player, wanted, known, root),
            _ => DecisionSearch::new(player, wanted, known, root),
        };
        // What there is no memory for was refused when it was asked for; if it is gone since, the table goes on alone.
        self.search = made.ok();
        self.about = Some(about);
        self.search_version = self.search_version.wrapping_add(1);
    }

    /// Has the computer whose turn it is play, if it has made up its mind.
    fn let_play(&mut self, pool: &PlayerPool<G>) {
        let on_move = self.table.on_move();
        let mine = self.about.is_some_and(|about| about.player == on_move);
        let branches = match self.search.as_ref().filter(|_| mine && is_about(self.about, &self.table)) {
            Some(search) => {
                let candidate_plays = search.candidate_plays();
                let decided = search.is_complete() || self.now || candidate_plays.len() == 1;
                match candidate_plays.into_iter().next() {
                    Some(best) if decided && (best.visits > 0 || search.is_complete()) => best.branches,
                    _ => return,
                }
            }
            None => match self.choose_at_once(pool, on_move) {
                Some(branches) => branches,
                None => return,
            },
        };
        let root = self.table.state();
        let after = branches.iter().fold(root, |state, &branch| Game::after(&state, branch));
        let assessment = self.assessment(&after);
        self.remember();
        self.table.play(&branches, assessment);
        self.now = false;
    }

    /// The play of somebody who does not search.
    fn choose_at_once(&self, pool: &PlayerPool<G>, player: GamePlayer) -> Option<Vec<usize>> {
        let mut chooser: Box<dyn Player<G>> = match simulations(player) {
            Some(simulations) => {
                // As in a search, the newest one plays on for a network that is gone.
                let known = pool.network(player).unwrap_or(&pool.newest);
                Box::new(NetworkPlayer::new(known.network.clone(), simulations).ok()?)
            }
            None => G::opponent(player)?,
        };
        let root = self.table.state();
        let (mut state, mut branches) = (root, Vec::new());
        while state.status() == GameStatus::Decision && state.player() == root.player() {
            let number = 2 * self.table.turns() + branches.len() as u32;
            let [low, high] = rng::block(self.seed, self.table.game(), number);
            let decision = Decision { state, random: u64::from(high) << 32 | u64::from(low) };
            let branch = *chooser.choose(&[decision]).ok()?.first()?;
            branches.push(branch);
            state = Game::after(&state, branch);
        }
        Some(branches)
    }

    /// Keeps what is search of the present decision.
    fn remember(&mut self) {
        let turn = self.table.turns() as usize;
        let present = self.present();
        self.history.resize_with(turn, || None);
        self.history.push(present);
    }

    /// The turns that there are no more are forgotten.
    fn forget(&mut self) {
        self.history.truncate(self.table.turns() as usize);
        self.about = None;
        self.now = false;
        self.search_version = self.search_version.wrapping_add(1);
    }
}

/// Whether a search is about the decision on the table.
fn is_about<G: TableGame>(about: Option<SearchSubject>, table: &TableState<G>) -> bool {
    let decides = matches!(table.stage(), GameStage::Person | GameStage::Computer);
    decides && about.is_some_and(|about| (about.game, about.turn) == (table.game(), table.turns()))
}
