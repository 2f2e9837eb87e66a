//! Kinds of training targets.

vivarium_config::choice! {
    /// Kind of training target: the desired state of the boards after the last step.
    pub enum TargetKind {
        /// The boards that Conway's Game of Life produces from the same initial state.
        Life = "life",
        /// A checkerboard with squares of 2×2 cells that fills the board.
        Checkerboard = "checkerboard",
        /// The built-in lizard, in one channel.
        Lizard = "lizard",
        /// The built-in letter V, in three color channels.
        Letter = "letter",
        /// A pattern drawn by the user (`task.drawing`).
        Drawn = "drawn",
    }
}
