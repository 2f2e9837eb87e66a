//! Results of evaluation episodes.

/// Result of one evaluation episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Undiscounted return of the episode, the sum of its rewards.
    pub total: f32,
    /// Length of the episode in environment steps.
    pub length: u32,
    /// Whether the episode ended in a terminal state. `false` if the time limit ended it.
    pub terminated: bool,
}

/// Returns the mean undiscounted return of `episodes`, or 0 if there are no episodes.
#[must_use]
pub fn mean_return(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|episode| f64::from(episode.total)).sum::<f64>() / episodes.len().max(1) as f64
}
