//! GNU Backgammon as an opponent: a child process that serves the program's external-player interface.

mod line;
mod process;
#[cfg(test)]
mod tests;

use process::Process;
use std::collections::HashMap;
use vivarium_agents::players::{Decision, Player, PlayerError, best_turn, each_turn};
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Outcome, Plays, Position, Roll, State, TurnPhase};
use vivarium_exhibit_games::advice::{Advice, Adviser, rank_plays};

/// GNU Backgammon as a player of money games without the doubling cube. At 0 plies, a network evaluates the position
/// after each play. At 2 plies, a search extends over one roll of each player.
pub struct Gnubg {
    process: Process,
    plies: u8,
    plays: Plays,
}

impl Gnubg {
    /// Starts a GNU Backgammon process that evaluates positions with a search of `plies` plies.
    ///
    /// # Errors
    /// A message with the cause, or with instructions to install the program.
    pub fn start(plies: u8) -> Result<Self, String> {
        Ok(Self { process: Process::start(plies)?, plies, plays: Plays::new() })
    }

    /// Returns the outcome probabilities of the player on roll before the dice are rolled, in the order of
    /// [`Outcome::probabilities`].
    ///
    /// # Errors
    /// A message if the process does not reply or the reply is invalid.
    pub fn probabilities(&mut self, position: &Position) -> Result<[f32; 5], String> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.probabilities());
        }
        let board = line::format_board(position, None);
        // Pruning saves most of the search time and changes equities by about 1e-5.
        let prune = if self.plies > 0 { " prune on" } else { "" };
        let request = format!("evaluation fibsboard {board} plies {} cube off{prune}", self.plies);
        let reply = self.process.request(&request)?;
        line::parse_probabilities(&reply).ok_or_else(|| unexpected(&request, &reply))
    }

    /// Returns the index of the first action of the turn that GNU Backgammon chooses. A turn has two actions if the
    /// roll is a double, otherwise one action.
    fn action(&mut self, state: &State) -> Result<usize, String> {
        match state.phase {
            TurnPhase::Play(roll) => {
                self.plays.generate(&state.position, roll);
                // GNU Backgammon sends no reply if no checker can move, so a single play is not requested.
                let chosen = match &self.plays[..] {
                    [only] => *only,
                    _ => {
                        let request = line::format_board(&state.position, Some(roll));
                        let reply = self.process.request(&request)?;
                        let found = self.plays.find(&state.position, &line::to_standard_notation(&reply));
                        found.map_err(|_| unexpected(&request, &reply))?
                    }
                };
                let chosen = chosen.after.mirrored();
                Ok(best_turn(state, |end| end.position == chosen))
            }
            // GNU Backgammon plays all four dice of a double at once; in this program, a double has two actions.
            // Therefore the second action is chosen by the equities that GNU Backgammon returns.
            TurnPhase::SecondHalf(_) | TurnPhase::Opening | TurnPhase::Roll => self.best_by_equity(state),
        }
    }

    /// Returns the index of the first action of the turn that leads to the highest equity for the player on roll. GNU
    /// Backgammon evaluates the positions after the turn.
    fn best_by_equity(&mut self, state: &State) -> Result<usize, String> {
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

fn unexpected(request: &str, reply: &str) -> String {
    format!("unexpected reply {reply:?} of GNU Backgammon to {request:?}")
}

impl Adviser for Gnubg {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        rank_plays(position, roll, context, |after| self.probabilities(after))
    }

    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        _: EquityContext<'_>,
    ) -> Result<[f32; 5], String> {
        self.probabilities(position)
    }

    fn method_before_roll(&self, _: &Position) -> String {
        "GNU Backgammon".to_owned()
    }
}
