//! Cubes in the terminal: evaluation, `vivarium scramble` and `vivarium solve`.

pub mod eval;
pub mod scramble;
pub mod solve;

use crate::error::CliError;
use vivarium_lab::spelling;

/// Returns the error for a name that is not the name of a cube.
fn not_a_cube(name: &str) -> CliError {
    let hint = spelling::nearest(name, ["cube2", "cube3"]);
    let hint = hint.map_or(String::new(), |name| format!("; did you mean {name}?"));
    CliError::usage(format!("{name} is not a cube; use cube2 or cube3{hint}"))
}
