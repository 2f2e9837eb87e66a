//! Adviser that searches by PUCT with a network.

use super::adviser::{Advice, Adviser, NETWORK_METHOD, opposite, without_impossible};
use super::race::{self, RaceMethod};
use super::stop_signal::StopSignal;
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::{Outcome, Play, Plays, Position, Roll, State, TurnPhase};
use vivarium_mcts::SearchError;

/// Adviser with a tree search of each of the plays that are best without a search. After a stop, the plays are ranked by the
/// completed searches; if no search is complete, by the network alone.
pub struct TreeSearch {
    player: NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>>,
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
        Ok(Self { player: NetworkPlayer::new(network, simulations)?, most: most as usize, stop })
    }
}

impl Adviser for TreeSearch {
    fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String> {
        if let Some(advice) = race::advise(position, roll) {
            return Ok(advice);
        }
        let state = State { position: *position, phase: TurnPhase::Play(roll), player: 0 };
        let evaluated_turns = self.player.evaluated_turns(&state);
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let advice = |play: &Play| {
            let after = play.after.mirrored();
            let ending = evaluated_turns.iter().find(|ending| ending.state.position == after)?;
            let probabilities = opposite(without_impossible(opposite(ending.heads), &after));
            let equity = Outcome::equity(probabilities);
            Some((ending.state, Advice { play: *play, probabilities, equity, searched: false }))
        };
        let mut found: Vec<(State, Advice)> = plays.iter().filter_map(advice).collect();
        found.sort_by(|(_, a), (_, b)| b.equity.total_cmp(&a.equity));
        let mut searched = 0;
        for (state, advice) in found.iter_mut().take(self.most) {
            let value = self.player.value_interruptible(state, &|| self.stop.is_stopped());
            let Some(value) = value.map_err(|error| error.to_string())? else { break };
            // After the play the opponent is on roll.
            (advice.equity, advice.searched) = (-value, true);
            searched += 1;
        }
        found[..searched].sort_by(|(_, a), (_, b)| b.equity.total_cmp(&a.equity));
        Ok(found.into_iter().map(|(_, advice)| advice).collect())
    }

    /// Returns the mean over the 21 rolls, each with the best play by the network's equity.
    fn probabilities_before_roll(&mut self, position: &Position) -> Result<[f32; 5], String> {
        let state = State { position: *position, phase: TurnPhase::Roll, player: 0 };
        let by_network = || without_impossible(self.player.heads_before_roll(&state), position);
        Ok(race::probabilities_before_roll(position).unwrap_or_else(by_network))
    }

    fn method_before_roll(&self, position: &Position) -> String {
        RaceMethod::of(position).map_or_else(|| NETWORK_METHOD.to_owned(), RaceMethod::before_roll)
    }
}
