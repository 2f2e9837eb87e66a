//! How well a learner does, apart from training.

use super::cube::{CubeCycle, CubeDepth};
use super::games::GameMatch;
use serde::{Deserialize, Serialize};

/// The outcome of an evaluation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Evaluation {
    /// Of a learner that earns rewards.
    Returns(ReturnsEvaluation),
    /// Of a logic CA's hard circuit.
    Logic(LogicEvaluation),
    /// Of a player of a board game.
    Games(GamesEvaluation),
    /// Of whoever solves cubes.
    Cube(CubeEvaluation),
    /// Of a language model.
    Language(LanguageEvaluation),
}

impl Evaluation {
    /// The outcome of a learner that earns rewards.
    #[must_use]
    pub fn returns(&self) -> Option<&ReturnsEvaluation> {
        if let Self::Returns(returns) = self { Some(returns) } else { None }
    }

    /// The outcome of a logic CA.
    #[must_use]
    pub fn logic(&self) -> Option<&LogicEvaluation> {
        if let Self::Logic(logic) = self { Some(logic) } else { None }
    }

    /// The outcome of a player of a board game.
    #[must_use]
    pub fn games(&self) -> Option<&GamesEvaluation> {
        if let Self::Games(games) = self { Some(games) } else { None }
    }

    /// The outcome of whoever solves cubes.
    #[must_use]
    pub fn cube(&self) -> Option<&CubeEvaluation> {
        if let Self::Cube(cube) = self { Some(cube) } else { None }
    }

    /// The outcome of a language model.
    #[must_use]
    pub fn language(&self) -> Option<&LanguageEvaluation> {
        if let Self::Language(language) = self { Some(language) } else { None }
    }
}

/// How many cubes the newest network solves: of 2×2×2 all 3,674,160 states, each by its best move again and again; of 3×3×3
/// random ones, with a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct CubeEvaluation {
    /// Cubes that it was tried on.
    #[cfg_attr(test, ts(type = "number"))]
    pub cubes: u64,
    /// The share of them that it solved.
    pub solved: f64,
    /// Moves of a solution on average; `None` where there was none.
    pub mean_length: Option<f64>,
    /// Of 2×2×2: moves beyond the fewest on average.
    pub mean_excess: Option<f64>,
    /// Of 3×3×3: ways that the search followed side by side.
    pub width: Option<u32>,
    /// Of 2×2×2: by distance from the solved state, from 0 on.
    pub depths: Vec<CubeDepth>,
    /// Of 2×2×2: the cycles in which the others end, the shortest first.
    pub cycles: Vec<CubeCycle>,
}

/// How the best network so far does against every opponent of the ladder, without search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct GamesEvaluation {
    /// A match against each.
    pub matches: Vec<GameMatch>,
}

/// The outcome of evaluation episodes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ReturnsEvaluation {
    /// Mean undiscounted return.
    pub mean: f64,
    /// Standard deviation of the returns.
    pub std: f64,
    /// Smallest return.
    pub min: f64,
    /// Largest return.
    pub max: f64,
    /// Episodes that reached a terminal state, as a share.
    pub terminated: f64,
    /// Mean episode length in steps.
    pub length: f64,
    /// Episodes run.
    pub episodes: u32,
}

/// How well a hard circuit does what it was taught, and what it was not.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogicEvaluation {
    /// Share of cells whose target channels are all right after the steps of the config, on boards that no epoch has
    /// seen, or on all 512 neighbourhoods where the rule of Life is learnt.
    pub accuracy: f64,
    /// Wrong bits over all boards.
    #[cfg_attr(test, ts(type = "number"))]
    pub wrong_bits: u64,
    /// Boards that it was tried on.
    pub boards: u32,
    /// Harder tests, those that make sense for what is learnt.
    pub tests: Vec<LogicTest>,
}

/// One test of a hard circuit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LogicTest {
    /// Such as `damage`.
    pub name: String,
    /// For a person, such as "Damage".
    pub label: String,
    /// Share of what is tested that is right; `None` where that takes too long to find out.
    pub accuracy: Option<f64>,
    /// One or two sentences: what is done and what counts.
    pub help: String,
}

/// How well a model tells text that was held out, and what it knows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageEvaluation {
    /// Mean cross-entropy in nats a token.
    pub loss: f64,
    /// e to the power of the loss: among how many tokens it is as unsure as if all of them were alike.
    pub perplexity: f64,
    /// Standard deviation of the mean loss of a window of text, in nats a token.
    pub std: f64,
    /// Windows of text.
    pub windows: u32,
    /// Tokens that it had to tell in all of them.
    #[cfg_attr(test, ts(type = "number"))]
    pub tokens: u64,
    /// Tokens of its vocabulary.
    pub vocabulary: u32,
    /// What counting achieves on the same text; `None` where there was too little of it.
    pub baselines: Option<LanguageBaselines>,
    /// Questions about the built-in text; `None` for any other.
    pub quiz: Option<LanguageQuiz>,
}

/// Losses of models that only count, in nats a token.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageBaselines {
    /// All tokens are alike.
    pub uniform: f64,
    /// Tokens are as likely as they are frequent.
    pub unigram: f64,
    /// They depend on the token before.
    pub bigram: f64,
    /// They depend on the two tokens before.
    pub trigram: f64,
}

/// How many questions were answered rightly, each with one of four answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageQuiz {
    /// All questions.
    pub all: LanguageScore,
    /// Those whose fact is told only in articles about something else.
    pub elsewhere: LanguageScore,
    /// By what they ask for, such as "capitals of countries".
    pub topics: Vec<(String, LanguageScore)>,
}

/// Questions, and right answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct LanguageScore {
    /// Of these,
    pub asked: u32,
    /// so many.
    pub right: u32,
}

impl LanguageScore {
    /// The share of right answers; `None` if nothing was asked.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        (self.asked > 0).then(|| f64::from(self.right) / f64::from(self.asked))
    }
}
