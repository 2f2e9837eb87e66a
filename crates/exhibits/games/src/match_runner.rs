//! Matches in slices: a round of a few games at a time, on as many threads as there are.

use super::player_pool::{PlayerPool, label, simulations};
use super::rules::TableGame;
use crate::protocol::{GameMatch, GamePlayer};
use vivarium_agents::players::{MatchScore, PairedMatch, Player, PlayerError};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;

/// The most pairs of games of a match.
pub(crate) const MOST_PAIRS: u32 = 10_000;

/// Lanes of games side by side: what a match comes to does not depend on how many threads share them.
const WORKERS: usize = 4;

/// A match under way or over.
pub(crate) struct MatchRunner<G: TableGame> {
    pub(crate) players: [GamePlayer; 2],
    pairs: u32,
    seed: u64,
    workers: Vec<MatchWorker<G>>,
    /// Pairs that some worker has begun, and what came of them.
    begun: u32,
    results: Vec<[f32; 2]>,
    /// A player could not go on.
    failed: bool,
    /// The worker that goes next where one goes at a time.
    next: usize,
}

/// A few games of a match, with players of their own.
struct MatchWorker<G: TableGame> {
    players: [Box<dyn Player<G>>; 2],
    games: Option<PairedMatch<G>>,
    failure: Option<PlayerError>,
}

impl<G: TableGame> MatchWorker<G> {
    fn round(&mut self) {
        let [first, second] = &mut self.players;
        if let Some(games) = &mut self.games {
            self.failure = games.round([first.as_mut(), second.as_mut()]).err();
        }
    }
}

impl<G: TableGame> MatchRunner<G> {
    /// A match that has not begun.
    ///
    /// # Errors
    /// [`LabError::Invalid`] for players who cannot play it, or a number of pairs out of range.
    pub(crate) fn new(
        pool: &PlayerPool<G>,
        players: [GamePlayer; 2],
        pairs: u32,
        seed: u64,
    ) -> Result<Self, LabError> {
        if !(1..=MOST_PAIRS).contains(&pairs) {
            let allowed = format!("a whole number of pairs of games from 1 to {MOST_PAIRS}");
            return Err(LabError::invalid("pairs", pairs.to_string(), allowed));
        }
        let worker = |_| {
            let [first, second] = players;
            let players = [pool.seated("players.0", first)?, pool.seated("players.1", second)?];
            Ok(MatchWorker { players, games: None, failure: None })
        };
        let workers = (0..WORKERS.min(pairs as usize)).map(worker).collect::<Result<_, LabError>>()?;
        Ok(Self { players, pairs, seed, workers, begun: 0, results: Vec::new(), failed: false, next: 0 })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.failed || self.results.len() as u32 >= self.pairs
    }

    /// The share of its pairs that were played.
    pub(crate) fn done(&self) -> f64 {
        self.results.len() as f64 / f64::from(self.pairs.max(1))
    }

    /// Whether anything has been played.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun > 0
    }

    /// Ends it with what was played.
    pub(crate) fn stop(&mut self) {
        self.pairs = self.results.len() as u32;
    }

    /// Pairs that a worker plays at a time, so that a round takes a few milliseconds.
    fn at_a_time(&self) -> u32 {
        let searched = self.players.into_iter().filter_map(simulations).max().unwrap_or(0);
        64_u32.checked_div(searched).map_or(4, |pairs| pairs.clamp(1, 4))
    }

    /// Plays a round on every worker.
    ///
    /// # Errors
    /// [`LabError::Engine`] where a player could not go on; the match is over then.
    pub(crate) fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        (0..self.workers.len()).for_each(|worker| self.deal(worker));
        cpu.for_each(&mut self.workers, |_, worker| worker.round());
        (0..self.workers.len()).try_for_each(|worker| self.collect(worker))
    }

    /// Plays a round on one worker: what a single thread has time for between two frames.
    ///
    /// # Errors
    /// As those of [`advance`](Self::advance).
    pub(crate) fn advance_one(&mut self) -> Result<(), LabError> {
        // Lanes that have run out of games have nothing to do at the end of a match.
        for _ in 0..self.workers.len() {
            let worker = self.next;
            self.next = (worker + 1) % self.workers.len();
            self.deal(worker);
            if self.workers[worker].games.is_some() {
                self.workers[worker].round();
                return self.collect(worker);
            }
        }
        Ok(())
    }

    /// Gives games to a worker that has none.
    fn deal(&mut self, worker: usize) {
        let end = self.pairs.min(self.begun + self.at_a_time());
        if self.workers[worker].games.is_none() && self.begun < end {
            self.workers[worker].games = Some(PairedMatch::new(self.seed, self.begun..end));
            self.begun = end;
        }
    }

    /// Takes the results of games that are over.
    fn collect(&mut self, worker: usize) -> Result<(), LabError> {
        let worker = &mut self.workers[worker];
        if let Some(error) = worker.failure.take() {
            self.failed = true;
            return Err(LabError::engine(error.to_string()));
        }
        if let Some(games) = &worker.games {
            let points = games.points();
            if points.len() * 2 == games.states().len() {
                self.results.extend(points);
                worker.games = None;
            }
        }
        Ok(())
    }

    /// What is known so far.
    pub(crate) fn score(&self) -> MatchScore {
        MatchScore::of(&self.results)
    }

    /// As the page shows it.
    pub(crate) fn document(&self) -> GameMatch {
        let (score, played) = (self.score(), self.results.len() as u32);
        let share = |count: u32| f64::from(count) / f64::from(score.games.max(1));
        GameMatch {
            players: self.players,
            labels: self.players.map(label),
            pairs: self.pairs,
            played,
            points: (played > 0).then_some(score.points.mean),
            interval: (played > 1).then_some([score.points.low, score.points.high]),
            wins: if played > 0 { score.win_rate.mean } else { 0.0 },
            gammons: [share(score.gammons_won), share(score.gammons_lost)],
        }
    }
}
