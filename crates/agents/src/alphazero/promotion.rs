//! Matches that decide whether the newest network has become better than the best so far.

use super::config::AlphaZeroConfig;
use super::forward::Forward;
use super::game::Learnable;
use super::lookahead::{Lookahead, best};
use super::network::Network;
use super::self_play::FORWARD_ROWS;
use crate::players::{Decision, Match, Player, PlayerError, Score};
use vivarium_graph::Cpu;

/// Whether a match was won well enough to become the best.
pub(crate) fn promotes(score: &Score, margin: f32) -> bool {
    score.points.mean > f64::from(margin)
}

/// A match under way between two networks, both looking one move ahead.
pub(crate) struct PromotionMatch<G: Learnable> {
    groups: Vec<Group<G>>,
}

/// Games of a match that are played on one core, and room for the two players.
struct Group<G: Learnable> {
    games: Match<G>,
    rooms: [Room<G>; 2],
    outcome: Result<usize, PlayerError>,
}

/// What a player works with.
struct Room<G: Learnable> {
    lookahead: Lookahead<G>,
    forward: Forward<G>,
}

/// A network that takes the best of what it sees one move ahead.
struct Looking<'a, G: Learnable> {
    network: &'a Network<G>,
    room: &'a mut Room<G>,
}

impl<G: Learnable> PromotionMatch<G> {
    /// The beginning of a match of the configured length. Its luck depends on the seed alone.
    pub fn new(config: &AlphaZeroConfig, network: &Network<G>, seed: u64) -> Self {
        let room = || Room { lookahead: Lookahead::default(), forward: Forward::new(network, FORWARD_ROWS) };
        let size = config.match_pairs.div_ceil(config.workers);
        let starts = (0..config.match_pairs).step_by(size as usize);
        let group = |start: u32| Group {
            games: Match::new(seed, start..config.match_pairs.min(start + size)),
            rooms: [room(), room()],
            outcome: Ok(0),
        };
        Self { groups: starts.map(group).collect() }
    }

    /// Moves on every game by a decision of each player; returns the score, seen by the newest network, once all are
    /// over.
    ///
    /// # Errors
    /// [`PlayerError`] of a player who cannot go on.
    pub fn advance(
        &mut self,
        cpu: &Cpu,
        newest: &Network<G>,
        best: &Network<G>,
    ) -> Result<Option<Score>, PlayerError> {
        cpu.for_each(&mut self.groups, |_, group| {
            let [one, other] = &mut group.rooms;
            let mut newest = Looking { network: newest, room: one };
            let mut best = Looking { network: best, room: other };
            group.outcome = group.games.round([&mut newest, &mut best]);
        });
        let mut left = 0;
        for group in &self.groups {
            left += group.outcome.clone()?;
        }
        let points = || self.groups.iter().flat_map(|group| group.games.points()).collect::<Vec<_>>();
        Ok((left == 0).then(|| Score::of(&points())))
    }
}

impl<G: Learnable> Player<G> for Looking<'_, G> {
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError> {
        let Room { lookahead, forward } = &mut *self.room;
        let roots = decisions.iter().map(|decision| decision.state);
        lookahead.look(roots, |states, heads| forward.heads(self.network, states, heads));
        Ok((0..decisions.len()).map(|root| best(lookahead.prospects(root))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_margin_promotes() {
        let score = Score::of(&[[2.0, -1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 2.0]]);
        assert_eq!(score.points.mean, 0.25);
        assert!(promotes(&score, 0.0) && promotes(&score, 0.2));
        assert!(!promotes(&score, 0.25) && !promotes(&score, 0.3));
        assert!(!promotes(&Score::of(&[[1.0, -1.0]]), 0.0), "even is not better");
    }
}
