//! Repetition of complete analyses with newer weights, so that the displayed evaluation follows the training.

use super::{GameSession, is_about};
use crate::decision_search::DecisionSearch;
use crate::player_pool::PlayerPool;
use crate::protocol::GameStage;
use crate::rules::TableGame;

/// Minimum time in seconds between two analyses of the same decision.
const INTERVAL: f32 = 2.0;

impl<G: TableGame> GameSession<G> {
    /// Repeats the complete search for a human decision if the network of the search was trained further. The completed
    /// repetition replaces the search and its results. `refresh` copies the newest weights into the player pool.
    pub(super) fn repeat_search(
        &mut self,
        pool: &mut PlayerPool<G>,
        refresh: &mut dyn FnMut(&mut PlayerPool<G>),
        elapsed: f32,
    ) {
        let human = self.table.stage() == GameStage::Person && is_about(self.about, &self.table);
        let Some(search) = self.search.as_mut().filter(|search| human && search.is_complete()) else {
            (self.repetition, self.waited) = (None, 0.0);
            return;
        };
        if let Some(repetition) = &mut self.repetition {
            repetition.run_for(elapsed, self.speed);
            if let Some(complete) = self.repetition.take_if(|repetition| repetition.is_complete()) {
                *search = complete;
                self.search_version = self.search_version.wrapping_add(1);
            }
            return;
        }
        self.waited += elapsed;
        if self.waited < INTERVAL {
            return;
        }
        self.waited = 0.0;
        refresh(pool);
        let newer =
            pool.network(search.player).filter(|known| known.updates != search.player_network.updates);
        self.repetition = newer.and_then(|known| {
            DecisionSearch::new(search.player, search.target, known.clone(), search.root()).ok()
        });
    }
}
