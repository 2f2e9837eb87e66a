//! GNU Backgammon as an opponent, when it is installed: a process of its own, spoken to through its external interface.

mod line;
mod process;
#[cfg(test)]
mod tests;

use process::Process;
use std::collections::HashMap;
use vivarium_agents::players::{Decision, Player, PlayerError, best_turn, each_turn};
use vivarium_envs::backgammon::{Outcome, Plays, Position, State, TurnPhase};

/// GNU Backgammon, playing cubeless for money at a number of plies: 0 judges the positions after its plays, 2 looks a roll
/// of each player ahead.
pub struct Gnubg {
    process: Process,
    plies: u8,
    plays: Plays,
}

impl Gnubg {
    /// Starts it.
    ///
    /// # Errors
    /// A message that says how to install it, or what went wrong.
    pub fn start(plies: u8) -> Result<Self, String> {
        Ok(Self { process: Process::start(plies)?, plies, plays: Plays::new() })
    }

    /// The chances of the player on roll before the dice, as those of [`Outcome::chances`].
    ///
    /// # Errors
    /// A message if it does not answer, or not with chances.
    pub fn chances(&mut self, position: &Position) -> Result<[f32; 5], String> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.probabilities());
        }
        let board = line::board(position, None);
        // Pruning saves most of the time of looking ahead, and changes equities by some hundred-thousandths.
        let prune = if self.plies > 0 { " prune on" } else { "" };
        let question = format!("evaluation fibsboard {board} plies {} cube off{prune}", self.plies);
        let answer = self.process.ask(&question)?;
        line::chances(&answer).ok_or_else(|| unexpected(&question, &answer))
    }

    /// The action that begins its turn.
    fn action(&mut self, state: &State) -> Result<usize, String> {
        match state.phase {
            TurnPhase::Play(roll) => {
                self.plays.generate(&state.position, roll);
                // It says nothing where nothing can be moved.
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
            // It plays a double as a whole; this is what the rest of its play was best for.
            TurnPhase::SecondHalf(_) | TurnPhase::Opening | TurnPhase::Roll => self.best_by_chances(state),
        }
    }

    /// The action that begins the turn after which it gives itself the greatest equity.
    fn best_by_chances(&mut self, state: &State) -> Result<usize, String> {
        let mut ends = Vec::new();
        each_turn(state, &mut |_, end| ends.push(end.position));
        let mut worth = HashMap::new();
        for position in ends {
            // After the turn the opponent is on roll.
            let chances = self.chances(&position)?;
            worth.insert(position, -Outcome::equity(chances));
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
    format!("GNU Backgammon was asked {question:?} and answered {answer:?}, which means nothing here")
}
