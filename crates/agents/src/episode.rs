//! Episodes of an evaluation.

/// How one episode went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Episode {
    /// Undiscounted sum of rewards.
    pub total: f32,
    /// Steps.
    pub length: u32,
    /// It ended by the world's rules rather than by the time limit.
    pub terminated: bool,
}

/// Mean of the episodes' returns; 0 for none.
#[must_use]
pub fn mean_return(episodes: &[Episode]) -> f64 {
    episodes.iter().map(|episode| f64::from(episode.total)).sum::<f64>() / episodes.len().max(1) as f64
}
