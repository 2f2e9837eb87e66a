//! Evaluators of the analysis of a match.

/// Evaluator of the positions of an analysis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnalysisEvaluator {
    /// Network of the analysis.
    #[default]
    Network,
    /// GNU Backgammon.
    Gnubg,
}

impl AnalysisEvaluator {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Gnubg => "gnubg",
        }
    }

    /// Returns the evaluator as the possessor of an evaluation.
    pub(super) fn possessive(self) -> &'static str {
        match self {
            Self::Network => "the network's",
            Self::Gnubg => "GNU Backgammon's",
        }
    }

    /// Returns a sentence on the strength of the evaluator, with a space at its end; empty for a strong evaluator.
    pub(super) fn caution(self) -> &'static str {
        match self {
            Self::Network => {
                "The network is weaker than GNU Backgammon and overestimates the errors of strong players. "
            }
            Self::Gnubg => "",
        }
    }
}
