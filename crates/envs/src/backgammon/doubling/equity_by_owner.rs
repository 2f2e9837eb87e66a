//! Exact equities by the owner of the doubling cube.

use super::model::Owner;

/// Equities of one player by the owner of the doubling cube, in units of its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct EquityByOwner {
    pub(super) center: f64,
    pub(super) mine: f64,
    pub(super) theirs: f64,
}

impl EquityByOwner {
    pub(super) fn of(&self, owner: Owner) -> f64 {
        match owner {
            Owner::Center => self.center,
            Owner::Mine => self.mine,
            Owner::Theirs => self.theirs,
        }
    }

    /// Returns the higher of two equities: `held`, without a double, and the equity of a double to which the opponent
    /// replies best.
    pub(super) fn doubled(&self, held: f64) -> f64 {
        held.max((2.0 * self.theirs).min(1.0))
    }
}
