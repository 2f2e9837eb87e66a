//! `vivarium notices`: licenses of the program and of the third-party crates that it contains.

use crate::terminal;

/// Licenses of all crates that the program contains on any released platform; `scripts/notices.mjs` generates the file.
const NOTICES: &str = include_str!("../notices.txt");

/// Prints the licenses.
pub fn print() {
    terminal::print_text(NOTICES);
}
