//! Promotion matches: the newest network is promoted to the best network if it wins a match, as in AlphaGo Zero
//! (gating; Silver et al. 2017, <https://doi.org/10.1038/nature24270>).

use super::config::AlphaZeroConfig;
use super::forward::ForwardPass;
use super::game::SelfPlayGame;
use super::lookahead::{Lookahead, best};
use super::network::AlphaZeroNetwork;
use super::self_play::FORWARD_ROWS;
use crate::players::{Decision, MatchScore, PairedMatch, Player, PlayerError};
use vivarium_graph::Cpu;

/// Returns whether the newest network is promoted after a match: whether its mean points per game exceed `margin`.
pub(crate) fn promotes(score: &MatchScore, margin: f32) -> bool {
    score.points.mean > f64::from(margin)
}

/// Promotion match in progress between the newest and the best network. Both play greedily by one-ply lookahead.
pub(crate) struct PromotionMatch<G: SelfPlayGame> {
    groups: Vec<MatchGroup<G>>,
}

/// Part of a promotion match that one thread plays: some of the pairs of games, and the evaluation buffers of both
/// players.
struct MatchGroup<G: SelfPlayGame> {
    games: PairedMatch<G>,
    scratch: [PlayerScratch<G>; 2],
    outcome: Result<usize, PlayerError>,
}

/// Buffers in which one player of a promotion match evaluates the afterstates of its moves.
struct PlayerScratch<G: SelfPlayGame> {
    lookahead: Lookahead<G>,
    forward: ForwardPass<G>,
}

/// Greedy player of a promotion match: chooses the move with the highest equity of a one-ply lookahead.
struct LookaheadPlayer<'a, G: SelfPlayGame> {
    network: &'a AlphaZeroNetwork<G>,
    scratch: &'a mut PlayerScratch<G>,
}

impl<G: SelfPlayGame> PromotionMatch<G> {
    /// Creates a match of `config.match_pairs` pairs of games, with evaluation buffers for networks of the size of
    /// `network`. `seed` alone determines the dice and the initial states.
    pub fn new(config: &AlphaZeroConfig, network: &AlphaZeroNetwork<G>, seed: u64) -> Self {
        let scratch = || PlayerScratch {
            lookahead: Lookahead::default(),
            forward: ForwardPass::new(network, FORWARD_ROWS),
        };
        let size = config.match_pairs.div_ceil(config.workers);
        let starts = (0..config.match_pairs).step_by(size as usize);
        let group = |start: u32| MatchGroup {
            games: PairedMatch::new(seed, start..config.match_pairs.min(start + size)),
            scratch: [scratch(), scratch()],
            outcome: Ok(0),
        };
        Self { groups: starts.map(group).collect() }
    }

    /// Makes one decision of each player in every game. Returns the match score of the newest network after all games
    /// are over, and `None` before.
    ///
    /// # Errors
    /// [`PlayerError`] if a player fails.
    pub fn advance(
        &mut self,
        cpu: &Cpu,
        newest: &AlphaZeroNetwork<G>,
        best: &AlphaZeroNetwork<G>,
    ) -> Result<Option<MatchScore>, PlayerError> {
        cpu.for_each(&mut self.groups, |_, group| {
            let [one, other] = &mut group.scratch;
            let mut newest = LookaheadPlayer { network: newest, scratch: one };
            let mut best = LookaheadPlayer { network: best, scratch: other };
            group.outcome = group.games.round([&mut newest, &mut best]);
        });
        let mut left = 0;
        for group in &self.groups {
            left += group.outcome.clone()?;
        }
        let points = || self.groups.iter().flat_map(|group| group.games.points()).collect::<Vec<_>>();
        Ok((left == 0).then(|| MatchScore::of(&points(), G::MAX_VALUE)))
    }
}

impl<G: SelfPlayGame> Player<G> for LookaheadPlayer<'_, G> {
    fn choose(&mut self, decisions: &[Decision<G>]) -> Result<Vec<usize>, PlayerError> {
        let PlayerScratch { lookahead, forward } = &mut *self.scratch;
        let roots = decisions.iter().map(|decision| decision.state);
        lookahead.evaluate(roots, |states, heads| forward.heads(self.network, states, heads));
        Ok((0..decisions.len()).map(|root| best(lookahead.action_values(root))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_margin_promotes() {
        let score = MatchScore::of(&[[2.0, -1.0], [1.0, -1.0], [0.0, 0.0], [-1.0, 2.0]], 3.0);
        assert_eq!(score.points.mean, 0.25);
        assert!(promotes(&score, 0.0) && promotes(&score, 0.2));
        assert!(!promotes(&score, 0.25) && !promotes(&score, 0.3));
        assert!(!promotes(&MatchScore::of(&[[1.0, -1.0]], 3.0), 0.0), "a drawn match does not promote");
    }
}
