//! What happens at the table: the search that thinks aloud, and the computers that play.

use super::documents;
use super::people::{People, check_search, label, simulations};
use super::rules::Playable;
use super::table::{Table, Verdict};
use super::thought::{Considered, Thought};
use crate::error::LabError;
use crate::protocol::games::{
    DiceMode, GameAnalysis, GamePlayer, GamePosition, GameStage, GameTable, GameTree, TreeRequest,
};
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
pub(super) struct Sitting<G: Playable> {
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

impl<G: Playable> Sitting<G> {
    pub(super) fn new(seed: u64) -> Self {
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
    pub(super) fn versions(&self) -> [u32; 2] {
        [self.changes.wrapping_add(self.table.version), self.thoughts]
    }

    pub(super) fn table_document(&self) -> GameTable {
        self.table.document(self.analyst, self.speed)
    }

    /// What was thought of a turn, or is thought of the present one; `None` where there is nothing to decide.
    pub(super) fn analysis(&mut self, turn: Option<u32>) -> Option<GameAnalysis> {
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
    pub(super) fn tree(&self, request: &TreeRequest) -> GameTree {
        let turn = self.table.turns();
        match self.thought.as_ref().filter(|_| is_about(self.about, &self.table)) {
            Some(thought) => documents::tree(thought, request, turn),
            None => GameTree { turn, ..GameTree::default() },
        }
    }

    /// Lets time pass: dice roll, searches go on, computers play.
    pub(super) fn pass(
        &mut self,
        people: &mut People<G>,
        refresh: &mut dyn FnMut(&mut People<G>),
        elapsed: f32,
    ) {
        let due = self.table.pass(elapsed);
        self.attend(people, refresh);
        let present = is_about(self.about, &self.table);
        if let Some(thought) = self.thought.as_mut().filter(|_| present)
            && thought.think(elapsed, self.speed)
        {
            self.thoughts = self.thoughts.wrapping_add(1);
        }
        if self.table.stage() == GameStage::Computer && (due || self.now) {
            self.let_play(people);
        }
        self.now &= self.table.stage() == GameStage::Computer;
    }

    /// Turns the search to the decision on the table.
    fn attend(&mut self, people: &mut People<G>, refresh: &mut dyn FnMut(&mut People<G>)) {
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
        refresh(people);
        // A network may be gone by now, such as one of the earlier ones.
        let known = people.network(player).unwrap_or(&people.newest).clone();
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
    fn let_play(&mut self, people: &People<G>) {
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
            None => match self.choose_at_once(people, on_move) {
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
    fn choose_at_once(&self, people: &People<G>, player: GamePlayer) -> Option<Vec<usize>> {
        let mut chooser: Box<dyn Player<G>> = match people.network(player) {
            Some(known) => {
                Box::new(NetworkPlayer::new(known.network.clone(), simulations(player).unwrap_or(0)).ok()?)
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

    /// What is to be said of a play that leads to this state.
    fn verdict(&mut self, after: &G) -> Verdict {
        let Some(thought) = self.thought.as_mut().filter(|_| is_about(self.about, &self.table)) else {
            return Verdict::default();
        };
        if thought.made() < LEAST_MADE.min(thought.wanted) {
            return Verdict::default();
        }
        let considered = thought.considered();
        let Some(best) = considered.first() else { return Verdict::default() };
        let played = considered.iter().find(|play| play.after == *after).cloned().unwrap_or_else(|| {
            Considered { branches: Vec::new(), after: *after, visits: 0, prior: 0.0, equity: None }
        });
        let [best_equity, equity] = [best, &played].map(|play| thought.equity_after(play));
        if considered.len() == 1 {
            return Verdict { lost: None, best: None, equity: Some(equity) };
        }
        let other = played.after != best.after && best_equity > equity;
        Verdict {
            lost: Some((best_equity - equity).max(0.0)),
            best: other.then(|| thought.root().written(&best.branches).1),
            equity: Some(equity),
        }
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

    pub(super) fn new_game(
        &mut self,
        people: &People<G>,
        seats: [GamePlayer; 2],
        first: Option<u8>,
    ) -> Result<(), LabError> {
        check_seats(people, seats)?;
        self.table.new_game(seats, first)?;
        self.forget();
        Ok(())
    }

    pub(super) fn set_seats(&mut self, people: &People<G>, seats: [GamePlayer; 2]) -> Result<(), LabError> {
        check_seats(people, seats)?;
        self.table.set_seats(seats);
        self.now = false;
        Ok(())
    }

    pub(super) fn set_position(
        &mut self,
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<(), LabError> {
        self.table.set_position(position, seat, dice)?;
        self.forget();
        Ok(())
    }

    pub(super) fn roll(&mut self, dice: Option<[u8; 2]>) -> Result<(), LabError> {
        self.table.roll(dice)
    }

    pub(super) fn move_checker(&mut self, from: u8, to: u8) -> Result<(), LabError> {
        self.table.move_checker(from, to)?;
        if G::CONFIRMS { Ok(()) } else { self.confirm() }
    }

    pub(super) fn undo(&mut self) -> Result<(), LabError> {
        self.table.undo()
    }

    pub(super) fn confirm(&mut self) -> Result<(), LabError> {
        let Some((after, _)) = self.table.completed() else {
            return self.table.confirm(Verdict::default());
        };
        let verdict = self.verdict(&after);
        self.remember();
        self.table.confirm(verdict)
    }

    pub(super) fn take_back(&mut self, turn: Option<u32>) -> Result<(), LabError> {
        self.table.take_back(turn)?;
        self.forget();
        Ok(())
    }

    pub(super) fn resign(&mut self, seat: u8, points: u32) -> Result<(), LabError> {
        self.table.resign(seat, points)
    }

    pub(super) fn move_now(&mut self) -> Result<(), LabError> {
        if self.table.stage() != GameStage::Computer {
            return Err(LabError::invalid("command", "move_now", "it is no computer's move"));
        }
        self.now = true;
        Ok(())
    }

    pub(super) fn set_dice_mode(&mut self, mode: DiceMode) {
        self.table.set_dice_mode(mode);
    }

    pub(super) fn set_pace(&mut self, seconds: Option<f32>) -> Result<(), LabError> {
        self.table.set_pace(seconds)
    }

    /// Who looks at a person's decisions from now on.
    pub(super) fn set_analysis(
        &mut self,
        people: &People<G>,
        analyst: GamePlayer,
        speed: Option<f32>,
    ) -> Result<(), LabError> {
        let field = "analyst";
        people.check(field, analyst)?;
        match simulations(analyst) {
            None => return Err(LabError::invalid(field, label(analyst), "it must be a network")),
            Some(0) => {
                let allowed = format!("a whole number from 1 to {}", super::LARGEST_SEARCH);
                return Err(LabError::invalid("analyst.simulations", "0", allowed));
            }
            Some(simulations) => check_search::<G>(field, simulations)?,
        }
        if let Some(speed) = speed.filter(|speed| !SPEEDS.contains(speed)) {
            let (low, high) = (SPEEDS.start(), SPEEDS.end());
            let allowed =
                format!("simulations a second from {low} to {high}, or none for as many as possible");
            return Err(LabError::invalid("speed", speed.to_string(), allowed));
        }
        self.goes_on_with(analyst)?;
        self.analyst = analyst;
        self.speed = speed;
        self.changes = self.changes.wrapping_add(1);
        Ok(())
    }

    /// Where the analyst's search on the table is to make more or fewer simulations and nothing else, it goes on.
    fn goes_on_with(&mut self, analyst: GamePlayer) -> Result<(), LabError> {
        let (Some(about), Some(wanted)) = (&mut self.about, simulations(analyst)) else { return Ok(()) };
        if about.player != self.analyst || with_simulations(about.player, wanted) != analyst {
            return Ok(());
        }
        if let Some(thought) = self.thought.take() {
            self.thought = Some(thought.want(analyst, wanted)?);
            about.player = analyst;
            self.thoughts = self.thoughts.wrapping_add(1);
        }
        Ok(())
    }

    pub(super) fn analyse_again(&mut self) {
        self.again = true;
    }
}

/// Whether a search is about the decision on the table.
fn is_about<G: Playable>(about: Option<About>, table: &Table<G>) -> bool {
    let decides = matches!(table.stage(), GameStage::Person | GameStage::Computer);
    decides && about.is_some_and(|about| (about.game, about.turn) == (table.game(), table.turns()))
}

/// Refuses seats that somebody cannot take.
fn check_seats<G: Playable>(people: &People<G>, seats: [GamePlayer; 2]) -> Result<(), LabError> {
    let fields = ["seats.0", "seats.1"];
    fields.into_iter().zip(seats).try_for_each(|(field, seat)| people.check(field, seat))
}

/// The same player with another number of simulations.
fn with_simulations(player: GamePlayer, simulations: u32) -> GamePlayer {
    match player {
        GamePlayer::Newest { .. } => GamePlayer::Newest { simulations },
        GamePlayer::Best { .. } => GamePlayer::Best { simulations },
        GamePlayer::Earlier { promotion, .. } => GamePlayer::Earlier { promotion, simulations },
        GamePlayer::Opened { .. } => GamePlayer::Opened { simulations },
        other => other,
    }
}
