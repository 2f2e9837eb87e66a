//! Errors and luck of the actions of a recorded match.

use crate::advice::{Advice, Adviser, DecidedDoubling, DoublingLosses, best_equity};
use vivarium_envs::backgammon::doubling::{DoublingContext, EquityContext, MatchEquityTable};
use vivarium_envs::backgammon::record::{GameReplay, MatchRecord, RecordedAction, RecordedGame};
use vivarium_envs::backgammon::{Match, Play, Roll, Xgid};

/// Smallest error that is reported, in points.
pub const REPORTED_ERROR: f64 = 0.0005;
/// Loss of a double, in points, below which a decision not to double counts as a decision: a close one. The limit is that of GNU
/// Backgammon 1.07.001 (`isCloseCubedecision` in `eval.c`).
pub const CLOSE_DOUBLE: f64 = 0.16;

/// Smallest errors in points of the marks of GNU Backgammon 1.07 (`show analysis`): very bad, bad, doubtful.
pub const MARKS: [(f64, &str); 3] = [(0.12, "??"), (0.06, "?"), (0.03, "?!")];

/// Returns the mark of an error in points; `None` for a small error.
fn mark_of(error: f64) -> Option<&'static str> {
    MARKS.iter().find(|(least, _)| error >= *least).map(|(_, name)| *name)
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
    /// The best plays of the roll, the best first, and the play itself. Empty for a doubling action.
    pub candidates: Vec<RatedCandidate>,
    /// Equities of the doubling decision; `None` for a play.
    pub doubling: Option<DecidedDoubling>,
    /// Whether the action was evaluated again at a greater depth, because its error at the first depth has a mark.
    pub rechecked: bool,
}

/// Legal play of the roll of a [`RatedAction`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedCandidate {
    /// Evaluation of the play for the player who makes it.
    pub advice: Advice,
    /// Whether the player has made this play.
    pub is_played: bool,
}

impl RatedAction {
    /// Returns the mark of the error; `None` for a small error.
    pub fn mark(&self) -> Option<&'static str> {
        mark_of(self.error)
    }

    /// Returns whether the error at the first depth has a mark, so that a greater depth is to check the action.
    fn needs_recheck(&self) -> bool {
        self.mark().is_some()
    }

    /// Returns whether the action is only counted: a close decision not to double, without an error.
    pub fn is_silent(&self) -> bool {
        self.kind == RatedKind::NoDouble && self.best.is_none()
    }
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
    /// No double, where a double was better or close.
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
    /// Number of doubles, takes, passes, and decisions not to double that were close or wrong.
    pub doubling_decisions: u32,
    /// Sum of their errors.
    pub doubling_error: f64,
    /// Sum of the luck of all rolls.
    pub luck: f64,
    /// Number of errors with the marks `??` and `?`.
    pub blunders: u32,
}

impl PlayerTotal {
    /// Returns the mean error per decision in points; `None` without decisions.
    pub fn error_rate(&self) -> Option<f64> {
        let count = self.plays + self.doubling_decisions;
        (count > 0).then(|| (self.play_error + self.doubling_error) / f64::from(count))
    }

    /// Returns the performance rating of eXtreme Gammon, 500 times the error rate in points; `None` without decisions.
    pub fn performance_rating(&self) -> Option<f64> {
        self.error_rate().map(|rate| 500.0 * rate)
    }

    /// Returns the sums over the actions of players 0 and 1.
    pub fn of_players<'a>(actions: impl IntoIterator<Item = &'a RatedAction>) -> [Self; 2] {
        let mut totals = [Self::default(); 2];
        for action in actions {
            totals[usize::from(action.player & 1)].add(action);
        }
        totals
    }

    fn add(&mut self, action: &RatedAction) {
        self.blunders += u32::from(matches!(action.mark(), Some("??" | "?")));
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

/// Rating of the actions of a game, one after another.
pub(super) struct GameRating {
    replay: GameReplay,
    /// Evaluation before the roll that the last action did not change; `None` after a play.
    before: Option<BeforeRoll>,
}

/// Evaluation of a position before the roll.
#[derive(Clone, Copy)]
struct BeforeRoll {
    /// State of the match, before an offered double.
    state: Match,
    probabilities: [f32; 5],
    /// Whether the greater depth evaluated the position.
    rechecked: bool,
}

impl GameRating {
    /// Begins at the first action of a game of `record`.
    pub(super) fn new(record: &MatchRecord, game: &RecordedGame) -> Self {
        Self { replay: GameReplay::of(record, game), before: None }
    }

    /// Rates the next action of the game and makes it. Actions whose error has a mark are rated again at the greater depth of the
    /// adviser, if the adviser has one; the luck of a roll keeps the first depth. A double and the reply, the action `next`, are rated
    /// at the same depth. The result contains a decision not to double before the action, if it was close or wrong. `candidates` is the
    /// number of the best plays that are listed.
    ///
    /// # Errors
    /// A message if the adviser fails.
    pub(super) fn rate(
        &mut self,
        action: &RecordedAction,
        next: Option<&RecordedAction>,
        adviser: &mut dyn Adviser,
        equity_table: &MatchEquityTable,
        candidates: usize,
    ) -> Result<Vec<RatedAction>, String> {
        let position = *self.replay.position();
        let is_opening = self.replay.is_opening();
        let state = *self.replay.state();
        let context = EquityContext::new(&state, equity_table);
        let context = context.map_err(|error| format!("no equity at this score: {error}"))?;
        let before_double = Match { doubled: false, to_decide: state.on_roll, ..state };
        let mut before = match self.before.take() {
            Some(before) if before.state == before_double => before,
            _ => BeforeRoll {
                state: before_double,
                probabilities: adviser.probabilities_before_roll(&position, context)?,
                rechecked: false,
            },
        };
        let doubling_context = DoublingContext::with_table(&state, equity_table).ok().filter(|_| !is_opening);
        let decide = |before: &BeforeRoll| {
            let context = doubling_context.as_ref()?;
            Some(DecidedDoubling::new(&position, before.probabilities, context))
        };
        let before_action = |roll| Xgid::new(position, Match { roll, ..state });
        let kind = doubling_kind(action).or_else(|| {
            // After a take, the opponent owns the doubling cube, and there is no decision.
            let is_close =
                |DecidedDoubling { decision, .. }| decision.no_double - decision.double() < CLOSE_DOUBLE;
            let is_decision = state.may_double() && decide(&before).is_some_and(is_close);
            is_decision.then_some(RatedKind::NoDouble)
        });
        let mut rated = Vec::new();
        if let Some(kind) = kind {
            let reply = next.filter(|_| kind == RatedKind::Double).and_then(doubling_kind);
            let has_mark = decide(&before).is_some_and(|DecidedDoubling { decision, .. }| {
                let losses = DoublingLosses::of(&decision);
                let kinds = [Some(&kind), reply.as_ref()].into_iter().flatten();
                kinds.map(|kind| loss_of(kind, &losses)).any(|(lost, _)| mark_of(lost).is_some())
            });
            if has_mark
                && !before.rechecked
                && let Some(probabilities) = adviser.recheck_before_roll(&position, context)?
            {
                before = BeforeRoll { probabilities, rechecked: true, ..before };
            }
            let decided = decide(&before);
            rated.push(RatedAction {
                rechecked: before.rechecked,
                ..RatedDoubling { player: action.player(), kind, decided }.rated(before_action(None))
            });
        }
        if let RecordedAction::Play { player, roll, ref play } = *action {
            let advice = adviser.advise_with_plays(&position, roll, context, std::slice::from_ref(play))?;
            let luck = if is_opening {
                best_equity(&advice) - context.equity_before_game()
            } else {
                adviser.luck(&position, roll, context, &advice)?
            };
            let rate = |advice: &[Advice]| {
                RatedRoll { player, roll, luck, advice }.rated(before_action(Some(roll)), play, candidates)
            };
            let mut action = rate(&advice)?;
            if action.needs_recheck()
                && let Some(advice) = adviser.recheck(&position, roll, context, play, &advice)?
            {
                action = RatedAction { rechecked: true, ..rate(&advice)? };
            }
            rated.push(action);
        } else {
            self.before = Some(before);
        }
        self.replay.apply(action)?;
        Ok(rated)
    }
}

/// Returns the kind of a doubling action; `None` for a play.
fn doubling_kind(action: &RecordedAction) -> Option<RatedKind> {
    match action {
        RecordedAction::Play { .. } => None,
        RecordedAction::Double { .. } => Some(RatedKind::Double),
        RecordedAction::Take { .. } => Some(RatedKind::Take),
        RecordedAction::Pass { .. } => Some(RatedKind::Pass),
    }
}

/// Returns the loss of a doubling action in points, and the alternative.
fn loss_of(kind: &RatedKind, losses: &DoublingLosses) -> (f64, &'static str) {
    match kind {
        RatedKind::Double => (losses.double, "no double"),
        RatedKind::Take => (losses.take, "pass"),
        RatedKind::Pass => (losses.pass, "take"),
        RatedKind::NoDouble | RatedKind::Play { .. } => (losses.no_double, "double"),
    }
}

/// Doubling action to rate.
struct RatedDoubling {
    player: u8,
    kind: RatedKind,
    /// Equities of the player on roll; `None` if there was no decision.
    decided: Option<DecidedDoubling>,
}

impl RatedDoubling {
    /// Rates the action in a position.
    fn rated(self, position: Xgid) -> RatedAction {
        let Self { player, kind, decided } = self;
        let losses = decided.map(|decided| DoublingLosses::of(&decided.decision));
        let (error, alternative) = losses.map_or((0.0, ""), |losses| loss_of(&kind, &losses));
        let best = (error >= REPORTED_ERROR).then(|| alternative.to_owned());
        RatedAction {
            player,
            position,
            kind,
            error,
            best,
            candidates: Vec::new(),
            doubling: decided,
            rechecked: false,
        }
    }
}

/// Roll to rate.
struct RatedRoll<'a> {
    player: u8,
    roll: Roll,
    /// Equity of the best play minus the equity before the roll.
    luck: f64,
    /// Evaluated plays, the best first.
    advice: &'a [Advice],
}

impl RatedRoll<'_> {
    /// Rates the play of the roll in a position. `candidates` is the number of the best plays that are listed; 0 lists none.
    fn rated(self, xgid: Xgid, play: &Play, candidates: usize) -> Result<RatedAction, String> {
        let Self { player, roll, luck, advice } = self;
        let position = &xgid.position;
        let best = advice.first().ok_or("internal error: a roll has no play; please report this bug")?;
        let made = advice.iter().find(|advice| advice.play.after == play.after);
        let made = made.ok_or("internal error: a recorded play is not legal; please report this bug")?;
        let error = (best.equity - made.equity).max(0.0);
        let is_error = error >= REPORTED_ERROR;
        let candidate = |(at, &advice): (usize, &Advice)| {
            let is_played = advice.play.after == play.after;
            (at < candidates || (is_played && candidates > 0)).then_some(RatedCandidate { advice, is_played })
        };
        Ok(RatedAction {
            player,
            position: xgid,
            kind: RatedKind::Play { roll, play: play.notation(position), luck, forced: advice.len() == 1 },
            error,
            best: is_error.then(|| best.play.notation(position)),
            candidates: advice.iter().enumerate().filter_map(candidate).collect(),
            doubling: None,
            rechecked: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::match_analysis::{AnalysisDepth, MatchAnalysis};
    use vivarium_envs::backgammon::{Plays, Position};

    const DEPTH: AnalysisDepth = AnalysisDepth { plies: 1, recheck: 2 };

    /// Adviser with a winning probability of 80 % before each roll. The best play of a roll is the first one; each further
    /// play loses 0.1 points.
    ///
    /// At the greater depth, the play that was made is the best one, and the winning probability is 70 %.
    struct FixedAdviser {
        has_greater_depth: bool,
    }

    impl Adviser for FixedAdviser {
        fn advise(
            &mut self,
            position: &Position,
            roll: Roll,
            _: EquityContext<'_>,
        ) -> Result<Vec<Advice>, String> {
            let mut plays = Plays::new();
            plays.generate(position, roll);
            let advice = |(at, play): (usize, &Play)| Advice {
                play: *play,
                probabilities: [0.8, 0.0, 0.0, 0.0, 0.0],
                equity: 0.7 - 0.1 * at as f64,
                searched: true,
            };
            Ok(plays.iter().enumerate().map(advice).collect())
        }

        fn recheck(
            &mut self,
            _: &Position,
            _: Roll,
            _: EquityContext<'_>,
            play: &Play,
            advice: &[Advice],
        ) -> Result<Option<Vec<Advice>>, String> {
            let is_made = |advice: &Advice| advice.play.after == play.after;
            let (mut made, others): (Vec<Advice>, Vec<Advice>) =
                advice.iter().partition(|advice| is_made(advice));
            made[0].equity = 0.75;
            Ok(self.has_greater_depth.then(|| [made, others].concat()))
        }

        fn recheck_before_roll(
            &mut self,
            _: &Position,
            _: EquityContext<'_>,
        ) -> Result<Option<[f32; 5]>, String> {
            Ok(self.has_greater_depth.then_some([0.7, 0.0, 0.0, 0.0, 0.0]))
        }

        fn probabilities_before_roll(
            &mut self,
            _: &Position,
            _: EquityContext<'_>,
        ) -> Result<[f32; 5], String> {
            Ok([0.8, 0.0, 0.0, 0.0, 0.0])
        }

        fn mean_equity(&mut self, _: &Position, _: EquityContext<'_>) -> Result<f64, String> {
            Ok(0.6)
        }

        fn method_before_roll(&self, _: &Position) -> String {
            String::new()
        }
    }

    #[test]
    fn marked_errors_are_rated_again_at_a_greater_depth() {
        let text = " 0 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5                  64: 24/14\n  \
                    2)  Doubles => 2                Takes\n  3) 21: 13/11 6/5                \n";
        let rate = |has_greater_depth| {
            let record = MatchRecord::parse(text).unwrap();
            let mut analysis = MatchAnalysis::new(record, MatchEquityTable::computed().clone(), 2, DEPTH);
            while analysis.rate_next(&mut FixedAdviser { has_greater_depth }).unwrap().is_some() {}
            analysis.games.remove(0)
        };
        let (first, again) = (rate(false), rate(true));
        assert!(first.iter().all(|action| !action.rechecked && DEPTH.of(action) == 1));
        let mut rechecked = 0;
        // The double loses nothing, but the take is an error; both are rated at the same depth.
        let is_half = |action: &RatedAction| matches!(action.kind, RatedKind::Double | RatedKind::Take);
        for (first, again) in first.iter().zip(&again) {
            assert_eq!(again.rechecked, first.mark().is_some() || is_half(first), "{first:?}");
            if !again.rechecked {
                assert_eq!(first, again);
                continue;
            }
            rechecked += 1;
            assert_eq!(DEPTH.of(again), 2);
            // At the greater depth, all plays are the best ones, with the luck of the first depth; a take is right at 70 %.
            match (&first.kind, &again.kind) {
                (RatedKind::Play { luck, .. }, RatedKind::Play { luck: unchanged, .. }) => {
                    assert_eq!((luck, again.error, again.best.as_ref()), (unchanged, 0.0, None));
                    assert!(again.candidates[0].is_played);
                }
                _ => assert_ne!(first.doubling, again.doubling),
            }
        }
        assert!(rechecked >= 3, "{first:?}");
        let of = |kind| again.iter().find(|action| action.kind == kind).unwrap();
        let (double, take) = (of(RatedKind::Double), of(RatedKind::Take));
        assert_eq!((take.best.as_deref(), take.error), (None, 0.0));
        assert_eq!(double.doubling, take.doubling);
    }

    #[test]
    fn errors_have_the_marks_of_gnu_backgammon() {
        assert_eq!([0.029, 0.03, 0.07, 0.12].map(mark_of), [None, Some("?!"), Some("?"), Some("??")]);
    }

    #[test]
    fn errors_and_luck_are_summed_per_player() {
        let text = " 0 point match\n\n Game 1\n Ann : 0          Bob : 0\n  1) 31: 8/5 6/5                  64: 24/14\n  \
                    2)  Doubles => 2                Takes\n  3) 21: 13/11 6/5                \n";
        let record = MatchRecord::parse(text).unwrap();
        let mut analysis = MatchAnalysis::new(record, MatchEquityTable::computed().clone(), 2, DEPTH);
        while analysis.rate_next(&mut FixedAdviser { has_greater_depth: false }).unwrap().is_some() {}
        let actions = &analysis.games[0];
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
        let [ann, bob] = analysis.totals();
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
        // The performance rating is half the error rate in millipoints.
        assert_eq!(ann.performance_rating(), Some(500.0 * mean));
        // A play lists the two best plays and the play itself; a doubling action has the equities of the decision.
        for action in actions {
            let played = action.candidates.iter().filter(|candidate| candidate.is_played);
            let RatedKind::Play { play, forced, .. } = &action.kind else {
                let decided = action.doubling.unwrap();
                assert!(action.candidates.is_empty() && decided.decision.double_pass == 1.0, "{action:?}");
                continue;
            };
            let [played] = played.collect::<Vec<_>>()[..] else { panic!("{action:?}") };
            let best = action.candidates[0].advice;
            assert!((2..=3).contains(&action.candidates.len()) || *forced, "{action:?}");
            assert!((best.equity - played.advice.equity - action.error).abs() < 1e-6, "{action:?}");
            assert_eq!(&played.advice.play.notation(&action.position.position), play);
        }
        let best = actions[3].doubling.unwrap().best(false);
        assert!(best == "double, pass" || best == "double, take", "{best}");
    }
}
