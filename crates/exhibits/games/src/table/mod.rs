//! The table: the game that a user plays or analyzes, with two seats, turn by turn.

mod doubling;
mod match_play;
mod played_turn;
mod record;
mod timing;

pub(crate) use match_play::{CANNOT_MOVE, DROPPED, RESIGNED};
pub(crate) use played_turn::PlayAssessment;
pub(crate) use record::GameRecord;

use super::rules::{EnteredPosition, TableGame};
use crate::protocol::{
    DiceMode, GameMove, GameOutcome, GamePlayer, GamePosition, GameStage, GameTable, GameTurn,
};
use match_play::{Cube, MatchPlay};
use played_turn::PlayedTurn;
use timing::Timing;
use vivarium_kernels::rng;
use vivarium_lab::error::LabError;
use vivarium_lab::network_file;
use vivarium_mcts::GameStatus;

/// Number of the random stream from which the seed of the dice in the user's games is derived.
const DICE: u32 = 140;

/// State of the table: the game that a user plays or analyzes, in progress or finished, its players and the score.
pub(crate) struct TableState<G: TableGame> {
    /// Seed of the dice: derived from the run's seed, or from the seed that the user has set.
    seed: u64,
    dice_seed: Option<u32>,
    /// Game ID: number of games started and positions set up so far.
    game: u32,
    /// Seat that the user requested to start a new game, or to move in a set-up position; `None` if the rules decide.
    first: Option<u8>,
    /// Position that the user has set up, and its roll; `None` if the game began at the initial position.
    entered: Option<(GamePosition, Option<[u8; 2]>)>,
    pub(crate) seats: [GamePlayer; 2],
    state: G,
    /// Turn in progress of a human player; `None` if no human player is to move.
    turn: Option<G::Turn>,
    /// Columns of all moves of the game, for Connect Four, whose position ID is this list; empty in backgammon.
    move_list: String,
    history: Vec<PlayedTurn<G>>,
    outcome: Option<GameOutcome>,
    score: [u32; 2],
    /// Match or money session; `None` in cubeless games. See [`match_play`](Self::match_play).
    match_play: Option<MatchPlay>,
    /// State and doubling cube before the double of the current turn; `None` without a double.
    before_double: Option<(G, Cube)>,
    timing: Timing,
    notice: Option<String>,
    /// Version of the JSON document `table`; increases when the document changes.
    pub(crate) version: u32,
}

impl<G: TableGame> TableState<G> {
    /// Starts a new game between the players `seats`. `seed` is the seed of the run, from which the seed of the dice is
    /// derived.
    pub(crate) fn new(seed: u64, seats: [GamePlayer; 2]) -> Self {
        Self {
            seed: rng::derive(seed, DICE),
            dice_seed: None,
            game: 0,
            first: None,
            entered: None,
            seats,
            state: G::initial_state(None, 0),
            turn: None,
            move_list: String::new(),
            history: Vec::new(),
            outcome: None,
            score: [0; 2],
            match_play: None,
            before_double: None,
            timing: Timing::default(),
            notice: None,
            version: 0,
        }
        .begun()
    }

    fn begun(mut self) -> Self {
        self.stage_begins();
        self
    }

    /// Returns the state of the game before the current turn.
    pub(crate) fn state(&self) -> G {
        self.state
    }

    /// Returns the number of finished turns of the game, which is the index of the current turn.
    pub(crate) fn turns(&self) -> u32 {
        self.history.len() as u32
    }

    /// Returns the game ID, which changes when a game starts or a position is set up.
    pub(crate) fn game(&self) -> u32 {
        self.game
    }

    /// Returns the stage of the game: the event that comes next.
    pub(crate) fn stage(&self) -> GameStage {
        if self.outcome.is_some() {
            return GameStage::Over;
        }
        if self.match_play().is_some_and(|play| play.state.doubled) {
            return GameStage::Doubled;
        }
        match self.state.status() {
            GameStatus::Over(_) => GameStage::Over,
            GameStatus::Chance => GameStage::Roll,
            GameStatus::Decision if self.on_move() == GamePlayer::Person => GameStage::Person,
            GameStatus::Decision => GameStage::Computer,
        }
    }

    /// Returns the player whose turn it is.
    pub(crate) fn on_move(&self) -> GamePlayer {
        self.seats[usize::from(self.state.player() & 1)]
    }

    fn changed(&mut self) {
        self.version = self.version.wrapping_add(1);
    }

    /// Starts the current stage of the game, after the stage or the state has changed: resets the time since the start
    /// of the stage, and starts the turn if a human player is to move.
    fn stage_begins(&mut self) {
        self.timing.begin();
        self.reopen_doubling();
        self.turn = (self.stage() == GameStage::Person).then(|| self.state.begin_turn());
        self.changed();
    }

    /// Starts a new game with the players `seats`: the next game of a match whose game is over, or else a new match.
    /// `first` is the seat that starts; `None`: the rules decide.
    pub(crate) fn new_game(&mut self, seats: [GamePlayer; 2], first: Option<u8>) -> Result<(), LabError> {
        check_seat("first", first)?;
        if self.seat_players(seats) {
            self.reset_score();
        }
        self.begin_next_game();
        self.begin_game(first);
        Ok(())
    }

    /// Starts a game at the initial position.
    fn begin_game(&mut self, first: Option<u8>) {
        self.game = self.game.wrapping_add(1);
        (self.first, self.entered) = (first, None);
        self.put(G::initial_state(first, self.game), String::new(), None);
    }

    /// Replaces the game by a position that the user has entered. `seat` is the seat to move and `dice` its roll; if
    /// `None`, an ID determines them, and a computer that is due waits for the command `move_now`.
    pub(crate) fn set_position(
        &mut self,
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<(), LabError> {
        check_seat("seat", seat)?;
        let EnteredPosition { state, move_list, notice, match_state, has_doubling_cube } =
            G::parse_position(position, seat, dice)?;
        let adopted = self.enter_match(match_state, has_doubling_cube);
        self.game = self.game.wrapping_add(1);
        (self.first, self.entered) = (seat, Some((position.clone(), dice)));
        self.put(state, move_list, notice.or(adopted));
        let is_complete = matches!(position, GamePosition::Id { .. }) && seat.is_none() && dice.is_none();
        // An ID of Connect Four is a list of moves, after which the game continues.
        self.timing.is_held = is_complete && G::HAS_DOUBLING_CUBE && self.awaits_computer();
        Ok(())
    }

    /// Returns whether a computer is due: to roll, to answer a double, or to move.
    fn awaits_computer(&self) -> bool {
        self.stage() != GameStage::Over && self.seats[usize::from(self.decider())] != GamePlayer::Person
    }

    /// Returns whether a computer waits for the command `move_now` in an entered position.
    pub(crate) fn is_held(&self) -> bool {
        self.timing.is_held
    }

    /// Ends the wait of a computer in an entered position.
    pub(crate) fn release(&mut self) {
        self.timing.release();
        self.changed();
    }

    fn put(&mut self, state: G, move_list: String, notice: Option<String>) {
        (self.state, self.move_list, self.notice) = (state, move_list, notice);
        self.history.clear();
        self.outcome = None;
        self.before_double = None;
        self.stage_begins();
    }

    /// Replaces the players of the current game. A turn in progress is kept if the player to move is human before and
    /// after. Resets the score, except a match score that belongs to the entered position.
    pub(crate) fn set_seats(&mut self, seats: [GamePlayer; 2]) {
        if !self.seat_players(seats) {
            return;
        }
        if self.entered.is_none() || self.match_play.is_none() {
            self.reset_score();
        }
        let (turn, is_held) = (self.turn.take(), self.timing.is_held);
        self.stage_begins();
        self.timing.is_held = is_held && self.awaits_computer();
        if self.turn.is_some() {
            self.turn = turn.or(self.turn.take());
        }
    }

    /// Replaces the two players. Returns whether they differ from the previous players.
    fn seat_players(&mut self, seats: [GamePlayer; 2]) -> bool {
        let others = seats != self.seats;
        self.seats = seats;
        others
    }

    /// Sets the score to 0 for new players.
    fn reset_score(&mut self) {
        self.score = [0; 2];
        if let Some(play) = &mut self.match_play {
            play.reset_score();
        }
    }

    pub(crate) fn seed_dice(&mut self, seed: u32) {
        self.seed = rng::derive(u64::from(seed), DICE);
        self.dice_seed = Some(seed);
    }

    pub(crate) fn set_dice_mode(&mut self, mode: DiceMode) {
        self.timing.set_dice_mode(mode);
        self.changed();
    }

    pub(crate) fn set_pace(&mut self, seconds: Option<f32>) -> Result<(), LabError> {
        self.timing.pace = network_file::check_pace(seconds)?;
        self.changed();
        Ok(())
    }

    /// Rolls `dice`, or random dice (`None`), for the seat to move.
    pub(crate) fn roll(&mut self, dice: Option<[u8; 2]>) -> Result<(), LabError> {
        if self.stage() != GameStage::Roll {
            return Err(self.not_now("roll", "there is no roll now"));
        }
        let dice = match dice
            .or_else(|| self.state.scheduled_dice(self.seed, self.game, self.turns(), self.first))
        {
            Some(dice) => dice,
            None => return Err(self.not_now("roll", "this game has no dice")),
        };
        self.state = self.state.rolled(dice, self.first)?;
        self.stage_begins();
        Ok(())
    }

    /// Makes a move of the human player's turn: moves a checker, or drops a stone.
    pub(crate) fn move_checker(&mut self, from: u8, to: u8) -> Result<(), LabError> {
        let Some(turn) = &self.turn else {
            return Err(self.not_now("move", "no person is to move"));
        };
        self.turn = Some(self.state.moved(turn, from, to)?);
        self.changed();
        Ok(())
    }

    /// Takes back the last move of the human player's turn in progress.
    pub(crate) fn undo(&mut self) -> Result<(), LabError> {
        let Some(before) = self.turn.as_ref().and_then(G::undone) else {
            return Err(self.not_now(
                "undo_move",
                "this turn has no move to take back; take_back goes to an earlier turn",
            ));
        };
        self.turn = Some(before);
        self.changed();
        Ok(())
    }

    /// Returns the state after the human player's turn, and the notation of the turn; `None` if no human turn is in
    /// progress or dice are left to play.
    pub(crate) fn completed(&self) -> Option<(G, String)> {
        self.turn.as_ref().and_then(|turn| self.state.completed(turn))
    }

    /// Ends the turn of a human player and appends the turn with its assessment to the history.
    pub(crate) fn confirm(&mut self, assessment: PlayAssessment) -> Result<(), LabError> {
        let (Some((after, text)), Some(turn)) = (self.completed(), &self.turn) else {
            return Err(self.not_now("confirm_turn", "the turn is not complete: there are dice left to play"));
        };
        let moves = G::made(turn);
        self.hand_over(after, text, moves, assessment);
        Ok(())
    }

    /// Plays a computer's turn and appends the turn with its assessment to the history. `branches` contains the index
    /// of the chosen action for each decision of the turn: one, or two for a double in backgammon.
    pub(crate) fn play(&mut self, branches: &[usize], assessment: PlayAssessment) {
        let (moves, text) = self.state.notation(branches);
        let after =
            branches.iter().fold(self.state, |state, &branch| vivarium_mcts::Game::after(&state, branch));
        self.hand_over(after, text, moves, assessment);
    }

    fn hand_over(&mut self, after: G, text: String, moves: Vec<GameMove>, assessment: PlayAssessment) {
        let seat = self.state.player();
        let equity = assessment.equity.map(|equity| if seat == 0 { equity } else { -equity });
        let move_list = G::extended(&self.move_list, &moves);
        let seen = GameTurn {
            seat,
            dice: self.state.dice(),
            doubled: self.doubled(),
            text: if text.is_empty() { CANNOT_MOVE.into() } else { text },
            moves,
            id: self.id(),
            lost: assessment.lost,
            best: assessment.best,
            equity,
        };
        let move_list = std::mem::replace(&mut self.move_list, move_list);
        let cube = self.match_play().map(MatchPlay::cube);
        self.history.push(PlayedTurn { state: self.state, move_list, cube, seen });
        self.state = after;
        self.before_double = None;
        if let Some(play) = &mut self.match_play {
            play.taken = false;
        }
        if let Some(outcome) = after.outcome() {
            self.end(outcome);
        }
        self.stage_begins();
    }

    fn end(&mut self, outcome: GameOutcome) {
        let points = self.match_play().map_or(outcome.points, |play| play.points(outcome.win));
        let outcome = GameOutcome { points, ..outcome };
        if let Some(winner) = outcome.winner {
            let score = &mut self.score[usize::from(winner)];
            *score = score.saturating_add(outcome.points);
        }
        self.outcome = Some(outcome);
    }

    /// Checks that the game is in progress and that `seat` can still lose `points`.
    pub(crate) fn check_resignation(&self, seat: u8, points: u32) -> Result<(), LabError> {
        check_seat("seat", Some(seat))?;
        let most = self.max_loss()[usize::from(seat)];
        match points {
            _ if most == 0 => Err(self.not_now("resign", "there is no game to resign")),
            points if (1..=most).contains(&points) => Ok(()),
            _ => {
                let allowed = format!("a whole number from 1 to {most}: no more can be lost from here");
                Err(LabError::invalid("points", points.to_string(), allowed))
            }
        }
    }

    /// Returns the maximum points that seat 0 and seat 1 can still lose with a doubling cube of 1; 0 after the end of
    /// the game and while a double is offered.
    pub(crate) fn max_loss(&self) -> [u32; 2] {
        match self.stage() {
            GameStage::Over | GameStage::Doubled => [0; 2],
            _ if self.match_play().is_some_and(|play| play.points(2) == play.points(1)) => [1; 2],
            _ => [0, 1].map(|seat| self.state.max_loss(seat)),
        }
    }

    /// Ends the game: `seat` resigns and loses `points`, multiplied by the doubling cube.
    pub(crate) fn resign(&mut self, seat: u8, points: u32) -> Result<(), LabError> {
        self.check_resignation(seat, points)?;
        let win = points as u8;
        self.end(GameOutcome { winner: Some(1 - seat), points, win, how: RESIGNED.into() });
        self.stage_begins();
        Ok(())
    }

    /// Restores the state at the start of turn `turn`, or of the last decision of a human player (`None`: a turn, or a
    /// doubling decision in the current turn), and drops the later turns.
    pub(crate) fn take_back(&mut self, turn: Option<u32>) -> Result<(), LabError> {
        if turn.is_none() && self.take_back_double() {
            return Ok(());
        }
        let turns = self.history.len();
        let by_person =
            |history: &PlayedTurn<G>| self.seats[usize::from(history.seen.seat)] == GamePlayer::Person;
        let turn = match turn {
            Some(turn) => turn as usize,
            None => self.history.iter().rposition(by_person).unwrap_or(turns),
        };
        if turn >= turns {
            let allowed = match turns {
                0 => "no turn has been played yet".into(),
                _ => format!("the turns played are 0 to {}", turns - 1),
            };
            return Err(LabError::invalid("turn", turn.to_string(), allowed));
        }
        self.reopen();
        self.history.truncate(turn + 1);
        self.before_double = None;
        if let Some(PlayedTurn { state, move_list, cube, seen }) = self.history.pop() {
            (self.state, self.move_list) = (state, move_list);
            if let (Some(play), Some(cube)) = (&mut self.match_play, cube) {
                play.set_cube(cube, seen.doubled.is_some());
            }
        }
        self.stage_begins();
        Ok(())
    }

    /// Reopens a game that is over: removes its outcome, and its points from the score.
    fn reopen(&mut self) {
        if let Some(GameOutcome { winner: Some(winner), points, .. }) = self.outcome.take() {
            let score = &mut self.score[usize::from(winner)];
            *score = score.saturating_sub(points);
        }
    }

    /// Advances the time of the user's game by `seconds`, and rolls the dice if an automatic roll is due. Returns
    /// whether a computer's move is due.
    pub(crate) fn pass(&mut self, seconds: f32) -> bool {
        self.timing.pass(seconds);
        match self.stage() {
            GameStage::Roll => {
                if self.timing.rolls(self.on_move() == GamePlayer::Person) && !self.is_doubling_decision() {
                    // Random dice are always valid.
                    let _ = self.roll(None);
                }
                false
            }
            GameStage::Computer => self.timing.plays(),
            GameStage::Person | GameStage::Doubled | GameStage::Over => false,
        }
    }

    /// Returns the JSON document `table`: state of the game and the available actions.
    pub(crate) fn document(&self, analyst: GamePlayer, analysis_speed: Option<f32>) -> GameTable {
        let turn = self.turn.as_ref();
        GameTable {
            game: self.game,
            seats: self.seats,
            board: self.state.board(turn),
            id: self.id(),
            stage: self.stage(),
            seat: self.state.player(),
            dice: self.state.dice(),
            dice_left: turn.map(G::dice_left).unwrap_or_default(),
            moves: turn.map(G::made).unwrap_or_default(),
            targets: turn.map(|turn| self.state.targets(turn)).unwrap_or_default(),
            can_undo: turn.and_then(G::undone).is_some(),
            can_confirm: self.completed().is_some(),
            outcome: self.outcome.clone(),
            max_loss: self.max_loss(),
            score: self.score,
            doubling: self.doubling_document(),
            history: self.history.iter().map(|history| history.seen.clone()).collect(),
            dice_mode: self.timing.dice_mode,
            pace: self.timing.pace,
            waits: self.timing.is_held || self.stage() == GameStage::Computer && self.timing.pace.is_none(),
            analyst,
            analysis_speed,
            notice: self.notice.clone(),
        }
    }

    fn not_now(&self, command: &str, why: &str) -> LabError {
        let stage = match self.stage() {
            GameStage::Roll => "the dice are to be rolled",
            GameStage::Doubled => "a double is to be taken or dropped",
            GameStage::Person => "a person is to move",
            GameStage::Computer => "a computer is to move",
            GameStage::Over => "the game is over",
        };
        LabError::invalid("command", command, format!("{why}; {stage}"))
    }
}

/// Checks that a seat is 0 or 1.
fn check_seat(field: &str, seat: Option<u8>) -> Result<(), LabError> {
    match seat {
        Some(seat) if seat > 1 => Err(LabError::invalid(field, seat.to_string(), "the seats are 0 and 1")),
        _ => Ok(()),
    }
}
