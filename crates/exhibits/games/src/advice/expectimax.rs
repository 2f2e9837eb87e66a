//! Expectimax with a network at the leaves: the value of a play is the mean over the rolls of the opponent, each with the
//! opponent's best play (D. Michie, "Game-playing and game-learning automata", 1966).
//!
//! The depth counts rolls, as in GNU Backgammon: at 0 plies the network evaluates the position after a play, at 1 ply the
//! positions after each reply, at 2 plies one further play. Move filters select the plays that are searched.

use super::adviser::{Advice, Adviser, mean_equity};
use super::race::{self, RaceMethod};
use super::stop_signal::StopSignal;
use std::cmp::Ordering;
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::{EvaluatedTurn, NetworkPlayer};
use vivarium_envs::backgammon::doubling::{EquityContext, better_first};
use vivarium_envs::backgammon::{Outcome, Play, Plays, Position, Roll, State, TurnPhase};
use vivarium_mcts::SearchError;

/// Maximum search depth in plies.
pub const MAX_PLIES: u8 = 2;

/// Default search depth of the analysis of a match in plies.
pub const DEFAULT_PLIES: u8 = 1;

/// Default search depth in plies at which the analysis of a match evaluates errors again.
pub const DEFAULT_RECHECK_PLIES: u8 = 2;

/// Formats a search depth.
pub fn plies_text(plies: u8) -> String {
    if plies == 1 { "1 ply".to_owned() } else { format!("{plies} plies") }
}

/// Selection of plays by their equities at 0 plies.
pub struct MoveFilter {
    /// Maximum number of plays.
    pub most: usize,
    /// Maximum difference to the best play, in equity.
    pub within: f64,
}

/// Filter of the plays of a roll. Wider than the filter "normal" of GNU Backgammon (0.16), whose network is more precise.
const ROOT_FILTER: MoveFilter = MoveFilter { most: 8, within: 0.24 };
/// Filter of the plays of a roll that are searched again at a greater depth, by the equities of the first search.
const RECHECK_FILTER: MoveFilter = MoveFilter { most: 4, within: 0.12 };
/// Filter of plays inside the search tree.
const TREE_FILTER: MoveFilter = MoveFilter { most: 3, within: 0.12 };

impl MoveFilter {
    /// Returns the number of selected plays. `equities` are in descending order.
    pub fn count(&self, equities: impl Iterator<Item = f64>) -> usize {
        let mut equities = equities.take(self.most).peekable();
        let least = equities.peek().map_or(0.0, |best| best - self.within);
        equities.take_while(|&equity| equity >= least).count()
    }
}

/// Adviser that searches by expectimax. After a stop, the plays are ranked by the completed searches, and a doubling decision
/// is computed at the least depth.
pub struct Expectimax {
    player: NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>>,
    plies: u8,
    /// Depth at which errors are evaluated again, in plies; at most `plies`: not at all.
    recheck_plies: u8,
    stop: StopSignal,
}

/// Play, or rather the position after it, with its evaluation for the player who makes it.
#[derive(Clone, Copy)]
pub struct Candidate {
    /// Position after the play, from the view of the opponent.
    pub after: Position,
    /// Outcome probabilities of the player who makes the play.
    pub probabilities: [f32; 5],
    /// Equity of the play at the score, with the doubling cube.
    pub equity: f64,
    /// Whether the evaluation has the depth of the search.
    pub searched: bool,
}

impl Candidate {
    fn new(after: Position, probabilities: [f32; 5], context: EquityContext<'_>) -> Self {
        let equity = context.equity_after_play(&after, probabilities);
        Self { after, probabilities, equity, searched: false }
    }

    /// Moves each of the `selected` plays that is not one of the first `count` candidates behind them. Returns the number of the
    /// first candidates and these plays.
    pub fn move_forward(candidates: &mut [Self], mut count: usize, selected: &[Play]) -> usize {
        for play in selected {
            let after = play.after.mirrored();
            if let Some(beyond) = candidates[count..].iter().position(|candidate| candidate.after == after) {
                candidates[count..=count + beyond].rotate_right(1);
                count += 1;
            }
        }
        count
    }

    /// Compares two plays, the better one first.
    pub fn better_first(&self, other: &Self) -> Ordering {
        better_first((self.equity, self.probabilities), (other.equity, other.probabilities))
    }
}

/// Returns the advice for the plays of a roll that lead to the candidates, in their order.
pub fn advice_of(candidates: &[Candidate], position: &Position, roll: Roll) -> Vec<Advice> {
    let mut plays = Plays::new();
    plays.generate(position, roll);
    let advice = |&Candidate { after, probabilities, equity, searched }: &Candidate| {
        let play: &Play = plays.iter().find(|play| play.after.mirrored() == after)?;
        Some(Advice { play: *play, probabilities, equity, searched })
    };
    candidates.iter().filter_map(advice).collect()
}

/// Mean over the 21 rolls of the player on roll, each with the best play.
struct MeanOverRolls {
    probabilities: [f32; 5],
    equity: f64,
}

impl Expectimax {
    /// Creates an adviser with a depth of `plies`, 0 to [`MAX_PLIES`].
    ///
    /// # Errors
    /// [`SearchError`] if the network player cannot be created.
    pub fn new(
        network: Arc<AlphaZeroNetwork<State>>,
        plies: u8,
        stop: StopSignal,
    ) -> Result<Self, SearchError> {
        let plies = plies.min(MAX_PLIES);
        Ok(Self { player: NetworkPlayer::new(network, 0)?, plies, recheck_plies: plies, stop })
    }

    /// Sets the depth of [`recheck`](Adviser::recheck) and [`recheck_before_roll`](Adviser::recheck_before_roll), 0 to [`MAX_PLIES`]
    /// plies. A depth that is not greater than the depth of the adviser disables both.
    #[must_use]
    pub fn with_recheck(self, plies: u8) -> Self {
        Self { recheck_plies: plies.min(MAX_PLIES), ..self }
    }

    /// Returns the positions after all plays of a roll, evaluated at 0 plies, the best first.
    pub fn candidates(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Vec<Candidate> {
        let state = State { position: *position, phase: TurnPhase::Play(roll), player: 0 };
        let turns = self.player.evaluated_turns(&state);
        let candidate =
            |turn: &EvaluatedTurn<State>| Candidate::new(turn.state.position, turn.heads, context);
        let mut candidates: Vec<_> = turns.iter().map(candidate).collect();
        candidates.sort_by(Candidate::better_first);
        candidates
    }

    /// Replaces the evaluations of the first candidates, which `filter` selects, and of the `selected` plays, by a search of `plies`
    /// plies, and sorts them. After a stop, replaces and sorts only the candidates whose search is complete.
    fn search(
        &mut self,
        candidates: &mut [Candidate],
        filter: &MoveFilter,
        selected: &[Play],
        plies: u8,
        context: EquityContext<'_>,
    ) {
        if plies == 0 {
            candidates.iter_mut().for_each(|candidate| candidate.searched = true);
            return;
        }
        let count = filter.count(candidates.iter().map(|candidate| candidate.equity));
        let count = Candidate::move_forward(candidates, count, selected);
        let mut searched = 0;
        for candidate in &mut candidates[..count] {
            if candidate.after.outcome().is_none() {
                let mean = self.mean_over_rolls(&candidate.after, plies, context.opponent());
                let Some(MeanOverRolls { probabilities, .. }) = mean else { break };
                *candidate = Candidate::new(candidate.after, Outcome::opposite(probabilities), context);
            }
            candidate.searched = true;
            searched += 1;
        }
        candidates[..searched].sort_by(Candidate::better_first);
    }

    /// Returns the advice for a roll. The plays that the filter selects, and the `selected` plays, have the full depth.
    fn advice(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        selected: &[Play],
    ) -> Vec<Advice> {
        if let Some(advice) = race::advise(position, roll, context) {
            return advice;
        }
        let mut candidates = self.candidates(position, roll, context);
        self.search(&mut candidates, &ROOT_FILTER, selected, self.plies, context);
        advice_of(&candidates, position, roll)
    }

    /// Returns the mean over the rolls of the player on roll, with the best play of each roll. `plies` is at least 1; the plays
    /// of the roll are evaluated at `plies` − 1 plies. Returns `None` if the search was stopped.
    fn mean_over_rolls(
        &mut self,
        position: &Position,
        plies: u8,
        context: EquityContext<'_>,
    ) -> Option<MeanOverRolls> {
        let mut mean = MeanOverRolls { probabilities: [0.0; 5], equity: 0.0 };
        for roll in Roll::ALL {
            let mut candidates = self.candidates(position, roll, context);
            self.search(&mut candidates, &TREE_FILTER, &[], plies - 1, context);
            if self.stop.is_stopped() {
                return None;
            }
            let Some(best) = candidates.first() else { continue };
            for (mean, probability) in mean.probabilities.iter_mut().zip(best.probabilities) {
                *mean += roll.probability() * probability;
            }
            mean.equity += f64::from(roll.probability()) * best.equity;
        }
        Some(mean)
    }
}

impl Adviser for Expectimax {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        Ok(self.advice(position, roll, context, &[]))
    }

    fn advise_with_plays(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        Ok(self.advice(position, roll, context, selected))
    }

    /// Searches the plays that a filter selects by their equities in `advice`, and `play`.
    fn recheck(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        play: &Play,
        advice: &[Advice],
    ) -> Result<Option<Vec<Advice>>, String> {
        if self.recheck_plies <= self.plies || RaceMethod::of(position).is_some() {
            return Ok(None);
        }
        let candidate = |&Advice { play, probabilities, equity, .. }: &Advice| Candidate {
            after: play.after.mirrored(),
            probabilities,
            equity,
            searched: false,
        };
        let mut candidates: Vec<_> = advice.iter().map(candidate).collect();
        self.search(
            &mut candidates,
            &RECHECK_FILTER,
            std::slice::from_ref(play),
            self.recheck_plies,
            context,
        );
        Ok(Some(advice_of(&candidates, position, roll)))
    }

    fn recheck_before_roll(
        &mut self,
        position: &Position,
        context: EquityContext<'_>,
    ) -> Result<Option<[f32; 5]>, String> {
        if self.recheck_plies <= self.plies.max(1) || RaceMethod::of(position).is_some() {
            return Ok(None);
        }
        Ok(self.mean_over_rolls(position, self.recheck_plies, context).map(|mean| mean.probabilities))
    }

    /// Searches at least 1 ply. After a stop, the probabilities are those without a search.
    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        context: EquityContext<'_>,
    ) -> Result<[f32; 5], String> {
        if let Some(probabilities) = race::probabilities_before_roll(position) {
            return Ok(probabilities);
        }
        Ok(match self.mean_over_rolls(position, self.plies.max(1), context) {
            Some(mean) => mean.probabilities,
            None => {
                let state = State { position: *position, phase: TurnPhase::Roll, player: 0 };
                self.player.heads_before_roll(&state)
            }
        })
    }

    /// Evaluates the plays of contact positions one ply less deep than [`advise`](Self::advise).
    fn mean_equity(&mut self, position: &Position, context: EquityContext<'_>) -> Result<f64, String> {
        let race = race::mean_equity_before_roll(position, context);
        let search = || Some(self.mean_over_rolls(position, self.plies.max(1), context)?.equity);
        if let Some(equity) = race.or_else(search) {
            return Ok(equity);
        }
        mean_equity(|roll| self.advise(position, roll, context))
    }

    fn method_before_roll(&self, position: &Position) -> String {
        let search = || format!("expectimax to {}", plies_text(self.plies.max(1)));
        RaceMethod::of(position).map_or_else(search, RaceMethod::name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_limit_number_and_distance() {
        let filter = MoveFilter { most: 3, within: 0.1 };
        for (equities, count) in
            [(&[0.5, 0.45, 0.41, 0.405][..], 3), (&[0.5, 0.45, 0.39], 2), (&[-0.5], 1), (&[], 0)]
        {
            assert_eq!(filter.count(equities.iter().copied()), count, "{equities:?}");
        }
    }
}
