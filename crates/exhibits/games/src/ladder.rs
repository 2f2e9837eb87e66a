//! Ladder: periodic matches of the newest network against reference players, which measure playing strength over time.

use super::match_runner::MatchRunner;
use super::player_pool::{PlayerPool, label};
use super::rules::TableGame;
use crate::protocol::{GamePlayer, LadderRow};
use serde::Deserialize;
use serde_json::Value;
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;
use vivarium_lab::protocol::MetricRow;

/// Ladder matches in progress: one match of the newest network against each reference player.
pub(super) struct Ladder<G: TableGame> {
    steps: u64,
    generation: u32,
    /// Pairs of the reference player's name in metrics and the match against this player.
    matches: Vec<(&'static str, MatchRunner<G>)>,
}

impl<G: TableGame> Ladder<G> {
    /// Creates one match of the newest network, without search, against each reference player. `steps` and `generation`
    /// are the training progress that the results are labeled with.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if the number of pairs is out of range.
    pub(super) fn new(
        pool: &PlayerPool<G>,
        steps: u64,
        generation: u32,
        pairs: u32,
        seed: u64,
    ) -> Result<Self, LabError> {
        let newest = GamePlayer::Newest { simulations: 0 };
        let new_match =
            |(name, opponent)| Ok((name, MatchRunner::new(pool, [newest, opponent], pairs, seed)?));
        let matches = G::opponents().into_iter().map(new_match).collect::<Result<_, LabError>>()?;
        Ok(Self { steps, generation, matches })
    }

    /// Advances the first unfinished ladder match (against a reference player) by one decision of each player. Returns
    /// the results when all matches are finished.
    ///
    /// # Errors
    /// [`LabError::Engine`] if a player fails.
    pub(super) fn advance(&mut self, cpu: &Cpu) -> Result<Option<(MetricRow, Vec<LadderRow>)>, LabError> {
        match self.matches.iter_mut().find(|(_, runner)| !runner.is_over()) {
            Some((_, runner)) => {
                runner.advance(cpu)?;
                Ok(None)
            }
            None => Ok(Some(self.results())),
        }
    }

    fn results(&self) -> (MetricRow, Vec<LadderRow>) {
        let mut values = Vec::new();
        let mut rows = Vec::new();
        for (name, runner) in &self.matches {
            let score = runner.score();
            values.push((format!("points_{name}"), Some(score.points.mean)));
            values.push((format!("wins_{name}"), Some(score.win_rate.mean)));
            rows.push(LadderRow {
                steps: self.steps,
                generation: self.generation,
                opponent: runner.players[1],
                label: label(runner.players[1]),
                games: score.games,
                points: score.points.mean,
                interval: [score.points.low, score.points.high],
                wins: score.win_rate.mean,
            });
        }
        (MetricRow::new(self.steps, values), rows)
    }
}

/// Parses and validates the results of ladder matches (against reference players) in a checkpoint. `written` is a JSON
/// array of at most `most` results.
///
/// # Errors
/// [`LabError`] naming the invalid result, or if there are too many results.
pub(super) fn parse_rows<G: TableGame>(written: &Value, most: usize) -> Result<Vec<LadderRow>, LabError> {
    let mut rows =
        Vec::<LadderRow>::deserialize(written).map_err(|error| LabError::checkpoint(error.to_string()))?;
    if rows.len() > most {
        let allowed = format!("at most {most} are kept");
        return Err(LabError::invalid("ladder", format!("{} rows", rows.len()), allowed));
    }
    for (place, row) in rows.iter_mut().enumerate() {
        let known = G::opponents().into_iter().any(|(_, opponent)| opponent == row.opponent);
        let [low, high] = row.interval;
        let of_game = row.points.abs() <= f64::from(G::MAX_VALUE) && (0.0..=1.0).contains(&row.wins);
        if !known || !of_game || low > high {
            let value = format!("{} points against {}", row.points, label(row.opponent));
            return Err(LabError::invalid(
                format!("ladder.{place}"),
                value,
                "such a result is impossible in a ladder match",
            ));
        }
        row.label = label(row.opponent);
    }
    Ok(rows)
}
