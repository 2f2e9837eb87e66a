//! Kinds of training targets.

vivarium_config::choice! {
    /// What the boards shall look like after the last step.
    pub enum TargetKind {
        /// The boards that Conway's Game of Life computes from the same start.
        Life = "life",
        /// A checkerboard that fills the board.
        Checkerboard = "checkerboard",
        /// The built-in lizard, in one channel.
        Lizard = "lizard",
        /// The built-in letter V, in three color channels.
        Letter = "letter",
        /// A pattern drawn by the user (`task.drawing`).
        Drawn = "drawn",
    }
}
