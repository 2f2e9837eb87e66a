//! Matches between two computer players, in parallel on all CPU threads.

use super::opponent::{Opponent, PlayableGame};
use crate::error::CliError;
use crate::terminal;
use vivarium_agents::players::{MatchScore, PairedMatch, Player, PlayerError};
use vivarium_graph::Cpu;

/// Number of pairs of games that a thread plays concurrently. The two games of a pair have equal dice and swapped
/// seats.
const PAIRS_PER_THREAD: u32 = 32;

/// Players and concurrent games of one CPU thread.
struct MatchWorker<G: PlayableGame> {
    players: [Box<dyn Player<G>>; 2],
    games: Option<PairedMatch<G>>,
    failure: Option<PlayerError>,
}

/// Plays `pairs` pairs of games between two players on all CPU threads and returns the score for the first player.
/// The two games of a pair have equal dice and swapped seats. The score does not depend on the number of threads.
///
/// # Errors
/// [`CliError::Failed`] if a player is unavailable or fails.
pub fn play<G: PlayableGame>(
    cpu: &Cpu,
    players: [&Opponent<G>; 2],
    pairs: u32,
    seed: u64,
) -> Result<MatchScore, CliError> {
    let count = cpu.threads().min(pairs.div_ceil(PAIRS_PER_THREAD) as usize).max(1);
    let worker = |_| {
        let [first, second] = players;
        Ok(MatchWorker { players: [first.player()?, second.player()?], games: None, failure: None })
    };
    let mut workers = (0..count).map(worker).collect::<Result<Vec<MatchWorker<G>>, CliError>>()?;
    let bar = terminal::progress_bar(2 * u64::from(pairs), "{msg} {wide_bar} {pos}/{len} games, {eta} left");
    bar.set_message(format!("against {}", players[1].name));
    let (mut begun, mut points) = (0, Vec::with_capacity(pairs as usize));
    while begun < pairs {
        for worker in &mut workers {
            let end = pairs.min(begun + PAIRS_PER_THREAD);
            worker.games = (begun < end).then(|| PairedMatch::new(seed, begun..end));
            begun = end;
        }
        cpu.for_each(&mut workers, |_, worker| worker.play());
        for worker in &mut workers {
            if let Some(error) = worker.failure.take() {
                return Err(CliError::failed_by(error));
            }
            points.extend(worker.games.take().map_or(Vec::new(), |games| games.points()));
        }
        bar.set_position(2 * points.len() as u64);
    }
    bar.finish_and_clear();
    Ok(MatchScore::of(&points, G::MAX_VALUE))
}

impl<G: PlayableGame> MatchWorker<G> {
    fn play(&mut self) {
        let [first, second] = &mut self.players;
        if let Some(games) = &mut self.games {
            self.failure = games.play([first.as_mut(), second.as_mut()]).err();
        }
    }
}
