//! An encyclopedia that writes itself: articles on elements, countries, rivers, mountains, planets and numbers, and
//! questions that show what somebody has learnt from them.
//!
//! It is made from tables of facts and plans for sentences. It comes in volumes: each tells all of the facts in
//! other words than the last, and of some numbers that no other has. Questions ask for what articles state, but in words that no
//! article has. Some facts are never stated where one would look first: the capital of every fourth country stands only
//! in articles about its capital and its neighbours, and what asks for it asks whether a model can turn a sentence round.

mod arithmetic;
mod chemistry;
mod facts;
mod nature;
mod places;
mod prose;
mod questions;
mod statement;
mod topics;

pub use questions::{Grades, Question, Score, grade, is_right, weigh};
pub use statement::{Relation, Statement};

use crate::data::{Memory, Source};
use std::collections::BTreeSet;
use topics::Topic;

/// An article: its title, a blank line, paragraphs with blank lines between, and a blank line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    /// All of it.
    pub text: String,
}

impl Article {
    /// The first line.
    #[must_use]
    pub fn title(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }
}

/// Articles, and what they state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encyclopedia {
    seed: u64,
    articles: Vec<Article>,
    statements: BTreeSet<Statement>,
}

impl Encyclopedia {
    /// Writes articles until they have this many bytes, at least one of them. The same seed gives the same articles, and more
    /// bytes more of them. A volume has about half a megabyte.
    #[must_use]
    pub fn write(seed: u64, bytes: usize) -> Self {
        let mut author = Author::new(seed, bytes);
        author.advance(usize::MAX);
        author.encyclopedia()
    }

    /// The articles, in order.
    #[must_use]
    pub fn articles(&self) -> &[Article] {
        &self.articles
    }

    /// What they state, each fact once for where it is stated.
    #[must_use]
    pub fn statements(&self) -> &BTreeSet<Statement> {
        &self.statements
    }

    /// Each article as a text of its own, to make a [`Corpus`](crate::Corpus) of.
    #[must_use]
    pub fn into_sources(self) -> Vec<Box<dyn Source>> {
        let source = |article: Article| -> Box<dyn Source> {
            let name = format!("the article “{}”", article.title());
            Box::new(Memory::new(name, article.text.into_bytes()))
        };
        self.articles.into_iter().map(source).collect()
    }

    /// A question for each fact that has one answer, in a random order.
    ///
    /// A corpus keeps some articles for validation. With several volumes, their facts are still told by articles that
    /// are trained on; with one, a few questions ask for what was held out.
    #[must_use]
    pub fn questions(&self) -> Vec<Question> {
        questions::ask(self.seed, &self.statements)
    }
}

/// Writes an encyclopedia some articles at a time, so that progress can be reported.
pub struct Author {
    encyclopedia: Encyclopedia,
    /// Bytes that are to be written, and that have been.
    bytes: usize,
    written: usize,
    volume: u32,
    /// What is left of the volume.
    topics: std::vec::IntoIter<Topic>,
}

impl Author {
    /// One who will write what [`Encyclopedia::write`] does.
    #[must_use]
    pub fn new(seed: u64, bytes: usize) -> Self {
        let encyclopedia = Encyclopedia { seed, articles: Vec::new(), statements: BTreeSet::new() };
        let topics = topics::volume(seed, 0).into_iter();
        Self { encyclopedia, bytes: bytes.max(1), written: 0, volume: 0, topics }
    }

    /// Writes up to `most` articles. Returns whether there are more to write.
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

    /// The share that has been written.
    #[must_use]
    pub fn done(&self) -> f64 {
        (self.written as f64 / self.bytes as f64).min(1.0)
    }

    /// What has been written.
    #[must_use]
    pub fn encyclopedia(self) -> Encyclopedia {
        self.encyclopedia
    }
}
