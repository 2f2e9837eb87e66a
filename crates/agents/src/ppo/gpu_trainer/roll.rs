//! The kernel that takes lanes through many steps at once, for networks that are narrow enough.

use super::super::config::{Activation, PpoConfig};
use super::super::policy::Policy;
use vivarium_envs::ActionSpace;

/// Lanes of a workgroup.
pub(super) const LANES: usize = 16;

/// The most units that a workgroup computes side by side: one for every two of its 256 invocations.
const UNITS: usize = 128;

/// The most outputs, and the most numbers of an observation.
const OUTPUTS: usize = 32;

/// Steps that a kernel takes at most: some milliseconds on any GPU, so that whoever waits for the device stays patient.
pub(super) const STEPS: usize = 64;

/// The kernel's own text, to stand after those of the lanes and of the step; `None` where the network is too wide for it, or
/// has no hidden layer.
pub(super) fn text(config: &PpoConfig, policy: &Policy, observation: usize) -> Option<String> {
    let torsos = if config.shared_torso { ["torso"; 2] } else { ["actor", "critic"] };
    let count = if config.shared_torso { 1 } else { 2 };
    let widest = config.hidden.iter().copied().max()? as usize;
    if count * widest > UNITS || policy.width() >= OUTPUTS || observation > OUTPUTS {
        return None;
    }
    // Where a part of two layers lies among the parameters.
    let places = |layers: &[String; 2], part: &str| {
        let specs = policy.network.specs();
        let place = |layer: &String| {
            let name = format!("{layer}.{part}");
            specs.iter().find(|spec| spec.name == name).map(|spec| spec.offset)
        };
        Some(format!("vec2({}u, {}u)", place(&layers[0])?, place(&layers[1])?))
    };
    let mut calls = String::new();
    let mut inputs = None;
    for (layer, &units) in config.hidden.iter().enumerate() {
        let layers = torsos.map(|torso| format!("{torso}.{layer}"));
        let (weights, biases) = (places(&layers, "weight")?, places(&layers, "bias")?);
        calls += &match inputs.replace(units) {
            None => format!("    first_layer(here, {units}u, {weights}, {biases});\n"),
            Some(inputs) => format!("    layer(here, {inputs}u, {units}u, {weights}, {biases});\n"),
        };
    }
    let heads = ["policy", "value"].map(str::to_owned);
    let (weights, biases, inputs) = (places(&heads, "weight")?, places(&heads, "bias")?, inputs?);
    calls += &format!("    outputs_of(here, {inputs}u, {weights}, {biases});\n");
    let activation = match config.activation {
        Activation::Tanh => "safe_tanh4",
        Activation::Relu => "relu4",
    };
    let discrete = matches!(policy.actions, ActionSpace::Discrete(_));
    Some(format!(
        "const ROLL_LANES = {LANES}u;\nconst UNITS = {UNITS}u;\nconst TORSOS = {count}u;\n\
         const DISCRETE = {discrete};\n{text}\n\
         fn activated(x: vec4<f32>) -> vec4<f32> {{\n    return {activation}(x);\n}}\n\n\
         fn network(here: u32) {{\n{calls}}}\n",
        text = vivarium_gpu::shader!("roll.wgsl"),
    ))
}
