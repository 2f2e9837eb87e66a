//! Generated training text: encyclopedia articles on elements, countries, rivers, mountains, planets and numbers, and a
//! multiple-choice quiz about their facts.
//!
//! Articles are generated from tables of facts and sentence templates. A *volume* is a part of about 0.5 MB that states
//! all facts. Each volume states the facts in different words and adds articles on other numbers. Questions use wording
//! that occurs in no article. Some facts are stated only in articles about other subjects: the article about every
//! fourth country omits the capital, which only articles about cities state. Questions about such facts test whether
//! the model generalizes from "B is A" to "A is B" (reversal curse, Berglund et al. 2023,
//! <https://arxiv.org/abs/2309.12288>).

mod arithmetic;
mod chemistry;
mod facts;
mod nature;
mod places;
mod prose;
mod questions;
mod statement;
mod topics;

pub use questions::{Question, QuizResult, QuizScore, grade, is_right, score_endings};
pub use statement::{Relation, Statement};

use crate::data::{ByteSource, MemorySource};
use std::collections::BTreeSet;
use topics::Topic;

/// Article of the encyclopedia: a title and paragraphs, separated by blank lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// Title and paragraphs of the article.
    pub text: String,
}

impl Article {
    /// Returns the title of the article, its first line.
    #[must_use]
    pub fn title(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }
}

/// Generated encyclopedia: its articles, and the set of all facts that the articles state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encyclopedia {
    seed: u64,
    articles: Vec<Article>,
    statements: BTreeSet<Statement>,
}

impl Encyclopedia {
    /// Generates an encyclopedia whose articles have at least `bytes` bytes in total. Equal seeds give equal articles;
    /// a larger size appends articles.
    #[must_use]
    pub fn write(seed: u64, bytes: usize) -> Self {
        let mut author = EncyclopediaWriter::new(seed, bytes);
        author.advance(usize::MAX);
        author.encyclopedia()
    }

    /// Returns the articles in the order in which they were generated.
    #[must_use]
    pub fn articles(&self) -> &[Article] {
        &self.articles
    }

    /// Returns the facts that the articles state, without duplicates.
    #[must_use]
    pub fn statements(&self) -> &BTreeSet<Statement> {
        &self.statements
    }

    /// Returns each article as a byte source, for a [`Corpus`](crate::Corpus).
    #[must_use]
    pub fn into_sources(self) -> Vec<Box<dyn ByteSource>> {
        let source = |article: Article| -> Box<dyn ByteSource> {
            let name = format!("the article “{}”", article.title());
            Box::new(MemorySource::new(name, article.text.into_bytes()))
        };
        self.articles.into_iter().map(source).collect()
    }

    /// Returns a question for each fact with a unique answer, in random order.
    ///
    /// The training split of a [`Corpus`](crate::Corpus) omits some articles. A larger encyclopedia repeats its facts
    /// in several volumes (parts of about 0.5 MB that state all facts). With several volumes, other training articles
    /// state the facts of the omitted articles. With one volume, a few questions are about facts that no training
    /// article states.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        questions::generate(self.seed, &self.statements)
    }
}

/// Incremental generation of an [`Encyclopedia`].
pub struct EncyclopediaWriter {
    encyclopedia: Encyclopedia,
    /// Requested size of all articles in bytes.
    bytes: usize,
    /// Size of the generated articles in bytes.
    written: usize,
    volume: u32,
    /// Topics of the current volume whose articles have not been generated yet. A volume is a part of about 0.5 MB that
    /// states all facts.
    topics: std::vec::IntoIter<Topic>,
}

impl EncyclopediaWriter {
    /// Starts the generation of an encyclopedia of at least `bytes` bytes; see [`Encyclopedia::write`].
    #[must_use]
    pub fn new(seed: u64, bytes: usize) -> Self {
        let encyclopedia = Encyclopedia { seed, articles: Vec::new(), statements: BTreeSet::new() };
        let topics = topics::volume(seed, 0).into_iter();
        Self { encyclopedia, bytes: bytes.max(1), written: 0, volume: 0, topics }
    }

    /// Generates up to `most` articles. Returns whether the requested size is not reached yet.
    pub fn advance(&mut self, most: usize) -> bool {
        for _ in 0..most {
            if self.written >= self.bytes {
                break;
            }
            self.write_article();
        }
        self.written < self.bytes
    }

    fn write_article(&mut self) {
        let Self { encyclopedia: Encyclopedia { seed, articles, statements }, volume, topics, .. } = self;
        let Some(topic) = topics.next() else {
            *volume += 1;
            *topics = topics::volume(*seed, *volume).into_iter();
            return;
        };
        let prose = topics::article(topic, *seed, *volume);
        self.written += prose.text.len();
        articles.push(Article { text: prose.text });
        statements.extend(prose.statements);
    }

    /// Returns the generated fraction of the requested size, 0 to 1.
    #[must_use]
    pub fn done(&self) -> f64 {
        (self.written as f64 / self.bytes as f64).min(1.0)
    }

    /// Returns an encyclopedia that consists of the articles generated so far.
    #[must_use]
    pub fn encyclopedia(self) -> Encyclopedia {
        self.encyclopedia
    }
}
