//! What a model is tried on: text that it does not learn from, and questions.

use super::learning::Batches;
use super::refused;
use crate::error::LabError;
use crate::protocol::{LanguageBaselines, LanguageEvaluation, LanguageQuiz, LanguageScore};
use vivarium_graph::Cpu;
use vivarium_lm::baselines::Baselines;
use vivarium_lm::encyclopedia::{Grades, Question, Score, grade};
use vivarium_lm::{DataError, Gpt, LanguageConfig, LanguageError, Position, Reader, Tokenizer, WordCache};

/// An exam under way: first held-out windows, some at a time, then questions, one at a time.
pub(super) struct Exam {
    /// Where the next window is.
    position: Position,
    windows: u32,
    told: u32,
    /// Sum of the losses of the windows so far.
    sum: f64,
    questions: usize,
    asked: usize,
    grades: Grades,
    reader: Option<Reader>,
}

/// What an exam is held with.
pub(super) struct Candidate<'a> {
    pub(super) config: &'a LanguageConfig,
    pub(super) gpt: &'a mut Gpt,
    pub(super) tokenizer: &'a Tokenizer,
}

/// Why an exam cannot go on.
pub(super) enum Stopped {
    Text(DataError),
    Model(LabError),
}

impl Exam {
    /// One in up to so many windows and questions. `edition` says how the windows are cut and drawn: the same one, the same
    /// exam.
    pub(super) fn new(held_out: &Batches, windows: u32, questions: usize, edition: u32) -> Self {
        Self {
            position: Position { epoch: edition, ..Position::default() },
            windows: held_out.count().map_or(windows, |most| windows.min(most)).max(1),
            told: 0,
            sum: 0.0,
            questions,
            asked: 0,
            grades: Grades::default(),
            reader: None,
        }
    }

    /// Goes on for a slice. Returns whether there is more.
    pub(super) fn advance(
        &mut self,
        cpu: &Cpu,
        candidate: &mut Candidate<'_>,
        held_out: &mut Batches,
        questions: &[Question],
    ) -> Result<bool, Stopped> {
        if self.told < self.windows {
            self.tell(cpu, candidate, held_out)?;
        } else if let Some(question) = questions.get(self.asked).filter(|_| self.asked < self.questions) {
            let right =
                self.ask(cpu, candidate, question).map_err(|error| Stopped::Model(refused(&error)))?;
            self.grades.add(question, right);
            self.asked += 1;
        }
        Ok(self.told < self.windows || self.asked < self.questions.min(questions.len()))
    }

    /// As many windows as a gradient step learns from.
    fn tell(
        &mut self,
        cpu: &Cpu,
        candidate: &mut Candidate<'_>,
        held_out: &mut Batches,
    ) -> Result<(), Stopped> {
        let rows = candidate.config.batch.min(self.windows - self.told);
        held_out.seek(self.position).map_err(Stopped::Text)?;
        let sequences = held_out.next(rows as usize).map_err(Stopped::Text)?;
        let loss = candidate.gpt.loss(cpu, sequences);
        let loss = loss.map_err(|error| Stopped::Model(refused(&error)))?;
        self.position = held_out.position();
        self.sum += loss * f64::from(rows);
        self.told += rows;
        Ok(())
    }

    /// Whether the right end of a sentence seems likelier than the three others.
    fn ask(
        &mut self,
        cpu: &Cpu,
        candidate: &Candidate<'_>,
        question: &Question,
    ) -> Result<bool, LanguageError> {
        let Candidate { config, gpt, tokenizer } = candidate;
        if self.reader.is_none() {
            self.reader = Some(Reader::new(config, gpt.vocabulary())?);
        }
        let Some(reader) = &mut self.reader else { return Ok(false) };
        let mut words = WordCache::default();
        let mut tokens = |text: &str| {
            let mut tokens = Vec::new();
            tokenizer.encode(text, &mut words, &mut tokens)?;
            Ok::<_, LanguageError>(tokens)
        };
        let grades = grade(std::slice::from_ref(question), |prompt, end| {
            reader.clear();
            let mut surprise = 0.0;
            let mut latest = tokens(prompt)?;
            for token in tokens(end)? {
                surprise += surprise_at(reader.read(cpu.level(), gpt, &latest)?, token);
                latest = vec![token];
            }
            Ok::<_, LanguageError>(-surprise)
        })?;
        Ok(grades.all.right > 0)
    }

    /// Mean cross-entropy of the windows so far, in nats a token.
    fn loss(&self) -> f64 {
        self.sum / f64::from(self.told.max(1))
    }

    /// What has come of it.
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
            tokens: u64::from(self.told) * u64::from(config.context),
            vocabulary: vocabulary as u32,
            baselines: baselines.map(|Baselines { uniform, unigram, bigram, trigram }| LanguageBaselines {
                uniform,
                unigram,
                bigram,
                trigram,
            }),
            quiz: (self.asked > 0).then(|| LanguageQuiz {
                all: score(self.grades.all),
                elsewhere: score(self.grades.elsewhere),
                topics: self
                    .grades
                    .by_relation
                    .iter()
                    .map(|(relation, &of)| (relation.name().to_owned(), score(of)))
                    .collect(),
            }),
        }
    }
}

fn score(Score { asked, right }: Score) -> LanguageScore {
    LanguageScore { asked, right }
}

/// −log softmax of the logits at a token.
fn surprise_at(logits: &[f32], token: u32) -> f64 {
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f64 = logits.iter().map(|&logit| f64::from(logit - largest).exp()).sum();
    sum.ln() - f64::from(logits[token as usize] - largest)
}
