//! What is learnt.

use serde::{Deserialize, Serialize};

/// What boards are to become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// What the rule of Conway's Life makes of them.
    Life,
    /// A checkerboard that fills the board.
    Checkerboard,
    /// Our lizard.
    Lizard,
    /// Our letter, in colours.
    Letter,
    /// What a person drew.
    Drawn,
}

impl Aim {
    /// Their names in JSON, in the order of the variants.
    pub const NAMES: [&str; 5] = ["life", "checkerboard", "lizard", "letter", "drawn"];

    /// Its name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}
