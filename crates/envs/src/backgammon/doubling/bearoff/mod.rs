//! Doubling decisions of bear-offs: a recursion over all rolls, plays and doubles.

mod cube_states;
mod lookahead;
mod placements;

use super::context::DoublingContext;
use crate::backgammon::bearoff::BearOff;
use crate::backgammon::position::Position;
use cube_states::CubeStates;
use lookahead::Lookahead;
use placements::PlacementPair;

/// Maximum number of equities that the recursion computes. It suffices for all pairs of placements of six checkers a player, in
/// the page of four checkers, and 16 states of the doubling cube.
const MAX_EQUITIES: usize = if cfg!(feature = "two-sided-bearoff") { 14_000_000 } else { 710_000 };

/// How the equities of a doubling decision were computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoublingMethod {
    /// All rolls, plays and doubles to the end of the game; in a match, the match equity table thereafter.
    Exact,
    /// All rolls, plays and doubles of the next turns; then winning probabilities from the one-sided bear-off table, and
    /// Janowski's formula.
    BearOff,
    /// Cubeless probabilities of a network, and Janowski's formula.
    Janowski,
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
    let cube = CubeStates::new(context);
    match cube.len() {
        ..=4 => of_states::<4>(position, &cube, most),
        5..=8 => of_states::<8>(position, &cube, most),
        _ => of_states::<16>(position, &cube, most),
    }
}

fn of_states<const STATES: usize>(
    position: &Position,
    cube: &CubeStates<'_>,
    most: usize,
) -> Option<([f64; 2], DoublingMethod)> {
    let pair = PlacementPair::find(position, most / STATES)?;
    let (equities, method) = if pair.is_complete {
        // The recursion uses no estimate.
        (Lookahead::new(&pair, cube, |_, _: &Position| [0.0; STATES]).decision(), DoublingMethod::Exact)
    } else {
        let table = BearOff::without_gammons();
        table.win_probability(position)?;
        let estimate = |player, position: &Position| {
            cube.janowski::<STATES>(player, table.win_probability(position).unwrap_or(0.5), super::CUBE_LIFE)
        };
        (Lookahead::new(&pair, cube, estimate).decision(), DoublingMethod::BearOff)
    };
    // Without the errors of the sums, so that equal equities are equal.
    let rounded = |equity: f32| (f64::from(equity) * 1e5).round() / 1e5;
    Some((equities.map(rounded), method))
}

