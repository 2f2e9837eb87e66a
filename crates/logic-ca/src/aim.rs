//! What is learned.

vivarium_config::choice! {
    /// What boards are to become.
    pub enum Aim {
        /// What the rule of Conway's Life makes of them.
        Life = "life",
        /// A checkerboard that fills the board.
        Checkerboard = "checkerboard",
        /// Our lizard.
        Lizard = "lizard",
        /// Our letter, in colors.
        Letter = "letter",
        /// What a person drew.
        Drawn = "drawn",
    }
}
