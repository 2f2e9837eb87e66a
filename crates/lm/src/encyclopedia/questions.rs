//! Questions about what has been read, graded by which of four answers is the likeliest.

use super::statement::{Relation, Statement};
use std::collections::{BTreeMap, BTreeSet};
use vivarium_kernels::rng::{Stream, derive};

/// The beginning of a sentence, and four ways to end it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What it asks for.
    pub relation: Relation,
    /// Whom it asks about.
    pub subject: String,
    /// How the sentence begins. No article has these words.
    pub prompt: String,
    /// How it rightly ends, after a space.
    pub answer: String,
    /// Three other ends, each of which would be right of something else.
    pub distractors: [String; 3],
    /// Whether the fact is stated only in articles about something else.
    pub elsewhere: bool,
}

impl Question {
    /// The four ends, the right one first, each with the space before it.
    pub fn ends(&self) -> impl Iterator<Item = String> {
        std::iter::once(&self.answer).chain(&self.distractors).map(|end| format!(" {end}"))
    }
}

/// What questions draw their distractors with.
const DISTRACTORS: u32 = 0x9e57_0001;
const ORDER: u32 = 0x9e57_0002;

/// What is stated of a subject, and whether at home.
#[derive(Default)]
struct Known<'a> {
    objects: BTreeSet<&'a str>,
    at_home: bool,
}

/// A question for each fact that has one answer and whose relation has three others.
pub fn ask(seed: u64, statements: &BTreeSet<Statement>) -> Vec<Question> {
    let mut known = BTreeMap::<(Relation, &str), Known<'_>>::new();
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

/// Whether another answer is right as well, or could be said to be: seas are parts of larger ones, and Asia has no clear end.
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

/// How many questions were answered rightly.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Of these,
    pub asked: u32,
    /// so many.
    pub right: u32,
}

impl Score {
    /// The share of right answers; a quarter is what guessing gives. `None` if nothing was asked.
    #[must_use]
    pub fn share(self) -> Option<f32> {
        (self.asked > 0).then(|| self.right as f32 / self.asked as f32)
    }

    fn add(&mut self, right: bool) {
        self.asked += 1;
        self.right += u32::from(right);
    }
}

/// The result of a quiz.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grades {
    /// All questions.
    pub all: Score,
    /// Those whose fact is stated only in articles about something else.
    pub elsewhere: Score,
    /// By what is asked for.
    pub by_relation: BTreeMap<Relation, Score>,
}

impl Grades {
    /// Counts an answer.
    pub fn add(&mut self, question: &Question, right: bool) {
        self.all.add(right);
        if question.elsewhere {
            self.elsewhere.add(right);
        }
        self.by_relation.entry(question.relation).or_default().add(right);
    }
}

/// How likely each end of a question is, the right one first, in nats a byte: by byte, so that a long end is not taken for a
/// bad one. `log_likelihood` says how likely an end is after a prompt, in nats.
///
/// # Errors
/// What `log_likelihood` says.
pub fn weigh<E>(
    question: &Question,
    mut log_likelihood: impl FnMut(&str, &str) -> Result<f64, E>,
) -> Result<[f64; 4], E> {
    let mut by_byte = [0.0; 4];
    for (value, end) in by_byte.iter_mut().zip(question.ends()) {
        *value = log_likelihood(&question.prompt, &end)? / end.len() as f64;
    }
    Ok(by_byte)
}

/// Whether what [`weigh`] found is right: no other end is as likely.
#[must_use]
pub fn is_right(by_byte: &[f64; 4]) -> bool {
    by_byte[1..].iter().all(|&other| other < by_byte[0])
}

/// Asks all questions; see [`weigh`].
///
/// # Errors
/// What `log_likelihood` says.
pub fn grade<E>(
    questions: &[Question],
    mut log_likelihood: impl FnMut(&str, &str) -> Result<f64, E>,
) -> Result<Grades, E> {
    let mut grades = Grades::default();
    for question in questions {
        grades.add(question, is_right(&weigh(question, &mut log_likelihood)?));
    }
    Ok(grades)
}
