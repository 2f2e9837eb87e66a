//! Two-phase solver of the 3×3×3 cube, and random-state scrambles of both cubes.

use crate::error::ToolError;
use std::sync::LazyLock;
use vivarium_envs::cube::{
    Cube2Scrambler, Cube3, Cube3Scrambler, StateScrambler, TurnMetric, TwoPhaseSolver, format_turns,
};
use vivarium_kernels::rng::Stream;
use vivarium_lab::LabError;
use wasm_bindgen::prelude::*;

static CUBE2: LazyLock<Cube2Scrambler> = LazyLock::new(Cube2Scrambler::default);

/// Computes the tables of the two-phase solver, if they are not computed yet. The tables are used by [`two_phase`] and
/// by scrambles of the 3×3×3 cube.
#[wasm_bindgen(js_name = prepareTwoPhase)]
pub fn prepare_two_phase() {
    let _ = TwoPhaseSolver::new(TurnMetric::Half);
    let _ = TwoPhaseSolver::new(TurnMetric::Quarter);
}

/// Solves the 3×3×3 cube with the 54 sticker colors `stickers` by the two-phase algorithm. Returns the turns in standard
/// notation: few moves of the half-turn metric if `half`, otherwise of the quarter-turn metric.
#[wasm_bindgen(js_name = twoPhase)]
pub fn two_phase(stickers: &str, half: bool, nodes: u32) -> Result<String, ToolError> {
    let cube = Cube3::from_stickers(stickers).map_err(|error| {
        LabError::invalid("stickers", vivarium_lab::config::shorten(stickers), error.to_string())
    })?;
    let metric = if half { TurnMetric::Half } else { TurnMetric::Quarter };
    Ok(format_turns(&TwoPhaseSolver::new(metric).solve(&cube, nodes.into()).turns))
}

/// Returns a random-state scramble of the 3×3×3 cube if `large`, otherwise of the 2×2×2 cube. `seed` and `stream` are 96
/// random bits, more than the number of states of the cube.
#[wasm_bindgen]
pub fn scramble(large: bool, seed: u64, stream: u32) -> String {
    let mut random = Stream::new(seed, stream);
    format_turns(&if large {
        Cube3Scrambler::default().scramble(&mut random).turns
    } else {
        CUBE2.scramble(&mut random).turns
    })
}
