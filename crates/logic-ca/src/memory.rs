//! Memory estimate of a run, checked before anything is allocated.

use crate::circuit::NEIGHBORHOOD;
use crate::config::LogicConfig;
use crate::gate::{Coefficients, FUNCTIONS};
use crate::local_search;
use crate::soft::{LANES, MAX_GROUPS};

/// Maximum memory of a run in a browser, in bytes (320 MiB). The wasm memory is 1 GiB, and two runs exist while one
/// replaces the other.
const MAX_BYTES_IN_PAGE: u64 = 5 << 26;

/// Maximum memory of a run on this platform, in bytes.
pub const MAX_BYTES: u64 = if cfg!(target_arch = "wasm32") { MAX_BYTES_IN_PAGE } else { 1 << 30 };

/// Returns an estimate of the memory of a learner in bytes, without the scratch memory of the threads. All fields of
/// the config must be in range.
#[must_use]
pub fn needed(config: &LogicConfig) -> u64 {
    let [boards, width, height, channels, steps] =
        [config.batch, config.width, config.height, config.channels, config.steps].map(u64::from);
    let (cells, number) = (width * height, size_of::<f32>() as u64);
    let (places, lanes_of_block) = (NEIGHBORHOOD as u64, LANES as u64);
    let blocks = (boards * cells).div_ceil(lanes_of_block) + 1;
    // Rows of f32: states of all steps, gradient of the loss, and two buffers of neighborhood gradients.
    let rows = channels * (steps + 2 + 2 * places);
    // Update masks of all steps, and the random numbers of one step.
    let firing = if config.fire_rate < 1.0 { steps + 1 } else { 0 };
    let soft = blocks * lanes_of_block * number * (rows + firing + places);
    // Recordings of the soft and of the hard automaton, for the current epoch and for the last finished epoch.
    let recordings = 4 * (steps + 1) * channels * cells;
    // One byte per bit: initial states, targets, and scratch memory.
    let batch = boards * cells * (2 * channels + 1);
    // Bit planes: two states with margins, cell mask and update mask.
    let hard = boards * (width + 2) * (height + 2) * (2 * channels + 2) / 8;
    let gates = config.architecture().gates() as u64;
    // Logits, moments, probabilities and gradient, and the saved state for rollbacks.
    let optimizer = gates * FUNCTIONS as u64 * number * (5 + 3);
    let sums = gates * size_of::<Coefficients>() as u64 * (2 + blocks.min(MAX_GROUPS as u64));
    soft + recordings + batch + hard + optimizer + sums + local_search::needed(config)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preset::LogicPreset;

    #[test]
    fn presets_need_at_most_a_quarter_of_the_browser_limit() {
        for preset in LogicPreset::ALL {
            let needed = needed(&LogicConfig::of(preset));
            assert!(needed < MAX_BYTES_IN_PAGE / 4, "{}: {needed}", preset.name());
        }
    }
}
