//! Candidates of a rollout: plays of a roll, or the position before the roll with and without a double.

use super::evaluator::{PositionEvaluator, Probabilities};
use crate::advice::rank_plays;
use std::convert::Infallible;
use vivarium_envs::backgammon::doubling::EquityContext;
use vivarium_envs::backgammon::{Outcome, Play, Position, Roll};

/// Position of a rollout, and whose probabilities are estimated.
#[derive(Clone, Copy, Debug)]
pub struct RolloutCandidate<'a> {
    /// Position before the roll.
    pub position: Position,
    /// Score and doubling cube of the player on roll in the position.
    pub context: EquityContext<'a>,
    /// Whether the probabilities belong to the opponent of the player on roll, as after a play.
    pub is_opponent: bool,
    /// Whether the player on roll has doubled and the opponent has taken.
    pub is_doubled: bool,
}

/// Returns the best plays of the roll by the evaluator, at most `most`, and the `selected` plays, in notation and as candidates.
/// Without a roll, the candidates are the position without a double and, if the player on roll may double, after double and take.
pub fn candidates<'a>(
    position: &Position,
    roll: Option<Roll>,
    context: EquityContext<'a>,
    most: u32,
    selected: &[Play],
    evaluator: &mut impl PositionEvaluator,
) -> (Vec<String>, Vec<RolloutCandidate<'a>>) {
    let Some(roll) = roll else {
        let before =
            |is_doubled| RolloutCandidate { position: *position, context, is_opponent: false, is_doubled };
        let all = [false, true].into_iter().filter(|&is_doubled| !is_doubled || context.may_double());
        return (Vec::new(), all.map(before).collect());
    };
    let probabilities = |after: &Position| -> Result<Probabilities, Infallible> {
        let over = after.outcome().map(Outcome::probabilities);
        Ok(over.unwrap_or_else(|| evaluator.evaluate(&[*after])[0]))
    };
    let Ok(advice) = rank_plays(position, roll, context, probabilities);
    let is_candidate = |at: usize, play: &Play| {
        at < most as usize || selected.iter().any(|selected| selected.after == play.after)
    };
    let candidates = advice.iter().enumerate().filter(|(at, advice)| is_candidate(*at, &advice.play));
    candidates
        .map(|(_, advice)| {
            let position_after = advice.play.after.mirrored();
            let candidate = RolloutCandidate {
                position: position_after,
                context: context.opponent(),
                is_opponent: true,
                is_doubled: false,
            };
            (advice.play.notation(position), candidate)
        })
        .unzip()
}
