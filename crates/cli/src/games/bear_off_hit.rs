//! Positions in which a checker was hit during the bear-off.

/// Returns a remark on the accuracy of such a position, which recommends the command `rollout`.
pub fn remark(rollout: &str) -> String {
    format!(
        "A checker was hit during the bear-off. The network is less accurate in such positions than in others with contact. Check the \
         decision by {rollout}"
    )
}
