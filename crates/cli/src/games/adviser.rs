//! Advisers: evaluators of the legal plays of a roll, for hints.

use super::gnubg::Gnubg;
use std::sync::Arc;
use vivarium_agents::alphazero::AlphaZeroNetwork;
use vivarium_agents::players::NetworkPlayer;
use vivarium_envs::backgammon::{Outcome, Play, Plays, Position, Roll, State, TurnPhase};

/// Legal play with its evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Legal play: all checker moves of one roll.
    pub play: Play,
    /// Outcome probabilities of the player who makes the play, in the order of [`Outcome::probabilities`].
    pub probabilities: [f32; 5],
    /// Equity of the play for the player on roll, in points.
    pub equity: f32,
}

/// Evaluator of the legal plays of a roll.
pub trait Adviser {
    /// Returns all legal plays of a roll in a position with their evaluations, from the best to the worst play.
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String>;

    /// Returns the cubeless outcome probabilities of the player on roll before the roll, in the order of
    /// [`Outcome::probabilities`].
    ///
    /// # Errors
    /// A message if the evaluation fails.
    fn probabilities_before_roll(&mut self, position: &Position) -> Result<[f32; 5], String>;
}

/// Number of plays that a hint lists. The network evaluates all listed plays by a search, because
/// equities with and without search are not comparable.
pub const NUM_HINTS: usize = 5;

impl Adviser for NetworkPlayer<State, Arc<AlphaZeroNetwork<State>>> {
    fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String> {
        let state = State { position: *position, phase: TurnPhase::Play(roll), player: 0 };
        let evaluated_turns = self.evaluated_turns(&state);
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let advice = |play: &Play| {
            let after = play.after.mirrored();
            let ending = evaluated_turns.iter().find(|ending| ending.state.position == after)?;
            Some((ending.state, Advice { play: *play, probabilities: ending.heads, equity: ending.equity }))
        };
        let mut found: Vec<(State, Advice)> = plays.iter().filter_map(advice).collect();
        found.sort_by(|(_, a), (_, b)| b.equity.total_cmp(&a.equity));
        let searched = found.len().min(NUM_HINTS);
        for (state, advice) in &mut found[..searched] {
            // After the play the opponent is on roll.
            advice.equity = -self.value(state).map_err(|error| error.to_string())?;
        }
        found[..searched].sort_by(|(_, a), (_, b)| b.equity.total_cmp(&a.equity));
        Ok(found.into_iter().map(|(_, advice)| advice).collect())
    }

    /// Returns the mean over the 21 rolls, each with the best play by the network's equity.
    fn probabilities_before_roll(&mut self, position: &Position) -> Result<[f32; 5], String> {
        Ok(self.heads_before_roll(&State { position: *position, phase: TurnPhase::Roll, player: 0 }))
    }
}

impl Adviser for Gnubg {
    fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String> {
        let mut plays = Plays::new();
        plays.generate(position, roll);
        let mut found = Vec::with_capacity(plays.len());
        for play in plays.iter() {
            let [win, gammon, backgammon, lost_gammon, lost_backgammon] =
                self.probabilities(&play.after.mirrored())?;
            let probabilities = [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon];
            found.push(Advice { play: *play, probabilities, equity: Outcome::equity(probabilities) });
        }
        found.sort_by(|a, b| b.equity.total_cmp(&a.equity));
        Ok(found)
    }

    fn probabilities_before_roll(&mut self, position: &Position) -> Result<[f32; 5], String> {
        self.probabilities(position)
    }
}
