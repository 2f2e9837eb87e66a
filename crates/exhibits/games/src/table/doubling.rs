//! Games of a match or money session at the table: doubles, entered matches, and the next game.

use super::TableState;
use super::match_play::{DROPPED, MatchPlay, win_of};
use crate::protocol::{GameDoubling, GameOutcome, GamePlayer, GameStage};
use crate::rules::TableGame;
use vivarium_envs::backgammon::doubling::{
    DoublingContext, EquityContext, MAX_MATCH_LENGTH, MatchEquityTable,
};
use vivarium_envs::backgammon::{DoublingCubeOwner, Match, Roll};
use vivarium_lab::error::LabError;

/// Notice about an entered position whose rules ended the cubeless games.
const ADOPTED: &str =
    "The position is from a match or money session: the game is played with the doubling cube.";

impl<G: TableGame> TableState<G> {
    /// Returns the match or money session; `None` in cubeless games and, known at compile time, in games without a
    /// doubling cube.
    pub(super) fn match_play(&self) -> Option<&MatchPlay> {
        self.match_play.as_ref().filter(|_| G::HAS_DOUBLING_CUBE)
    }

    /// Returns the state of the match with the player on roll and the dice; `None` in cubeless games.
    pub(crate) fn match_state(&self) -> Option<Match> {
        let state = self.match_play()?.state;
        let on_roll = self.state.player() & 1;
        let roll = self.state.dice().and_then(|[high, low]| Roll::new(high, low).ok());
        Some(Match { on_roll, to_decide: on_roll ^ u8::from(state.doubled), roll, ..state })
    }

    /// Returns the score and the doubling cube of the seat to move, from which equities follow; `None` in cubeless games.
    #[inline]
    pub(crate) fn equity_context(&self) -> Option<EquityContext<'static>> {
        // Known at compile time.
        if !G::HAS_DOUBLING_CUBE {
            return None;
        }
        EquityContext::new(&self.match_state()?, MatchEquityTable::computed()).ok()
    }

    /// Returns the equity of `points` won by `seat`, before they are multiplied by the doubling cube.
    pub(crate) fn equity_of_points(&self, seat: u8, points: u32) -> f32 {
        match self.equity_context() {
            Some(context) => {
                let context = if seat == self.state.player() { context } else { context.opponent() };
                context.equity_of_win(win_of(points as u8)) as f32
            }
            None => points as f32,
        }
    }

    /// Returns the ID of the position before the current turn.
    pub(super) fn id(&self) -> String {
        self.state.id(&self.move_list, self.match_state().as_ref())
    }

    /// Starts a match to `length` points, or a money session (0), or cubeless games (`None`), with a new game.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the game has no doubling cube, or the match is too long.
    pub(crate) fn start_match(&mut self, length: Option<u16>, jacoby: bool) -> Result<(), LabError> {
        if !G::HAS_DOUBLING_CUBE {
            return Err(self.not_now("start_match", "this game has no doubling cube"));
        }
        if let Some(length) = length.filter(|&length| length > MAX_MATCH_LENGTH) {
            let allowed = format!("a whole number from 0 to {MAX_MATCH_LENGTH}");
            return Err(LabError::invalid("length", length.to_string(), allowed));
        }
        self.match_play = length.map(|length| MatchPlay::new(Match::start(length, jacoby)));
        self.score = [0; 2];
        self.begin_game(None);
        Ok(())
    }

    /// Prepares the score and the doubling cube of the next game.
    pub(super) fn begin_next_game(&mut self) {
        let Some(play) = self.match_play().copied() else { return };
        // The points of players who left after the game do not count.
        let counts = |outcome: &&GameOutcome| {
            outcome.winner.is_some_and(|winner| self.score[usize::from(winner)] >= outcome.points)
        };
        let next = match self.outcome.as_ref().filter(counts) {
            Some(GameOutcome { winner: Some(winner), points, .. }) => {
                play.state.after_game(*winner, *points as u16)
            }
            // A money game that is abandoned does not change the score; a match is abandoned with its game.
            _ if play.state.length == 0 => Match { score: play.state.score, ..play.restarted() },
            _ => play.restarted(),
        };
        let next = if next.winner().is_some() { play.restarted() } else { next };
        self.score = next.score.map(u32::from);
        self.match_play = Some(MatchPlay::new(next));
    }

    /// Sets match and doubling cube of an entered position. `entered` is the state that the ID contains; `None` for a
    /// position without a match ID. `has_doubling_cube`: see [`EnteredPosition`](crate::rules::EnteredPosition). Returns a notice if
    /// cubeless games end.
    pub(super) fn enter_match(&mut self, entered: Option<Match>, has_doubling_cube: bool) -> Option<String> {
        if !G::HAS_DOUBLING_CUBE {
            return None;
        }
        let play = self.match_play().copied();
        match (entered, play) {
            (Some(state), _) if play.is_some() || has_doubling_cube => {
                self.score = state.score.map(u32::from);
                self.match_play = Some(MatchPlay::new(state));
                play.is_none().then(|| ADOPTED.to_owned())
            }
            (_, Some(play)) => {
                let Match { score, crawford, .. } = play.state;
                self.score = score.map(u32::from);
                self.match_play = Some(MatchPlay::new(Match { score, crawford, ..play.restarted() }));
                None
            }
            _ => None,
        }
    }

    /// Returns the seat that decides: the opponent of the seat to move if a double is offered, else the seat to move.
    pub(crate) fn decider(&self) -> u8 {
        let on_roll = self.state.player() & 1;
        if self.stage() == GameStage::Doubled { 1 - on_roll } else { on_roll }
    }

    /// Returns whether the seat to move may double, and has a use for a double.
    pub(crate) fn can_double(&self) -> bool {
        // There is no double before the opening roll.
        let has_begun = !self.history.is_empty() || self.entered.is_some();
        has_begun
            && self.stage() == GameStage::Roll
            && self
                .match_state()
                .is_some_and(|state| state.may_double() && DoublingContext::check(&state).is_ok())
    }

    /// Returns whether a doubling decision is due: to double or to roll, to take or to drop.
    pub(crate) fn is_doubling_decision(&self) -> bool {
        let Some(play) = self.match_play() else { return false };
        self.stage() == GameStage::Doubled || self.can_double() && !play.declined
    }

    /// Returns whether a computer has to make a doubling decision now.
    pub(crate) fn is_doubling_due(&self) -> bool {
        let computer = self.seats[usize::from(self.decider())] != GamePlayer::Person;
        computer && self.timing.decides() && self.is_doubling_decision()
    }

    /// Reopens the decision of a computer to double; called when a stage begins.
    pub(super) fn reopen_doubling(&mut self) {
        if let Some(play) = &mut self.match_play {
            play.declined = false;
        }
    }

    /// Records that the computer to move does not double in this turn.
    pub(crate) fn decline_double(&mut self) {
        if let Some(play) = &mut self.match_play {
            play.declined = true;
        }
    }

    /// Doubles for the seat to move.
    pub(crate) fn double(&mut self) -> Result<(), LabError> {
        let may = G::HAS_DOUBLING_CUBE && self.can_double();
        let Some(play) = self.match_play.as_mut().filter(|_| may) else {
            return Err(self.not_now("double", "the seat to move may not double"));
        };
        let cube = play.cube();
        play.state = play.state.double();
        self.before_double = Some((self.state, cube));
        self.stage_begins();
        Ok(())
    }

    /// Takes or drops the offered double.
    pub(crate) fn answer_double(&mut self, take: bool) -> Result<(), LabError> {
        let Some(state) = self.match_state().filter(|_| self.stage() == GameStage::Doubled) else {
            return Err(self.not_now("take or drop", "no double is offered"));
        };
        if let Some(play) = &mut self.match_play {
            play.state = if take { state.take() } else { Match { doubled: false, ..state } };
            play.taken = take;
        }
        if !take {
            let winner = Some(state.on_roll);
            self.end(GameOutcome { winner, points: 1, win: 1, how: DROPPED.into() });
        }
        self.stage_begins();
        Ok(())
    }

    /// Returns the value of the doubling cube after a double in the current turn that was taken; `None` without a
    /// double.
    pub(super) fn doubled(&self) -> Option<u32> {
        self.match_play().filter(|play| play.taken).map(|play| play.state.doubling_cube())
    }

    /// Returns whether the current turn has a doubling decision of a human player to which the game can be taken back,
    /// and whether the double is offered there; `None` if there is none.
    fn doubling_to_take_back(&self) -> Option<bool> {
        let (state, _) = self.before_double.filter(|_| G::HAS_DOUBLING_CUBE)?;
        let is_person = |seat: u8| self.seats[usize::from(seat & 1)] == GamePlayer::Person;
        let doubler = state.player();
        let answered = self.stage() != GameStage::Doubled;
        is_person(doubler).then_some(false).or((is_person(1 - (doubler & 1)) && answered).then_some(true))
    }

    /// Returns to the last doubling decision of a human player in the current turn. Returns `false` if there is none.
    pub(super) fn take_back_double(&mut self) -> bool {
        let (Some(offered), Some((state, cube))) = (self.doubling_to_take_back(), self.before_double) else {
            return false;
        };
        self.reopen();
        self.state = state;
        self.before_double = self.before_double.filter(|_| offered);
        if let Some(play) = &mut self.match_play {
            play.set_cube(cube, false);
            play.state.doubled = offered;
        }
        self.stage_begins();
        true
    }

    /// Returns the part of the JSON document `table` about the match or money session, without doubling decisions.
    pub(super) fn doubling_document(&self) -> Option<GameDoubling> {
        let play = self.match_play()?;
        let state = &play.state;
        let has_won = |seat: &u8| state.length > 0 && self.score[usize::from(*seat)] >= state.length.into();
        Some(GameDoubling {
            length: state.length,
            jacoby: state.length == 0 && !state.without_jacoby,
            crawford: state.crawford,
            cube: state.doubling_cube(),
            owner: match state.doubling_cube_owner {
                DoublingCubeOwner::Player(seat) => Some(seat),
                DoublingCubeOwner::Centered => None,
            },
            can_double: self.can_double(),
            points: [1, 2, 3].map(|win| play.points(win)),
            match_winner: (0..2).find(has_won),
            can_take_back: self.doubling_to_take_back().is_some(),
            pending: None,
            last: None,
        })
    }
}
