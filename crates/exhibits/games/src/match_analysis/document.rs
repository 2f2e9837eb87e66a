//! JSON document of a match analysis.

use super::{MatchAnalysis, MatchResult, PlayerTotal, RatedAction, RatedKind};
use crate::protocol::{
    AnalyzedAction, AnalyzedCandidate, AnalyzedGame, AnalyzedKind, AnalyzedMatch, AnalyzedResult,
    AnalyzedTotal, AnalyzedWin,
};
use vivarium_envs::backgammon::record::RecordedResult;

/// Converts points to millipoints.
fn milli(points: f64) -> f64 {
    // Adding 0 turns a negative zero, which an empty sum may be, into 0.
    1000.0 * points + 0.0
}

impl MatchAnalysis {
    /// Returns the JSON document of the analysis.
    pub fn document(&self) -> AnalyzedMatch {
        let games = self.record.games.iter().zip(&self.games).map(|(game, actions)| AnalyzedGame {
            score: game.score,
            crawford: game.crawford,
            actions: actions.iter().map(analyzed_action).collect(),
            result: game.result.map(|RecordedResult { winner, points }| AnalyzedWin { winner, points }),
        });
        AnalyzedMatch {
            players: self.record.players.clone(),
            length: self.record.length,
            games: games.collect(),
            totals: self.totals().map(analyzed_total),
            result: self.result().map(|result| analyzed_result(result, self.record.length)),
        }
    }
}

fn analyzed_action(action: &RatedAction) -> AnalyzedAction {
    let candidates = action.candidates.iter().map(|candidate| AnalyzedCandidate {
        action: candidate.action.clone(),
        equity: milli(candidate.equity),
    });
    let mut document = AnalyzedAction {
        player: action.player,
        position: action.position.to_string(),
        action: match action.kind {
            RatedKind::Play { .. } => AnalyzedKind::Play,
            RatedKind::Double => AnalyzedKind::Double,
            RatedKind::NoDouble => AnalyzedKind::NoDouble,
            RatedKind::Take => AnalyzedKind::Take,
            RatedKind::Pass => AnalyzedKind::Pass,
        },
        error: milli(action.error),
        mark: action.mark(),
        best: action.best.clone(),
        candidates: candidates.collect(),
        roll: None,
        play: None,
        luck: None,
        forced: None,
    };
    if let RatedKind::Play { roll, play, luck, forced } = &action.kind {
        document.roll = Some([roll.high(), roll.low()]);
        document.play = Some(play.clone());
        document.luck = Some(milli(*luck));
        document.forced = Some(*forced);
    }
    document
}

fn analyzed_total(total: PlayerTotal) -> AnalyzedTotal {
    AnalyzedTotal {
        plays: total.plays,
        play_error: milli(total.play_error),
        doubling_decisions: total.doubling_decisions,
        doubling_error: milli(total.doubling_error),
        blunders: total.blunders,
        error_rate: total.error_rate().map(milli),
        performance_rating: total.performance_rating(),
        luck: milli(total.luck),
    }
}

fn analyzed_result(result: MatchResult, length: u16) -> AnalyzedResult {
    let of_players = |value: fn(MatchResult) -> f64| [result, result.opposite()].map(value);
    AnalyzedResult {
        unit: if length == 0 { "points" } else { "match winning probability" },
        actual: of_players(|result| result.actual),
        luck_adjusted: of_players(|result| result.luck_adjusted),
    }
}
