//! How much memory a run takes: what does not fit is refused in words before anything is made.

use crate::config::LogicConfig;
use crate::gate::{Coefficients, FUNCTIONS};
use crate::local_search;
use crate::soft::{LANES, MAX_GROUPS};
use crate::wiring::NEIGHBORHOOD;

/// Bytes that a run may take in a page, which has 1 GiB for everything: for one run and, while that takes its place, the
/// next.
const MOST_IN_A_PAGE: u64 = 5 << 26;

/// Bytes that a run may take.
pub const MOST: u64 = if cfg!(target_arch = "wasm32") { MOST_IN_A_PAGE } else { 1 << 30 };

/// Bytes that a learner of this config keeps, whose fields are all in range; each thread takes a little more.
#[must_use]
pub fn needed(config: &LogicConfig) -> u64 {
    let [boards, width, height, channels, steps] =
        [config.batch, config.width, config.height, config.channels, config.steps].map(u64::from);
    let (cells, number) = (width * height, size_of::<f32>() as u64);
    let (places, lanes_of_block) = (NEIGHBORHOOD as u64, LANES as u64);
    let blocks = (boards * cells).div_ceil(lanes_of_block) + 1;
    // The states of all steps, the loss's gradient, and two neighborhoods of gradients.
    let rows = channels * (steps + 2 + 2 * places);
    // Who fires in a step, and the numbers by which that is drawn.
    let firing = if config.fire_rate < 1.0 { steps + 1 } else { 0 };
    let soft = blocks * lanes_of_block * number * (rows + firing + places);
    // Soft and hard, of the epoch under way and of the last one.
    let films = 4 * (steps + 1) * channels * cells;
    // Bits as bytes: the start, what is wanted, and what is needed to make it.
    let task = boards * cells * (2 * channels + 1);
    // Two states with their margins, which cells there are and which fire, in bits.
    let hard = boards * (width + 2) * (height + 2) * (2 * channels + 2) / 8;
    let gates = config.architecture().gates() as u64;
    // Logits, moments, probabilities and gradient, and the state to go back to.
    let optimizer = gates * FUNCTIONS as u64 * number * (5 + 3);
    let sums = gates * size_of::<Coefficients>() as u64 * (2 + blocks.min(MAX_GROUPS as u64));
    soft + films + task + hard + optimizer + sums + local_search::needed(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::Preset;

    #[test]
    fn presets_leave_room_for_larger_boards_in_a_page() {
        for preset in Preset::ALL {
            let needed = needed(&LogicConfig::of(preset));
            assert!(needed < MOST_IN_A_PAGE / 4, "{}: {needed}", preset.name());
        }
    }
}
