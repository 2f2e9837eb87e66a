//! Plays of all rolls in a position of a trial, with their evaluations.

use super::evaluator::{PositionEvaluator, Probabilities};
use vivarium_envs::backgammon::doubling::{EquityContext, better_first};
use vivarium_envs::backgammon::{Outcome, Plays, Position, Roll};

/// Best play of a roll.
#[derive(Clone, Copy)]
pub(super) struct BestPlay {
    /// Position after the play, from the view of the opponent, who is on roll.
    pub after: Position,
    /// Outcome probabilities of the player who makes the play.
    pub probabilities: Probabilities,
    /// Value of the player who makes the play, see [`EquityContext`].
    pub value: f64,
}

/// Positions after all plays of all rolls, from the view of the opponent, who is on roll.
pub(super) struct RollPlays {
    /// Position after each play, with the outcome probabilities of the player who makes the play; ordered by roll.
    afters: Vec<(Position, Probabilities)>,
    /// Index behind the last play of each roll, in the order of [`Roll::ALL`].
    ends: [usize; Roll::COUNT],
}

impl RollPlays {
    /// Evaluates all plays of the player on roll in `position`.
    pub fn new(position: &Position, plays: &mut Plays, evaluator: &mut impl PositionEvaluator) -> Self {
        let (mut afters, mut ends) = (Vec::new(), [0; Roll::COUNT]);
        for (roll, end) in Roll::ALL.into_iter().zip(&mut ends) {
            plays.generate(position, roll);
            afters.extend(plays.iter().map(|play| play.after.mirrored()));
            *end = afters.len();
        }
        let open: Vec<Position> = afters.iter().filter(|after| after.outcome().is_none()).copied().collect();
        let mut evaluated = evaluator.evaluate(&open).into_iter();
        let with_probabilities = |after: Position| {
            let over = after.outcome().map(Outcome::probabilities);
            (after, Outcome::opposite(over.or_else(|| evaluated.next()).unwrap_or_default()))
        };
        Self { afters: afters.into_iter().map(with_probabilities).collect(), ends }
    }

    /// Returns the best play of each roll, in the order of [`Roll::ALL`]. `context` is that of the player on roll.
    pub fn best(&self, context: EquityContext<'_>) -> [BestPlay; Roll::COUNT] {
        let mut start = 0;
        self.ends.map(|end| {
            let best = self.afters[start..end].iter().map(|&(after, probabilities)| {
                let value = context.value_after_play(&after, probabilities);
                BestPlay { after, probabilities, value }
            });
            start = end;
            // The first of several best plays.
            let better = |best: BestPlay, other: BestPlay| {
                let key = |play: &BestPlay| (play.value, play.probabilities);
                if better_first(key(&other), key(&best)).is_lt() { other } else { best }
            };
            best.reduce(better).expect("a roll has a play, which may have no moves")
        })
    }
}
