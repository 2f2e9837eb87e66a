//! Doubling decisions of bear-offs: a recursion over all rolls, plays and doubles.

mod cube_states;
mod estimate;
mod placements;
mod recursion;

use super::context::DoublingContext;
use crate::backgammon::position::Position;
use cube_states::CubeStates;
use estimate::BearOffEstimate;
use placements::PlacementPair;
use recursion::BearOffRecursion;

/// Maximum number of equities that the recursion computes. It suffices for all pairs of placements of six checkers a player, in
/// the learners' modules of the page of four checkers, and 16 states of the doubling cube.
const MAX_EQUITIES: usize = if cfg!(feature = "large-bearoff") { 14_000_000 } else { 710_000 };

/// How the equities of a doubling decision were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoublingMethod {
    /// All rolls, plays and doubles to the end of the game; in a match, the match equity table thereafter.
    Exact,
    /// All rolls, plays and doubles of the next turns; then winning probabilities from the one-sided bear-off table, and
    /// Janowski's formula with a cube life that is fitted to exact equities.
    BearOff,
    /// Cubeless probabilities of a network, and Janowski's formula.
    Janowski,
    /// Trials in which both players double, take and pass.
    Rollout,
}

/// Returns the equities of no double, and of double and take, in a bear-off; `None` for other positions, and if gammons are
/// possible in a bear-off that is too large for exact equities.
pub(super) fn decision(position: &Position, context: &DoublingContext) -> Option<([f64; 2], DoublingMethod)> {
    decision_within(position, context, MAX_EQUITIES)
}

/// Returns the [`decision`] by a recursion over at most `most` equities, or over one roll of each player.
fn decision_within(
    position: &Position,
    context: &DoublingContext,
    most: usize,
) -> Option<([f64; 2], DoublingMethod)> {
    let cube = CubeStates::new(context.equity_context());
    // One size suffices for the learners' modules of the page, where the code of each size is downloaded.
    match cube.len() {
        ..=4 if cfg!(feature = "large-bearoff") => of_states::<4>(position, &cube, most),
        _ => of_states::<16>(position, &cube, most),
    }
}

fn of_states<const STATES: usize>(
    position: &Position,
    cube: &CubeStates<'_>,
    most: usize,
) -> Option<([f64; 2], DoublingMethod)> {
    let pair = PlacementPair::find(position, most / STATES)?;
    let estimate = (!pair.is_complete).then(|| BearOffEstimate::new(cube));
    if let Some(estimate) = &estimate {
        estimate.equities(0, position)?;
    }
    let method = if pair.is_complete { DoublingMethod::Exact } else { DoublingMethod::BearOff };
    let equities = BearOffRecursion::<STATES>::new(&pair, cube, estimate).decision();
    // Without the errors of the sums, so that equal equities are equal.
    let rounded = |equity: f32| (f64::from(equity) * 1e5).round() / 1e5;
    Some((equities.map(rounded), method))
}

#[cfg(all(test, feature = "large-bearoff"))]
mod tests {
    use super::super::CUBE_LIFE;
    use super::*;
    use crate::backgammon::{BearOff, CHECKERS, Match, OFF, PLACES};
    use vivarium_kernels::rng::Stream;

    /// Returns a random bear-off with 7 checkers of each player on the points up to 5.
    fn random_position(random: &mut Stream) -> Position {
        let mut side = || {
            let mut counts = [0; PLACES];
            (0..7).for_each(|_| counts[1 + random.below(5) as usize] += 1);
            counts[OFF] = CHECKERS - 7;
            counts
        };
        Position::new(side(), side()).unwrap()
    }

    #[test]
    fn estimates_are_closer_to_exact_equities_than_the_formula_alone() {
        let context = DoublingContext::new(&Match::MONEY).unwrap();
        let mut random = Stream::new(1, 0);
        let count = 20;
        // Mean errors of no double: formula alone, and after one roll of each player.
        let mut errors = [0.0; 2];
        for _ in 0..count {
            let position = random_position(&mut random);
            let (exact, method) = decision(&position, &context).unwrap();
            assert_eq!(method, DoublingMethod::Exact);
            let (estimate, method) = decision_within(&position, &context, 1).unwrap();
            assert_eq!(method, DoublingMethod::BearOff);
            let win = BearOff::without_gammons().win_probability(&position).unwrap();
            let formula = CubeStates::new(context.equity_context()).janowski::<4>(0, win, CUBE_LIFE);
            for (error, no_double) in errors.iter_mut().zip([f64::from(formula[0]), estimate[0]]) {
                *error += (no_double - exact[0]).abs() / f64::from(count);
            }
        }
        println!(
            "mean error without a double: {:.4} by the formula, {:.4} by the estimate",
            errors[0], errors[1]
        );
        assert!(errors[1] < 0.015 && errors[1] < 0.5 * errors[0], "{errors:?}");
    }

    #[test]
    fn deeper_estimates_are_closer() {
        let context = DoublingContext::new(&Match { length: 7, ..Match::MONEY }).unwrap();
        let mut random = Stream::new(2, 0);
        let mut errors = [0.0; 2];
        for _ in 0..10 {
            let position = random_position(&mut random);
            let (exact, _) = decision(&position, &context).unwrap();
            for (error, most) in errors.iter_mut().zip([1, 1_000_000]) {
                let (estimate, _) = decision_within(&position, &context, most).unwrap();
                *error += (estimate[0] - exact[0]).abs() + (estimate[1] - exact[1]).abs();
            }
        }
        assert!(errors[1] < errors[0], "{errors:?}");
    }
}
