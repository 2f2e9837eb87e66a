//! GNU Backgammon as an opponent: a child process that serves the program's external-player interface.

mod line;
mod process;
#[cfg(test)]
mod tests;

use clap::ValueEnum;
use process::Process;
use std::collections::HashMap;
use vivarium_agents::players::{Decision, Player, PlayerError, best_turn, each_turn};
use vivarium_envs::backgammon::doubling::{EquityContext, better_first};
use vivarium_envs::backgammon::{Outcome, Play, Plays, Position, Roll, State, TurnPhase};
use vivarium_exhibit_games::advice::{
    Advice, Adviser, MoveFilter, best_equity, mean_equity, plies_text, rank_plays,
};

/// Search depth of GNU Backgammon: value of `--by`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GnubgStrength {
    /// Network without a search
    #[value(name = "gnubg")]
    ZeroPly,
    /// Search to 2 plies
    #[value(name = "gnubg-2ply")]
    TwoPly,
}

impl GnubgStrength {
    /// Returns the search depth in plies.
    pub fn plies(self) -> u8 {
        match self {
            Self::ZeroPly => 0,
            Self::TwoPly => 2,
        }
    }

    /// Returns the name with the search depth, for display.
    pub fn title(self) -> String {
        title(self.plies())
    }
}

fn title(plies: u8) -> String {
    let search = if plies == 0 { "without a search".to_owned() } else { format!("at {}", plies_text(plies)) };
    format!("GNU Backgammon {search}")
}

/// Filter "normal" of GNU Backgammon, of the plays that are evaluated at 2 plies.
const ROOT_FILTER: MoveFilter = MoveFilter { most: 8, within: 0.16 };

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
        self.probabilities_at(position, self.plies)
    }

    /// Returns the probabilities as [`probabilities`](Self::probabilities) at a search depth of `plies`.
    fn probabilities_at(&mut self, position: &Position, plies: u8) -> Result<[f32; 5], String> {
        if let Some(outcome) = position.outcome() {
            return Ok(outcome.probabilities());
        }
        let board = line::format_board(position, None);
        // Pruning saves most of the search time and changes equities by about 1e-5.
        let prune = if plies > 0 { " prune on" } else { "" };
        let request = format!("evaluation fibsboard {board} plies {plies} cube off{prune}");
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

impl Gnubg {
    /// Returns all plays of a roll. Above 0 plies, the plays of [`ROOT_FILTER`] and the `selected` ones are searched and come first.
    fn ranked(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        let ranked = rank_plays(position, roll, context, |after| self.probabilities_at(after, 0))?;
        if self.plies == 0 {
            return Ok(ranked);
        }
        let count = ROOT_FILTER.count(ranked.iter().map(|advice| advice.equity));
        let mut at = 0..;
        let (mut searched, others): (Vec<Advice>, Vec<Advice>) = ranked.into_iter().partition(|advice| {
            let is_best = at.next().is_some_and(|at| at < count);
            is_best || selected.iter().any(|play| play.after == advice.play.after)
        });
        for advice in &mut searched {
            let after = advice.play.after.mirrored();
            advice.probabilities = Outcome::opposite(self.probabilities(&after)?);
            advice.equity = context.equity_after_play(&after, advice.probabilities);
        }
        searched.sort_by(|a, b| better_first((a.equity, a.probabilities), (b.equity, b.probabilities)));
        let others = others.into_iter().map(|advice| Advice { searched: false, ..advice });
        Ok(searched.into_iter().chain(others).collect())
    }
}

impl Adviser for Gnubg {
    fn advise(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
    ) -> Result<Vec<Advice>, String> {
        self.ranked(position, roll, context, &[])
    }

    fn advise_with_plays(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        selected: &[Play],
    ) -> Result<Vec<Advice>, String> {
        self.ranked(position, roll, context, selected)
    }

    fn probabilities_before_roll(
        &mut self,
        position: &Position,
        _: EquityContext<'_>,
    ) -> Result<[f32; 5], String> {
        self.probabilities(position)
    }

    /// Returns the luck from evaluations without a search, as GNU Backgammon computes it by default: searching 21 rolls would take most
    /// of the time of an analysis.
    fn luck(
        &mut self,
        position: &Position,
        roll: Roll,
        context: EquityContext<'_>,
        _: &[Advice],
    ) -> Result<f64, String> {
        let mut rank = |roll| rank_plays(position, roll, context, |after| self.probabilities_at(after, 0));
        Ok(best_equity(&rank(roll)?) - mean_equity(rank)?)
    }

    fn method_before_roll(&self, _: &Position) -> String {
        title(self.plies)
    }
}
