//! Adviser that searches by PUCT with a network.

use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Outcome, Play, Position, Roll, State, TurnPhase};
use vivarium_exhibit_games::advice::{Advice, Adviser, Candidate, Expectimax, StopSignal, advice_of, race};
use vivarium_mcts::SearchError;

/// Adviser with a tree search of each of the plays that are best without a search. After a stop, the plays are ranked by the
/// completed searches; if no search is complete, by the network alone.
///
/// The search maximizes cubeless money equity. Its result replaces the winning probability of the network; the network's shares of
/// gammons and backgammons remain. The plays are ranked by the equity at the score, from these probabilities.
pub struct TreeSearch {
    player: NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>>,
    /// Evaluator of plays without a search, and of positions before the roll.
    network: Expectimax,
    most: usize,
    stop: StopSignal,
}

impl TreeSearch {
    /// Creates an adviser with `simulations` simulations for each of the best `most` plays; 0 disables the search.
    ///
    /// # Errors
    /// [`SearchError`] if the search tree needs too much memory.
    pub fn new(
        network: Arc<AlphaZeroNetwork<State>>,
        simulations: u32,
        most: u32,
        stop: StopSignal,
    ) -> Result<Self, SearchError> {
        Ok(Self {
            player: NetworkPlayer::new(network.clone(), simulations)?,
            network: Expectimax::new(network, 0, stop.clone())?,
            most: most as usize,
            stop,
        })
    }
}

impl Adviser for TreeSearch {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        self.advise_with_plays(position, roll, context, &[])
    }

    fn advise_with_plays(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        if let Some(advice) = race::advise(position, roll, context) {
            return Ok(advice);
        }
        let mut candidates = self.network.candidates(position, roll, context);
        let best = self.most.min(candidates.len());
        let count = Candidate::move_forward(&mut candidates, best, selected);
        let mut searched = 0;
        for candidate in &mut candidates[..count] {
            // After the play the opponent is on roll.
            let state = State { position: candidate.after, phase: TurnPhase::Roll, player: 1 };
            let value = self.player.value_interruptible(&state, &|| self.stop.is_stopped());
            let Some(value) = value.map_err(|error| error.to_string())? else { break };
            candidate.probabilities = Outcome::with_equity(candidate.probabilities, -value);
            candidate.equity = context.equity_after_play(&candidate.after, candidate.probabilities);
            candidate.searched = true;
            searched += 1;
        }
        candidates[..searched].sort_by(Candidate::better_first);
        Ok(advice_of(&candidates, position, roll))
    }

    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        context: EquityContext<'_>,
    ) -> Result<[f32; 5], String> {
        self.network.probabilities_before_roll(position, context)
    }

    fn mean_equity(&mut self, position: &Position, context: EquityContext<'_>) -> Result<f64, String> {
        self.network.mean_equity(position, context)
    }

    fn method_before_roll(&self, position: &Position) -> String {
        self.network.method_before_roll(position)
    }
}
