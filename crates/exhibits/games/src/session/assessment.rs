//! Assessment of plays (equity loss) and of the current state (equity) by the search that analyzes the user's game.

use super::{GameSession, MIN_SIMULATIONS, is_about};
use crate::decision_search::CandidatePlay;
use crate::player_pool::PlayerPool;
use crate::rules::TableGame;
use crate::table::PlayAssessment;
use vivarium_agents::alphazero::{ForwardPass, MAX_HEADS};
use vivarium_envs::backgammon::doubling::CUBE_LIFE;

impl<G: TableGame> GameSession<G> {
    /// Returns the assessment of the play that leads to state `after`, by the search for the current decision. All
    /// fields of the assessment are `None` if the search has too few simulations.
    pub(super) fn assessment(&mut self, after: &G) -> PlayAssessment {
        let context = self.table.equity_context();
        let Some(search) = self.search.as_mut().filter(|_| is_about(self.about, &self.table)) else {
            return PlayAssessment::default();
        };
        if search.made() < MIN_SIMULATIONS.min(search.target) {
            return PlayAssessment::default();
        }
        let ranked = search.ranked_plays(context);
        let Some(best) = ranked.first() else { return PlayAssessment::default() };
        let played =
            ranked.iter().find(|ranked| ranked.play.after == *after).map(|ranked| ranked.play.clone());
        let played = played.unwrap_or_else(|| CandidatePlay {
            branches: Vec::new(),
            after: *after,
            visits: 0,
            prior: 0.0,
            equity: None,
        });
        let [best_equity, equity] =
            [&best.play, &played].map(|play| search.value_after(play, context).equity);
        if ranked.len() == 1 {
            return PlayAssessment { lost: None, best: None, equity: Some(equity) };
        }
        let other = played.after != best.play.after && best_equity > equity;
        PlayAssessment {
            lost: Some((best_equity - equity).max(0.0)),
            best: other.then(|| search.root().notation(&best.play.branches).1),
            equity: Some(equity),
        }
    }

    /// Returns the equity of the current state for `seat`, at the score and with the doubling cube, from the current search.
    /// If the search has too few simulations, the equity is the output of one forward pass: of the network that plays for
    /// `seat`, or of the network that analyzes the game if a human plays for `seat`.
    pub(super) fn equity_of_seat(&mut self, pool: &PlayerPool<G>, seat: u8) -> f32 {
        let (state, context) = (self.table.state(), self.table.equity_context());
        let for_seat = |equity: f32| if state.player() == seat { equity } else { -equity };
        let search = self.search.as_mut().filter(|_| is_about(self.about, &self.table));
        let searched = search.filter(|search| search.made() >= MIN_SIMULATIONS);
        let best = searched.and_then(|search| {
            let best = search.chosen_play(context)?;
            Some(search.value_after(&best, context).equity)
        });
        if let Some(equity) = best {
            return for_seat(equity);
        }
        let own = pool.network(self.table.seats[usize::from(seat)]);
        let player_network = own.or_else(|| pool.network(self.analyst)).unwrap_or(&pool.newest);
        let mut heads = [0.0; MAX_HEADS];
        ForwardPass::new(&player_network.network, 1).heads(
            &player_network.network,
            &[state],
            &mut heads[..G::HEADS],
        );
        // A resignation is answered before a double.
        for_seat(context.map_or_else(
            || G::equity(&heads[..G::HEADS]),
            |context| context.equity(context.value_without_double(heads, CUBE_LIFE)) as f32,
        ))
    }
}
