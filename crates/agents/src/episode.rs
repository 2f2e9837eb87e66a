//! Evaluation episodes.

/// Result of one evaluation episode.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Undiscounted return of the episode.
    pub total: f32,
    /// Length of the episode in environment steps.
    pub length: u32,
    /// Whether the episode reached a terminal state instead of the time limit.
    pub terminated: bool,
}

/// Returns the mean return of the episodes, or 0 if there are none.
#[must_use]
pub fn mean_return(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|episode| f64::from(episode.total)).sum::<f64>() / episodes.len().max(1) as f64
}
