//! Evaluation of a model: loss on held-out text, and accuracy on quiz questions.

use super::failure::LanguageFailure;
use super::quiz::{self, EvaluatedModel, SentenceScorer};
use crate::protocol::{LanguageAnswer, LanguageQuizView};
use crate::protocol::{LanguageBaselines, LanguageEvaluation, LanguageQuiz, LanguageScore};
use vivarium_graph::Cpu;
use vivarium_lm::baselines::Baselines;
use vivarium_lm::encyclopedia::{Question, QuizResult, QuizScore, is_right, score_endings};
use vivarium_lm::{BatchStream, LanguageConfig, TextPosition};

/// Approximate number of held-out tokens that each thread evaluates per call of [`RunningEvaluation::advance`].
const TOKENS: u32 = 128;

/// Evaluation of a model in progress. First evaluates windows (sequences of context length) of held-out text, then the
/// quiz questions, one by one.
pub(super) struct RunningEvaluation {
    /// Position in the held-out text at which the next window (sequence of context length) starts.
    position: TextPosition,
    windows: u32,
    /// Number of windows (sequences of context length) evaluated so far.
    read: u32,
    /// Sum, over the evaluated windows, of a window's mean loss in nats per token.
    sum: f64,
    /// Sum, over the evaluated windows, of the square of a window's mean loss in nats per token.
    squares: f64,
    questions: usize,
    asked: usize,
    grades: QuizResult,
    answers: Vec<LanguageAnswer>,
    scorer: Option<SentenceScorer>,
}

impl RunningEvaluation {
    /// Starts an evaluation on at most `windows` windows (sequences of context length) of the text `held_out`, and on
    /// `questions` quiz questions. The windows are selected at random; equal values of `edition` select equal windows.
    pub(super) fn new(held_out: &BatchStream, windows: u32, questions: usize, edition: u32) -> Self {
        Self {
            position: TextPosition { epoch: edition, ..TextPosition::default() },
            windows: held_out.windows().per_epoch().map_or(windows, |most| windows.min(most)).max(1),
            read: 0,
            sum: 0.0,
            squares: 0.0,
            questions,
            asked: 0,
            grades: QuizResult::default(),
            answers: Vec::new(),
            scorer: None,
        }
    }

    /// Advances the evaluation: computes the loss of a few windows, or scores one question. Returns whether work
    /// remains.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        candidate: &mut EvaluatedModel<'_>,
        held_out: &mut BatchStream,
        questions: &[Question],
    ) -> Result<bool, LanguageFailure> {
        if self.read < self.windows {
            self.read_windows(cpu, candidate, held_out)?;
        } else if let Some(question) = questions.get(self.asked).filter(|_| self.asked < self.questions) {
            self.answer_question(cpu, candidate, question)?;
        }
        Ok(self.read < self.windows || self.asked < self.questions.min(questions.len()))
    }

    /// Computes the model's losses on a few windows (sequences of context length) per thread, and adds these losses and
    /// their squares to the sums of the evaluation.
    fn read_windows(
        &mut self,
        cpu: &Cpu,
        candidate: &mut EvaluatedModel<'_>,
        held_out: &mut BatchStream,
    ) -> Result<(), LanguageFailure> {
        let together = (TOKENS / candidate.config.context).max(1) * cpu.threads() as u32;
        let rows = together.min(self.windows - self.read);
        held_out.seek(self.position)?;
        while held_out.draw(rows as usize)? {}
        let losses = candidate.gpt.losses(cpu, held_out.sequences())?;
        self.position = held_out.position();
        self.sum += losses.iter().sum::<f64>();
        self.squares += losses.iter().map(|loss| loss * loss).sum::<f64>();
        self.read += rows;
        Ok(())
    }

    /// Computes the model's answer to one quiz question from the log-likelihoods of its four endings, and adds the
    /// result to the quiz scores.
    fn answer_question(
        &mut self,
        cpu: &Cpu,
        candidate: &EvaluatedModel<'_>,
        question: &Question,
    ) -> Result<(), LanguageFailure> {
        let scorer = match &mut self.scorer {
            Some(scorer) => scorer,
            none => none.insert(SentenceScorer::new(candidate)?),
        };
        let likely = |prompt: &str, end: &str| scorer.log_likelihood(cpu.level(), candidate, prompt, end);
        let by_byte = score_endings(question, likely)?;
        if self.answers.len() < quiz::MAX_ANSWERS {
            self.answers.push(quiz::answer(question, self.asked as u32, &by_byte));
        }
        self.grades.add(question, is_right(&by_byte));
        self.asked += 1;
        Ok(())
    }

    /// Returns the finished fraction of the evaluation, 0 to 1: completed windows (sequences of held-out text) plus
    /// answered quiz questions, divided by the requested number of windows and questions.
    pub(super) fn done(&self) -> f64 {
        let all = f64::from(self.windows) + self.questions as f64;
        (f64::from(self.read) + self.asked as f64) / all
    }

    /// Writes the quiz scores and answers so far to `view`, the JSON document `quiz`. Before the first question, `view`
    /// keeps the answers of the previous evaluation. `running` states whether the evaluation is in progress.
    pub(super) fn show(&self, view: &mut LanguageQuizView, running: bool) {
        if self.asked == 0 {
            view.running = false;
            return;
        }
        *view = LanguageQuizView {
            running,
            asked: self.grades.all.asked,
            right: self.grades.all.right,
            topics: self.topics(),
            answers: self.answers.clone(),
        };
    }

    /// Returns the quiz scores by topic (relation), such as "capitals of countries".
    fn topics(&self) -> Vec<(String, LanguageScore)> {
        let topics = self.grades.by_relation.iter();
        topics.map(|(relation, &of)| (relation.name().to_owned(), score(of))).collect()
    }

    /// Returns the mean cross-entropy of the windows (sequences of held-out text) evaluated so far, in nats per token.
    fn loss(&self) -> f64 {
        self.sum / f64::from(self.read.max(1))
    }

    /// Returns the standard deviation, over the evaluated windows, of a window's mean loss in nats per token; 0 for a
    /// single window.
    fn deviation(&self) -> f64 {
        let variance = self.squares / f64::from(self.read.max(1)) - self.loss() * self.loss();
        variance.max(0.0).sqrt()
    }

    /// Returns the evaluation result over the windows and questions evaluated so far.
    pub(super) fn outcome(
        &self,
        config: &LanguageConfig,
        vocabulary: usize,
        baselines: Option<Baselines>,
    ) -> LanguageEvaluation {
        let loss = self.loss();
        LanguageEvaluation {
            loss,
            perplexity: loss.exp(),
            std: self.deviation(),
            windows: self.read,
            tokens: u64::from(self.read) * u64::from(config.context),
            vocabulary: vocabulary as u32,
            baselines: baselines.map(LanguageBaselines::from),
            quiz: (self.asked > 0).then(|| LanguageQuiz {
                all: score(self.grades.all),
                elsewhere: score(self.grades.elsewhere),
                topics: self.topics(),
            }),
        }
    }
}

impl From<Baselines> for LanguageBaselines {
    fn from(Baselines { uniform, unigram, bigram, trigram }: Baselines) -> Self {
        Self { uniform, unigram, bigram, trigram }
    }
}

fn score(QuizScore { asked, right }: QuizScore) -> LanguageScore {
    LanguageScore { asked, right }
}
