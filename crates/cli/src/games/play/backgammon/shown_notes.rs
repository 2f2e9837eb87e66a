//! Notes on units and methods, each of which a session prints once.

use crate::games::doubling_text::NotedText;

/// Notes that a session has printed.
#[derive(Default)]
pub struct ShownNotes(Vec<String>);

impl ShownNotes {
    /// Returns a text with its note, or without the note if the session has printed it.
    pub fn text(&mut self, text: &NotedText) -> String {
        if self.0.contains(&text.note) {
            return text.text.clone();
        }
        self.0.push(text.note.clone());
        text.full()
    }
}
