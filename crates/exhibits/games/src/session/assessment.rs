//! Assessment of plays (equity loss) and of the current state (equity) by the search that analyzes the user's game.

use super::{GameSession, MIN_SIMULATIONS, is_about};
use crate::decision_search::CandidatePlay;
use crate::player_pool::PlayerPool;
use crate::rules::TableGame;
use crate::table::PlayAssessment;
use vivarium_agents::alphazero::ForwardPass;

impl<G: TableGame> GameSession<G> {
    /// Returns the assessment of the play that leads to state `after`, by the search for the current decision. All
    /// fields of the assessment are `None` if the search has too few simulations.
    pub(super) fn assessment(&mut self, after: &G) -> PlayAssessment {
        let Some(search) = self.search.as_mut().filter(|_| is_about(self.about, &self.table)) else {
            return PlayAssessment::default();
        };
        if search.made() < MIN_SIMULATIONS.min(search.target) {
            return PlayAssessment::default();
        }
        let candidate_plays = search.ranked_plays();
        let Some(best) = candidate_plays.first() else { return PlayAssessment::default() };
        let played = candidate_plays.iter().find(|play| play.after == *after).cloned().unwrap_or_else(|| {
            CandidatePlay { branches: Vec::new(), after: *after, visits: 0, prior: 0.0, equity: None }
        });
        let [best_equity, equity] = [best, &played].map(|play| search.equity_after(play));
        if candidate_plays.len() == 1 {
            return PlayAssessment { lost: None, best: None, equity: Some(equity) };
        }
        let other = played.after != best.after && best_equity > equity;
        PlayAssessment {
            lost: Some((best_equity - equity).max(0.0)),
            best: other.then(|| search.root().notation(&best.branches).1),
            equity: Some(equity),
        }
    }

    /// Returns the equity of the current state in points, for `seat`, from the current search. If the search has too
    /// few simulations, the equity is the output of one forward pass: of the network that plays for `seat`, or of the
    /// network that analyzes the game if a human plays for `seat`.
    pub(super) fn equity_of_seat(&self, pool: &PlayerPool<G>, seat: u8) -> f32 {
        let state = self.table.state();
        let for_seat = |equity: f32| if state.player() == seat { equity } else { -equity };
        let search = self.search.as_ref().filter(|_| is_about(self.about, &self.table));
        let searched = search.filter(|search| search.made() >= MIN_SIMULATIONS);
        if let Some(equity) = searched.and_then(|search| search.candidate_plays().first()?.equity) {
            return for_seat(equity);
        }
        let own = pool.network(self.table.seats[usize::from(seat)]);
        let player_network = own.or_else(|| pool.network(self.analyst)).unwrap_or(&pool.newest);
        let mut heads = vec![0.0; G::HEADS];
        ForwardPass::new(&player_network.network, 1).heads(&player_network.network, &[state], &mut heads);
        for_seat(G::equity(&heads))
    }
}
