//! Search depths of the analysis of a match.

use super::RatedAction;
use crate::advice::{Expectimax, StopSignal, plies_text};
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_envs::backgammon::State;
use vivarium_mcts::SearchError;

/// Search depths of an analysis, in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnalysisDepth {
    /// Depth of the first evaluation of each action.
    pub plies: u8,
    /// Depth at which an action is evaluated again if its error has a mark; a depth that is not greater than `plies` disables this.
    pub recheck: u8,
}

impl AnalysisDepth {
    /// Creates the adviser of the analysis.
    ///
    /// # Errors
    /// [`SearchError`] if the network player cannot be created.
    pub fn adviser(
        self,
        network: Arc<AlphaZeroNetwork<State>>,
        stop: StopSignal,
    ) -> Result<Expectimax, SearchError> {
        Ok(Expectimax::new(network, self.plies, stop)?.with_recheck(self.recheck))
    }

    /// Returns the depth of the evaluation of an action.
    pub fn of(self, action: &RatedAction) -> u8 {
        if action.rechecked { self.recheck } else { self.plies }
    }

    /// Describes the depths, as the end of a sentence about the evaluation.
    pub fn text(self) -> String {
        let Self { plies, recheck } = self;
        let first =
            if plies == 0 { "without a search".to_owned() } else { format!("at {}", plies_text(plies)) };
        if recheck <= plies {
            return first;
        }
        format!("{first}, of marked errors at {}", plies_text(recheck))
    }
}
