//! What happens at the table: the search that thinks aloud, and the computers that play.

mod kept;
mod orders;
mod verdict;

pub(crate) use kept::SavedState;

use super::documents;
use super::player_pool::{PlayerPool, simulations};
use super::rules::Playable;
use super::table::Table;
use super::thought::Thought;
use crate::protocol::{GameAnalysis, GamePlayer, GameStage, GameTable, GameTree, TreeRequest};
use vivarium_agents::players::{Decision, NetworkPlayer, Player};
use vivarium_kernels::rng;
use vivarium_mcts::{Game, Status};

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
struct About {
    game: u32,
    turn: u32,
    player: GamePlayer,
}

/// A table, and a search for the decision on it.
pub(crate) struct GameSession<G: Playable> {
    table: Table<G>,
    seed: u64,
    analyst: GamePlayer,
    speed: Option<f32>,
    thought: Option<Thought<G>>,
    /// What the search is about; another one than the present decision while there is nothing to decide.
    about: Option<About>,
    /// Whether a person wants the present analysis made anew.
    again: bool,
    /// Whether a computer is to play at once.
    now: bool,
    /// What was thought of each turn of the history.
    past: Vec<Option<GameAnalysis>>,
    /// Changes with the table's document, and with everything that is thought.
    changes: u32,
    thoughts: u32,
}

impl<G: Playable> GameSession<G> {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            table: Table::new(seed, [GamePlayer::Person, GamePlayer::Newest { simulations: FIRST }]),
            seed: rng::derive(seed, CHOICES),
            analyst: GamePlayer::Newest { simulations: USUAL },
            speed: None,
            thought: None,
            about: None,
            again: false,
            now: false,
            past: Vec::new(),
            changes: 0,
            thoughts: 0,
        }
    }

    /// Another number with every change of the table, and of what is thought.
    pub(crate) fn versions(&self) -> [u32; 2] {
        [self.changes.wrapping_add(self.table.version), self.thoughts]
    }

    pub(crate) fn table_document(&self) -> GameTable {
        self.table.document(self.analyst, self.speed)
    }

    /// What was thought of a turn, or is thought of the present one; `None` where there is nothing to decide.
    pub(crate) fn analysis(&mut self, turn: Option<u32>) -> Option<GameAnalysis> {
        match turn.filter(|&turn| turn < self.table.turns()) {
            Some(turn) => self.past.get(turn as usize).cloned().flatten(),
            None => self.present(),
        }
    }

    fn present(&mut self) -> Option<GameAnalysis> {
        let turn = self.table.turns();
        let thought = self.thought.as_mut().filter(|_| is_about(self.about, &self.table))?;
        Some(documents::analysis(thought, turn))
    }

    /// What was asked for of the present search's tree.
    pub(crate) fn tree(&self, request: &TreeRequest) -> GameTree {
        let turn = self.table.turns();
        match self.thought.as_ref().filter(|_| is_about(self.about, &self.table)) {
            Some(thought) => documents::tree(thought, request, turn),
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
        if let Some(thought) = self.thought.as_mut().filter(|_| present)
            && thought.think(elapsed, self.speed)
        {
            self.thoughts = self.thoughts.wrapping_add(1);
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
        let about = About { game: self.table.game(), turn: self.table.turns(), player };
        let anew = std::mem::take(&mut self.again);
        if self.about == Some(about) && !anew {
            return;
        }
        refresh(pool);
        // A network may be gone by now, such as one of the earlier ones.
        let known = pool.network(player).unwrap_or(&pool.newest).clone();
        let wanted = simulations(player).unwrap_or(USUAL).max(1);
        let root = self.table.state();
        let made = match self.thought.take() {
            Some(thought) if !anew => thought.turn_to(player, wanted, known, root),
            _ => Thought::new(player, wanted, known, root),
        };
        // What there is no memory for was refused when it was asked for; if it is gone since, the table goes on alone.
        self.thought = made.ok();
        self.about = Some(about);
        self.thoughts = self.thoughts.wrapping_add(1);
    }

    /// Has the computer whose turn it is play, if it has made up its mind.
    fn let_play(&mut self, pool: &PlayerPool<G>) {
        let on_move = self.table.on_move();
        let mine = self.about.is_some_and(|about| about.player == on_move);
        let branches = match self.thought.as_ref().filter(|_| mine && is_about(self.about, &self.table)) {
            Some(thought) => {
                let considered = thought.considered();
                let decided = thought.is_complete() || self.now || considered.len() == 1;
                match considered.into_iter().next() {
                    Some(best) if decided && (best.visits > 0 || thought.is_complete()) => best.branches,
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
        let verdict = self.verdict(&after);
        self.remember();
        self.table.play(&branches, verdict);
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
        while state.status() == Status::Decision && state.player() == root.player() {
            let number = 2 * self.table.turns() + branches.len() as u32;
            let [low, high] = rng::block(self.seed, self.table.game(), number);
            let decision = Decision { state, random: u64::from(high) << 32 | u64::from(low) };
            let branch = *chooser.choose(&[decision]).ok()?.first()?;
            branches.push(branch);
            state = Game::after(&state, branch);
        }
        Some(branches)
    }

    /// Keeps what is thought of the present decision.
    fn remember(&mut self) {
        let turn = self.table.turns() as usize;
        let present = self.present();
        self.past.resize_with(turn, || None);
        self.past.push(present);
    }

    /// The turns that there are no more are forgotten.
    fn forget(&mut self) {
        self.past.truncate(self.table.turns() as usize);
        self.about = None;
        self.now = false;
        self.thoughts = self.thoughts.wrapping_add(1);
    }
}

/// Whether a search is about the decision on the table.
fn is_about<G: Playable>(about: Option<About>, table: &Table<G>) -> bool {
    let decides = matches!(table.stage(), GameStage::Person | GameStage::Computer);
    decides && about.is_some_and(|about| (about.game, about.turn) == (table.game(), table.turns()))
}
