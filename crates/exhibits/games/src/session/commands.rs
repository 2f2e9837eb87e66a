//! Commands of the user that change the session in which the user plays or analyzes a game.

use super::{GameSession, SPEEDS};
use crate::player_pool::{PlayerPool, label, simulations};
use crate::protocol::{DiceMode, DoublingChoice, GamePlayer, GamePosition, GameStage};
use crate::rules::TableGame;
use crate::search_size::{MAX_SIMULATIONS, check_search};
use crate::table::PlayAssessment;
use vivarium_lab::error::LabError;

impl<G: TableGame> GameSession<G> {
    pub(crate) fn new_game(
        &mut self,
        pool: &PlayerPool<G>,
        seats: [GamePlayer; 2],
        first: Option<u8>,
    ) -> Result<(), LabError> {
        check_seats(pool, seats)?;
        self.table.new_game(seats, first)?;
        self.drop_later_analyses();
        Ok(())
    }

    pub(crate) fn start_match(&mut self, length: Option<u16>, jacoby: bool) -> Result<(), LabError> {
        self.table.start_match(length, jacoby)?;
        self.drop_later_analyses();
        Ok(())
    }

    pub(crate) fn set_seats(&mut self, pool: &PlayerPool<G>, seats: [GamePlayer; 2]) -> Result<(), LabError> {
        check_seats(pool, seats)?;
        self.table.set_seats(seats);
        self.move_now = false;
        Ok(())
    }

    pub(crate) fn set_position(
        &mut self,
        position: &GamePosition,
        seat: Option<u8>,
        dice: Option<[u8; 2]>,
    ) -> Result<(), LabError> {
        self.table.set_position(position, seat, dice)?;
        self.drop_later_analyses();
        Ok(())
    }

    /// Rolls the dice. Before that, a computer to move decides whether it doubles; a human player who may double
    /// decides by rolling not to double.
    pub(crate) fn roll(&mut self, pool: &PlayerPool<G>, dice: Option<[u8; 2]>) -> Result<(), LabError> {
        self.decide_for_computer(pool);
        let report = self.doubling_report(pool, Some(DoublingChoice::NoDouble));
        self.table.roll(dice)?;
        self.last_doubling = report.or(self.last_doubling.take());
        Ok(())
    }

    /// Doubles for the seat to move.
    pub(crate) fn double(&mut self, pool: &PlayerPool<G>) -> Result<(), LabError> {
        let report = self.doubling_report(pool, Some(DoublingChoice::Double));
        self.table.double()?;
        self.last_doubling = report;
        Ok(())
    }

    /// Takes or drops the offered double.
    pub(crate) fn answer_double(&mut self, pool: &PlayerPool<G>, take: bool) -> Result<(), LabError> {
        let choice = if take { DoublingChoice::Take } else { DoublingChoice::Drop };
        let report = self.doubling_report(pool, Some(choice));
        self.table.answer_double(take)?;
        self.last_doubling = report;
        Ok(())
    }

    pub(crate) fn move_checker(&mut self, from: u8, to: u8) -> Result<(), LabError> {
        self.table.move_checker(from, to)?;
        if G::CONFIRMS { Ok(()) } else { self.confirm() }
    }

    pub(crate) fn undo(&mut self) -> Result<(), LabError> {
        self.table.undo()
    }

    pub(crate) fn confirm(&mut self) -> Result<(), LabError> {
        let Some((after, _)) = self.table.completed() else {
            return self.table.confirm(PlayAssessment::default());
        };
        let assessment = self.assessment(&after);
        self.store_analysis();
        self.table.confirm(assessment)
    }

    pub(crate) fn take_back(&mut self, turn: Option<u32>) -> Result<(), LabError> {
        self.table.take_back(turn)?;
        self.drop_later_analyses();
        Ok(())
    }

    /// Resigns the game for `seat`, which loses `points`. A human opponent always accepts.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a computer opponent declines because its equity is higher than `points`.
    pub(crate) fn resign(&mut self, pool: &PlayerPool<G>, seat: u8, points: u32) -> Result<(), LabError> {
        self.table.check_resignation(seat, points)?;
        let opponent = self.table.seats[usize::from(1 - seat)];
        // A computer accepts the maximum number of points without an estimate of its equity, because no higher win is
        // possible.
        let settled = opponent == GamePlayer::Person || points == self.table.max_loss()[usize::from(seat)];
        let offered = self.table.equity_of_points(1 - seat, points);
        let opponent_equity = if settled { offered } else { self.equity_of_seat(pool, 1 - seat) };
        if opponent_equity > offered {
            let allowed = format!(
                "the equity of the opponent is {opponent_equity:.2}, that of the offer {offered:.2}; offer more, or continue"
            );
            return Err(LabError::invalid("points", points.to_string(), allowed));
        }
        self.table.resign(seat, points)
    }

    pub(crate) fn move_now(&mut self) -> Result<(), LabError> {
        // During the wait, the analyst searches the decision. The computer searches before it plays.
        if self.table.is_held() {
            self.table.release();
            return Ok(());
        }
        if self.table.stage() != GameStage::Computer {
            return Err(LabError::invalid("command", "move_now", "no computer is to move"));
        }
        self.move_now = true;
        Ok(())
    }

    pub(crate) fn seed_dice(&mut self, seed: u32) {
        self.table.seed_dice(seed);
    }

    pub(crate) fn set_dice_mode(&mut self, mode: DiceMode) {
        self.table.set_dice_mode(mode);
    }

    pub(crate) fn set_pace(&mut self, seconds: Option<f32>) -> Result<(), LabError> {
        self.table.set_pace(seconds)
    }

    /// Sets the analyst (the network that analyzes human decisions) and `speed`, the maximum number of simulations per
    /// second (`None`: unlimited).
    pub(crate) fn set_analysis(
        &mut self,
        pool: &PlayerPool<G>,
        analyst: GamePlayer,
        speed: Option<f32>,
    ) -> Result<(), LabError> {
        let field = "analyst";
        pool.check(field, analyst)?;
        match simulations(analyst) {
            None => return Err(LabError::invalid(field, label(analyst), "the analyst must be a network")),
            Some(0) => {
                let allowed = format!("a whole number from 1 to {}", MAX_SIMULATIONS);
                return Err(LabError::invalid("analyst.simulations", "0", allowed));
            }
            Some(simulations) => check_search::<G>(field, simulations)?,
        }
        if let Some(speed) = speed.filter(|speed| !SPEEDS.contains(speed)) {
            let (low, high) = (SPEEDS.start(), SPEEDS.end());
            let allowed = format!("simulations a second from {low} to {high}, or none for unlimited");
            return Err(LabError::invalid("speed", speed.to_string(), allowed));
        }
        self.extend_search(analyst)?;
        self.analyst = analyst;
        self.speed = speed;
        self.changes = self.changes.wrapping_add(1);
        Ok(())
    }

    /// Continues the current analysis with the number of simulations of `analyst`, if `analyst` is the previous analyst
    /// with another number of simulations. Otherwise changes nothing.
    fn extend_search(&mut self, analyst: GamePlayer) -> Result<(), LabError> {
        let (Some(about), Some(wanted)) = (&mut self.about, simulations(analyst)) else { return Ok(()) };
        if about.player != self.analyst || with_simulations(about.player, wanted) != analyst {
            return Ok(());
        }
        if let Some(search) = self.search.take() {
            self.search = Some(search.set_target(analyst, wanted)?);
            about.player = analyst;
            self.repetition = None;
            self.search_version = self.search_version.wrapping_add(1);
        }
        Ok(())
    }

    pub(crate) fn analyze_again(&mut self) -> Result<(), LabError> {
        if matches!(self.table.stage(), GameStage::Roll | GameStage::Doubled | GameStage::Over) {
            return Err(LabError::invalid("command", "analyze_again", "there is nothing to decide now"));
        }
        self.restart = true;
        Ok(())
    }
}

/// Checks that the players of both seats are available.
fn check_seats<G: TableGame>(pool: &PlayerPool<G>, seats: [GamePlayer; 2]) -> Result<(), LabError> {
    let fields = ["seats.0", "seats.1"];
    fields.into_iter().zip(seats).try_for_each(|(field, seat)| pool.check(field, seat))
}

/// Returns `player` with its number of simulations replaced by `simulations`.
fn with_simulations(player: GamePlayer, simulations: u32) -> GamePlayer {
    match player {
        GamePlayer::Newest { .. } => GamePlayer::Newest { simulations },
        GamePlayer::Best { .. } => GamePlayer::Best { simulations },
        GamePlayer::Earlier { promotion, .. } => GamePlayer::Earlier { promotion, simulations },
        GamePlayer::Opened { .. } => GamePlayer::Opened { simulations },
        other => other,
    }
}
