//! Analysis of a recorded backgammon game or match: errors and luck of all actions, and the luck-adjusted result. The
//! command `vivarium analyze` and the page share this analysis.

mod depth;
mod document;
mod evaluator;
mod rating;
mod report;
mod result;

use crate::advice::Adviser;
pub use depth::AnalysisDepth;
pub use evaluator::AnalysisEvaluator;
use rating::GameRating;
pub use rating::{CLOSE_DOUBLE, MARKS, PlayerTotal, RatedAction, RatedCandidate, RatedKind};
pub use result::MatchResult;
use vivarium_envs::backgammon::doubling::MatchEquityTable;
use vivarium_envs::backgammon::record::MatchRecord;

/// Rated actions of one step of a [`MatchAnalysis`]: the last actions of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedStep {
    /// Index of the game.
    pub game: usize,
    /// Number of rated actions: 1, or 2 with a decision not to double before a play.
    pub actions: usize,
}

/// Analysis of a record, in progress or complete. [`rate_next`](Self::rate_next) rates one action after another.
pub struct MatchAnalysis {
    record: MatchRecord,
    equity_table: MatchEquityTable,
    candidates: usize,
    depth: AnalysisDepth,
    evaluator: AnalysisEvaluator,
    games: Vec<Vec<RatedAction>>,
    /// Game with the next action: its index, its rating, and the index of the action.
    next: Option<(usize, GameRating, usize)>,
}

impl MatchAnalysis {
    /// Begins the analysis by an adviser of a `depth` with a network. `candidates` is the number of the best plays that are listed for each play;
    /// 0 lists none.
    pub fn new(
        record: MatchRecord,
        equity_table: MatchEquityTable,
        candidates: usize,
        depth: AnalysisDepth,
    ) -> Self {
        let games = vec![Vec::new(); record.games.len()];
        let evaluator = AnalysisEvaluator::Network;
        let mut analysis = Self { record, equity_table, candidates, depth, evaluator, games, next: None };
        analysis.next = analysis.game_from(0);
        analysis
    }

    /// Sets the evaluator of the adviser, which reports and documents name.
    #[must_use]
    pub fn with_evaluator(self, evaluator: AnalysisEvaluator) -> Self {
        Self { evaluator, ..self }
    }

    /// Returns the first action of the first game with an action, from the game with the index `from`.
    fn game_from(&self, from: usize) -> Option<(usize, GameRating, usize)> {
        let mut games = self.record.games.iter().enumerate().skip(from);
        let found = games.find(|(_, game)| !game.actions.is_empty());
        found.map(|(index, game)| (index, GameRating::new(&self.record, game), 0))
    }

    /// Rates the next action of the record. Returns `None` if all actions have been rated.
    ///
    /// # Errors
    /// A message if the adviser fails.
    pub fn rate_next(&mut self, adviser: &mut dyn Adviser) -> Result<Option<RatedStep>, String> {
        let Some((index, rating, at)) = &mut self.next else { return Ok(None) };
        let (index, actions) = (*index, &self.record.games[*index].actions);
        let next = actions.get(*at + 1);
        let rated = rating.rate(&actions[*at], next, adviser, &self.equity_table, self.candidates)?;
        let step = RatedStep { game: index, actions: rated.len() };
        self.games[index].extend(rated);
        *at += 1;
        if *at == actions.len() {
            self.next = self.game_from(index + 1);
        }
        Ok(Some(step))
    }

    /// Returns the sums over the rated actions of players 0 and 1.
    pub fn totals(&self) -> [PlayerTotal; 2] {
        PlayerTotal::of_players(self.games.iter().flatten())
    }

    /// Returns the result of player 0 with and without luck; `None` during the analysis, or if no game is finished.
    pub fn result(&self) -> Option<MatchResult> {
        let is_complete = self.next.is_none();
        is_complete.then(|| MatchResult::new(&self.record, &self.games, &self.equity_table)).flatten()
    }
}

/// Converts points to millipoints.
fn milli(points: f64) -> f64 {
    // Adding 0 turns a negative zero, which an empty sum may be, into 0.
    1000.0 * points + 0.0
}
