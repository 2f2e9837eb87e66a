//! Fused rollout kernel for narrow networks: one kernel takes many environment steps, network and dynamics included.

use super::super::config::{Activation, PpoConfig};
use super::super::network::Policy;
use vivarium_envs::ActionSpace;

/// Number of environments per workgroup.
pub(super) const GROUP_ENVS: usize = 16;

/// Maximum number of units of a layer, summed over actor and critic. A workgroup of 256 invocations computes each unit
/// with two invocations.
const UNITS: usize = 128;

/// Maximum number of observation dimensions of the fused kernel. The policy must have fewer outputs than this number.
const OUTPUTS: usize = 32;

/// Maximum number of environment steps per kernel. A kernel then takes a few milliseconds, below the time limit of GPU
/// drivers.
pub(super) const STEPS: usize = 64;

/// Returns the WGSL of the fused kernel, which the caller appends to the WGSL of the environment and of its step.
/// Returns `None` if the network is too wide or has no hidden layer.
pub(super) fn text(config: &PpoConfig, policy: &Policy, observation: usize) -> Option<String> {
    let torsos = if config.shared_torso { ["torso"; 2] } else { ["actor", "critic"] };
    let count = if config.shared_torso { 1 } else { 2 };
    let widest = config.hidden.iter().copied().max()? as usize;
    if count * widest > UNITS || policy.width() >= OUTPUTS || observation > OUTPUTS {
        return None;
    }
    // WGSL of the parameter offsets of the actor's and the critic's layer.
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
        "const ROLL_ENVS = {GROUP_ENVS}u;\nconst UNITS = {UNITS}u;\nconst TORSOS = {count}u;\n\
         const DISCRETE = {discrete};\n{text}\n\
         fn activated(x: vec4<f32>) -> vec4<f32> {{\n    return {activation}(x);\n}}\n\n\
         fn network(here: u32) {{\n{calls}}}\n",
        text = vivarium_gpu::shader!("roll.wgsl"),
    ))
}
