//! Stages of an algorithm of several lines, such as the cross of a solution.

use super::algorithm::CubeAlgorithm;
use super::error::CubeNotationError;
use crate::cube::turn::CubeSize;

/// Line of an algorithm with moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlgorithmStage {
    /// Comment after `//`; `None` without a comment.
    pub name: Option<String>,
    /// Moves of the line.
    pub algorithm: CubeAlgorithm,
}

impl AlgorithmStage {
    /// Parses an algorithm line by line. Lines without moves are dropped. An algorithm with brackets over several lines is
    /// one stage without a name.
    ///
    /// # Errors
    /// [`CubeNotationError`] with the position of the first error in the text.
    pub fn parse(text: &str, size: CubeSize) -> Result<Vec<Self>, CubeNotationError> {
        let whole = CubeAlgorithm::parse(text, size)?;
        let mut stages = Vec::new();
        for line in text.lines() {
            let Ok(algorithm) = CubeAlgorithm::parse(line, size) else {
                return Ok(vec![Self { name: None, algorithm: whole }]);
            };
            let comment = line.split_once("//").map_or("", |(_, comment)| comment.trim());
            if !algorithm.parts.is_empty() {
                stages.push(Self { name: (!comment.is_empty()).then(|| comment.to_owned()), algorithm });
            }
        }
        Ok(stages)
    }
}
