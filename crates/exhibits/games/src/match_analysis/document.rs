//! JSON document of a match analysis.

use super::{
    MatchAnalysis, MatchResult, PlayerTotal, RatedAction, RatedCandidate, RatedKind, RatedStep, milli,
};
use crate::advice::DecidedDoubling;
use crate::protocol::{
    AnalyzedAction, AnalyzedCandidate, AnalyzedDoubling, AnalyzedGame, AnalyzedKind, AnalyzedMatch,
    AnalyzedResult, AnalyzedStep, AnalyzedTotal, AnalyzedWin,
};
use vivarium_agents::alphazero::SelfPlayGame;
use vivarium_envs::backgammon::record::RecordedResult;
use vivarium_envs::backgammon::{Position, State};

/// Rounds a probability to 6 decimals.
fn rounded(probability: f32) -> f64 {
    (f64::from(probability) * 1e6).round() / 1e6
}

impl MatchAnalysis {
    /// Returns the JSON document of the analysis. `checkpoint`: file of the network; `None` for the network of the program, and
    /// without a network.
    pub fn document(&self, checkpoint: Option<String>) -> AnalyzedMatch {
        let games = self.games.iter().zip(0..).map(|(actions, index)| self.analyzed_game(index, actions));
        AnalyzedMatch {
            experiment: State::NAME,
            checkpoint,
            evaluator: self.evaluator.name(),
            plies: self.depth.plies,
            recheck_plies: self.depth.recheck,
            players: self.record.players.clone(),
            length: self.record.length,
            games: games.collect(),
            totals: self.totals().map(analyzed_total),
            result: self.analyzed_result(),
        }
    }

    /// Returns the JSON document of a step of the analysis.
    pub fn step_document(&self, RatedStep { game, actions }: RatedStep) -> AnalyzedStep {
        let rated = &self.games[game];
        AnalyzedStep {
            index: game as u32,
            game: self.analyzed_game(game, &rated[rated.len() - actions..]),
            totals: self.totals().map(analyzed_total),
            result: self.analyzed_result(),
        }
    }

    /// Returns the document of the game with an index, with these actions and the totals of all rated actions.
    fn analyzed_game(&self, index: usize, actions: &[RatedAction]) -> AnalyzedGame {
        let game = &self.record.games[index];
        AnalyzedGame {
            score: game.score,
            crawford: game.crawford,
            actions: actions.iter().map(|action| analyzed_action(action, self.depth.of(action))).collect(),
            totals: PlayerTotal::of_players(&self.games[index]).map(analyzed_total),
            result: game.result.map(|RecordedResult { winner, points }| AnalyzedWin { winner, points }),
        }
    }

    fn analyzed_result(&self) -> Option<AnalyzedResult> {
        self.result().map(|result| analyzed_result(result, self.record.length))
    }
}

fn analyzed_action(action: &RatedAction, plies: u8) -> AnalyzedAction {
    let best = action.candidates.first().map_or(0.0, |candidate| candidate.advice.equity);
    let candidate = |candidate| analyzed_candidate(candidate, best, &action.position.position);
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
        plies,
        error: milli(action.error),
        mark: action.mark(),
        best: action.best.clone(),
        candidates: action.candidates.iter().map(candidate).collect(),
        doubling: action.doubling.as_ref().map(analyzed_doubling),
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

/// Returns the document of a play in `position`. `best`: equity of the best play.
fn analyzed_candidate(candidate: &RatedCandidate, best: f64, position: &Position) -> AnalyzedCandidate {
    let RatedCandidate { advice, is_played } = candidate;
    AnalyzedCandidate {
        play: advice.play.notation(position),
        equity: milli(advice.equity),
        loss: milli((best - advice.equity).max(0.0)),
        probabilities: advice.probabilities.map(rounded),
        searched: advice.searched,
        played: *is_played,
    }
}

fn analyzed_doubling(decided: &DecidedDoubling) -> AnalyzedDoubling {
    AnalyzedDoubling {
        no_double: milli(decided.decision.no_double),
        double_take: milli(decided.decision.double_take),
        double_pass: milli(decided.decision.double_pass),
        best: decided.best(false),
        probabilities: decided.probabilities.map(rounded),
    }
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
