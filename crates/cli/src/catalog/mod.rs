//! Listings of the config fields and the presets of an experiment: `vivarium fields` and `vivarium presets`.

pub mod fields;
pub mod presets;

use crate::text;

/// Width of the listings in columns.
const WIDTH: usize = 100;

/// Appends `words` to `text`, wrapped into lines that are indented by `indent` columns.
fn append_wrapped(text: &mut String, words: &str, indent: usize) {
    for line in text::wrapped(words, WIDTH - indent) {
        *text += &format!("{:indent$}{line}\n", "");
    }
}
