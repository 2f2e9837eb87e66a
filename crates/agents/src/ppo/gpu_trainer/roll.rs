//! Fused rollout kernel for narrow networks: one dispatch takes many environment steps, including the network's
//! forward passes.

use super::super::config::{Activation, PpoConfig};
use super::super::network::Policy;
use vivarium_envs::ActionSpace;
use vivarium_gpu::ShaderPart;

/// Number of environments that one workgroup steps.
pub(super) const GROUP_ENVS: usize = 16;

/// Maximum number of units in a layer of the actor and the corresponding layer of the critic together. A workgroup of
/// 256 invocations computes each unit with two invocations.
const UNITS: usize = 128;

/// Maximum number of observation dimensions, and maximum number of network outputs (policy outputs and the value),
/// for which the fused kernel is used.
const OUTPUTS: usize = 32;

/// Maximum number of environment steps in one dispatch of the fused kernel. A dispatch then takes a few milliseconds,
/// which is below the time limit of GPU drivers.
pub(super) const STEPS: usize = 64;

/// Source of the fused rollout kernel for the network of one config.
pub(super) struct RollShader {
    /// WGSL constants that describe the network: number and sizes of the layers, offsets of their weights and biases
    /// in the buffer of parameters, and activation function.
    pub network: ShaderPart,
}

impl RollShader {
    /// WGSL of the fused kernel. The kernel requires the WGSL of the environment's dynamics and of `act.wgsl`.
    pub const TEXT: &str = vivarium_gpu::shader!("roll.wgsl");

    /// Returns the fused kernel for the network of a policy with `observation` observation dimensions. Returns `None`
    /// if the network is too wide for the kernel, or has no hidden layer.
    pub fn new(config: &PpoConfig, policy: &Policy, observation: usize) -> Option<Self> {
        let torsos = if config.shared_torso { ["torso"; 2] } else { ["actor", "critic"] };
        let count = if config.shared_torso { 1 } else { 2 };
        let widest = config.hidden.iter().copied().max()? as usize;
        if count * widest > UNITS || policy.width() >= OUTPUTS || observation > OUTPUTS {
            return None;
        }
        let mut constants = vec![
            ("ROLL_ENVS".to_owned(), GROUP_ENVS),
            ("UNITS".to_owned(), UNITS),
            ("TORSOS".to_owned(), count),
            ("LAST_UNITS".to_owned(), *config.hidden.last()? as usize),
            ("LAYERS".to_owned(), config.hidden.len()),
        ];
        // Offsets, in the network's parameters, of the weights and biases of one layer of the actor and of the critic.
        let mut layer = |layers: [String; 2], suffix: &str| {
            for (torso, layer) in ["ACTOR", "CRITIC"].into_iter().zip(layers) {
                for (part, of_part) in [("WEIGHT", "weight"), ("BIAS", "bias")] {
                    let name = format!("{layer}.{of_part}");
                    let spec = policy.network.specs().iter().find(|spec| spec.name == name)?;
                    constants.push((format!("{torso}_{part}_{suffix}"), spec.offset));
                }
            }
            Some(())
        };
        for number in 0..config.hidden.len() {
            layer(torsos.map(|torso| format!("{torso}.{number}")), &number.to_string())?;
        }
        layer(["policy", "value"].map(str::to_owned), "HEAD")?;
        for (number, &units) in config.hidden.iter().enumerate() {
            constants.push((format!("UNITS_{number}"), units as usize));
            constants.push((format!("INPUTS_{}", number + 1), units as usize));
        }
        let activation = match config.activation {
            Activation::Tanh => "activate_tanh4",
            Activation::Relu => "activate_relu4",
        };
        let network = ShaderPart::default()
            .constants(constants)
            .constants([("DISCRETE", matches!(policy.actions, ActionSpace::Discrete(_)))])
            .constants([("ACTIVATION", activation)]);
        Some(Self { network })
    }
}
