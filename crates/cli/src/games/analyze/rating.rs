//! Errors and luck of the actions of a recorded match.

use crate::games::adviser::Adviser;
use crate::games::equity_table::EquityTable;
use vivarium_envs::backgammon::doubling::DoublingDecision;
use vivarium_envs::backgammon::record::{GameReplay, MatchRecord, RecordedAction, RecordedGame};
use vivarium_envs::backgammon::{Match, Outcome, Play, Roll, Xgid};

/// Smallest error that is reported, in points.
pub const REPORTED_ERROR: f64 = 0.0005;

/// Rated actions of a match.
pub struct RatedMatch {
    /// Rated actions of each game.
    pub games: Vec<Vec<RatedAction>>,
    /// Sums for players 0 and 1.
    pub totals: [PlayerTotal; 2],
}

/// Action of a player with its error.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedAction {
    /// Player 0 or 1.
    pub player: u8,
    /// Position and state of the match before the action; with the dice if the action is a play.
    pub position: Xgid,
    /// Kind of the action.
    pub kind: RatedKind,
    /// Equity that the action loses against the best one, in points per value of the doubling cube.
    pub error: f64,
    /// Best action, in the notation of the action; `None` if the action loses nothing.
    pub best: Option<String>,
}

/// Kind of a rated action.
#[derive(Clone, Debug, PartialEq)]
pub enum RatedKind {
    /// Play of a roll.
    Play {
        /// Rolled dice.
        roll: Roll,
        /// Notation of the play.
        play: String,
        /// Luck of the roll, in points.
        luck: f64,
        /// Whether the roll had a single legal play.
        forced: bool,
    },
    /// Double.
    Double,
    /// No double, where a double was better.
    NoDouble,
    /// Take.
    Take,
    /// Pass.
    Pass,
}

/// Sums over the actions of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PlayerTotal {
    /// Number of plays with a choice.
    pub plays: u32,
    /// Sum of their errors, in points per value of the doubling cube.
    pub play_error: f64,
    /// Number of doubles, takes, passes and missed doubles.
    pub doubling_decisions: u32,
    /// Sum of their errors.
    pub doubling_error: f64,
    /// Sum of the luck of all rolls.
    pub luck: f64,
}

impl PlayerTotal {
    /// Returns the mean error per decision in points; `None` without decisions.
    pub fn error_rate(&self) -> Option<f64> {
        let count = self.plays + self.doubling_decisions;
        (count > 0).then(|| (self.play_error + self.doubling_error) / f64::from(count))
    }

    fn add(&mut self, action: &RatedAction) {
        match action.kind {
            RatedKind::Play { luck, forced, .. } => {
                self.luck += luck;
                self.plays += u32::from(!forced);
                self.play_error += action.error;
            }
            RatedKind::Double | RatedKind::NoDouble | RatedKind::Take | RatedKind::Pass => {
                self.doubling_decisions += 1;
                self.doubling_error += action.error;
            }
        }
    }
}

impl RatedMatch {
    /// Rates all actions of a record.
    ///
    /// # Errors
    /// A message if the adviser fails.
    pub fn new(
        record: &MatchRecord,
        adviser: &mut dyn Adviser,
        equity_table: &EquityTable,
    ) -> Result<Self, String> {
        let mut totals = [PlayerTotal::default(); 2];
        let mut games = Vec::new();
        for game in &record.games {
            let actions = rate_game(record, game, adviser, equity_table)?;
            for action in &actions {
                totals[usize::from(action.player & 1)].add(action);
            }
            games.push(actions);
        }
        Ok(Self { games, totals })
    }
}

fn rate_game(
    record: &MatchRecord,
    game: &RecordedGame,
    adviser: &mut dyn Adviser,
    equity_table: &EquityTable,
) -> Result<Vec<RatedAction>, String> {
    let mut replay = GameReplay::of(record, game);
    let mut rated = Vec::new();
    // Probabilities of the player on roll before the roll, and whether the player has decided not to double.
    let mut before: Option<[f32; 5]> = None;
    for action in &game.actions {
        let position = *replay.position();
        let is_opening = replay.is_opening();
        let probabilities = match before {
            Some(probabilities) => probabilities,
            None => adviser.probabilities_before_roll(&position)?,
        };
        before = Some(probabilities);
        let context = equity_table.context(replay.state()).ok().filter(|_| !is_opening);
        let decision =
            context.map(|context| DoublingDecision::of_position(&position, probabilities, &context).0);
        let before_action = |roll| Xgid::new(position, Match { roll, ..*replay.state() });
        match *action {
            RecordedAction::Play { player, roll, ref play } => {
                // After a take, the opponent owns the doubling cube, and there is no decision.
                if let Some(decision) = decision.filter(|_| replay.state().may_double()) {
                    rated.extend(missed_double(player, before_action(None), &decision));
                }
                // Before the opening roll, both players are equal.
                let mean = if is_opening { 0.0 } else { Outcome::equity(probabilities) };
                rated.push(rate_play(player, before_action(Some(roll)), roll, play, mean, adviser)?);
                before = None;
            }
            RecordedAction::Double { player } => {
                let error = decision.map_or(0.0, |decision| decision.no_double - decision.double());
                rated.push(doubling(player, before_action(None), RatedKind::Double, error, "no double"));
            }
            RecordedAction::Take { player } => {
                let error = decision.map_or(0.0, |decision| decision.double_take - decision.double_pass);
                rated.push(doubling(player, before_action(None), RatedKind::Take, error, "pass"));
            }
            RecordedAction::Pass { player } => {
                let error = decision.map_or(0.0, |decision| decision.double_pass - decision.double_take);
                rated.push(doubling(player, before_action(None), RatedKind::Pass, error, "take"));
            }
        }
        replay.apply(action)?;
    }
    Ok(rated)
}

/// Returns the missed double of a player who rolled; `None` if no double was right.
fn missed_double(player: u8, position: Xgid, decision: &DoublingDecision) -> Option<RatedAction> {
    let error = decision.double() - decision.no_double;
    (error >= REPORTED_ERROR).then(|| doubling(player, position, RatedKind::NoDouble, error, "double"))
}

fn doubling(player: u8, position: Xgid, kind: RatedKind, error: f64, better: &str) -> RatedAction {
    let error = error.max(0.0);
    RatedAction { player, position, kind, error, best: (error >= REPORTED_ERROR).then(|| better.to_owned()) }
}

/// Rates a play. `mean`: equity of the player before the roll.
fn rate_play(
    player: u8,
    xgid: Xgid,
    roll: Roll,
    play: &Play,
    mean: f32,
    adviser: &mut dyn Adviser,
) -> Result<RatedAction, String> {
    let position = &xgid.position;
    let advice = adviser.advise(position, roll)?;
    let best = advice.first().ok_or("internal error: a roll has no play; please report this bug")?;
    let made = advice.iter().find(|advice| advice.play.after == play.after);
    let made = made.ok_or("internal error: a recorded play is not legal; please report this bug")?;
    let error = f64::from(best.equity - made.equity).max(0.0);
    Ok(RatedAction {
        player,
        position: xgid,
        kind: RatedKind::Play {
            roll,
            play: play.notation(position),
            luck: f64::from(best.equity - mean),
            forced: advice.len() == 1,
        },
        error,
        best: (error >= REPORTED_ERROR).then(|| best.play.notation(position)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::adviser::Advice;
    use vivarium_envs::backgammon::{Plays, Position};

    /// Adviser with a winning probability of 80 % before each roll. The best play of a roll is the first one; each further
    /// play loses 0.1 points.
    struct FixedAdviser;

    impl Adviser for FixedAdviser {
        fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String> {
            let mut plays = Plays::new();
            plays.generate(position, roll);
            let advice = |(at, play): (usize, &Play)| Advice {
                play: *play,
                probabilities: [0.8, 0.0, 0.0, 0.0, 0.0],
                equity: 0.7 - 0.1 * at as f32,
                searched: true,
            };
            Ok(plays.iter().enumerate().map(advice).collect())
        }

        fn probabilities_before_roll(&mut self, _: &Position) -> Result<[f32; 5], String> {
            Ok([0.8, 0.0, 0.0, 0.0, 0.0])
        }
    }

    #[test]
    fn errors_and_luck_are_summed_per_player() {
        let text = " 0 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5                  64: 24/14\n  \
                    2)  Doubles => 2                Takes\n  3) 21: 13/11 6/5                \n";
        let record = MatchRecord::parse(text).unwrap();
        let rated = RatedMatch::new(&record, &mut FixedAdviser, &EquityTable::computed()).unwrap();
        let actions = &rated.games[0];
        let kinds: Vec<_> = actions.iter().map(|action| (action.player, action.kind.clone())).collect();
        // Bob has not doubled at 80 %, which is an error. Ann cannot double before the opening.
        assert_eq!(kinds[1], (1, RatedKind::NoDouble));
        assert_eq!((kinds[3].clone(), kinds[4].clone()), ((0, RatedKind::Double), (1, RatedKind::Take)));
        assert_eq!(actions.len(), 6);
        let positions = actions.iter().map(|action| action.position.to_string());
        assert_eq!(
            positions.collect::<Vec<_>>()[..3],
            [
                "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:1:0:10",
                "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:00:0:0:1:0:10",
                "XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:1:0:10",
            ]
        );
        let [ann, bob] = rated.totals;
        assert_eq!([ann.plays, bob.plays], [2, 1]);
        assert_eq!([ann.doubling_decisions, bob.doubling_decisions], [1, 2]);
        // Luck: 0.7 in the opening, 0.7 - 0.6 later.
        assert!((ann.luck - 0.8).abs() < 1e-6 && (bob.luck - 0.1).abs() < 1e-6, "{ann:?} {bob:?}");
        // At 80 % a take is wrong in a money session, and a double is right.
        assert_eq!((ann.doubling_error, actions[4].best.as_deref()), (0.0, Some("pass")));
        assert!(bob.doubling_error > 0.01, "{bob:?}");
        let mean = (ann.play_error + ann.doubling_error) / 3.0;
        assert_eq!(ann.error_rate(), Some(mean));
        assert!(actions.iter().all(|action| action.best.is_some() == (action.error >= REPORTED_ERROR)));
    }
}
