//! Matches on every core.

use super::opponent::{Opponent, Playable};
use crate::failure::Failure;
use crate::terminal;
use vivarium_agents::players::{MatchScore, PairedMatch, Player, PlayerError};
use vivarium_graph::Cpu;

/// Pairs of games that a thread plays at a time.
const TOGETHER: u32 = 32;

/// A thread's share: players of its own, and the games that they are playing.
struct Lane<G: Playable> {
    players: [Box<dyn Player<G>>; 2],
    games: Option<PairedMatch<G>>,
    failure: Option<PlayerError>,
}

/// Plays so many pairs of games between two players, on all threads. What comes of it does not depend on how many there
/// are.
///
/// # Errors
/// [`Failure::Failed`] of a player who is not there, or cannot go on.
pub fn play<G: Playable>(
    cpu: &Cpu,
    players: [&Opponent<G>; 2],
    pairs: u32,
    seed: u64,
) -> Result<MatchScore, Failure> {
    let count = cpu.threads().min(pairs.div_ceil(TOGETHER) as usize).max(1);
    let lane = |_| {
        let [first, second] = players;
        Ok(Lane { players: [first.seat()?, second.seat()?], games: None, failure: None })
    };
    let mut lanes = (0..count).map(lane).collect::<Result<Vec<Lane<G>>, Failure>>()?;
    let bar = terminal::bar(2 * u64::from(pairs), "{msg} {wide_bar} {pos}/{len} games, {eta} to go");
    bar.set_message(format!("against {}", players[1].name));
    let (mut begun, mut points) = (0, Vec::with_capacity(pairs as usize));
    while begun < pairs {
        for lane in &mut lanes {
            let end = pairs.min(begun + TOGETHER);
            lane.games = (begun < end).then(|| PairedMatch::new(seed, begun..end));
            begun = end;
        }
        cpu.for_each(&mut lanes, |_, lane| lane.play());
        for lane in &mut lanes {
            if let Some(error) = lane.failure.take() {
                return Err(Failure::failed_by(error));
            }
            points.extend(lane.games.take().map_or(Vec::new(), |games| games.points()));
        }
        bar.set_position(2 * points.len() as u64);
    }
    bar.finish_and_clear();
    Ok(MatchScore::of(&points))
}

impl<G: Playable> Lane<G> {
    fn play(&mut self) {
        let [first, second] = &mut self.players;
        if let Some(games) = &mut self.games {
            self.failure = games.play([first.as_mut(), second.as_mut()]).err();
        }
    }
}
