//! Adviser that searches by PUCT with a network.

use super::adviser::{Advice, Adviser, equity_after_play, sort_by_equity};
use super::expectimax::{Expectimax, advice_of};
use super::race;
use super::stop_signal::StopSignal;
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Position, Roll, State, TurnPhase};
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
        if let Some(advice) = race::advise(position, roll, context) {
            return Ok(advice);
        }
        let mut candidates = self.network.candidates(position, roll, context);
        let mut searched = 0;
        for candidate in candidates.iter_mut().take(self.most) {
            // After the play the opponent is on roll.
            let state = State { position: candidate.after, phase: TurnPhase::Roll, player: 1 };
            let value = self.player.value_interruptible(&state, &|| self.stop.is_stopped());
            let Some(value) = value.map_err(|error| error.to_string())? else { break };
            candidate.probabilities = with_equity(candidate.probabilities, -value);
            candidate.equity = equity_after_play(&candidate.after, candidate.probabilities, context);
            candidate.searched = true;
            searched += 1;
        }
        sort_by_equity(&mut candidates[..searched], |candidate| candidate.equity);
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

/// Returns outcome probabilities with the cubeless money equity `equity`: the winning probability changes, the shares of gammons
/// and backgammons among wins and losses stay.
fn with_equity(probabilities: [f32; 5], equity: f32) -> [f32; 5] {
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities;
    let share = |part: f32, whole: f32| if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
    let [won, lost] = [
        [share(gammon, win), share(backgammon, win)],
        [share(lost_gammon, 1.0 - win), share(lost_backgammon, 1.0 - win)],
    ];
    // Mean points of a win and of a loss.
    let [points_won, points_lost] = [won, lost].map(|[gammon, backgammon]| 1.0 + gammon + backgammon);
    let win = ((equity + points_lost) / (points_won + points_lost)).clamp(0.0, 1.0);
    [win, win * won[0], win * won[1], (1.0 - win) * lost[0], (1.0 - win) * lost[1]]
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::Outcome;

    #[test]
    fn the_result_of_a_search_changes_the_winning_probability() {
        for (probabilities, equity) in [
            ([0.6, 0.2, 0.05, 0.1, 0.02], 0.1),
            ([0.6, 0.2, 0.05, 0.1, 0.02], -0.9),
            ([1.0, 1.0, 0.0, 0.0, 0.0], 1.4),
        ] {
            let found = with_equity(probabilities, equity);
            assert!((Outcome::equity(found) - equity).abs() < 1e-5, "{found:?}");
            let share = |[win, gammon, ..]: [f32; 5]| gammon / win;
            assert!((share(found) - share(probabilities)).abs() < 1e-5, "{found:?}");
        }
        let same = [0.6, 0.2, 0.05, 0.1, 0.02];
        let found = with_equity(same, Outcome::equity(same));
        assert!(found.iter().zip(same).all(|(found, same)| (found - same).abs() < 1e-6), "{found:?}");
        // An equity that no winning probability has.
        assert_eq!(with_equity([0.9, 0.0, 0.0, 0.0, 0.0], 1.2)[0], 1.0);
    }
}
