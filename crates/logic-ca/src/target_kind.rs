//! Kinds of training targets.

vivarium_config::choice! {
    /// Kind of training target: the desired state of the boards after the last step.
    pub enum TargetKind {
        /// The state that the rule of Conway's Game of Life produces from the initial state of the boards.
        Life = "life",
        /// A checkerboard with squares of 2×2 cells that fills the board.
        Checkerboard = "checkerboard",
        /// The built-in picture of a lizard, in one channel.
        Lizard = "lizard",
        /// The built-in letter V, in three color channels.
        Letter = "letter",
        /// A pattern drawn by the user (`task.drawing`).
        Drawn = "drawn",
    }
}
