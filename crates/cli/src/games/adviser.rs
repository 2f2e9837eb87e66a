//! Advisers: evaluators of the legal plays of a roll, for hints.

use super::gnubg::Gnubg;
use vivarium_envs::backgammon::{OFF, Outcome, Play, Plays, Position, Roll, Side};

/// Legal play with its evaluation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Advice {
    /// Legal play: all checker moves of one roll.
    pub play: Play,
    /// Outcome probabilities of the player who makes the play, in the order of [`Outcome::probabilities`].
    pub probabilities: [f32; 5],
    /// Equity of the play for the player on roll, in points.
    pub equity: f32,
    /// Whether the equity has the depth of the adviser. Equities of different depths are not comparable.
    pub searched: bool,
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

    /// Returns how the probabilities before the roll of a position are computed, as a sentence without a full stop.
    fn method_before_roll(&self, _: &Position) -> String {
        NETWORK_METHOD.to_owned()
    }
}

/// Method of probabilities before the roll from a network alone.
pub const NETWORK_METHOD: &str =
    "Probabilities are the mean over the 21 rolls, each after the best play of the network, without a search";

/// Returns the outcome probabilities of the other player.
pub fn opposite([win, gammon, backgammon, lost_gammon, lost_backgammon]: [f32; 5]) -> [f32; 5] {
    [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
}

/// Returns the probabilities of a network for the player on roll without impossible gammons: a player who has borne off a
/// checker loses no gammon.
pub fn without_impossible(probabilities: [f32; 5], position: &Position) -> [f32; 5] {
    let can_lose = |side: Side| f32::from(side.count(OFF) == 0);
    let (won, lost) = (can_lose(position.theirs()), can_lose(position.mine()));
    let [win, gammon, backgammon, lost_gammon, lost_backgammon] = probabilities;
    [win, gammon * won, backgammon * won, lost_gammon * lost, lost_backgammon * lost]
}

/// Default number of plays that a hint lists.
pub const NUM_HINTS: u32 = 5;

/// Returns all legal plays of a roll, from the best to the worst play. `probabilities` returns the outcome probabilities of
/// the opponent, who is on roll in the position after a play.
///
/// # Errors
/// The first error of `probabilities`.
pub fn rank_plays<E>(
    position: &Position,
    roll: Roll,
    mut probabilities: impl FnMut(&Position) -> Result<[f32; 5], E>,
) -> Result<Vec<Advice>, E> {
    let mut plays = Plays::new();
    plays.generate(position, roll);
    let mut advise = |play: &Play| {
        let probabilities = opposite(probabilities(&play.after.mirrored())?);
        Ok(Advice { play: *play, probabilities, equity: Outcome::equity(probabilities), searched: true })
    };
    let mut found = plays.iter().map(&mut advise).collect::<Result<Vec<_>, E>>()?;
    found.sort_by(|a, b| b.equity.total_cmp(&a.equity));
    Ok(found)
}

impl Adviser for Gnubg {
    fn advise(&mut self, position: &Position, roll: Roll) -> Result<Vec<Advice>, String> {
        rank_plays(position, roll, |after| self.probabilities(after))
    }

    fn probabilities_before_roll(&mut self, position: &Position) -> Result<[f32; 5], String> {
        self.probabilities(position)
    }

    fn method_before_roll(&self, _: &Position) -> String {
        "Probabilities are those of GNU Backgammon".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vivarium_envs::backgammon::Xgid;

    #[test]
    fn a_player_who_has_borne_off_a_checker_loses_no_gammon() {
        let network = [0.7, 0.2, 0.1, 0.05, 0.02];
        let masked = |id: &str| without_impossible(network, &Xgid::parse(id).unwrap().position);
        assert_eq!(masked("XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10"), network);
        // The player on roll has borne off three checkers, the opponent two.
        assert_eq!(masked("XGID=-b---BD-B--aB---bbacb-A-A-:0:0:1:00:0:0:0:0:10"), [0.7, 0.0, 0.0, 0.0, 0.0]);
        // Only the player on roll has borne off checkers.
        assert_eq!(masked("XGID=-b---BD-B--aB---bbaeb-A-A-:0:0:1:00:0:0:0:0:10"), [0.7, 0.2, 0.1, 0.0, 0.0]);
    }

    #[test]
    fn the_other_player_has_the_negated_equity() {
        let probabilities = [0.6, 0.2, 0.05, 0.1, 0.02];
        assert!((Outcome::equity(probabilities) + Outcome::equity(opposite(probabilities))).abs() < 1e-6);
        assert_eq!(
            opposite(opposite(probabilities)).map(|p| (p * 1e4).round()),
            probabilities.map(|p| (p * 1e4).round())
        );
    }
}
