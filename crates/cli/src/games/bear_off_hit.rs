//! Positions in which a checker was hit during the bear-off. Self-play has few of them, and the network is inaccurate.

use vivarium_envs::backgammon::{OFF, Position, PositionClass, Side};

/// Highest point of the home board.
const HOME: usize = 6;

/// Returns whether a player who has borne off a checker has another one outside the home board, in contact.
pub fn is_bear_off_hit(position: &Position) -> bool {
    let is_hit = |side: Side| side.count(OFF) > 0 && side.highest() > HOME;
    position.class() == PositionClass::Contact && (is_hit(position.mine()) || is_hit(position.theirs()))
}

/// Returns a remark on the accuracy of such a position, which recommends the command `rollout`.
pub fn remark(rollout: &str) -> String {
    format!(
        "A checker was hit during the bear-off. The network is less accurate in such positions than in others with contact. Check the \
         decision by {rollout}"
    )
}
