//! Cubes in the terminal: evaluation, `vivarium scramble`, `vivarium solve` and `vivarium alg`.

pub mod algorithm;
pub mod eval;
pub mod scramble;
pub mod solve;

use vivarium_envs::cube::{CubeSize, Face};
use vivarium_lab::spelling;

/// Names of the experiments with a cube.
const NAMES: [&str; 2] = [experiment_name(CubeSize::Two), experiment_name(CubeSize::Three)];

/// Parses the name of a cube: of its experiment, such as `cube3`, or of the puzzle, such as `333` or `3x3x3`.
///
/// # Errors
/// A message with the names of the cubes.
fn parse_cube_name(name: &str) -> Result<CubeSize, String> {
    match name.to_lowercase().replace('×', "x").as_str() {
        "cube2" | "222" | "2x2x2" | "2x2" => Ok(CubeSize::Two),
        "cube3" | "333" | "3x3x3" | "3x3" => Ok(CubeSize::Three),
        _ => {
            let hint = spelling::nearest(name, NAMES);
            let hint = hint.map_or(String::new(), |name| format!("; did you mean {name}?"));
            Err(format!("{name} is not a cube; use cube2 (also 222, 2x2x2) or cube3 (also 333, 3x3x3){hint}"))
        }
    }
}

/// Returns the name of the experiment with a cube.
const fn experiment_name(size: CubeSize) -> &'static str {
    match size {
        CubeSize::Two => "cube2",
        CubeSize::Three => "cube3",
    }
}

/// Returns the letters of stickers, as `vivarium solve --stickers` reads them.
fn sticker_letters(stickers: &[Face]) -> String {
    stickers.iter().map(Face::to_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cubes_have_the_names_of_the_experiment_and_of_the_puzzle() {
        for name in ["cube3", "333", "3x3x3", "3X3", "3×3×3"] {
            assert_eq!(parse_cube_name(name), Ok(CubeSize::Three), "{name}");
        }
        for name in ["cube2", "222", "2x2x2", "Cube2"] {
            assert_eq!(parse_cube_name(name), Ok(CubeSize::Two), "{name}");
        }
        let error = parse_cube_name("cube4").unwrap_err();
        assert!(error.contains("cube4 is not a cube") && error.contains("did you mean"), "{error}");
    }
}
