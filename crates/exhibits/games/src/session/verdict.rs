//! What plays and games are worth to those who look at them.

use super::{GameSession, LEAST_MADE, is_about};
use crate::player_pool::PlayerPool;
use crate::rules::Playable;
use crate::table::Verdict;
use crate::thought::Considered;
use vivarium_agents::alphazero::Forward;

impl<G: Playable> GameSession<G> {
    /// What is to be said of a play that leads to this state.
    pub(super) fn verdict(&mut self, after: &G) -> Verdict {
        let Some(thought) = self.thought.as_mut().filter(|_| is_about(self.about, &self.table)) else {
            return Verdict::default();
        };
        if thought.made() < LEAST_MADE.min(thought.wanted) {
            return Verdict::default();
        }
        let considered = thought.considered();
        let Some(best) = considered.first() else { return Verdict::default() };
        let played = considered.iter().find(|play| play.after == *after).cloned().unwrap_or_else(|| {
            Considered { branches: Vec::new(), after: *after, visits: 0, prior: 0.0, equity: None }
        });
        let [best_equity, equity] = [best, &played].map(|play| thought.equity_after(play));
        if considered.len() == 1 {
            return Verdict { lost: None, best: None, equity: Some(equity) };
        }
        let other = played.after != best.after && best_equity > equity;
        Verdict {
            lost: Some((best_equity - equity).max(0.0)),
            best: other.then(|| thought.root().written(&best.branches).1),
            equity: Some(equity),
        }
    }

    /// The equity of the game for a seat, as its network sees it, or the analyst's where it has none: what the search under
    /// way has found, or what the network thinks.
    pub(super) fn worth(&self, pool: &PlayerPool<G>, seat: u8) -> f32 {
        let state = self.table.state();
        let for_seat = |equity: f32| if state.player() == seat { equity } else { -equity };
        let thought = self.thought.as_ref().filter(|_| is_about(self.about, &self.table));
        let searched = thought.filter(|thought| thought.made() >= LEAST_MADE);
        if let Some(equity) = searched.and_then(|thought| thought.considered().first()?.equity) {
            return for_seat(equity);
        }
        let own = pool.network(self.table.seats[usize::from(seat)]);
        let known = own.or_else(|| pool.network(self.analyst)).unwrap_or(&pool.newest);
        let mut heads = vec![0.0; G::HEADS];
        Forward::new(&known.network, 1).heads(&known.network, &[state], &mut heads);
        for_seat(G::equity(&heads))
    }
}
