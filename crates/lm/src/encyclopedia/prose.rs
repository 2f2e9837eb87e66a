//! Construction of an article's text from sentence templates, together with the list of the facts that the text states.

use super::statement::{Relation, Statement};
use vivarium_kernels::rng::Stream;

/// Article of the encyclopedia under construction.
pub struct Prose {
    /// Title and paragraphs of the article written so far.
    pub text: String,
    /// Facts that the article has stated so far.
    pub statements: Vec<Statement>,
    /// Name of the subject that the article is about.
    subject: String,
    stream: Stream,
}

impl Prose {
    /// Starts an article about `subject` with the title `title`. Random choices are drawn from `stream`.
    pub fn new(title: &str, subject: &str, stream: Stream) -> Self {
        let mut text = String::new();
        push_sentence(&mut text, title);
        text.push_str("\n\n");
        Self { text, statements: Vec::new(), subject: subject.to_owned(), stream }
    }

    /// Returns an element of `items` that is drawn at random.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.stream.below(items.len() as u32) as usize]
    }

    /// Draws a random Boolean that is true with probability 1 / `times`.
    pub fn once_in(&mut self, times: u32) -> bool {
        self.stream.below(times) == 0
    }

    /// Returns up to `most` distinct elements of `items`, drawn at random, in random order.
    pub fn some<T: Clone>(&mut self, items: &[T], most: usize) -> Vec<T> {
        let mut items = items.to_vec();
        self.stream.shuffle(&mut items);
        items.truncate(most);
        items
    }

    /// Appends a sentence to the article: a random template of `plans`, in which each placeholder `{name}` is replaced
    /// by the value that `slots` holds for this name.
    pub fn say(&mut self, plans: &[&str], slots: &[(&str, &str)]) {
        let mut sentence = (*self.pick(plans)).to_owned();
        for (name, value) in slots {
            sentence = sentence.replace(&format!("{{{name}}}"), value);
        }
        if !self.text.ends_with('\n') {
            self.text.push(' ');
        }
        push_sentence(&mut self.text, &sentence);
    }

    /// Appends a sentence that states a fact, from a random template of `plans`, and records the fact. The subject
    /// replaces `{s}` and the object replaces `{o}` in the template.
    pub fn state(&mut self, relation: Relation, plans: &[&str], subject: &str, object: &str) {
        self.say(plans, &[("s", subject), ("o", object)]);
        self.note(relation, subject, object);
    }

    /// Records that the article states the fact (`relation`, `subject`, `object`), such as (capital, France, Paris),
    /// without appending text.
    pub fn note(&mut self, relation: Relation, subject: &str, object: &str) {
        let at_home = subject == self.subject;
        let (subject, object) = (subject.to_owned(), object.to_owned());
        self.statements.push(Statement { relation, subject, object, at_home });
    }

    /// Starts a new paragraph of the article.
    pub fn paragraph(&mut self) {
        if !self.text.ends_with('\n') {
            self.text.push_str("\n\n");
        }
    }

    /// Ends the article with a blank line.
    pub fn finish(&mut self) {
        self.text.truncate(self.text.trim_end().len());
        self.text.push_str("\n\n");
    }
}

/// Appends a sentence to `text`, with its first letter capitalized.
fn push_sentence(text: &mut String, sentence: &str) {
    let mut characters = sentence.chars();
    if let Some(first) = characters.next() {
        text.extend(first.to_uppercase());
        text.push_str(characters.as_str());
    }
}

/// Formats a list of names as `a, b and c`.
pub fn list<T: AsRef<str>>(items: &[T]) -> String {
    let mut text = String::new();
    for (place, item) in items.iter().enumerate() {
        text.push_str(match place {
            0 => "",
            _ if place + 1 == items.len() => " and ",
            _ => ", ",
        });
        text.push_str(item.as_ref());
    }
    text
}

/// Returns a name without a leading "the", as titles require.
pub fn without_article(name: &str) -> &str {
    name.strip_prefix("the ").unwrap_or(name)
}
