//! Errors of the notation.

/// Parse error of a [`CubeAlgorithm`](super::CubeAlgorithm).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{token:?} at {}: {problem}", self.place())]
pub struct CubeNotationError {
    /// Line of the error, starting at 1.
    pub line: usize,
    /// Position of the error in its line in characters, starting at 1.
    pub column: usize,
    /// Invalid part of the text.
    pub token: String,
    /// Problem and remedy.
    pub problem: String,
}

impl CubeNotationError {
    /// Returns the place of the error in words.
    fn place(&self) -> String {
        match self.line {
            1 => format!("character {}", self.column),
            line => format!("line {line}, character {}", self.column),
        }
    }
}
