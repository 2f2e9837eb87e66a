//! Matches that run incrementally. Each worker of a match plays a few concurrent games; a call of `advance` makes one
//! decision of each player in every game.

use super::player_pool::{PlayerPool, label, simulations};
use super::rules::TableGame;
use crate::protocol::{GameMatch, GamePlayer};
use vivarium_agents::players::{MatchScore, PairedMatch, Player, PlayerError};
use vivarium_graph::Cpu;
use vivarium_lab::error::LabError;

/// Maximum number of pairs of games per match.
pub(crate) const MAX_PAIRS: u32 = 10_000;

/// Number of workers of a match. The number is constant, so that results do not depend on the number of threads.
const WORKERS: usize = 4;

/// Match between two players, in progress or finished, with the workers that play its games.
pub(crate) struct MatchRunner<G: TableGame> {
    pub(crate) players: [GamePlayer; 2],
    pairs: u32,
    seed: u64,
    workers: Vec<RunnerWorker<G>>,
    /// Number of pairs of games that have been started.
    begun: u32,
    /// Points of the first player in the two games of each finished pair, `[pair][game]`.
    results: Vec<[f32; 2]>,
    /// Whether a player has failed, which ends the match.
    failed: bool,
    /// Index of the worker that plays in the next call of [`advance_one`](Self::advance_one).
    next: usize,
}

/// Worker of a match: plays a few of the games, with its own player instances.
struct RunnerWorker<G: TableGame> {
    players: [Box<dyn Player<G>>; 2],
    games: Option<PairedMatch<G>>,
    failure: Option<PlayerError>,
}

impl<G: TableGame> RunnerWorker<G> {
    fn round(&mut self) {
        let [first, second] = &mut self.players;
        if let Some(games) = &mut self.games {
            self.failure = games.round([first.as_mut(), second.as_mut()]).err();
        }
    }
}

impl<G: TableGame> MatchRunner<G> {
    /// Creates a match of `pairs` pairs of games between two players, whose networks are in the pool `pool`.
    ///
    /// # Errors
    /// [`LabError::Invalid`] if a player is unavailable or the number of pairs is out of range.
    pub(crate) fn new(
        pool: &PlayerPool<G>,
        players: [GamePlayer; 2],
        pairs: u32,
        seed: u64,
    ) -> Result<Self, LabError> {
        if !(1..=MAX_PAIRS).contains(&pairs) {
            let allowed = format!("a whole number of pairs of games from 1 to {MAX_PAIRS}");
            return Err(LabError::invalid("pairs", pairs.to_string(), allowed));
        }
        let worker = |_| {
            let [first, second] = players;
            let players = [pool.seated("players.0", first)?, pool.seated("players.1", second)?];
            Ok(RunnerWorker { players, games: None, failure: None })
        };
        let workers = (0..WORKERS.min(pairs as usize)).map(worker).collect::<Result<_, LabError>>()?;
        Ok(Self { players, pairs, seed, workers, begun: 0, results: Vec::new(), failed: false, next: 0 })
    }

    pub(crate) fn is_over(&self) -> bool {
        self.failed || self.results.len() as u32 >= self.pairs
    }

    /// Returns the fraction of the pairs of games that are finished, 0 to 1.
    pub(crate) fn done(&self) -> f64 {
        self.results.len() as f64 / f64::from(self.pairs.max(1))
    }

    /// Returns whether at least one pair of games has been started.
    pub(crate) fn has_begun(&self) -> bool {
        self.begun > 0
    }

    /// Ends the match at once. Only the finished pairs of games count.
    pub(crate) fn stop(&mut self) {
        self.pairs = self.results.len() as u32;
    }

    /// Returns the number of pairs of games that a worker plays concurrently, 1 to 4. Players with many simulations per
    /// decision get fewer, so that a call of [`advance`](Self::advance) takes a few milliseconds.
    fn pairs_per_worker(&self) -> u32 {
        let searched = self.players.into_iter().filter_map(simulations).max().unwrap_or(0);
        64_u32.checked_div(searched).map_or(4, |pairs| pairs.clamp(1, 4))
    }

    /// Makes one decision of each player in every game of every worker.
    ///
    /// # Errors
    /// [`LabError::Engine`] if a player fails; the match is over in that case.
    pub(crate) fn advance(&mut self, cpu: &Cpu) -> Result<(), LabError> {
        (0..self.workers.len()).for_each(|worker| self.deal(worker));
        cpu.for_each(&mut self.workers, |_, worker| worker.round());
        (0..self.workers.len()).try_for_each(|worker| self.collect(worker))
    }

    /// Makes one decision of each player in every game of one worker, on the calling thread.
    ///
    /// # Errors
    /// Same as [`advance`](Self::advance).
    pub(crate) fn advance_one(&mut self) -> Result<(), LabError> {
        // At the end of a match, some workers have no games and are skipped.
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

    /// Starts the next pairs of games on the worker with index `worker` if the worker has no games in progress.
    fn deal(&mut self, worker: usize) {
        let end = self.pairs.min(self.begun + self.pairs_per_worker());
        if self.workers[worker].games.is_none() && self.begun < end {
            self.workers[worker].games = Some(PairedMatch::new(self.seed, self.begun..end));
            self.begun = end;
        }
    }

    /// Stores the results of the worker with index `worker` if all its games are finished.
    ///
    /// # Errors
    /// [`LabError::Engine`] if one of the worker's players has failed; ends the match.
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

    /// Returns the match score over the finished pairs of games, from the view of the first player.
    pub(crate) fn score(&self) -> MatchScore {
        MatchScore::of(&self.results, G::MAX_VALUE)
    }

    /// Returns the state and score of the match as a [`GameMatch`], the type that front ends receive.
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
