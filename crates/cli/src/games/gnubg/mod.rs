//! GNU Backgammon as an opponent: a child process that serves the external-player interface.

mod line;
mod process;
#[cfg(test)]
mod tests;

use process::Process;
use std::collections::HashMap;
use vivarium_agents::players::{Decision, Player, PlayerError, best_turn, each_turn};
use vivarium_envs::backgammon::{Outcome, Plays, Position, State, TurnPhase};

/// GNU Backgammon as a player of cubeless money games. At 0 plies the program evaluates the positions after each play;
/// at 2 plies it searches one roll of each player ahead.
pub struct Gnubg {
    process: Process,
    plies: u8,
    plays: Plays,
}

impl Gnubg {
    /// Starts a GNU Backgammon process that evaluates positions with a search of `plies` plies.
    ///
    /// # Errors
    /// A message that states the cause or how to install the program.
    pub fn start(plies: u8) -> Result<Self, String> {
        Ok(Self { process: Process::start(plies)?, plies, plays: Plays::new() })
    }

    /// Returns the outcome probabilities of the player on roll before the dice, as in [`Outcome::probabilities`].
    ///
    /// # Errors
    /// A message if the process does not reply or the reply is invalid.
    pub fn probabilities(&mut self, position: &Position) -> Result<[f32; 5], String> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.probabilities());
        }
        let board = line::board(position, None);
        // Pruning saves most of the search time and changes equities by about 1e-5.
        let prune = if self.plies > 0 { " prune on" } else { "" };
        let question = format!("evaluation fibsboard {board} plies {} cube off{prune}", self.plies);
        let answer = self.process.ask(&question)?;
        line::probabilities(&answer).ok_or_else(|| unexpected(&question, &answer))
    }

    /// Returns the first action of the turn that GNU Backgammon chooses. A turn with a double consists of two actions.
    fn action(&mut self, state: &State) -> Result<usize, String> {
        match state.phase {
            TurnPhase::Play(roll) => {
                self.plays.generate(&state.position, roll);
                // GNU Backgammon sends no reply if no checker can move, so a single play is not requested.
                let wanted = match &self.plays[..] {
                    [only] => *only,
                    _ => {
                        let question = line::board(&state.position, Some(roll));
                        let answer = self.process.ask(&question)?;
                        let found = self.plays.find(&state.position, &line::play(&answer));
                        found.map_err(|_| unexpected(&question, &answer))?
                    }
                };
                let wanted = wanted.after.mirrored();
                Ok(best_turn(state, |end| end.position == wanted))
            }
            // GNU Backgammon plays all four dice of a double at once, whereas a double has two actions in this program.
            // The second action is chosen by the equity that GNU Backgammon returns.
            TurnPhase::SecondHalf(_) | TurnPhase::Opening | TurnPhase::Roll => self.best_by_chances(state),
        }
    }

    /// Returns the first action of the turn whose resulting position has the highest equity for the player on roll, as
    /// evaluated by GNU Backgammon.
    fn best_by_chances(&mut self, state: &State) -> Result<usize, String> {
        let mut ends = Vec::new();
        each_turn(state, &mut |_, end| ends.push(end.position));
        let mut worth = HashMap::new();
        for position in ends {
            // After the turn the opponent is on roll.
            let probabilities = self.probabilities(&position)?;
            worth.insert(position, -Outcome::equity(probabilities));
        }
        Ok(best_turn(state, |end| worth[&end.position]))
    }
}

impl Player<State> for Gnubg {
    fn choose(&mut self, decisions: &[Decision<State>]) -> Result<Vec<usize>, PlayerError> {
        let choose = |decision: &Decision<State>| self.action(&decision.state);
        decisions.iter().map(choose).collect::<Result<_, _>>().map_err(PlayerError::Outside)
    }
}

fn unexpected(question: &str, answer: &str) -> String {
    format!("unexpected answer {answer:?} of GNU Backgammon to {question:?}")
}
