//! Multiple-choice quiz: the model answers with the ending of highest likelihood per byte.

use super::statement::{Relation, Statement};
use std::collections::{BTreeMap, BTreeSet};
use vivarium_kernels::rng::{Stream, derive};

/// Multiple-choice question: the start of a sentence, and four possible endings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// Relation of the fact that the question asks for, such as the capital of a country.
    pub relation: Relation,
    /// Subject of the fact that the question asks for, such as the country.
    pub subject: String,
    /// Prompt: the start of a sentence that an ending completes, in words that occur in no article.
    pub prompt: String,
    /// Correct ending, without the leading space.
    pub answer: String,
    /// Three incorrect endings, which are correct answers to other questions about the same relation.
    pub distractors: [String; 3],
    /// Whether the fact that the question asks for is stated only in articles about other subjects.
    pub elsewhere: bool,
}

impl Question {
    /// Returns the four endings of the question, each with a leading space; the correct ending is the first.
    pub fn endings(&self) -> impl Iterator<Item = String> {
        std::iter::once(&self.answer).chain(&self.distractors).map(|end| format!(" {end}"))
    }
}

/// Number of the pseudorandom stream from which the distractors are drawn.
const DISTRACTORS: u32 = 0x9e57_0001;
/// Number of the pseudorandom stream from which the order of the questions is drawn.
const ORDER: u32 = 0x9e57_0002;

/// Objects of all facts with the same relation and subject, such as the currencies of one country.
#[derive(Default)]
struct SubjectFacts<'a> {
    objects: BTreeSet<&'a str>,
    /// Whether an article about the subject states at least one of the facts.
    at_home: bool,
}

/// Returns a question for each of the facts `statements` that has a unique answer and at least three distractors.
pub fn generate(seed: u64, statements: &BTreeSet<Statement>) -> Vec<Question> {
    let mut known = BTreeMap::<(Relation, &str), SubjectFacts<'_>>::new();
    let mut objects = BTreeMap::<Relation, BTreeSet<&str>>::new();
    for Statement { relation, subject, object, at_home } in statements {
        let entry = known.entry((*relation, subject)).or_default();
        entry.objects.insert(object);
        entry.at_home |= at_home;
        objects.entry(*relation).or_default().insert(object);
    }
    let mut questions = Vec::new();
    for (place, ((relation, subject), known)) in (0..).zip(known) {
        let Some(&answer) = known.objects.first().filter(|_| known.objects.len() == 1) else { continue };
        let mut others: Vec<&str> = objects[&relation]
            .iter()
            .copied()
            .filter(|&other| !could_be_right(relation, answer, other))
            .collect();
        Stream::new(derive(seed, DISTRACTORS), place).shuffle(&mut others);
        let [first, second, third, ..] = others[..] else { continue };
        questions.push(Question {
            relation,
            subject: subject.to_owned(),
            prompt: relation.prompt(subject),
            answer: answer.to_owned(),
            distractors: [first, second, third].map(str::to_owned),
            elsewhere: !known.at_home,
        });
    }
    Stream::new(derive(seed, ORDER), 0).shuffle(&mut questions);
    questions
}

/// Returns whether `other` must not be an incorrect ending of a question with the correct answer `answer`: `other` is
/// the same answer or arguably correct too. Seas are parts of larger seas, and the borders of Asia are disputed.
fn could_be_right(relation: Relation, answer: &str, other: &str) -> bool {
    let larger = match relation {
        Relation::Mouth => matches!(
            (answer, other),
            (_, "Atlantic Ocean")
                | ("Adriatic Sea" | "Black Sea", "Mediterranean Sea")
                | ("Gulf of Thailand", "South China Sea")
        ),
        Relation::Continent => {
            matches!((answer, other), ("Asia", "Europe" | "Africa") | ("Europe" | "Africa", "Asia"))
        }
        _ => false,
    };
    answer == other || larger
}

/// Score of a quiz: number of questions, and number of correct answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QuizScore {
    /// Number of questions that the model answered.
    pub asked: u32,
    /// Number of questions that the model answered correctly.
    pub right: u32,
}

impl QuizScore {
    /// Returns the fraction of questions that were answered correctly (0.25 for random guessing); `None` if there were
    /// no questions.
    #[must_use]
    pub fn share(self) -> Option<f32> {
        (self.asked > 0).then(|| self.right as f32 / self.asked as f32)
    }

    fn add(&mut self, right: bool) {
        self.asked += 1;
        self.right += u32::from(right);
    }
}

/// Scores of a quiz: over all questions, over the questions about facts that only articles about other subjects state,
/// and for each relation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuizResult {
    /// Score over all questions of the quiz.
    pub all: QuizScore,
    /// Score over the questions whose fact is stated only in articles about other subjects.
    pub elsewhere: QuizScore,
    /// Score over the questions about each relation, such as the capitals of countries.
    pub by_relation: BTreeMap<Relation, QuizScore>,
}

impl QuizResult {
    /// Adds the result of one question to all scores that include the question. `right`: whether the model's answer was
    /// correct.
    pub fn add(&mut self, question: &Question, right: bool) {
        self.all.add(right);
        if question.elsewhere {
            self.elsewhere.add(right);
        }
        self.by_relation.entry(question.relation).or_default().add(right);
    }
}

/// Returns the log-likelihood of each ending of a question in nats per byte; the correct ending is the first. The
/// length normalization avoids a preference for short endings. `log_likelihood` returns the log-likelihood of an ending
/// after a prompt, in nats.
///
/// # Errors
/// Any error that `log_likelihood` returns.
pub fn score_endings<E>(
    question: &Question,
    mut log_likelihood: impl FnMut(&str, &str) -> Result<f64, E>,
) -> Result<[f64; 4], E> {
    let mut by_byte = [0.0; 4];
    for (value, end) in by_byte.iter_mut().zip(question.endings()) {
        *value = log_likelihood(&question.prompt, &end)? / end.len() as f64;
    }
    Ok(by_byte)
}

/// Returns whether the model answered a question correctly: the first of the scores that [`score_endings`] returned
/// (correct ending) is strictly the highest.
#[must_use]
pub fn is_right(by_byte: &[f64; 4]) -> bool {
    by_byte[1..].iter().all(|&other| other < by_byte[0])
}

/// Returns the scores of a model on all `questions`. `log_likelihood` returns the model's log-likelihood of an ending
/// after a prompt; see [`score_endings`].
///
/// # Errors
/// Any error that `log_likelihood` returns.
pub fn grade<E>(
    questions: &[Question],
    mut log_likelihood: impl FnMut(&str, &str) -> Result<f64, E>,
) -> Result<QuizResult, E> {
    let mut grades = QuizResult::default();
    for question in questions {
        grades.add(question, is_right(&score_endings(question, &mut log_likelihood)?));
    }
    Ok(grades)
}
