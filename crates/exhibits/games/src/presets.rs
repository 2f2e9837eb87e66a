//! Presets that several games have.

use serde_json::json;
use vivarium_lab::info::{PresetInfo, preset};

/// Creates the preset `name` that differs from the default config by the network's width and number of residual blocks.
pub(crate) fn size_preset(name: &str, label: &str, width: u32, blocks: u32) -> PresetInfo {
    preset(name, label, json!({ "network": { "width": width, "blocks": blocks } }))
}

/// Creates the preset with a larger network than the default config.
pub(crate) fn large_preset() -> PresetInfo {
    size_preset("large", "Large network", 256, 4)
        .with_help("256 units, 4 blocks: stronger, but slower to train.")
}
